// SPDX-License-Identifier: MIT
#pragma once

/// A ranking seen through the judgements of its question: what every measure computes from.

#include <cstddef>
#include <span>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/judgements.hpp>

TRAWL_BEGIN_NAMESPACE

/// The cutoff of a measure that looks at the whole ranking.
inline constexpr std::size_t no_cutoff = static_cast<std::size_t>(-1);
struct assess_options {
    /// a document of at least this grade is relevant; >= 0 (trec_eval -l)
    int level = 1;
    std::size_t depth = no_cutoff; ///< hits looked at (trec_eval -M)
    /// takes out what is not judged, before ranks are given (trec_eval -J)
    bool judged_only = false;
};

/// A retrieved document that the judgements know.
struct judged_hit {
    std::size_t rank = 0; ///< from 1
    int grade = 0;        ///< negative: pooled, not judged
};

/// Borrows the grades of the judgements that it was made from.
struct assessment {
    /// ascending by rank; all other hits are not in the judgements
    std::vector<judged_hit> known = {};
    std::size_t retrieved = 0;
    std::size_t relevant = 0;         ///< documents of at least the level, retrieved or not
    std::size_t non_relevant = 0;     ///< judged documents below the level, retrieved or not
    std::span<int const> grades = {}; ///< of all judged documents, best first
    int level = 1;

    [[nodiscard]] bool is_relevant(judged_hit const& h) const noexcept;

    /// Relevant documents among the first k.
    [[nodiscard]] std::size_t found(std::size_t k = no_cutoff) const noexcept;
};
/// Looks the hits up in the judgements, in the order of the ranking. O(n log n + n log m).
/// @throws trawl::error (invalid_argument) if a document is in the ranking twice or the level is
/// negative.
[[nodiscard]] assessment assess(
    std::span<hit const> hits, judgements const& judged, assess_options const& options = {});

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/assessment_inl.hpp>
#endif
