// SPDX-License-Identifier: MIT
#pragma once

/// UTF-8 and the properties of characters.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <trawl/text/detail/unicode_tables.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A code point and its length; length 0 where the bytes are not valid UTF-8.
struct decoded_character {
    char32_t code = 0;
    std::size_t bytes = 0;
};

/// Decodes the character at text[at], at < text.size(), strictly: no surrogates, nothing overlong,
/// nothing above U+10FFFF. Reads no byte past the end.
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

/// Writes a code point as UTF-8; returns the end of the 1 to 4 bytes.
[[nodiscard]] inline char* encode_utf8(char32_t code, char* out) noexcept {
    auto const put = [&](char32_t byte) {
        *out++ = static_cast<char>(static_cast<unsigned char>(byte));
    };
    if (code < 0x80) {
        put(code);
        return out;
    }
    if (code < 0x800) {
        put(0xC0 | code >> 6);
    } else {
        if (code < 0x10000) {
            put(0xE0 | code >> 12);
        } else {
            put(0xF0 | code >> 18);
            put(0x80 | (code >> 12 & 0x3F));
        }
        put(0x80 | (code >> 6 & 0x3F));
    }
    put(0x80 | (code & 0x3F));
    return out;
}

inline void append_utf8(char32_t code, std::string& out) {
    std::array<char, 4> bytes{};
    out.append(
        bytes.data(), static_cast<std::size_t>(encode_utf8(code, bytes.data()) - bytes.data()));
}

/// The Word_Break property of UAX #29. Where it is Other, three kinds of letters are told from the
/// rest.
enum class word_break : unsigned char {
    other,
    cr,
    lf,
    newline,
    extend,
    zwj,
    format,
    regional_indicator,
    katakana,
    hebrew_letter,
    letter,
    single_quote,
    double_quote,
    mid_both,
    mid_letter,
    mid_number,
    number,
    connector,
    blank,
    hiragana,
    ideograph,
    complex, ///< Thai, Lao, Khmer, Burmese and others that put no blanks between words
};

/// What the tables know of a character.
class properties {
public:
    explicit constexpr properties(unsigned char bits) noexcept : bits_(bits) {}

    [[nodiscard]] constexpr word_break kind() const noexcept {
        return static_cast<word_break>(bits_ & 31);
    }
    [[nodiscard]] constexpr bool pictographic() const noexcept { return (bits_ & 32) != 0; }
    /// Whether it folds to something else.
    [[nodiscard]] constexpr bool folds() const noexcept { return (bits_ & 64) != 0; }
    /// Whether its folded form may depend on the character before it.
    [[nodiscard]] constexpr bool continues() const noexcept { return (bits_ & 128) != 0; }

private:
    unsigned char bits_;
};

[[nodiscard]] inline properties properties_of(char32_t code) noexcept {
    auto const block = (std::min)(std::size_t{code >> 7}, property_blocks.size() - 1);
    return properties(static_cast<unsigned char>(
        property_values[std::size_t{property_blocks[block]} * 128 + (code & 127)]));
}

/// What a table of runs (first code point, value in the top byte) has for a code point; 0 before
/// the first.
[[nodiscard]] inline std::uint32_t value_in(std::u32string_view runs, char32_t code) noexcept {
    auto const run = std::upper_bound(runs.begin(), runs.end(), code,
        [](char32_t c, char32_t entry) { return c < (entry & 0xFFFFFF); });
    return run == runs.begin() ? 0 : *(run - 1) >> 24;
}

/// Unicode's simple lower case of a character.
[[nodiscard]] inline char32_t lower(char32_t code) noexcept {
    if (code < 0x80) return code >= 'A' && code <= 'Z' ? code + 32 : code;
    std::size_t first = 0;
    for (auto last = lower_cases.size() / 4; first < last;) {
        auto const middle = (first + last) / 2;
        if (lower_cases[middle * 4 + 1] < code) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    if (first * 4 == lower_cases.size()) return code;
    auto const range = lower_cases.substr(first * 4, 4);
    if (code < range[0] || (code - range[0]) % range[2] != 0) return code;
    return static_cast<char32_t>(
        static_cast<std::uint32_t>(code) + static_cast<std::uint32_t>(range[3]));
}

} // namespace detail
TRAWL_END_NAMESPACE
