// SPDX-License-Identifier: MIT
#pragma once

/// Fusion by scores: the scores of each arm are normalised, weighted and added.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/normaliser.hpp>

TRAWL_BEGIN_NAMESPACE

/// Weighted sum: score(d) = sum over arms of weight * normalised score of d in the arm. With
/// min_max it is known as relative score fusion, with weights that add up to 1 as a convex
/// combination. An arm is normalised over its distinct documents, the first hit of each. An arm
/// that lacks d adds 0, or its lowest value where that is below 0, so that an absent document is
/// never better off than one that the arm returned; under z_score it adds 0, an average score: see
/// `missing`. Where arms can score any document, let the pipeline complete their scores instead. An
/// arm of weight 0 is left out, documents and all. Contributions are added in double, largest
/// first, and rounded to float once, so that the order of the arms changes nothing.
struct weighted_sum {
    std::vector<double> weights = {};      ///< one for each arm, >= 0; empty: 1 each
    normaliser norm = normaliser::min_max; ///< puts the scores of each arm on a common scale
    std::vector<normaliser> norms = {};    ///< one for each arm; empty: norm for all
    /// the value of every hit of an arm where the normaliser's denominator is 0, as it is where all
    /// scores are equal; none: the normaliser's own
    std::optional<double> constant = {};
    /// replaces a normalised score of 0; above 0 it tells an arm's last hit from a missing document
    double least = 0;
    missing_score missing = missing_score::standard;

    /// Reads scores: completing them makes sense.
    static constexpr bool uses_scores = true;

    /// @throws trawl::error (weight_count) unless there are no weights or one for each arm;
    /// (invalid_argument) if a weight is not finite and >= 0 or all are 0, if the number of norms
    /// is neither 0 nor that of the arms, or if constant or least is not finite.
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
    [[nodiscard]] weighted_sum spread(
        std::size_t arms, std::span<double const> variant_weights) const;

    /// Whether the arm has weight 0: then nothing of it reaches the result.
    [[nodiscard]] bool leaves_out(std::size_t arm) const noexcept;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/fusion/detail/weighted_sum_inl.hpp>
#endif
