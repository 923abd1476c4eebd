// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of core/sort_by_rank.hpp.

#include <trawl/core/sort_by_rank.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// Sorts by the upper half, one byte a pass; ties keep their order. A byte that all keys share is
// skipped.
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

// Sorts the ties that radix_sort_by_upper_half leaves; usually they are few and short.
inline void sort_ties(std::vector<std::uint64_t>& keys) {
    for (std::size_t first = 0; first + 1 < keys.size();) {
        auto last = first + 1;
        while (last < keys.size() && keys[last] >> 32 == keys[first] >> 32) ++last;
        if (last - first == 2) {
            if (keys[first + 1] < keys[first]) std::swap(keys[first], keys[first + 1]);
        } else if (last - first > 2) {
            std::sort(keys.data() + first, keys.data() + last);
        }
        first = last;
    }
}

} // namespace detail

TRAWL_INLINE void sort_rank_keys(std::vector<std::uint64_t>& keys) {
    constexpr std::size_t few = 400; // below this, comparing is as fast
    if (keys.size() < few) {
        std::sort(keys.data(), keys.data() + keys.size());
    } else {
        detail::radix_sort_by_upper_half(keys);
        detail::sort_ties(keys);
    }
}

TRAWL_INLINE void sort_by_rank(ranking& hits) {
    // Integers sort without the branch that comparing hits takes.
    std::vector<std::uint64_t> keys(hits.size());
    for (std::size_t i = 0; i < hits.size(); ++i) keys[i] = rank_key(hits[i]);
    sort_rank_keys(keys);
    for (std::size_t i = 0; i < hits.size(); ++i) hits[i] = hit_of(keys[i]);
}

TRAWL_END_NAMESPACE
