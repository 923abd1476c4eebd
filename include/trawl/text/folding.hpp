// SPDX-License-Identifier: MIT
#pragma once

/// Folding: one form for the many ways to write a word. Case and accents go, ligatures and letters that have
/// no decomposition are written out (ß ss, œ oe, æ ae, ø o, ł l, đ d, þ th, ı i), typographic apostrophes and
/// hyphens become ASCII. Composed and decomposed text fold alike.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <trawl/text/unicode_tables.hpp>

namespace trawl::inline v0_1 {
namespace detail {

/// What a character is to the word splitter, after folding.
enum class char_class : unsigned char {
    separator,
    letter,
    digit,
    ideograph,  ///< a word by itself: Han, Hiragana
    mark,       ///< stays with the letter before it
    ignored,    ///< accents, soft hyphens, joiners without width: as if not there
    joiner,     ///< . _ / - : # join two runs to an identifier
    mid_letter, ///< inside a word between letters
    mid_number, ///< inside a word between digits
    mid_both,   ///< inside a word between two letters or two digits
};

/// One character of a text, folded. The view lies in a table or in the text itself.
struct folded_character {
    std::string_view text = {};
    char_class kind = char_class::separator;
    std::size_t bytes = 1; ///< that it takes in the text, 1 to 4
};

inline constexpr std::string_view ascii_folded{
    "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0B\x0C\r\x0E\x0F"
    "\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F"
    " !\"#$%&'()*+,-./0123456789:;<=>?@abcdefghijklmnopqrstuvwxyz[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~\x7F",
    128};

// char_class of each ASCII character as a digit.
inline constexpr std::string_view ascii_classes =
    "0000000000000000000000000000000000060009000086662222222222680000"
    "0111111111111111111111111110000601111111111111111111111111100000";

static_assert(ascii_folded.size() == 128 && ascii_classes.size() == 128);

/// A code point and its length; length 0 where the bytes are not valid UTF-8.
struct decoded_character {
    char32_t code = 0;
    std::size_t bytes = 0;
};

/// Decodes the character at text[at], at < text.size(), strictly: no surrogates, nothing overlong, nothing
/// above U+10FFFF. Reads no byte past the end.
[[nodiscard]] inline decoded_character decode_utf8(std::string_view text, std::size_t at) noexcept {
    auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    auto const lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    auto const bytes = std::size_t{lead < 0xE0 ? 2u : lead < 0xF0 ? 3u : 4u};
    if (lead < 0xC2 || lead > 0xF4 || text.size() - at < bytes) return {};
    auto code = static_cast<char32_t>(lead & (0x7F >> bytes));
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return {};
        code = code << 6 | (byte(i) & 0x3Fu);
    }
    if (bytes == 3 && (code < 0x800 || (code >= 0xD800 && code <= 0xDFFF))) return {};
    if (bytes == 4 && (code < 0x10000 || code > 0x10FFFF)) return {};
    return {code, bytes};
}

// Folds a character outside ASCII. This is where more of Unicode finds its place: the tables hold it all.
[[nodiscard]] inline folded_character fold_beyond_ascii(std::string_view text, std::size_t at) noexcept {
    auto const character = decode_utf8(text, at);
    if (character.bytes == 0) return {"\xEF\xBF\xBD", char_class::separator, 1};
    folded_character out{text.substr(at, character.bytes), char_class::separator, character.bytes};
    auto const range = std::upper_bound(class_ranges.begin(), class_ranges.end(), character.code,
        [](char32_t code, char32_t entry) { return code < (entry & 0xFFFFFF); });
    if (range != class_ranges.begin()) out.kind = static_cast<char_class>(*(range - 1) >> 24);
    auto const entry = std::lower_bound(folded_characters.begin(), folded_characters.end(), character.code);
    if (entry != folded_characters.end() && *entry == character.code) {
        auto const place = folded_places[static_cast<std::size_t>(entry - folded_characters.begin())];
        out.text = folded_text.substr(place >> 4, place & 0xF);
    }
    return out;
}

/// Folds the character at text[at], at < text.size(). A byte that is not UTF-8 becomes U+FFFD,
/// a separator.
[[nodiscard]] inline folded_character fold_at(std::string_view text, std::size_t at) noexcept {
    auto const byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x80) return fold_beyond_ascii(text, at);
    return {ascii_folded.substr(byte, 1), static_cast<char_class>(ascii_classes[byte] - '0'), 1};
}

} // namespace detail

/// The text with every character folded as the analyzers fold it. Any bytes are allowed; each that is not
/// UTF-8 becomes U+FFFD, so that the result always is. O(n).
[[nodiscard]] inline std::string folded(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        auto const character = detail::fold_at(text, at);
        if (character.kind != detail::char_class::ignored) out.append(character.text);
        at += character.bytes;
    }
    return out;
}

} // namespace trawl::inline v0_1
