#!/usr/bin/env python3
"""Every tenth line of Unicode's WordBreakTest.txt, from Debian's package unicode-data.

    python3 tests/golden/text/make_word_break_sample.py > tests/golden/text/word_break_sample.tsv
"""
lines = [line.split('\t')[0] for line in open('/usr/share/unicode/auxiliary/WordBreakTest.txt', encoding='utf-8')
         if line.startswith('÷')]
print('\n'.join(lines[::10]))
