// SPDX-License-Identifier: MIT
#pragma once

/// Scores for stages that reorder: a ranking's scores never rise, so what was picked or left over
/// is placed below the hit before it.

#include <cstddef>

#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>

TRAWL_BEGIN_NAMESPACE

/// The value where it is below `before`, the score of the hit before it; else one float step below
/// that.
[[nodiscard]] inline float placed(float value, float before) noexcept {
    return value < before ? value : detail::next_below(before);
}

/// Gives the hits from `first` on, which the stage did not score, falling scores: each one float
/// step below the last. Their order stays. If none was scored (first = 0), all scores stay.
inline void place_rest(ranking& hits, std::size_t first) noexcept {
    if (first == 0) return;
    for (std::size_t i = first; i < hits.size(); ++i)
        hits[i].score = detail::next_below(hits[i - 1].score);
}

TRAWL_END_NAMESPACE
