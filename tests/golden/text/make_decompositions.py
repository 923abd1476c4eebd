#!/usr/bin/env python3
"""Every letter of Latin, Greek and Cyrillic that Unicode decomposes, and its decomposed form (NFD).

    python3 tests/golden/text/make_decompositions.py > tests/golden/text/decompositions.tsv
"""
import unicodedata

for first, last in (0xC0, 0x24F), (0x370, 0x4FF), (0x1E00, 0x1FFF):
    for code in range(first, last + 1):
        composed = chr(code)
        decomposed = unicodedata.normalize('NFD', composed)
        if decomposed != composed and unicodedata.category(composed)[0] == 'L':
            print(composed, decomposed, sep='\t')
