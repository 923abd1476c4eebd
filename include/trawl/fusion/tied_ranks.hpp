// SPDX-License-Identifier: MIT
#pragma once

/// The rank of equal scores.

#include <cstddef>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/core/enum_count.hpp>

TRAWL_BEGIN_NAMESPACE

/// The ranks of equal scores of an arm, in rules that read ranks.
enum class tied_ranks : unsigned char {
    by_place, ///< 1, 2, 3, …: the order of the arm decides
    shared,   ///< the rank of the first of them, as in SQL's RANK(): 1, 1, 3, …
};

template <>
inline constexpr std::size_t enum_count<tied_ranks> = 2;

/// "by_place", "shared".
[[nodiscard]] constexpr std::string_view name_of(tied_ranks ties) noexcept {
    constexpr std::string_view names[enum_count<tied_ranks>] = {"by_place", "shared"};
    return names[static_cast<std::size_t>(ties)];
}

TRAWL_END_NAMESPACE
