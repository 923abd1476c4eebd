// SPDX-License-Identifier: MIT
#pragma once

/// What a character is to the normalisers and word splitters of Hugging Face's tokenizers.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/models/detail/character_tables.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The Grapheme_Cluster_Break property of UAX #29, and Extended_Pictographic.
enum class grapheme_kind : unsigned char {
    other,
    cr,
    lf,
    control,
    extend,
    zwj,
    regional_indicator,
    prepend,
    spacing_mark,
    hangul_l,
    hangul_v,
    hangul_t,
    hangul_lv,
    hangul_lvt,
    pictographic,
};

class character_kind {
public:
    explicit constexpr character_kind(std::uint32_t bits) noexcept : bits_(bits) {}

    /// A control, format or private character that BERT's cleaning removes.
    [[nodiscard]] constexpr bool dropped() const noexcept { return (bits_ & 1) != 0; }
    [[nodiscard]] constexpr bool space() const noexcept { return (bits_ & 2) != 0; }
    [[nodiscard]] constexpr bool punctuation() const noexcept { return (bits_ & 4) != 0; }
    /// A mark of the general category Mn.
    [[nodiscard]] constexpr bool nonspacing() const noexcept { return (bits_ & 8) != 0; }
    /// A mark of any category: Mn, Mc, Me.
    [[nodiscard]] constexpr bool mark() const noexcept { return (bits_ & 16) != 0; }
    [[nodiscard]] constexpr bool decomposes() const noexcept { return (bits_ & 32) != 0; }
    /// Whether its lower case is another character.
    [[nodiscard]] constexpr bool lowers() const noexcept { return (bits_ & 64) != 0; }
    [[nodiscard]] constexpr grapheme_kind grapheme() const noexcept {
        return static_cast<grapheme_kind>(bits_ >> 8 & 0xFF);
    }
    /// 0 for all but marks that are put in order.
    [[nodiscard]] constexpr std::uint32_t combining_class() const noexcept { return bits_ >> 16; }

private:
    std::uint32_t bits_;
};

/// @param code  at most U+10FFFF
[[nodiscard]] inline character_kind kind_of(char32_t code) noexcept {
    auto const plane = static_cast<unsigned char>(character_planes[code >> 12]);
    auto const block = std::size_t{character_blocks[plane * std::size_t{32} + (code >> 7 & 31)]};
    auto const kind = static_cast<unsigned char>(character_classes[block * 128 + (code & 127)]);
    return character_kind(static_cast<std::uint32_t>(character_kinds[kind]));
}

/// Where a character's entry is in a table of pairs that ascend, or npos.
[[nodiscard]] inline std::size_t place_in_pairs(std::u32string_view pairs, char32_t code) noexcept {
    std::size_t first = 0;
    for (auto last = pairs.size() / 2; first < last;) {
        auto const middle = (first + last) / 2;
        if (pairs[middle * 2] < code) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first * 2 < pairs.size() && pairs[first * 2] == code ? first * 2 : pairs.npos;
}

/// Passes the full canonical decomposition of a character to sink(char32_t), itself if it has none.
template <class Sink>
void decompose(char32_t code, Sink&& sink) {
    if (code >= 0xAC00 && code < 0xAC00 + 11172) { // Hangul syllables, by arithmetic
        auto const index = code - 0xAC00;
        sink(static_cast<char32_t>(0x1100 + index / 588));
        sink(static_cast<char32_t>(0x1161 + index % 588 / 28));
        if (index % 28 != 0) sink(static_cast<char32_t>(0x11A7 + index % 28));
        return;
    }
    if (kind_of(code).decomposes()) {
        auto const place = place_in_pairs(canonical_decompositions, code);
        auto const entry = canonical_decompositions[place + 1];
        for (auto const part : decomposed_characters.substr(entry & 0xFFFF, entry >> 16))
            sink(part);
        return;
    }
    sink(code);
}

/// Passes the lower case of a character to sink(char32_t): one character, two for U+0130.
template <class Sink>
void lower_case(char32_t code, Sink&& sink) {
    if (code < 0x80) {
        sink(code >= 'A' && code <= 'Z' ? code + 32 : code);
    } else if (code == 0x130) {
        sink(char32_t{'i'});
        sink(char32_t{0x307});
    } else if (kind_of(code).lowers()) {
        sink(simple_lower_cases[place_in_pairs(simple_lower_cases, code) + 1]);
    } else {
        sink(code);
    }
}

/// What BERT takes for a Chinese character: a word of its own.
[[nodiscard]] inline bool is_chinese(char32_t code) noexcept {
    if (code < 0x3400) return false;
    return code <= 0x4DBF || (code >= 0x4E00 && code <= 0x9FFF)
           || (code >= 0xF900 && code <= 0xFAFF)
           || (code >= 0x20000
               && (code <= 0x2A6DF || (code >= 0x2A700 && code <= 0x2B81F)
                   || (code >= 0x2B920 && code <= 0x2CEAF) // sic
                   || (code >= 0x2F800 && code <= 0x2FA1F)));
}

} // namespace detail
TRAWL_END_NAMESPACE
