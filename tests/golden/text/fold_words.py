#!/usr/bin/env python3
"""Every twentieth word of a list of German, without accents and with ss for ß, or of French as it is: what
MakeLight.java reads."""
import sys
import unicodedata

words = [line.strip() for line in open(sys.argv[1], encoding='utf-8')]
if 'german' in sys.argv[1]:
    words = [''.join(c for c in unicodedata.normalize('NFD', w.replace('ß', 'ss')) if not unicodedata.combining(c)) for w in words]
print('\n'.join(w for w in sorted(set(words))[::20] if w.isalpha() and 'œ' not in w))
