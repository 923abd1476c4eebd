// SPDX-License-Identifier: MIT
#pragma once

/// How many candidates a later stage must be given.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// The smallest N such that the share of questions whose right answer is among the first N is at
/// least the target. Count / total is compared in double: 7 of 25 reach .28.
/// @param ranks   One a question, from 1: where its right answer stands; none if it is never found.
/// All count
///                in the total.
/// @param target  A share, in (0, 1].
/// @return None if no depth reaches the target, and for no questions.
/// @throws trawl::error (invalid_argument) for a rank of 0 or a target outside (0, 1].
/// @par Complexity O(n log n).
[[nodiscard]] inline std::optional<std::size_t> smallest_depth(
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
