// SPDX-License-Identifier: MIT
#pragma once

/// Fusion by scores: each arm's are normalised, weighted and added.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/formula.hpp>
#include <trawl/fusion/normaliser.hpp>

TRAWL_BEGIN_NAMESPACE

/// Weighted sum: score(d) = sum over arms of weight * normalised score of d in the arm; with
/// min-max known as relative score fusion, with weights that add up to 1 as a convex combination.
/// An arm is normalised over its distinct documents, the first hit of each. A missing document adds
/// 0, which is the lowest score under min-max and an average one under z-score: where arms can
/// score any document, let the pipeline complete them, else see `missing`. An arm of weight 0 is
/// left out, documents and all. Parts are summed in double, largest first, and rounded to float
/// once, so that the order of the arms changes nothing.
struct weighted_sum {
    std::vector<double> weights = {};      ///< one an arm, >= 0; empty: 1 each
    normaliser norm = normaliser::min_max; ///< how each arm's scores are put on a common scale
    std::vector<normaliser> norms = {};    ///< one for each arm; empty: norm for all
    /// what the scores of an arm become where the normaliser's denominator is 0 (all are equal);
    /// none: what it says itself
    std::optional<double> constant = {};
    double least =
        0; ///< what a normalised score of 0 becomes: > 0 tells an arm's last hit from a missing one
    missing_score missing = missing_score::zero;

    /// Completing the arms' scores makes sense.
    static constexpr bool uses_scores = true;

    /// @throws trawl::error (invalid_argument) if a weight is not finite and >= 0 or if all are 0,
    /// if there are norms, but not as many as arms, or if constant or least is not finite;
    /// (weight_count) unless there are no weights or as many as arms.
    void validate(std::size_t arms) const {
        detail::check_weights("weighted_sum", weights, arms);
        detail::check_count("weighted_sum", "norms", norms.size(), arms);
        if (!detail::is_finite(least) || !detail::is_finite(constant.value_or(0))) {
            detail::fail(errc::invalid_argument,
                detail::join("weighted_sum: constant is ", constant.value_or(0), " and least is ",
                    least, ", must be finite"));
        }
    }

    /// @param arms  Rankings, each best first.
    /// @return The whole union; score descending, ties by id ascending.
    /// @throws trawl::error as validate does, and (not_finite) for NaN or infinity among the arms'
    /// scores or a sum that does not fit a float.
    /// @par Complexity O(N + M log M) time, O(N) memory for N hits of M documents.
    [[nodiscard]] ranking operator()(std::span<ranking const> arms) const {
        validate(arms.size());
        return detail::fuse_by(formula(), arms);
    }

    /// Why a document has its fused score: the value is that score, bit for bit; 0 if no arm has
    /// it.
    /// @param arm_parts  Explains the document's score in each arm, hung under the arm's part; may
    /// be empty.
    [[nodiscard]] explanation explain(std::span<ranking const> arms, doc_id id,
        std::span<explanation const> arm_parts = {}) const {
        validate(arms.size());
        return detail::explain_by(formula(), arms, id, arm_parts);
    }

private:
    struct raised_scale : detail::arm_scale {
        double in_place_of_0;
        [[nodiscard]] double operator()(float score, std::size_t rank) const noexcept {
            auto const value = arm_scale::operator()(score, rank);
            return value == 0 ? in_place_of_0 : value;
        }
    };

    struct values {
        weighted_sum const& rule;
        raised_scale operator()(detail::arm_union const& all, std::size_t arm) const {
            auto const how = rule.norms.empty() ? rule.norm : rule.norms[arm];
            auto const scores = all.scores(arm);
            raised_scale scale{detail::scale_of(how, scores, all.documents().size()), rule.least};
            if (rule.constant) scale.constant = *rule.constant;
            if (rule.missing == missing_score::lowest) {
                auto const lowest = *std::min_element(scores.begin(), scores.end());
                scale.missing = scale(lowest, scores.size());
            }
            return scale;
        }
    };

    [[nodiscard]] detail::formula<values> formula() const {
        return {.name = "weighted_sum", .weights = weights, .values = {*this}};
    }
};

static_assert(fusion_rule<weighted_sum>);

TRAWL_END_NAMESPACE
