// SPDX-License-Identifier: MIT
#pragma once

/// What two rankings have in common.

#include <cstddef>
#include <span>
#include <vector>

#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

/// Documents, each list ascending by id.
struct ranking_overlap {
    std::vector<doc_id> shared = {};
    std::vector<doc_id> only_first = {};
    std::vector<doc_id> only_second = {};

    [[nodiscard]] std::size_t united() const noexcept;

    /// Shared over united, in [0, 1] (Jaccard); two empty rankings have 1.
    [[nodiscard]] double share() const noexcept;
};

/// Compares the documents of two rankings; scores, order and repetitions do not matter. O(n log n).
[[nodiscard]] ranking_overlap overlap(std::span<hit const> first, std::span<hit const> second);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/comparison_inl.hpp>
#endif
