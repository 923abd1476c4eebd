// SPDX-License-Identifier: MIT
#pragma once

/// Convex combination of scores between bounds that are known in theory.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

/// The bounds of an arm's scores.
struct score_bounds {
    double lowest = 0; ///< 0 for BM25, -1 for cosines
    /// 1 for cosines; none: the arm's highest score for this query
    std::optional<double> highest = {};
};

/// TM2C2, theoretical min-max convex combination: score(d) = sum over arms of weight * (s - lowest)
/// / (highest - lowest). Unlike under min-max, an arm's last hit is worth something. An arm that
/// lacks d adds 0, as much as a score at the lowest bound; if the arm has scores below that bound,
/// it adds the lowest of their values, which are negative. If no score of an arm exceeds its lowest
/// bound, their own lowest is taken as the bound. An arm of weight 0 is left out, documents and
/// all.
/// @par Source Bruch, Gai, Ingber, "An analysis of fusion functions for hybrid retrieval", TOIS
/// 2023.
struct tm2c2 {
    std::vector<double> weights = {};      ///< one for each arm, >= 0; empty: 1 each
    std::vector<score_bounds> bounds = {}; ///< one for each arm; empty: {0} each

    /// Reads scores: completing them makes sense.
    static constexpr bool uses_scores = true;

    /// @throws trawl::error (weight_count) unless there are no weights or one for each arm;
    /// (invalid_argument) if a weight is not finite and >= 0 or all are 0, if the number of bounds
    /// is neither 0 nor that of the arms, or if they are not finite, the highest above the lowest.
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
    [[nodiscard]] tm2c2 spread(std::size_t arms, std::span<double const> variant_weights) const;

    /// Whether the arm has weight 0: then nothing of it reaches the result.
    [[nodiscard]] bool leaves_out(std::size_t arm) const noexcept;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/fusion/detail/tm2c2_inl.hpp>
#endif
