// SPDX-License-Identifier: MIT
#pragma once

/// Condorcet fusion: documents meet in pairs, and the arms vote.

#include <cstddef>
#include <span>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/tied_ranks.hpp>

TRAWL_BEGIN_NAMESPACE

/// score(d) = the number of documents that d beats. d beats e if the weights of the arms that rank
/// d above e add up to more than those of the arms that rank e above d. An arm ranks what it
/// returned above what it did not return, and does not choose between two documents that it did not
/// return. Where a Condorcet order exists (every pair is decided, without cycles) the result is
/// that order; elsewhere it is Copeland's. An arm of weight 0 is left out, documents and all.
/// @par Source Montague, Aslam, "Condorcet fusion for improved retrieval", CIKM 2002, which sorts
/// by a comparison that is no order where votes tie or run in cycles.
struct condorcet {
    std::vector<double> weights = {};       ///< one for each arm, >= 0; empty: 1 each
    tied_ranks ties = tied_ranks::by_place; ///< shared: an arm does not choose between equal scores

    /// Reads ranks only: completing the arms' scores would change nothing.
    static constexpr bool uses_scores = false;

    /// @throws trawl::error (weight_count) unless there are no weights or one for each arm;
    /// (invalid_argument) if a weight is not finite and >= 0 or all are 0.
    void validate(std::size_t arms) const;

    /// @param arms  Rankings, each best first.
    /// @return The whole union; score descending, ties by id ascending.
    /// @throws trawl::error as validate does; (not_finite) for NaN or infinity among the arms'
    /// scores.
    /// @par Complexity O(A M^2) time, O(A M) memory for M documents in A arms.
    [[nodiscard]] ranking operator()(std::span<ranking const> arms) const;

    /// Why a document has its fused score: how many documents it beats and how many beat it. The
    /// value is that score; 0 if no arm has the document.
    /// @param arm_parts  One explanation for each arm, of the document's score there, which become
    /// children; may be empty.
    [[nodiscard]] explanation explain(std::span<ranking const> arms, doc_id id,
        std::span<explanation const> arm_parts = {}) const;

    /// The rule for several variants of the query: it fuses arms * variants rankings, those of all
    /// arms for the first variant, then for the next. An arm's parameters are repeated for each
    /// variant, and its weight is multiplied by the variant's.
    [[nodiscard]] condorcet spread(std::size_t arms, std::span<double const> variant_weights) const;

    /// Whether the arm has weight 0: then nothing of it reaches the result.
    [[nodiscard]] bool leaves_out(std::size_t arm) const noexcept;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/fusion/detail/condorcet_inl.hpp>
#endif
