#!/usr/bin/env python3
"""Copies the token figures (section 11) of ../shared/golden/worked_examples, one text a line:
text, whole identifiers, folded and split.

    python3 tests/golden/text/make_worked_tokens.py > tests/golden/text/worked_tokens.tsv
"""
import json

for case in json.load(open('../shared/golden/worked_examples/worked_examples.json'))['cases']:
    text, want = case['input'].get('text') if isinstance(case['input'], dict) else None, case['expected']
    if not case['id'].startswith('tokens.') or not text:
        continue
    if case['id'].startswith('tokens.fold.'):
        whole = folded = want['wanted']
    elif 'tokens' in want:
        whole, folded = want['tokens'], []
    else:
        whole, folded = want['whole identifiers'], want['folded']
    print(text, ' '.join(whole), ' '.join(folded), sep='\t')
