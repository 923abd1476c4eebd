// SPDX-License-Identifier: MIT
#pragma once

/// Rank-biased centroid: a reader moves on to the next rank with a given probability.

#include <cstddef>
#include <span>

#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/tied_ranks.hpp>

TRAWL_BEGIN_NAMESPACE

/// score(d) = sum over arms of (1 - phi) * phi^(rank - 1), the probability that a reader of the arm
/// stops at d if the reader moves on to the next rank with probability phi. An arm that lacks d
/// adds 0.
/// @par Source Bailey, Moffat, Scholer, Thomas, "Retrieval consistency in the presence of query
/// variations", SIGIR 2017.
struct rbc {
    double phi = 0.8; ///< persistence, in (0, 1)
    tied_ranks ties = tied_ranks::by_place;

    /// Reads ranks only: completing the arms' scores would change nothing.
    static constexpr bool uses_scores = false;

    /// Has no parameter for a single arm: any number of arms will do.
    static constexpr bool per_arm = false;

    /// @throws trawl::error (invalid_argument) if phi is outside (0, 1).
    void validate(std::size_t) const;

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
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/fusion/detail/rbc_inl.hpp>
#endif
