// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of fusion/dbsf.hpp.

#include <trawl/fusion/dbsf.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/detail/arm_scale.hpp>
#include <trawl/fusion/detail/formula.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class dbsf_formula final : public formula {
public:
    explicit dbsf_formula(dbsf const& rule) : rule_(rule) {
        name = "dbsf";
        weights = rule.weights;
    }

    std::optional<double> values(arm_union const& all, std::size_t arm,
        std::span<std::uint32_t const> ranks, std::span<double> out) const override {
        auto const scale = scale_of_arm(all, arm);
        auto const scores = all.scores(arm);
        bool const clamped = rule_.clamp && scale.scale != 0;
        for (std::size_t i = 0; i < out.size(); ++i) {
            auto const value = scale(scores[i], ranks[i]);
            out[i] = clamped ? std::clamp(value, 0.0, 1.0) : value;
        }
        if (rule_.missing == missing_score::zero) return {};
        if (rule_.missing == missing_score::lowest)
            return *std::min_element(out.begin(), out.end());
        auto const lowest = lowest_below_0(out);
        if (lowest < 0) return lowest;
        return {};
    }

    [[nodiscard]] std::string describe(
        arm_union const& all, std::size_t arm, float score, std::size_t rank) const override {
        return scale_of_arm(all, arm).describe(score, rank);
    }

private:
    [[nodiscard]] arm_scale scale_of_arm(arm_union const& all, std::size_t arm) const {
        auto const scores = all.scores(arm);
        auto const [low, high] = std::minmax_element(scores.begin(), scores.end());
        if (*low == *high) return {0, 0, rule_.constant};
        auto const mean = mean_of(scores);
        auto const n =
            static_cast<double>(scores.size()) - (rule_.sigma == deviation::sample ? 1 : 0);
        auto const spread = rounded(math::sqrt(divided(squares_about(mean, scores), n)));
        auto const lowest = rounded(mean - rounded(3 * spread));
        return {lowest, rounded(6 * spread), rule_.constant};
    }

    dbsf const& rule_;
};

} // namespace detail

TRAWL_INLINE void dbsf::validate(std::size_t arms) const {
    detail::check_weights("dbsf", weights, arms);
    if (detail::is_finite(constant)) return;
    detail::fail(
        errc::invalid_argument, detail::join("dbsf: constant is ", constant, ", must be finite"));
}

TRAWL_INLINE ranking dbsf::operator()(std::span<ranking const> arms) const {
    validate(arms.size());
    return detail::fuse(detail::dbsf_formula(*this), arms);
}

TRAWL_INLINE explanation dbsf::explain(
    std::span<ranking const> arms, doc_id id, std::span<explanation const> arm_parts) const {
    validate(arms.size());
    return detail::explain(detail::dbsf_formula(*this), arms, id, arm_parts);
}

TRAWL_INLINE dbsf dbsf::spread(std::size_t arms, std::span<double const> variant_weights) const {
    auto spread = *this;
    detail::spread_weights(spread.weights, arms, variant_weights);
    return spread;
}

TRAWL_INLINE bool dbsf::leaves_out(std::size_t arm) const noexcept {
    return detail::has_weight_0(weights, arm);
}

TRAWL_END_NAMESPACE
