// SPDX-License-Identifier: MIT
#pragma once

/// Sorts a fused ranking by score descending, then id ascending, in linear time: comparing would take most of
/// a fusion's time.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <trawl/core/words.hpp>

namespace trawl::inline v0_1::detail {

// A number that falls as the score rises; both zeros are one score. The score is finite.
[[nodiscard]] inline std::uint32_t descending_key(float score) noexcept {
    auto const bits = std::bit_cast<std::uint32_t>(score);
    if ((bits & 0x80000000u) == 0) return 0x7FFFFFFFu - bits;
    return bits == 0x80000000u ? 0x7FFFFFFFu : bits;
}

// Least significant digit first, over the bytes of the score that differ; then the runs of equal scores by
// id.
inline void radix_sort_by_rank(ranking& hits) {
    constexpr std::size_t digits = sizeof(float);
    std::array<std::array<std::uint32_t, 256>, digits> ends = {};
    for (auto const& h : hits) {
        auto const key = descending_key(h.score);
        for (std::size_t d = 0; d < digits; ++d) ++ends[d][(key >> (8 * d)) & 0xFFu];
    }
    ranking other(hits.size());
    for (std::size_t d = 0; d < digits; ++d) {
        auto& starts = ends[d];
        auto const first = (descending_key(hits.front().score) >> (8 * d)) & 0xFFu;
        if (starts[first] == hits.size()) continue;
        std::uint32_t before = 0;
        for (auto& count : starts) before += std::exchange(count, before);
        for (auto const& h : hits) other[starts[(descending_key(h.score) >> (8 * d)) & 0xFFu]++] = h;
        hits.swap(other);
    }
    for (auto run = hits.begin(); run != hits.end();) {
        auto const score = run->score;
        auto const end = std::find_if(run + 1, hits.end(), [&](hit const& h) { return h.score != score; });
        if (end - run > 1) std::sort(run, end, [](hit const& a, hit const& b) { return a.id < b.id; });
        run = end;
    }
}

/// Sorts by by_rank. Scores are finite. O(n) for long rankings.
inline void sort_by_rank(ranking& hits) {
    constexpr std::size_t worth_a_radix_sort = 200;
    if (hits.size() < worth_a_radix_sort) {
        std::sort(hits.begin(), hits.end(), by_rank{});
    } else {
        radix_sort_by_rank(hits);
    }
}

} // namespace trawl::inline v0_1::detail
