// SPDX-License-Identifier: MIT
#pragma once

/// Distribution-based score fusion: an arm's scores are placed between three deviations below and
/// above their mean.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/formula.hpp>
#include <trawl/fusion/normaliser.hpp>

TRAWL_BEGIN_NAMESPACE

enum class deviation : unsigned char {
    population, ///< sqrt(sum of squares / n)
    sample,     ///< sqrt(sum of squares / (n - 1))
};

/// score(d) = sum over arms of weight * (s - (mean - 3 sigma)) / (6 sigma), about 0 to 1, one half
/// at the mean. A missing document adds 0. An arm of weight 0 is left out, documents and all.
/// @par Source Mazzeschi, "Distribution-based score fusion", 2023.
struct dbsf {
    std::vector<double> weights = {}; ///< one an arm, >= 0; empty: 1 each
    deviation sigma = deviation::population;
    bool clamp = true;     ///< into [0, 1]; scores beyond three deviations tie there
    double constant = 0.5; ///< where all scores of an arm are equal, as for a single hit

    /// Completing the arms' scores makes sense.
    static constexpr bool uses_scores = true;

    /// @throws trawl::error as weighted_sum's does for weights; (invalid_argument) if constant is
    /// not finite.
    void validate(std::size_t arms) const {
        detail::check_weights("dbsf", weights, arms);
        if (!detail::is_finite(constant)) {
            detail::fail(errc::invalid_argument,
                detail::join("dbsf: constant is ", constant, ", must be finite"));
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

    /// Why a document has its fused score, bit for bit; see rrf::explain.
    [[nodiscard]] explanation explain(std::span<ranking const> arms, doc_id id,
        std::span<explanation const> arm_parts = {}) const {
        validate(arms.size());
        return detail::explain_by(formula(), arms, id, arm_parts);
    }

private:
    struct clamped_scale : detail::arm_scale {
        bool clamped;
        [[nodiscard]] double operator()(float score, std::size_t rank) const noexcept {
            auto const value = arm_scale::operator()(score, rank);
            return clamped && scale != 0 ? std::clamp(value, 0.0, 1.0) : value;
        }
    };

    struct values {
        dbsf const& rule;
        clamped_scale operator()(detail::arm_union const& all, std::size_t arm) const {
            auto const scores = all.scores(arm);
            auto const [low, high] = std::minmax_element(scores.begin(), scores.end());
            if (*low == *high) return {{0, 0, rule.constant}, rule.clamp};
            auto const mean = detail::mean_of(scores);
            auto const n =
                static_cast<double>(scores.size()) - (rule.sigma == deviation::sample ? 1 : 0);
            auto const spread =
                detail::rounded(std::sqrt(detail::divided(detail::squares_about(mean, scores), n)));
            auto const lowest = detail::rounded(mean - detail::rounded(3 * spread));
            return {{lowest, detail::rounded(6 * spread), rule.constant}, rule.clamp};
        }
    };

    [[nodiscard]] detail::formula<values> formula() const {
        return {.name = "dbsf", .weights = weights, .values = {*this}};
    }
};

static_assert(fusion_rule<dbsf>);

TRAWL_END_NAMESPACE
