// SPDX-License-Identifier: MIT
#pragma once

/// Sorting hits by score descending, then id ascending, as integers.

#include <bit>
#include <cstdint>
#include <vector>

#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

/// An integer that orders hits as by_rank does: the lower, the better the hit. The score is finite;
/// -0 counts as 0.
[[nodiscard]] inline std::uint64_t rank_key(hit const& h) noexcept {
    auto const bits = std::bit_cast<std::uint32_t>(h.score);
    auto const falling = (bits & 0x80000000u) == 0 ? 0x7FFFFFFFu - bits
                         : bits == 0x80000000u     ? 0x7FFFFFFFu
                                                   : bits;
    return std::uint64_t{falling} << 32 | h.id;
}

/// The hit that has this rank_key.
[[nodiscard]] inline hit hit_of(std::uint64_t rank_key) noexcept {
    auto const falling = static_cast<std::uint32_t>(rank_key >> 32);
    return {static_cast<doc_id>(rank_key),
        std::bit_cast<float>((falling & 0x80000000u) == 0 ? 0x7FFFFFFFu - falling : falling)};
}

/// Sorts rank keys, ascending. O(n) where the keys are many and spread evenly between the lowest and
/// the highest, O(n log n) at worst.
void sort_rank_keys(std::vector<std::uint64_t>& keys);

/// Sorts hits by by_rank. Scores are finite; -0 becomes 0. Takes 16 bytes of memory a hit.
void sort_by_rank(ranking& hits);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/core/detail/sort_by_rank_inl.hpp>
#endif
