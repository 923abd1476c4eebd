#!/usr/bin/env python3
"""Every fifteenth word of Snowball's English vocabulary and its stem.

    python3 tests/golden/text/make_porter2.py > tests/golden/text/porter2.tsv
"""
folder = '../shared/golden/stemming/english/'
for i, (word, stem) in enumerate(zip(open(folder + 'voc.txt'), open(folder + 'output.txt'))):
    if i % 15 == 0:
        print(word.strip(), stem.strip(), sep='\t')
