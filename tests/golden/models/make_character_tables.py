#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes include/trawl/models/detail/character_tables.hpp: what Hugging Face's tokenizers makes of each character.

    python3 tests/golden/models/make_character_tables.py > include/trawl/models/detail/character_tables.hpp

Its Rust libraries follow several versions of Unicode, so each character is put through them: tokenizers 0.23.3 says what is
dropped, white space, punctuation and a mark, what it decomposes to and its lower case. Combining classes are Python's
(Unicode 14 by Python 3.11) where NFD of tokenizers moves the character. Grapheme breaks are those of the package regex
(2026.11.19), save that tokenizers says which characters join the one before or behind them.
"""
import struct
import unicodedata

import regex
from tokenizers import normalizers, pre_tokenizers

KINDS = ["Other", "CR", "LF", "Control", "Extend", "ZWJ", "Regional_Indicator", "Prepend", "SpacingMark", "L", "V", "T", "LV",
         "LVT", "Extended_Pictographic"]
FLAGS = ["dropped", "space", "punctuation", "nonspacing", "mark", "decomposes", "lowers"]


def bert(**on):
    off = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
    return normalizers.BertNormalizer(**{**off, **on}).normalize_str


clean = bert(clean_text=True)
strip = bert(strip_accents=True)
without_marks = normalizers.StripAccents().normalize_str
nfd = normalizers.NFD().normalize_str
lower = normalizers.Lowercase().normalize_str
bert_words = pre_tokenizers.BertPreTokenizer().pre_tokenize_str
words = pre_tokenizers.WhitespaceSplit().pre_tokenize_str
kinds = [regex.compile(r"\p{GCB=" + kind + "}") for kind in KINDS[1:-1]] + [regex.compile(r"\p{Extended_Pictographic}")]
hangul = range(0xAC00, 0xD7A4)


def only_rule(source, target):
    """A normaliser by a map of SentencePiece's with one rule: a double array, then the target."""
    key = source.encode()
    units = [0] * (256 * len(key) + 1)
    place = key[0]  # the root's offset is 0
    for i, byte in enumerate(key):
        last = i + 1 == len(key)
        base = 256 * (i + 1)
        units[place] = byte | last << 8 | (place ^ base) << 10
        if not last:
            place = base ^ key[i + 1]
    units += [0] * (-len(units) % 256)
    array = struct.pack(f"<{len(units)}I", *units)
    return normalizers.Precompiled(struct.pack("<I", len(array)) + array + target.encode() + b"\0").normalize_str


a_to_x = only_rule("a", "x")
assert a_to_x("bab") == "bxb" and only_rule("é", "x")("aéa") == "axa"


def grapheme_kind(c):
    """A cluster of less than 6 bytes becomes what its beginning in the map becomes: so it shows whether two characters join."""
    kind = next((i + 1 for i, pattern in enumerate(kinds) if pattern.match(c)), 0)
    joining = [KINDS.index(name) for name in ("Extend", "ZWJ", "SpacingMark")]
    prepend = KINDS.index("Prepend")
    assert c in "a\0" or a_to_x("a" + c) in ("x", "x" + c)
    if c not in "a\0" and (a_to_x("a" + c) == "x") != (kind in joining):
        return joining[0] if kind not in joining else 0
    if ord(c) >= 0x80 and kind in (0, prepend) and (only_rule(c, "x")(c + "a") == "x") != (kind == prepend):
        return prepend if kind == 0 else 0
    return kind


def combining_class(c):
    value = unicodedata.combining(c)
    # What NFD does not know to be combining stays behind an iota subscript (240), and before a cedilla (202).
    if value not in (0, 240) and nfd("a\u0345" + c) == "a\u0345" + c:
        return 0
    if value == 240 and nfd("a" + c + "\u0327") == "a" + c + "\u0327":
        return 0
    return value


classes, class_of, decomposed, lowered, nonspacing = {}, [], {}, {}, set()
for code in range(0x110000):
    if 0xD800 <= code < 0xE000:
        class_of.append(0)
        continue
    c = chr(code)
    parts = [part for part, _ in bert_words("a" + c + "b")]
    space = len(words("a" + c + "b")) == 2
    assert space == (parts == ["a", "b"])
    cleaned = clean(c)
    assert cleaned in ("", " ", c) and (cleaned != " " or space)
    if nfd(c) != c and code not in hangul:
        decomposed[code] = nfd(c)
    if lower(c) != c:
        lowered[code] = lower(c)
    if nfd(c) == c and strip(c) == "":
        nonspacing.add(c)
    key = (cleaned == "", space, len(parts) == 3, c in nonspacing, without_marks(c) == "", code in decomposed, code in lowered,
           grapheme_kind(c), combining_class(c))
    class_of.append(classes.setdefault(key, len(classes)))
assert len(classes) < 256
# Accents are dropped from each character of the decomposition; lower case is of one character, but for U+0130.
for code, text in decomposed.items():
    assert strip(chr(code)) == "".join(c for c in text if c not in nonspacing), hex(code)
assert [code for code, text in lowered.items() if len(text) != 1] == [0x130] and lowered.pop(0x130) == "i\u0307"
for code in hangul:
    index = code - 0xAC00
    text = chr(0x1100 + index // 588) + chr(0x1161 + index % 588 // 28)
    assert nfd(chr(code)) == text + (chr(0x11A7 + index % 28) if index % 28 else "")


def blocks(values, size):
    known, out = {}, []
    for at in range(0, len(values), size):
        out.append(known.setdefault(tuple(values[at:at + size]), len(known)))
    return out, [value for block in known for value in block]


def literal(name, comment, kind, prefix, values, note=""):
    print("\n// " + comment if comment else "")
    print(f"inline constexpr {kind} {name}{{")
    line = ""
    for value in values:
        if len(line) > 100:
            print(f'    {prefix}"{line}"')
            line = ""
        line += f"\\x{value:X}"
    print(f'    {prefix}"{line}",\n    {len(values)}}};{note}')


middle, values = blocks(class_of, 128)
top, middles = blocks(middle, 32)
packed = [sum(1 << i for i, flag in enumerate(key[:len(FLAGS)]) if flag) | key[-2] << 8 | key[-1] << 16 for key in classes]
pool, entries = "", []
for code, text in sorted(decomposed.items()):
    at = pool.find(text)
    if at < 0:
        at, pool = len(pool), pool + text
    entries += [code, len(text) << 16 | at]

print('''// SPDX-License-Identifier: MIT
#pragma once

/// What each character is to Hugging Face's tokenizers 0.23.3.
/// Made by tests/golden/models/make_character_tables.py; do not edit.

#include <string_view>

#include <trawl/config.hpp>

// clang-format off
TRAWL_BEGIN_NAMESPACE
namespace detail {''')
literal("character_planes", "Of 4096 characters each: which 32 blocks of 128.", "std::string_view", "", top)
literal("character_blocks", "Which 128 classes.", "std::u16string_view", "u", middles)
literal("character_classes", "Which of the kinds below.", "std::string_view", "", values)
literal("character_kinds", f"Bits 0 to {len(FLAGS) - 1}: {', '.join(FLAGS)}. Byte 1: the grapheme break property. Byte 2: the "
        "combining class.", "std::u32string_view", "U", packed)
literal("canonical_decompositions", "In pairs, ascending: a character; the length of its full canonical decomposition, and in the "
        "low half where it\n// begins in decomposed_characters.", "std::u32string_view", "U", entries)
literal("decomposed_characters", "", "std::u32string_view", "U", [ord(c) for c in pool])
literal("simple_lower_cases", "In pairs, ascending: a character, its lower case.", "std::u32string_view", "U",
        [value for code, text in sorted(lowered.items()) for value in (code, ord(text))])
print('''
} // namespace detail
TRAWL_END_NAMESPACE
// clang-format on''')
