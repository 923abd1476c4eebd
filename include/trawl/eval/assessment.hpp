// SPDX-License-Identifier: MIT
#pragma once

/// A ranking compared with the judgements of its query. Every measure is computed from it.

#include <cstddef>
#include <span>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/eval/judgements.hpp>

TRAWL_BEGIN_NAMESPACE

/// The cutoff of a measure that reads the whole ranking.
inline constexpr std::size_t no_cutoff = static_cast<std::size_t>(-1);

struct assess_options {
    /// The lowest grade of a relevant document, at least 0 (trec_eval -l).
    int level = 1;
    /// Only the first `depth` hits count (trec_eval -M).
    std::size_t depth = no_cutoff;
    /// Removes hits that are not judged before ranks are given (trec_eval -J).
    bool judged_only = false;
};

/// A hit that has a judgement.
struct judged_hit {
    std::size_t rank = 0; ///< from 1
    int grade = 0;        ///< negative: pooled, but not judged
};

/// Borrows the grades of the judgements that it was made from.
struct assessment {
    std::vector<judged_hit> known = {}; ///< hits with a judgement, by ascending rank
    std::size_t retrieved = 0;          ///< all hits
    std::size_t relevant = 0;           ///< relevant documents, retrieved or not
    std::size_t non_relevant = 0;       ///< documents judged not relevant, retrieved or not
    std::span<int const> grades = {};   ///< of all judged documents, highest first
    int level = 1;                      ///< the lowest grade of a relevant document

    [[nodiscard]] bool is_relevant(judged_hit const& h) const noexcept;

    /// The number of relevant documents among the first k.
    [[nodiscard]] std::size_t found(std::size_t k = no_cutoff) const noexcept;
};

/// Compares a ranking with the judgements of its query.
/// @throws trawl::error (invalid_argument) if the ranking has a document twice or the level is
/// negative.
/// @par Complexity O(n log n + n log m), n hits and m judgements.
[[nodiscard]] assessment assess(
    std::span<hit const> hits, judgements const& judged, assess_options const& options = {});

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/assessment_inl.hpp>
#endif
