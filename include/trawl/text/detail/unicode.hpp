// SPDX-License-Identifier: MIT
#pragma once

/// Properties of characters, from the Unicode Character Database.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trawl/text/detail/unicode_tables.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The Word_Break property of UAX #29. Characters for which it is Other are divided further: Hiragana,
/// ideographs and complex scripts have kinds of their own.
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
    complex, ///< Thai, Lao, Khmer, Burmese and other scripts without blanks between words
};

/// The properties of a character that the tables hold.
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
    auto block = std::size_t{code >> 7};
    if (block >= property_blocks.size()) block = property_blocks.size() - 1;
    return properties(static_cast<unsigned char>(
        property_values[std::size_t{property_blocks[block]} * 128 + (code & 127)]));
}

/// The value of a code point in a table of runs (first code point, value in the top byte); 0 before
/// the first run. O(log runs).
[[nodiscard]] inline std::uint32_t value_in(std::u32string_view runs, char32_t code) noexcept {
    std::size_t first = 0; // runs before it begin at or before code
    for (auto last = runs.size(); first < last;) {
        auto const middle = (first + last) / 2;
        if ((runs[middle] & 0xFFFFFF) <= code) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first == 0 ? 0 : runs[first - 1] >> 24;
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
