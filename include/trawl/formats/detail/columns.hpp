// SPDX-License-Identifier: MIT
#pragma once

/// The columns of a line, and errors that name the file and the line.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// "FILE:LINE: reason", lines counted from 1.
[[noreturn]] TRAWL_COLD inline void fail_at(
    errc code, std::string_view file, std::size_t line, std::string_view reason) {
    fail(code, join(file, ":", line, ": ", reason));
}

/// The line, from 1, in which byte `at` of a text stands. For errors: O(at).
[[nodiscard]] inline std::size_t line_of(std::string_view text, std::size_t at) noexcept {
    std::size_t line = 1;
    for (char const c : text.substr(0, at)) line += c == '\n' ? 1 : 0;
    return line;
}

/// The line, from 1, in which a piece of a text begins.
[[nodiscard]] inline std::size_t line_of(std::string_view text, std::string_view piece) noexcept {
    return line_of(text, static_cast<std::size_t>(piece.data() - text.data()));
}

[[nodiscard]] constexpr bool is_space(char c) noexcept {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/// The end of the word that begins at `at`: the next white space, at the latest `end`.
[[nodiscard]] inline char const* end_of_word(char const* at, char const* end) noexcept {
    // Eight bytes at a time: the high bits that are left mark bytes below '!', the lowest of them
    // for certain.
    constexpr std::uint64_t ones = 0x0101010101010101u;
    while (end - at >= 8) {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, at, sizeof bytes);
        auto const below = (bytes - '!' * ones) & ~bytes & 0x80 * ones;
        at += below == 0 ? 8 : std::countr_zero(below) / 8;
        if (below == 0) continue;
        if (is_space(*at)) return at;
        ++at; // a control character
    }
    while (at != end && !is_space(*at)) ++at;
    return at;
}

/// Splits a line at white space. Fills `out` with the first columns.
/// @return The number of columns, counted up to one more than `out` holds.
[[nodiscard]] inline std::size_t split_columns(
    std::string_view line, std::span<std::string_view> out) noexcept {
    std::size_t count = 0;
    auto const* at = line.data();
    auto const* const end = at + line.size();
    for (;;) {
        while (at != end && is_space(*at)) ++at;
        if (at == end || count > out.size()) return count;
        auto const* const begin = at;
        at = end_of_word(at, end);
        if (count < out.size()) out[count] = {begin, static_cast<std::size_t>(at - begin)};
        ++count;
    }
}

/// Splits a line at tabs. Fills `out` with the first columns.
/// @return The number of columns.
[[nodiscard]] inline std::size_t split_tabs(
    std::string_view line, std::span<std::string_view> out) noexcept {
    std::size_t count = 0;
    for (;;) {
        auto const tab = line.find('\t');
        if (count < out.size()) out[count] = line.substr(0, tab);
        ++count;
        if (tab == line.npos) return count;
        line.remove_prefix(tab + 1);
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
