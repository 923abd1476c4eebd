// SPDX-License-Identifier: MIT
#pragma once

/// Borda count: each arm is a voter who gives points by rank and divides the remaining points among
/// the documents that it did not return.

#include <cstddef>
#include <span>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/tied_ranks.hpp>

TRAWL_BEGIN_NAMESPACE

/// score(d) = sum over arms of weight * points. Of C documents in all arms, the one at rank r of an
/// arm gets C - r + 1 points. Each document that the arm lacks gets (C - n + 1) / 2, the mean of
/// the points left by its n hits. An empty arm gives no points. An arm of weight 0 is left out,
/// documents and all.
/// @par Source Aslam, Montague, "Models for metasearch", SIGIR 2001.
struct borda {
    std::vector<double> weights = {}; ///< one for each arm, >= 0; empty: 1 each
    tied_ranks ties = tied_ranks::by_place;

    /// Reads ranks only: completing the arms' scores would change nothing.
    static constexpr bool uses_scores = false;

    /// @throws trawl::error (weight_count) unless there are no weights or one for each arm;
    /// (invalid_argument) if a weight is not finite and >= 0 or all are 0.
    void validate(std::size_t arms) const;

    /// @param arms  Rankings, each best first.
    /// @return The whole union; score descending, ties by id ascending.
    /// @throws trawl::error as validate does; (not_finite) for NaN or infinity among the arms'
    /// scores.
    /// @par Complexity  O(N + A M + M log M) time, O(N) memory for N hits of M documents in A arms.
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
    [[nodiscard]] borda spread(std::size_t arms, std::span<double const> variant_weights) const;

    /// Whether the arm has weight 0: then nothing of it reaches the result.
    [[nodiscard]] bool leaves_out(std::size_t arm) const noexcept;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/fusion/detail/borda_inl.hpp>
#endif
