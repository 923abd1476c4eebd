// SPDX-License-Identifier: MIT
#pragma once

/// Fusion by scores: each arm's are normalised, weighted and added.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/arm_union.hpp>
#include <trawl/fusion/normaliser.hpp>

namespace trawl::inline v0_1 {

/// Weighted sum: score(d) = sum over arms of weight * normalised score of d in the arm.
/// An arm is normalised over its distinct documents, the first hit of each. A missing document adds 0, which
/// is the lowest score under min-max and an average one under z-score: where arms can score any document, let
/// the pipeline complete them. An arm of weight 0 is left out, documents and all. Parts are summed in double,
/// largest first, and rounded to float once, so that the order of the arms changes nothing.
struct weighted_sum {
    std::vector<double> weights = {};      ///< one an arm, >= 0; empty: 1 each
    normaliser norm = normaliser::min_max; ///< how each arm's scores are put on a common scale

    /// Completing the arms' scores makes sense.
    static constexpr bool uses_scores = true;

    /// @throws trawl::error (invalid_argument) if a weight is not finite and >= 0 or if all are 0;
    /// (weight_count) unless there are no weights or as many as arms.
    void validate(std::size_t arms) const { detail::check_weights("weighted_sum", weights, arms); }

    /// @param arms  Rankings, each best first.
    /// @return The whole union; score descending, ties by id ascending.
    /// @throws trawl::error as validate does, and (not_finite) for NaN or infinity among the arms' scores or
    /// a sum that does not fit a float.
    /// @par Complexity  O(N) time and memory for N hits.
    [[nodiscard]] ranking operator()(std::span<ranking const> arms) const {
        validate(arms.size());
        detail::arm_union const all("weighted_sum", arms, weights);
        std::vector<double> parts(all.size());
        for (std::size_t a = 0; a < all.arms(); ++a) {
            auto const weight = detail::weight_of(weights, a);
            auto const scores = all.scores(a);
            auto const scale = detail::scale_of(norm, scores);
            auto const first = all.begin(a);
            for (std::size_t i = 0; i < scores.size(); ++i) {
                parts[first + i] = detail::rounded(weight * scale(scores[i]));
            }
        }
        return detail::fuse_parts("weighted_sum", all, parts, detail::sum_of);
    }

    /// Why a document has its fused score: the value is that score, bit for bit; 0 if no arm has it.
    /// @param arm_parts  Explains the document's score in each arm, hung under the arm's part; may be empty.
    [[nodiscard]] explanation explain(
        std::span<ranking const> arms, doc_id id, std::span<explanation const> arm_parts = {}) const {
        validate(arms.size());
        detail::check_arm_parts("weighted_sum", arm_parts, arms.size());
        detail::arm_union const all("weighted_sum", arms, weights);
        return detail::explain_sum("weighted sum", all, id, [&](std::size_t arm, std::size_t, float score) {
            auto const scale = detail::scale_of(norm, all.scores(arm));
            return detail::weighted_part(
                arm, detail::weight_of(weights, arm), scale(score), describe(score, scale), arm_parts);
        });
    }

private:
    [[nodiscard]] std::string describe(float score, detail::arm_scale const& scale) const {
        if (norm == normaliser::none) return detail::join("score ", score);
        if (scale.scale == 0) return detail::join("score ", score, ", ", name_of(norm), ": all are equal");
        return detail::join(
            "score ", score, ", ", name_of(norm), ": (s - ", scale.shift, ") / ", scale.scale);
    }
};

static_assert(fusion_rule<weighted_sum>);

} // namespace trawl::inline v0_1
