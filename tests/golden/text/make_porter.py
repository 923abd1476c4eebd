#!/usr/bin/env python3
"""Stems every eighth word of Snowball's English vocabulary, and all on which the two tools disagree: word, the stem of
snowballstemmer's `porter` (the paper), the stem of NLTK's PorterStemmer in MARTIN_EXTENSIONS mode (the author's program).

    pip install snowballstemmer nltk
    python3 tests/golden/text/make_porter.py < ../shared/golden/stemming/english/voc.txt > tests/golden/text/porter.tsv
"""
import sys

import nltk.stem.porter
import snowballstemmer

paper = snowballstemmer.stemmer('porter')
program = nltk.stem.porter.PorterStemmer(mode='MARTIN_EXTENSIONS')
for i, word in enumerate(line.strip() for line in sys.stdin):
    # The author's program leaves words of one and two letters; NLTK leaves that to the caller.
    stems = paper.stemWord(word), program.stem(word) if len(word) > 2 else word
    if word.isalpha() and (i % 8 == 0 or stems[0] != stems[1]):
        print(word, *stems, sep='\t')
