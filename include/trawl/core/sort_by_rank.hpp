// SPDX-License-Identifier: MIT
#pragma once

/// Sorts a ranking by score descending, then id ascending.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// A number that falls as the score rises, and the way back. Scores are finite; both zeros are one
// score, 0.
[[nodiscard]] inline std::uint32_t descending_key(float score) noexcept {
    auto const bits = std::bit_cast<std::uint32_t>(score);
    if ((bits & 0x80000000u) == 0) return 0x7FFFFFFFu - bits;
    return bits == 0x80000000u ? 0x7FFFFFFFu : bits;
}

[[nodiscard]] inline float score_of_key(std::uint32_t key) noexcept {
    return std::bit_cast<float>((key & 0x80000000u) == 0 ? 0x7FFFFFFFu - key : key);
}

// Sorts by the upper half, ties in the order given, a byte a pass, bytes that are the same in all
// left out.
inline void radix_sort_by_upper_half(std::vector<std::uint64_t>& keys) {
    constexpr std::size_t digits = 4;
    constexpr std::size_t values = 256;
    auto const digit = [](std::uint64_t key, std::size_t d) {
        return (key >> (32 + 8 * d)) % values;
    };
    std::uint32_t places[digits][values] = {};
    for (auto const key : keys) {
        for (std::size_t d = 0; d < digits; ++d) ++places[d][digit(key, d)];
    }
    std::vector<std::uint64_t> sorted(keys.size());
    for (std::size_t d = 0; d < digits; ++d) {
        if (places[d][digit(keys[0], d)] == keys.size()) continue;
        std::uint32_t next = 0;
        for (auto& place : places[d]) next += std::exchange(place, next);
        for (auto const key : keys) sorted[places[d][digit(key, d)]++] = key;
        keys.swap(sorted);
    }
}

// Sorts the ties that radix_sort_by_upper_half left: few in a row, as a rule.
inline void sort_ties(std::vector<std::uint64_t>& keys) {
    for (std::size_t first = 0; first + 1 < keys.size();) {
        auto last = first + 1;
        while (last < keys.size() && keys[last] >> 32 == keys[first] >> 32) ++last;
        if (last - first == 2) {
            auto const [low, high] = std::minmax({keys[first], keys[first + 1]});
            keys[first] = low;
            keys[first + 1] = high;
        } else if (last - first > 2) {
            std::sort(keys.begin() + static_cast<std::ptrdiff_t>(first),
                keys.begin() + static_cast<std::ptrdiff_t>(last));
        }
        first = last;
    }
}

/// A number that is the lower the better the hit is by by_rank, and the way back.
[[nodiscard]] inline std::uint64_t key_of(hit const& h) noexcept {
    return std::uint64_t{descending_key(h.score)} << 32 | h.id;
}
[[nodiscard]] inline hit hit_of(std::uint64_t key) noexcept {
    return {static_cast<doc_id>(key), score_of_key(static_cast<std::uint32_t>(key >> 32))};
}

/// Sorts keys of hits, ascending.
inline void sort_keys(std::vector<std::uint64_t>& keys) {
    constexpr std::size_t few = 400; // here comparing takes as long
    if (keys.size() < few) {
        std::sort(keys.begin(), keys.end());
    } else {
        radix_sort_by_upper_half(keys);
        sort_ties(keys);
    }
}

/// Sorts by by_rank. Scores are finite; -0 becomes 0. Whole numbers sort without a branch that
/// comparing hits would take.
inline void sort_by_rank(ranking& hits) {
    std::vector<std::uint64_t> keys(hits.size());
    for (std::size_t i = 0; i < hits.size(); ++i) keys[i] = key_of(hits[i]);
    sort_keys(keys);
    for (std::size_t i = 0; i < hits.size(); ++i) hits[i] = hit_of(keys[i]);
}

} // namespace detail
TRAWL_END_NAMESPACE
