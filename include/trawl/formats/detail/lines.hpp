// SPDX-License-Identifier: MIT
#pragma once

/// Texts as lines and columns, and errors that name the file and the line.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// "FILE:LINE: reason", lines counted from 1.
[[noreturn]] TRAWL_COLD inline void fail_at(
    errc code, std::string_view file, std::size_t line, std::string_view reason) {
    fail(code, join(file, ":", line, ": ", reason));
}

/// The line, from 1, in which `part`, a piece of `text`, begins.
[[nodiscard]] inline std::size_t line_of(std::string_view text, std::string_view part) noexcept {
    return 1 + static_cast<std::size_t>(std::count(text.data(), part.data(), '\n'));
}

/// Goes through the lines of a text. A line ends with \n or \r\n; the last one may lack it. A byte
/// order mark at the beginning is passed over.
class line_reader {
public:
    explicit line_reader(std::string_view text) noexcept : rest_(text) {
        if (rest_.substr(0, 3) == "\xEF\xBB\xBF") rest_.remove_prefix(3);
    }

    /// The next line without its end; false if there is none.
    [[nodiscard]] bool next(std::string_view& line) noexcept {
        if (rest_.empty()) return false;
        auto const* const end =
            static_cast<char const*>(std::memchr(rest_.data(), '\n', rest_.size()));
        auto const size =
            end == nullptr ? rest_.size() : static_cast<std::size_t>(end - rest_.data());
        line = rest_.substr(0, size);
        rest_.remove_prefix((std::min)(size + 1, rest_.size()));
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        ++number_;
        return true;
    }

    /// What next has not given yet.
    [[nodiscard]] std::string_view rest() const noexcept { return rest_; }

    /// Passes over a line of so many bytes, its end among them.
    void pass(std::size_t bytes) noexcept {
        rest_.remove_prefix(bytes);
        ++number_;
    }

    /// The number of the line that next gave, from 1.
    [[nodiscard]] std::size_t number() const noexcept { return number_; }

private:
    std::string_view rest_;
    std::size_t number_ = 0;
};

[[nodiscard]] constexpr bool is_space(char c) noexcept {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

[[nodiscard]] inline bool is_blank(std::string_view line) noexcept {
    return std::all_of(line.begin(), line.end(), is_space);
}

/// Where the word that begins here ends: at white space, at the latest at `end`.
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

/// Splits at white space. Fills out with the first columns and gives the number of all, counting no
/// further than one more than fit.
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

/// Splits at tabs. Gives the number of fields; those that fit are in out.
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
