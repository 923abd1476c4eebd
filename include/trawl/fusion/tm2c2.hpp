// SPDX-License-Identifier: MIT
#pragma once

/// Convex combination of scores on scales whose ends theory knows.

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

/// What the scores of an arm can be, whatever the query.
struct score_bounds {
    double lowest = 0; ///< 0 for BM25, -1 for cosines
    /// 1 for cosines; none: the arm's highest score for this query
    std::optional<double> highest = {};
};

/// TM2C2, theoretical min-max convex combination: score(d) = sum over arms of weight * (s - lowest)
/// / (highest - lowest). Unlike min-max it does not call the last of an arm's hits worthless. A
/// missing document adds 0; so does one at the lowest score there can be, also where no hit of the
/// arm is above it. A score below the bound counts as negative. An arm of weight 0 is left out,
/// documents and all.
/// @par Source Bruch, Gai, Ingber, "An analysis of fusion functions for hybrid retrieval", TOIS
/// 2023.
struct tm2c2 {
    std::vector<double> weights = {};      ///< one an arm, >= 0; empty: 1 each
    std::vector<score_bounds> bounds = {}; ///< one an arm; empty: {0} each

    /// Completing the arms' scores makes sense.
    static constexpr bool uses_scores = true;

    /// @throws trawl::error as weighted_sum's does for weights; (invalid_argument) if there are
    /// bounds, but not as many as arms, or if they are not finite, the highest above the lowest.
    void validate(std::size_t arms) const {
        detail::check_weights("tm2c2", weights, arms);
        detail::check_count("tm2c2", "bounds", bounds.size(), arms);
        for (std::size_t a = 0; a < bounds.size(); ++a) {
            auto const highest = bounds[a].highest.value_or(bounds[a].lowest + 1);
            if (detail::is_finite(bounds[a].lowest) && detail::is_finite(highest)
                && highest > bounds[a].lowest)
                continue;
            detail::fail(errc::invalid_argument,
                detail::join("tm2c2: arm ", a, " has the bounds ", bounds[a].lowest, " and ",
                    highest, ", must be finite, the second above the first"));
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
    struct values {
        std::vector<score_bounds> const& bounds;
        detail::arm_scale operator()(detail::arm_union const& all, std::size_t arm) const {
            constexpr score_bounds unknown;
            auto const& of_arm = bounds.empty() ? unknown : bounds[arm];
            auto const scores = all.scores(arm);
            auto const highest =
                of_arm.highest
                    ? *of_arm.highest
                    : static_cast<double>(*std::max_element(scores.begin(), scores.end()));
            return {of_arm.lowest, (std::max)(detail::rounded(highest - of_arm.lowest), 0.0), 0};
        }
    };

    [[nodiscard]] detail::formula<values> formula() const {
        return {.name = "tm2c2", .weights = weights, .values = {bounds}};
    }
};

static_assert(fusion_rule<tm2c2>);

TRAWL_END_NAMESPACE
