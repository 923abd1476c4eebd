// SPDX-License-Identifier: MIT
#pragma once

/// The documents that two rankings share.

#include <cstddef>
#include <span>
#include <vector>

#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

/// Documents, each list in ascending order of ids.
struct ranking_overlap {
    std::vector<doc_id> shared = {};
    std::vector<doc_id> only_first = {};
    std::vector<doc_id> only_second = {};

    /// The number of documents in either ranking.
    [[nodiscard]] std::size_t united() const noexcept;

    /// Jaccard index: shared / united, in [0, 1]; 1 for two empty rankings.
    [[nodiscard]] double share() const noexcept;
};

/// Compares the documents of two rankings. Scores, order and repetitions do not matter.
/// @par Complexity O(n log n).
[[nodiscard]] ranking_overlap overlap(std::span<hit const> first, std::span<hit const> second);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/comparison_inl.hpp>
#endif
