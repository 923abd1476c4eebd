// SPDX-License-Identifier: MIT
#pragma once

/// The alphabet of the query language: signs, quotes and blanks in their Unicode forms.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/config.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A character of a query and the bytes [begin, end) that it was written with.
struct query_character {
    char32_t code = 0;     ///< fullwidth signs and digits as their ASCII forms
    std::size_t begin = 0; ///< the backslash, if there is one, lies before
    std::size_t end = 0;
    bool escaped = false; ///< written behind a backslash: an ordinary character

    [[nodiscard]] bool is(char32_t sign) const noexcept { return !escaped && code == sign; }
};

/// U+FF01 to U+FF5E are the fullwidth forms of U+0021 to U+007E; U+FE61 to U+FE63 are small * + -.
[[nodiscard]] inline char32_t narrow(char32_t code) noexcept {
    if (code >= 0xFF01 && code <= 0xFF5E) {
        auto const ascii = code - 0xFEE0;
        auto const letter = (ascii | 0x20) >= U'a' && (ascii | 0x20) <= U'z';
        return letter ? code : ascii;
    }
    switch (code) {
    case 0xFE61:
        return U'*';
    case 0xFE62:
        return U'+';
    case 0xFE63:
    case 0x2212: // the minus sign
        return U'-';
    default:
        return code;
    }
}

/// White space of Unicode, and the two characters without width that pasted texts contain.
[[nodiscard]] inline bool is_query_blank(char32_t code) noexcept {
    return (code >= 0x09 && code <= 0x0D) || code == 0x20 || code == 0x85 || code == 0xA0
           || code == 0x1680 || (code >= 0x2000 && code <= 0x200B) || code == 0x2028
           || code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000
           || code == 0xFEFF;
}

/// Double quotation marks other than the straight one.
[[nodiscard]] inline bool is_curly_quote(char32_t code) noexcept {
    return (code >= 0x201C && code <= 0x201F) || code == 0xAB || code == 0xBB
           || (code >= 0x301D && code <= 0x301F);
}

[[nodiscard]] inline bool is_quote(char32_t code) noexcept {
    return code == U'"' || is_curly_quote(code);
}

[[nodiscard]] inline bool is_query_digit(char32_t code) noexcept {
    return code >= U'0' && code <= U'9';
}

/// ASCII letters, _ and everything outside ASCII.
[[nodiscard]] inline bool is_query_letter(char32_t code) noexcept {
    return (code >= U'a' && code <= U'z') || (code >= U'A' && code <= U'Z') || code == U'_'
           || (code >= 128 && !is_query_blank(code) && !is_quote(code));
}

/// Decodes a query; a byte that is not UTF-8 is a character of its own. O(n).
[[nodiscard]] inline std::vector<query_character> query_characters(std::string_view text) {
    std::vector<query_character> all;
    all.reserve(text.size());
    bool escaped = false;
    for (std::size_t at = 0; at < text.size();) {
        auto const c = decode_utf8(text, at);
        auto const end = at + (c.bytes == 0 ? 1 : c.bytes);
        auto const code = c.bytes == 0 ? 0x110000u : narrow(c.code);
        if (!escaped && code == U'\\' && end < text.size()) {
            escaped = true;
        } else {
            all.push_back({code, at, end, escaped});
            escaped = false;
        }
        at = end;
    }
    return all;
}

} // namespace detail
TRAWL_END_NAMESPACE
