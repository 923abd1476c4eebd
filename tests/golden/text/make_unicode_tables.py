#!/usr/bin/env python3
"""Writes include/trawl/text/unicode_tables.hpp from the Unicode Character Database that Python carries.

    python3 tests/golden/text/make_unicode_tables.py > include/trawl/text/unicode_tables.hpp

Folding covers Latin, Greek and Cyrillic; classes cover all of Unicode.
"""
import re
import sys
import unicodedata as ucd

FOLDED = [(0x80, 0x587), (0x1C80, 0x1C8F), (0x1D00, 0x1DBF), (0x1E00, 0x1FFF), (0x2010, 0x2011), (0x2018, 0x2019),
          (0x2070, 0x209C), (0x212A, 0x212B), (0x2160, 0x217F), (0x2C00, 0x2C7F), (0xA640, 0xA69F), (0xA722, 0xA7FF), (0xAB30, 0xAB64),
          (0xFB00, 0xFB06), (0xFF07, 0xFF5A)]
SEPARATOR, LETTER, DIGIT, IDEOGRAPH, MARK, IGNORED, JOINER, MID_LETTER, MID_NUMBER, MID_BOTH = range(10)
SPECIAL = {'æ': 'ae', 'œ': 'oe', 'ø': 'o', 'ð': 'd', 'þ': 'th', 'ı': 'i', 'ŋ': 'n', 'ĸ': 'q', 'ȷ': 'j',
           'ʼ': "'", '\u2018': "'", '\u2019': "'", '\u2010': '-', '\u2011': '-'}
STROKED = re.compile(r'LATIN SMALL LETTER (AE|[A-Z]) WITH [A-Z ]+$')


def bare(text):
    return ''.join(c for c in text if not 0x300 <= ord(c) <= 0x36F)


def special(c):
    if c in SPECIAL:
        return SPECIAL[c]
    found = STROKED.match(ucd.name(c, ''))
    return found.group(1).lower() if found else c


def fold(c):
    if c == '\u00b7' or ucd.category(c) in ('Sk', 'Zs') or ucd.name(c, '').startswith('VULGAR FRACTION'):
        return c
    if c in SPECIAL:
        return SPECIAL[c]
    text = bare(ucd.normalize('NFKD', bare(ucd.normalize('NFKD', c)).casefold()))
    text = ''.join(special(x) for x in text)
    return ucd.normalize('NFC', text).replace('ς', 'σ')


def kind(code):
    c = chr(code)
    category, name = ucd.category(c), ucd.name(c, '')
    if 0x300 <= code <= 0x36F or 0xFE00 <= code <= 0xFE0F or category == 'Cf' or 0xE0100 <= code <= 0xE01EF:
        return SEPARATOR if 0x600 <= code <= 0x605 or code in (0x6DD, 0x200B) else IGNORED
    if c in '._/-:#':
        return JOINER
    if c == "'":
        return MID_BOTH
    if c in ',;':
        return MID_NUMBER
    if c in '\u00b7\u0387\u2027\u055f\u05f4':
        return MID_LETTER
    if name.startswith('CJK ') and category[0] == 'L' or name.startswith('HIRAGANA LETTER') or code in (0x3005, 0x3007):
        return IDEOGRAPH
    if category == 'Nd':
        return DIGIT
    if category[0] == 'L' or category == 'Nl':
        return LETTER
    return MARK if category[0] == 'M' else SEPARATOR


folds = {}
for first, last in FOLDED:
    for code in range(first, last + 1):
        folded = fold(chr(code))
        if len(folded) > 1:  # a letter folds to letters: ŉ to n
            folded = ''.join(c for c in folded if kind(ord(c)) in (LETTER, DIGIT, MARK))
        if folded != chr(code) and any(kind(ord(c)) for c in folded):
            folds[code] = folded

ranges = []
before = None
for code in range(0x80, 0x110000):
    if 0xD800 <= code <= 0xDFFF:
        now = SEPARATOR
    elif code in folds:
        kinds = {kind(ord(c)) for c in folds[code]}
        now = kinds.pop() if len(kinds) == 1 else LETTER
    else:
        now = kind(code)
    if now != before:
        ranges.append(now << 24 | code)
    before = now

pool = ''
for folded in sorted(set(folds.values()), key=lambda s: (-len(s.encode()), s)):
    if folded not in pool:
        pool += folded


def rows(literals):
    lines, line = [], ''
    for literal in literals:
        if len(line) + len(literal) > 100:
            lines.append(line)
            line = ''
        line += literal
    return lines + [line]


def utf32(name, comment, values):
    print(f'// {comment}')
    print(f'inline constexpr std::u32string_view {name} =')
    lines = rows(f'\\x{v:X}' for v in values)
    print('\n'.join(f'    U"{line}"' for line in lines) + ';\n')


def utf8(name, comment, text):
    print(f'// {comment}')
    print(f'inline constexpr std::string_view {name} =')
    # Bytes above ASCII as three octal digits, which end by themselves.
    lines = rows(''.join(chr(b) if b < 0x80 else f'\\{b:03o}' for b in c.encode()) for c in text)
    print('\n'.join(f'    "{line}"' for line in lines) + ';\n')


print(f'''// SPDX-License-Identifier: MIT
#pragma once

/// What characters fold to and what they are to the word splitter, from the Unicode Character Database
/// {ucd.unidata_version}. Made by tests/golden/text/make_unicode_tables.py; do not edit.

#include <string_view>

// clang-format off
namespace trawl::inline v0_1::detail {{
''')
utf32('class_ranges', 'The first code point of each run of one class, and the class in the top byte.', ranges)
utf32('folded_characters', 'The code points that fold to something else, ascending.', sorted(folds))
utf32('folded_places', 'Where in folded_text the folded form lies: offset * 16 + bytes.',
      [len(pool[:pool.index(folds[c])].encode()) * 16 + len(folds[c].encode()) for c in sorted(folds)])
utf8('folded_text', 'The folded forms, overlapping where they can.', pool)
print('} // namespace trawl::inline v0_1::detail\n// clang-format on')
print(len(folds), 'foldings,', len(ranges), 'ranges', file=sys.stderr)
