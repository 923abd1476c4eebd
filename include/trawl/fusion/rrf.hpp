// SPDX-License-Identifier: MIT
#pragma once

/// Reciprocal rank fusion: it counts how high the arms rank a document, not the scores they give
/// it.

#include <cstddef>
#include <span>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/tied_ranks.hpp>

TRAWL_BEGIN_NAMESPACE

/// Weighted reciprocal rank fusion: score(d) = sum over arms of weight / (k + rank of d in the
/// arm). Ranks start at 1 and count an arm's distinct documents in the order given: only the first
/// hit of a document counts. An arm that lacks d adds 0. An arm of weight 0 is left out, documents
/// and all. Contributions are added in double, largest first, and rounded to float once: swapped
/// ranks tie exactly, and the order of the arms changes nothing.
/// @par Source Cormack, Clarke, Büttcher, "Reciprocal rank fusion outperforms Condorcet and
/// individual rank learning methods", SIGIR 2009.
struct rrf {
    double k = 60;                    ///< rank offset, > 0
    std::vector<double> weights = {}; ///< one for each arm, >= 0; empty: 1 each
    std::vector<double> ks = {};      ///< a rank offset for each arm, > 0; empty: k for all
    tied_ranks ties = tied_ranks::by_place;

    /// Reads ranks only: completing the arms' scores would change nothing.
    static constexpr bool uses_scores = false;

    /// @throws trawl::error (invalid_argument) if a k is not finite and > 0, if the number of ks is
    /// neither 0 nor that of the arms, if a weight is not finite and >= 0 or all are 0;
    /// (weight_count) if the number of weights is neither 0 nor that of the arms.
    void validate(std::size_t arms) const;

    /// @param arms  Rankings, each best first.
    /// @return The whole union; score descending, ties by id ascending.
    /// @throws trawl::error as validate does; (not_finite) for NaN or infinity among the arms'
    /// scores.
    /// @par Complexity  O(N + M log M) time, O(N) memory for N hits of M documents.
    [[nodiscard]] ranking operator()(std::span<ranking const> arms) const;

    /// Why a document has its fused score. The value has the bits of that score; 0 if no arm has
    /// the document.
    /// @param arm_parts  One explanation for each arm, of the document's score there, which becomes
    /// a child of the arm's contribution; may be empty.
    [[nodiscard]] explanation explain(std::span<ranking const> arms, doc_id id,
        std::span<explanation const> arm_parts = {}) const;

    /// The rule for several variants of the query: it fuses arms * variants rankings, those of all
    /// arms for the first variant, then for the next. An arm's parameters are repeated for each
    /// variant, and its weight is multiplied by the variant's.
    [[nodiscard]] rrf spread(std::size_t arms, std::span<double const> variant_weights) const;

    /// Whether the arm has weight 0: then nothing of it reaches the result.
    [[nodiscard]] bool leaves_out(std::size_t arm) const noexcept;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/fusion/detail/rrf_inl.hpp>
#endif
