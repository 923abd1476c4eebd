#!/usr/bin/env python3
"""Writes include/trawl/text/detail/unicode_tables.hpp from the Unicode Character Database of Debian's package unicode-data.

    python3 tests/golden/text/make_unicode_tables.py > include/trawl/text/detail/unicode_tables.hpp
"""
import re
import sys

UCD = '/usr/share/unicode/'
CODES = 0x110000
BLOCKS = {'property': 128, 'fold': 64}


def ranges_of(file, column=1):
    for line in open(UCD + file, encoding='utf-8'):
        fields = [f.strip() for f in line.split('#')[0].split(';')]
        if len(fields) > column:
            first, _, last = fields[0].partition('..')
            yield range(int(first, 16), int(last or first, 16) + 1), fields[column]


def having(file, *values):
    return {code for codes, value in ranges_of(file) if value in values for code in codes}


# --- The database

category, ccc, names, raw, kinds, lower, digits = ['Cn'] * CODES, {}, {}, {}, {}, {}, {}
first = None
for line in open(UCD + 'UnicodeData.txt'):
    f = line.split(';')
    code = int(f[0], 16)
    begin = first if f[1].endswith(', Last>') else code
    first = code
    for c in range(begin, code + 1):
        category[c] = f[2]
    names[code] = f[1]
    if f[3] != '0':
        ccc[code] = int(f[3])
    if f[5]:
        *kind, mapping = re.match(r'(?:(<\w+>) )?(.*)', f[5]).groups()
        raw[code] = [int(x, 16) for x in mapping.split()]
        kinds[code] = kind[0]
    if f[6]:
        digits[code] = ord(f[6])
    if f[13]:
        lower[code] = int(f[13], 16)

case = {}
for line in open(UCD + 'CaseFolding.txt'):
    f = [x.strip() for x in line.split('#')[0].split(';')]
    if len(f) > 2 and f[1] in 'CF':
        case[int(f[0], 16)] = [int(x, 16) for x in f[2].split()]

excluded = {c for codes, value in ranges_of('DerivedNormalizationProps.txt') if value == 'Full_Composition_Exclusion'
            for c in codes}
ignorable = having('DerivedCoreProperties.txt', 'Default_Ignorable_Code_Point')
terminals = having('PropList.txt', 'Sentence_Terminal')
alphabetic = having('DerivedCoreProperties.txt', 'Alphabetic')
pictographic = having('emoji/emoji-data.txt', 'Extended_Pictographic')
han, hiragana = having('Scripts.txt', 'Han'), having('Scripts.txt', 'Hiragana')
latin_or_greek = having('Scripts.txt', 'Latin', 'Greek')
complex_context = having('LineBreak.txt', 'SA')

# In the order of enum class word_break.
BREAKS = ['Other', 'CR', 'LF', 'Newline', 'Extend', 'ZWJ', 'Format', 'Regional_Indicator', 'Katakana', 'Hebrew_Letter',
          'ALetter', 'Single_Quote', 'Double_Quote', 'MidNumLet', 'MidLetter', 'MidNum', 'Numeric', 'ExtendNumLet',
          'WSegSpace', 'hiragana', 'ideograph', 'complex']
word_break = [0] * CODES
for codes, value in ranges_of('auxiliary/WordBreakProperty.txt'):
    for c in codes:
        word_break[c] = BREAKS.index(value)
for members, value in (complex_context, 'complex'), (han, 'ideograph'), (hiragana, 'hiragana'):
    for c in members:
        if word_break[c] == 0:
            word_break[c] = BREAKS.index(value)
CARRIED = {BREAKS.index(b) for b in ('Katakana', 'Hebrew_Letter', 'ALetter', 'Numeric', 'hiragana', 'ideograph', 'complex')}

# --- Normal forms, by the standard's algorithms

L, V, T, S = 0x1100, 0x1161, 0x11A7, 0xAC00


def decomposed(codes, compatibility=True):
    out = []
    for c in codes:
        if S <= c < S + 11172:
            i = c - S
            out += [L + i // 588, V + i % 588 // 28] + ([T + i % 28] if i % 28 else [])
        elif c in raw and (compatibility or not kinds[c]):
            out += decomposed(raw[c], compatibility)
        else:
            out.append(c)
    i = 0
    while i < len(out):  # canonical order
        j = i
        while j < len(out) and ccc.get(out[j], 0):
            j += 1
        out[i:j] = sorted(out[i:j], key=lambda c: ccc[c])
        i = j + 1
    return out


# The accents: they go from Latin and Greek letters, and wherever they make no letter of their own. Hebrew points and
# Arabic harakat, which readers supply and writers mostly leave out, and the tatweel that stretches a word, are accents.
# In step with is_accent of detail/fold.hpp.
ACCENTS = [(0x300, 0x36F), (0x591, 0x5BD), (0x5BF, 0x5BF), (0x5C1, 0x5C2), (0x5C4, 0x5C5), (0x5C7, 0x5C7),
           (0x610, 0x61A), (0x640, 0x640), (0x64B, 0x65F), (0x670, 0x670), (0x6D6, 0x6DC), (0x6DF, 0x6E4),
           (0x6E7, 0x6E8), (0x6EA, 0x6ED), (0x8CA, 0x8E1), (0x8E3, 0x8FF),
           (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F)]


def accent(c):
    return any(a <= c <= b for a, b in ACCENTS)


# The letters that a mark makes: pairs to compose. Russian yo is written with and without its dots, and an alef with and
# without its hamza or madda, so these are none.
YO, ALEFS = 0x451, (0x622, 0x623, 0x625)
pairs = {(raw[c][0], raw[c][1]): c for c in raw
         if not kinds[c] and len(raw[c]) == 2 and c not in excluded and c not in (0x401, YO, *ALEFS)
         and not (accent(raw[c][1]) and (raw[c][0] in latin_or_greek or category[raw[c][0]][0] not in 'LM'))
         and c not in latin_or_greek}


def pair(a, b):
    if L <= a < L + 19 and V <= b < V + 21:
        return S + (a - L) * 588 + (b - V) * 28
    if S <= a < S + 11172 and (a - S) % 28 == 0 and T < b < T + 28:
        return a + b - T
    return pairs.get((a, b))


def composed(codes):
    out, starter, last = [], None, -1
    for c in codes:
        rank = ccc.get(c, 0)
        made = pair(out[starter], c) if starter is not None and last < rank or starter == len(out) - 1 and out else None
        if made:
            out[starter] = made
            continue
        if rank == 0:
            starter, last = len(out), -1
        else:
            last = rank
        out.append(c)
    return out


# --- Folding one character

SPECIAL = {'æ': 'ae', 'œ': 'oe', 'ø': 'o', 'ð': 'd', 'þ': 'th', 'ı': 'i', 'ŋ': 'n', 'ĸ': 'q', 'ȷ': 'j',
           '\u2010': '-', '\u2011': '-', '\u2044': '/', '\u05F4': '"', '\u066B': '.', '\u066C': ','}
# Apostrophes, the ʻokina, the letters for ayin and hamza, the Hebrew geresh.
SPECIAL |= dict.fromkeys('\u02BB\u02BC\u02BD\u02BE\u02BF\u055A\u05F3\u07F4\u07F5\u2018\u2019\u201B\uA78B\uA78C', "'")
# Letters that Arabic, Persian and Urdu keyboards tell apart and writers do not: those of Lucene's ArabicNormalizer and
# PersianNormalizer, and the variants of alef.
SPECIAL |= {'\u0671': '\u0627', '\u0672': '\u0627', '\u0673': '\u0627', '\u06A9': '\u0643', '\u06AA': '\u0643',
            '\u0649': '\u064A', '\u06CC': '\u064A', '\u0629': '\u0647', '\u06C1': '\u0647', '\u06C3': '\u0647'}
STROKED = re.compile(r'LATIN SMALL LETTER (AE|[A-Z]) WITH [A-Z ]+$')


def special(c):
    if chr(c) in SPECIAL:
        return [ord(x) for x in SPECIAL[chr(c)]]
    if c in digits:
        return [digits[c]]
    found = STROKED.match(names.get(c, ''))
    return [ord(x) for x in found.group(1).lower()] if found else [c]


def bare(codes):
    return composed([c for c in composed(codes) if not accent(c)])


# The acute accent with a blank below it (and its Greek equal), which stands between letters only where an apostrophe was
# meant (don´t, geht´s); UTS #39 lists it as confusable with one. The grave accent is left alone: it quotes code, also
# directly behind a word (sql`select`), and UAX #29 ends words there.
ACUTE = (0xB4, 0x1FFD)


def fold(code):
    if code in ACUTE:
        return [0x27]
    if code in ignorable and code != 0x200B or accent(code) and not ccc.get(code):
        return []
    if accent(code):
        return decomposed([code])
    out = decomposed([x for c in decomposed([code]) if not accent(c) or not latin_letter(code) for x in ([c] if accent(c) else case.get(c, [c]))])
    out = bare([x for c in out for x in special(c)])
    # A symbol that stands for letters or digits (™ ½ ㎏ ①) is a word of its own; superscripts go with their word.
    if word_break[code] not in CARRIED and any(word_break[c] in CARRIED for c in out) \
            and not (category[code] == 'No' and kinds.get(code) in ('<super>', '<sub>')):
        out = [0x20] + out + [0x20]
    return out


def latin_letter(code):
    return any(c in latin_or_greek for c in decomposed([code]))


folds = {}
for code in range(0x80, CODES):
    if category[code] != 'Cs' and (code in raw or code in case or code in ignorable or special(code) != [code] or accent(code)
                                   or S <= code < S + 11172):
        out = fold(code)
        if out != [code]:
            folds[code] = ''.join(map(chr, out))

seconds = {b for _, b in pairs} | set(range(V, V + 21)) | set(range(T + 1, T + 28))
CONTINUES, FOLDS, PICTOGRAPHIC = 0x80, 0x40, 0x20


def continues(code):
    head = decomposed([code])[0]
    return head in ccc or head in seconds or folds.get(code) == ''


properties = []
for code in range(CODES):
    properties.append(word_break[code] | (CONTINUES if continues(code) else 0) | (FOLDS if code in folds else 0)
                      | (PICTOGRAPHIC if code in pictographic else 0))


# --- Writing

pool, starts = '', {}
for text in sorted(set(folds.values()), key=lambda s: (-len(s.encode()), s)):
    if text not in pool:
        pool += text
byte_at = [0]
for c in pool:
    byte_at.append(byte_at[-1] + len(c.encode()))
places = [0] * CODES  # offset * 64 + bytes
for code, text in folds.items():
    places[code] = byte_at[pool.index(text)] * 64 + len(text.encode())


def two_stages(name, values, comment, type, prefix, escape):
    block = BLOCKS[name]
    seen, index = {}, []
    for at in range(0, CODES, block):
        index.append(seen.setdefault(tuple(values[at:at + block]), len(seen)))
    while index[-1] == index[-2]:
        index.pop()
    table('u16string_view', 'u', f'{name}_blocks', f'Which block of {name}_values a block of {block} code points has. '
          'What lies behind the last has that one.', hexadecimal(index))
    table(type, prefix, f'{name}_values', comment, escape([v for b in seen for v in b]))


def runs(value_of):
    out, before = [], 0
    for code in range(CODES):
        now = value_of(code)
        if now != before:
            out.append(now << 24 | code)
        before = now
    return out


# Lower case as (first, last, step, distance mod 2^32) of equal distances.
cases = []
for code in sorted(lower):
    if code < 0x80:
        continue
    distance = (lower[code] - code) & 0xFFFFFFFF
    if cases and cases[-1][3] == distance and code - cases[-1][1] in (1, 2) \
            and cases[-1][2] in (0, code - cases[-1][1]):
        cases[-1][2] = code - cases[-1][1]
        cases[-1][1] = code
    else:
        cases.append([code, code, 0, distance])
cases = [[a, b, step or 1, d] for a, b, step, d in cases]


def rows(literals):
    lines, line = [], ''
    for literal in literals:
        if len(line) + len(literal) > 112:
            lines.append(line)
            line = ''
        line += literal
    return lines + [line]


def table(type, prefix, name, comment, values):
    print(f'// {comment}')
    print(f'inline constexpr std::{type} {name}{{')
    lines = rows(values)
    count = len(values)
    print('\n'.join(f'    {prefix}"{line}"' for line in lines) + f',\n    {count}}};\n')


def hexadecimal(values):
    return [f'\\x{v:X}' for v in values]


def octal(values):
    return [f'\\{v:03o}' for v in values]


version = re.search(r'-([0-9.]+)\.txt', open(UCD + 'DerivedAge.txt').readline()).group(1)
print(f'''// SPDX-License-Identifier: MIT
#pragma once

/// What characters are to the word splitters and what they fold to, from the Unicode Character Database
/// {version}. Made by tests/golden/text/make_unicode_tables.py; do not edit.

#include <string_view>

#include <trawl/config.hpp>

// clang-format off
TRAWL_BEGIN_NAMESPACE
namespace detail {{
''')
two_stages('property', properties, 'A word_break; 32 pictographic, 64 folds to something else, 128 belongs to the '
           'character before.', 'string_view', '', octal)
two_stages('fold', places, 'Where in folded_text the folded form lies: offset * 64 + bytes.', 'u32string_view', 'U', hexadecimal)
# Bytes above ASCII as three octal digits, which end by themselves.
flat = [b for c in pool for b in c.encode()]
table('string_view', '', 'folded_text', 'The folded forms, overlapping where they can.',
      [chr(b) if 0x20 <= b < 0x7F and chr(b) not in '"\\?' else f'\\{b:03o}' for b in flat])
triples = [(a, b, c) for (a, b), c in pairs.items()]
table('u32string_view', 'U', 'composed_pairs', 'Letters that a mark makes: letter, mark, both; by letter and mark.',
      hexadecimal(x for t in sorted(triples) for x in t))
table('u32string_view', 'U', 'decomposed_pairs', 'The same by the whole: both, letter, mark.',
      hexadecimal(x for t in sorted((c, a, b) for a, b, c in triples) for x in t))
table('u32string_view', 'U', 'combining_classes', 'The first code point of each run of one combining class, and the class in the top byte.',
      hexadecimal(runs(lambda c: ccc.get(c, 0))))
table('u32string_view', 'U', 'alphanumerics',
      'Likewise: 1 alphabetic or a number (what Rust takes for alphanumeric), 2 a letter or a number (Python).',
      hexadecimal(runs(lambda c: (1 if c in alphabetic or category[c][0] == 'N' else 0)
                       | (2 if category[c][0] in 'LN' else 0))))
table('u32string_view', 'U', 'sentence_marks',
      'Likewise, beyond ASCII: 1 ends a sentence, 2 closes a bracket or a quotation, 4 opens a quotation or closes it.',
      hexadecimal(runs(lambda c: 0 if c < 0x80 else (1 if c in terminals else 0)
                       | (2 if category[c] in ('Pe', 'Pf') else 0) | (4 if category[c] == 'Pi' else 0))))
table('u32string_view', 'U', 'lower_cases', 'Upper case beyond ASCII: first, last, step, what to add modulo 2^32.',
      hexadecimal(x for row in cases for x in row))
print('} // namespace detail\nTRAWL_END_NAMESPACE\n// clang-format on')
print(len(folds), 'foldings,', len(pairs), 'pairs', len(cases), 'cases', len(pool), 'characters', file=sys.stderr)
