// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of smallest_depth.hpp.

#include <trawl/eval/smallest_depth.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_INLINE std::optional<std::size_t> smallest_depth(
    std::span<std::optional<std::size_t> const> ranks, double target) {
    if (!(target > 0 && target <= 1)) {
        detail::fail(errc::invalid_argument,
            detail::join("smallest_depth: target must be in (0, 1], is ", target));
    }
    std::vector<std::size_t> found;
    for (auto const& rank : ranks) {
        if (!rank) continue;
        if (*rank == 0) {
            detail::fail(errc::invalid_argument, "smallest_depth: ranks must be >= 1, one is 0");
        }
        found.push_back(*rank);
    }
    std::sort(found.begin(), found.end());
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (static_cast<double>(i + 1) / static_cast<double>(ranks.size()) >= target)
            return found[i];
    }
    return std::nullopt;
}

TRAWL_END_NAMESPACE
