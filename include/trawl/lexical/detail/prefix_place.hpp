// SPDX-License-Identifier: MIT
#pragma once

/// Where a prefix matches a word.

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Whether a character of a term is neither letter nor digit, and so separates the words of an
/// identifier.
[[nodiscard]] constexpr bool separates_words(char c) noexcept {
    auto const is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return static_cast<unsigned char>(c) < 0x80u && !is_letter && !(c >= '0' && c <= '9');
}

/// Whether a prefix has several words of an identifier. Only such a prefix is looked for inside
/// identifiers: a single word of one is a term of its own.
[[nodiscard]] inline bool has_separator(std::string_view prefix) noexcept {
    return std::any_of(prefix.begin(), prefix.end(), separates_words);
}

/// Whether a word of an identifier begins at this byte, not counting the first.
[[nodiscard]] inline bool begins_inner_word(std::string_view word, std::size_t at) noexcept {
    return at > 0 && separates_words(word[at - 1]) && !separates_words(word[at]);
}

/// The first place where a word begins with the prefix: 0, or inside an identifier, as retry_c in
/// max_retry_count; npos if there is none.
[[nodiscard]] inline std::size_t prefix_place(
    std::string_view word, std::string_view prefix) noexcept {
    if (word.starts_with(prefix)) return 0;
    if (!has_separator(prefix)) return std::string_view::npos;
    auto at = word.find(prefix);
    while (at != std::string_view::npos && !begins_inner_word(word, at))
        at = word.find(prefix, at + 1);
    return at;
}

} // namespace detail
TRAWL_END_NAMESPACE
