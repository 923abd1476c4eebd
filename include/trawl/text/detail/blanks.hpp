// SPDX-License-Identifier: MIT
#pragma once

/// White space of ASCII.

#include <string_view>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

inline constexpr std::string_view blanks = " \t\r\n\f\v";

[[nodiscard]] inline std::string_view trimmed(std::string_view text) noexcept {
    auto const first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

} // namespace detail
TRAWL_END_NAMESPACE
