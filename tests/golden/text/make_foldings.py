#!/usr/bin/env python3
"""Texts and what they fold to, by Python's own normalisation and case folding and the rules of folding.hpp: a sample of
all characters, and of the rows of Unicode's NormalizationTest.txt from Debian's package unicode-data.

    python3 tests/golden/text/make_foldings.py > tests/golden/text/foldings.tsv
"""
import bz2
import re
import unicodedata as ucd

# Written out by our own rules; characters of these are left to tests by hand.
# So are all of Arabic and Hebrew, whose points and variants are dropped, and digits but ASCII's.
OURS = re.compile('[æœøðþıŋĸȷʻʼʽʾʿ՚ߴߵ‘’‛‐‑⁄Ёё\uA78B\uA78C\u0591-\u06FF\u0750-\u077F\u08A0-\u08FF]|(?![0-9])\\d')


def accent(c):
    return any(a <= ord(c) <= b for a, b in [(0x300, 0x36F), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F)])


def folded(text):
    out, letter = '', ''
    for c in ucd.normalize('NFKD', text):
        if not ucd.combining(c):
            letter = c
        if accent(c) and re.search('LATIN|GREEK', ucd.name(letter, '') if letter else ''):
            continue
        out += c.casefold()
    out = ucd.normalize('NFC', out)
    return ucd.normalize('NFC', ''.join(c for c in out if not accent(c)))


def plain(text):
    names = [ucd.name(c, '') for c in text + ucd.normalize('NFKD', text.casefold())]
    return '' not in names and not OURS.search(ucd.normalize('NFKD', text).casefold()) and not any(
        re.match(r'LATIN (SMALL|CAPITAL) LETTER (AE|[A-Z]) WITH .*(STROKE|HOOK|TAIL|CURL|BAR|LOOP|BELT|TOPBAR|SWASH|DIGRAPH|DESCENDER|NOTCH|RETROFLEX|PALATAL|LEG|FLOURISH|TILDE|RING|SQUIRREL|CROSSED|OBLIQUE|DIAGONAL|LINE|MIDDLE)', n)
        for n in names) and not any(ucd.category(c) in ('So', 'Sc', 'No', 'Cf', 'Cn', 'Mn', 'Me') or 'FILLER' in ucd.name(c) or 'VARIATION' in ucd.name(c) for c in text)


rows = []
codes = [c for c in range(0xA0, 0x1F000) if not 0xD800 <= c < 0xF900 and not 0x3400 <= c < 0xA000]
interesting = [chr(c) for c in codes if plain(chr(c)) and (folded(chr(c)) != chr(c) or c % 97 == 0)]
rows += interesting[::6]
tests = [line.split(';')[:5] for line in bz2.open('/usr/share/unicode/NormalizationTest.txt.bz2', 'rt', encoding='utf-8') if ';' in line and line[0] not in '#@']
for row in tests[5000::43]:
    for field in row:
        text = ''.join(chr(int(x, 16)) for x in field.split())
        if not any(ucd.category(c) in ('So', 'No', 'Cn') or 'FILLER' in ucd.name(c) for c in text) and not OURS.search(ucd.normalize('NFKD', text)):
            rows.append(text)
for text in dict.fromkeys(rows):
    if not re.search(r'[\t\n\r\x85\u2028\u2029]', text + folded(text)):
        print(text, folded(text), sep='\t')
