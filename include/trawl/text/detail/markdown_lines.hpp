// SPDX-License-Identifier: MIT
#pragma once

/// What single lines of markdown are.

#include <cstddef>
#include <string_view>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Three or more of one of - * _ and nothing else. The line is trimmed.
[[nodiscard]] inline bool thematic_break(std::string_view line) noexcept {
    if (line.empty() || std::string_view("-*_").find(line.front()) == std::string_view::npos)
        return false;
    std::size_t marks = 0;
    for (char const c : line) {
        if (c != line.front() && c != ' ' && c != '\t') return false;
        marks += c == line.front() ? 1u : 0u;
    }
    return marks >= 3;
}

/// One of - * + or a number of at most nine digits with . or ), then a blank. The line is trimmed.
[[nodiscard]] inline bool starts_list_item(std::string_view line) noexcept {
    if (line.empty() || thematic_break(line)) return false;
    auto marker = std::size_t{1};
    if (std::string_view("-*+").find(line.front()) == std::string_view::npos) {
        auto const digits = line.find_first_not_of("0123456789");
        if (digits == 0 || digits > 9) return false; // or npos: digits alone
        if (line[digits] != '.' && line[digits] != ')') return false;
        marker = digits + 1;
    }
    return marker == line.size() || line[marker] == ' ' || line[marker] == '\t';
}

} // namespace detail
TRAWL_END_NAMESPACE
