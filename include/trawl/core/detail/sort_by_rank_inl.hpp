// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of core/sort_by_rank.hpp.

#include <trawl/core/sort_by_rank.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// Sorts by the leading 22 of the bits in which the keys differ, in two passes; equal ones keep their
// order. Most keys are in their place then.
// @return the number of bits behind those, in a key less the lowest key.
inline int radix_sort_by_leading_bits(
    std::vector<std::uint64_t>& keys, std::uint64_t lowest, std::uint64_t highest) {
    constexpr int digit = 11;
    constexpr std::uint64_t mask = (1u << digit) - 1;
    auto const width = static_cast<int>(std::bit_width(highest - lowest));
    auto const behind = width > 2 * digit ? width - 2 * digit : 0;
    std::uint32_t places[2][mask + 1] = {};
    for (auto const key : keys) {
        auto const leading = (key - lowest) >> behind;
        ++places[0][leading & mask];
        ++places[1][leading >> digit];
    }
    std::vector<std::uint64_t> sorted(keys.size());
    for (int pass = 0; pass < 2; ++pass) {
        std::uint32_t next = 0;
        for (auto& place : places[pass]) next += std::exchange(place, next);
        auto const shift = behind + digit * pass;
        for (auto const key : keys) sorted[places[pass][((key - lowest) >> shift) & mask]++] = key;
        keys.swap(sorted);
    }
    return behind;
}

// Puts each key behind its neighbour if that is lower, without a branch. Sorts if no more than two
// keys in a row are out of order.
// @return whether they are sorted now.
[[nodiscard]] inline bool sort_neighbours(std::vector<std::uint64_t>& keys) {
    std::uint64_t unsorted = 0;
    auto highest = keys[0];
    for (std::size_t i = 1; i < keys.size(); ++i) {
        auto const key = keys[i];
        keys[i - 1] = (std::min)(highest, key);
        highest = (std::max)(highest, key);
        if (i > 1) unsorted |= std::uint64_t{keys[i - 1] < keys[i - 2]};
    }
    keys.back() = highest;
    return unsorted == 0;
}

// Sorts the runs of keys that are equal but for the bits behind.
inline void sort_runs(std::vector<std::uint64_t>& keys, std::uint64_t lowest, int behind) {
    auto const leading = [&](std::size_t i) { return (keys[i] - lowest) >> behind; };
    for (std::size_t first = 0; first < keys.size();) {
        auto last = first + 1;
        while (last < keys.size() && leading(last) == leading(first)) ++last;
        std::sort(keys.data() + first, keys.data() + last);
        first = last;
    }
}

} // namespace detail

TRAWL_INLINE void sort_rank_keys(std::vector<std::uint64_t>& keys) {
    constexpr std::size_t few = 400; // below this, comparing is as fast
    if (keys.size() < few) return std::sort(keys.data(), keys.data() + keys.size());
    auto lowest = keys[0];
    auto highest = keys[0];
    for (auto const key : keys) {
        lowest = (std::min)(lowest, key);
        highest = (std::max)(highest, key);
    }
    auto const behind = detail::radix_sort_by_leading_bits(keys, lowest, highest);
    if (behind > 0 && !detail::sort_neighbours(keys)) detail::sort_runs(keys, lowest, behind);
}

TRAWL_INLINE void sort_by_rank(ranking& hits) {
    // Integers sort without the branch that comparing hits takes.
    std::vector<std::uint64_t> keys(hits.size());
    for (std::size_t i = 0; i < hits.size(); ++i) keys[i] = rank_key(hits[i]);
    sort_rank_keys(keys);
    for (std::size_t i = 0; i < hits.size(); ++i) hits[i] = hit_of(keys[i]);
}

TRAWL_END_NAMESPACE
