#!/usr/bin/env python3
"""The terms that other tools give for preset_texts.txt: text, bm25s, tantivy (position:term), str.split().

    pip install bm25s tantivy
    python3 tests/golden/text/make_presets.py < tests/golden/text/preset_texts.txt > tests/golden/text/presets.tsv
"""
import sys

import bm25s
import tantivy

default = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(tantivy.Filter.remove_long(40)).filter(
    tantivy.Filter.lowercase()).build()
for line in sys.stdin:
    text = line.rstrip('\n')
    of_bm25s = bm25s.tokenize([text], stopwords='english', return_ids=False, show_progress=False)[0]
    # The Python binding gives terms without positions; dropped words are told by the terms.
    print(text, ' '.join(of_bm25s), ' '.join(default.analyze(text)), ' '.join(text.split()), sep='\t')
