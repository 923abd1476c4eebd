// SPDX-License-Identifier: MIT
#pragma once

/// Weighted rules that reward documents which several arms return.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/formula.hpp>
#include <trawl/fusion/normaliser.hpp>

TRAWL_BEGIN_NAMESPACE

/// Weighted MNZ: score(d) = (sum of d's normalised scores) * (sum of the weights of the arms that
/// returned d). An arm of weight 0 is left out, documents and all.
/// @par Source Wu, Crestani, "Data fusion with estimated weights", CIKM 2002.
struct wmnz {
    std::vector<double> weights = {};      ///< one an arm, >= 0; empty: 1 each, which is comb_mnz
    normaliser norm = normaliser::min_max; ///< how each arm's scores are put on a common scale

    static constexpr bool uses_scores = true;

    /// @throws trawl::error as weighted_sum's does for weights.
    void validate(std::size_t arms) const { detail::check_weights("wmnz", weights, arms); }

    /// @return The whole union; score descending, ties by id ascending.
    /// @throws trawl::error as weighted_sum's does.
    /// @par Complexity  O(N + M log M) time, O(N) memory for N hits of M documents.
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
    struct sum_of_weights {
        std::span<double const> weights;
        double operator()(std::span<std::size_t const> arms) const {
            std::vector<double> of_arms;
            for (auto const arm : arms) of_arms.push_back(detail::weight_of(weights, arm));
            std::sort(of_arms.begin(), of_arms.end(), std::greater<>{});
            return detail::sum_of(of_arms);
        }
    };

    [[nodiscard]] detail::formula<detail::normalised, sum_of_weights> formula() const {
        return {.name = "wmnz",
            .weights = weights,
            .values = {norm},
            .weigh = false,
            .factor = {weights},
            .factor_label = "weights of the arms that have it"};
    }
};

/// score(d) = sqrt(h) * sum over arms of weight * normalised score, for the h arms that returned d:
/// between the weighted sum and weighted MNZ. An arm of weight 0 is left out, documents and all.
/// @par Source Wu, Crestani, "Data fusion with estimated weights", CIKM 2002.
struct mixed {
    std::vector<double> weights = {};      ///< one an arm, >= 0; empty: 1 each
    normaliser norm = normaliser::min_max; ///< how each arm's scores are put on a common scale

    static constexpr bool uses_scores = true;

    /// @throws trawl::error as weighted_sum's does for weights.
    void validate(std::size_t arms) const { detail::check_weights("mixed", weights, arms); }

    /// As wmnz's.
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
    struct root {
        double operator()(std::span<std::size_t const> arms) const noexcept {
            return detail::rounded(std::sqrt(static_cast<double>(arms.size())));
        }
    };

    [[nodiscard]] detail::formula<detail::normalised, root> formula() const {
        return {.name = "mixed",
            .weights = weights,
            .values = {norm},
            .factor_label = "square root of the arms that have it"};
    }
};

static_assert(fusion_rule<wmnz> && fusion_rule<mixed>);

TRAWL_END_NAMESPACE
