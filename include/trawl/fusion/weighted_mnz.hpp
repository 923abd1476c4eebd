// SPDX-License-Identifier: MIT
#pragma once

/// Weighted rules that reward documents which several arms return.

#include <cstddef>
#include <span>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/normaliser.hpp>

TRAWL_BEGIN_NAMESPACE

/// Weighted MNZ: score(d) = (sum of d's normalised scores) * (sum of the weights of the arms that
/// returned d). It is defined for normalised scores >= 0: where an arm has lower ones, its lowest
/// is subtracted from all. An arm of weight 0 is left out, documents and all.
/// @par Source Wu, Crestani, "Data fusion with estimated weights", CIKM 2002.
struct wmnz {
    std::vector<double> weights = {}; ///< one for each arm, >= 0; empty: 1 each, which is comb_mnz
    normaliser norm = normaliser::min_max; ///< puts the scores of each arm on a common scale

    /// Reads scores: completing them makes sense.
    static constexpr bool uses_scores = true;

    /// @throws trawl::error (weight_count) unless there are no weights or one for each arm;
    /// (invalid_argument) if a weight is not finite and >= 0 or all are 0.
    void validate(std::size_t arms) const;

    /// @param arms  Rankings, each best first.
    /// @return The whole union; score descending, ties by id ascending.
    /// @throws trawl::error as validate does; (not_finite) for NaN or infinity among the arms'
    /// scores, or a fused score that does not fit a float.
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
    [[nodiscard]] wmnz spread(std::size_t arms, std::span<double const> variant_weights) const;

    /// Whether the arm has weight 0: then nothing of it reaches the result.
    [[nodiscard]] bool leaves_out(std::size_t arm) const noexcept;
};

/// Mixed: score(d) = sqrt(h) * sum over arms of weight * normalised score of d, for the h arms that
/// returned d. It is defined for normalised scores >= 0: where an arm has lower ones, its lowest is
/// subtracted from all. An arm of weight 0 is left out, documents and all.
/// @par Source Wu, Crestani, "Data fusion with estimated weights", CIKM 2002.
struct mixed {
    std::vector<double> weights = {};      ///< one for each arm, >= 0; empty: 1 each
    normaliser norm = normaliser::min_max; ///< puts the scores of each arm on a common scale

    /// Reads scores: completing them makes sense.
    static constexpr bool uses_scores = true;

    /// @throws trawl::error (weight_count) unless there are no weights or one for each arm;
    /// (invalid_argument) if a weight is not finite and >= 0 or all are 0.
    void validate(std::size_t arms) const;

    /// @param arms  Rankings, each best first.
    /// @return The whole union; score descending, ties by id ascending.
    /// @throws trawl::error as validate does; (not_finite) for NaN or infinity among the arms'
    /// scores, or a fused score that does not fit a float.
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
    [[nodiscard]] mixed spread(std::size_t arms, std::span<double const> variant_weights) const;

    /// Whether the arm has weight 0: then nothing of it reaches the result.
    [[nodiscard]] bool leaves_out(std::size_t arm) const noexcept;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/fusion/detail/weighted_mnz_inl.hpp>
#endif
