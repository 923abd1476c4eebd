// SPDX-License-Identifier: MIT
#pragma once

/// Scores for stages that reorder. The scores of a ranking never rise, so a hit that a stage moves
/// or does not score is placed below the hit before it.

#include <cstddef>

#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>

TRAWL_BEGIN_NAMESPACE

/// The value if it is below `before`, the score of the hit before it; otherwise the next float below
/// `before`.
[[nodiscard]] inline float placed(float value, float before) noexcept {
    return value < before ? value : detail::next_below(before);
}

/// Gives falling scores to the hits from `first` on, which the stage did not score: each has the next
/// float below the score before it. Their order stays. If the stage scored none (first = 0), all
/// scores stay.
inline void place_rest(ranking& hits, std::size_t first) noexcept {
    if (first == 0) return;
    for (std::size_t i = first; i < hits.size(); ++i)
        hits[i].score = detail::next_below(hits[i - 1].score);
}

TRAWL_END_NAMESPACE
