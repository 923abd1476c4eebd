// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of fusion/tm2c2.hpp.

#include <trawl/fusion/tm2c2.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/detail/arm_scale.hpp>
#include <trawl/fusion/detail/formula.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class tm2c2_formula final : public formula {
public:
    explicit tm2c2_formula(tm2c2 const& rule) : rule_(rule) {
        name = "tm2c2";
        weights = rule.weights;
    }

    std::optional<double> values(arm_union const& all, std::size_t arm,
        std::span<std::uint32_t const> ranks, std::span<double> out) const override {
        auto const scale = scale_of_arm(all, arm);
        auto const scores = all.scores(arm);
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = scale(scores[i], ranks[i]);
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
        constexpr score_bounds unknown;
        auto const& bounds = rule_.bounds.empty() ? unknown : rule_.bounds[arm];
        auto const scores = all.scores(arm);
        auto const [low, high] = std::minmax_element(scores.begin(), scores.end());
        auto const highest = bounds.highest ? *bounds.highest : static_cast<double>(*high);
        auto lowest = bounds.lowest;
        // Scores that are all below the bound are told apart by their own range.
        if (highest <= lowest) lowest = (std::min)(lowest, static_cast<double>(*low));
        return {lowest, rounded(highest - lowest), 0};
    }

    tm2c2 const& rule_;
};

} // namespace detail

TRAWL_INLINE void tm2c2::validate(std::size_t arms) const {
    detail::check_weights("tm2c2", weights, arms);
    detail::check_count("tm2c2", "bounds", bounds.size(), arms);
    for (std::size_t a = 0; a < bounds.size(); ++a) {
        auto const highest = bounds[a].highest.value_or(bounds[a].lowest + 1);
        if (detail::is_finite(bounds[a].lowest) && detail::is_finite(highest)
            && highest > bounds[a].lowest)
            continue;
        detail::fail(errc::invalid_argument,
            detail::join("tm2c2: arm ", a, " has the bounds ", bounds[a].lowest, " and ", highest,
                ", must be finite, the second above the first"));
    }
}

TRAWL_INLINE ranking tm2c2::operator()(std::span<ranking const> arms) const {
    validate(arms.size());
    return detail::fuse(detail::tm2c2_formula(*this), arms);
}

TRAWL_INLINE explanation tm2c2::explain(
    std::span<ranking const> arms, doc_id id, std::span<explanation const> arm_parts) const {
    validate(arms.size());
    return detail::explain(detail::tm2c2_formula(*this), arms, id, arm_parts);
}

TRAWL_INLINE tm2c2 tm2c2::spread(std::size_t arms, std::span<double const> variant_weights) const {
    auto spread = *this;
    detail::spread_weights(spread.weights, arms, variant_weights);
    detail::repeat(spread.bounds, variant_weights.size());
    return spread;
}

TRAWL_INLINE bool tm2c2::leaves_out(std::size_t arm) const noexcept {
    return detail::has_weight_0(weights, arm);
}

TRAWL_END_NAMESPACE
