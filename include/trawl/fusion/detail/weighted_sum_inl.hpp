// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of fusion/weighted_sum.hpp.

#include <trawl/fusion/weighted_sum.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/detail/arm_scale.hpp>
#include <trawl/fusion/detail/formula.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class weighted_sum_formula final : public formula {
public:
    explicit weighted_sum_formula(weighted_sum const& rule) : rule_(rule) {
        name = "weighted_sum";
        weights = rule.weights;
    }

    std::optional<double> values(arm_union const& all, std::size_t arm,
        std::span<std::uint32_t const> ranks, std::span<double> out) const override {
        auto const scale = scale_of_arm(all, arm);
        auto const scores = all.scores(arm);
        for (std::size_t i = 0; i < out.size(); ++i) {
            auto const value = scale(scores[i], ranks[i]);
            out[i] = value == 0 ? rule_.least : value;
        }
        if (rule_.missing == missing_score::lowest)
            return *std::min_element(out.begin(), out.end());
        if (rule_.missing == missing_score::standard && norm_of(arm) != normaliser::z_score) {
            auto const lowest = lowest_below_0(out);
            if (lowest < 0) return lowest;
        }
        return scale.missing;
    }

    [[nodiscard]] std::string describe(
        arm_union const& all, std::size_t arm, float score, std::size_t rank) const override {
        return scale_of_arm(all, arm).describe(score, rank);
    }

private:
    [[nodiscard]] normaliser norm_of(std::size_t arm) const noexcept {
        return rule_.norms.empty() ? rule_.norm : rule_.norms[arm];
    }

    [[nodiscard]] arm_scale scale_of_arm(arm_union const& all, std::size_t arm) const {
        auto scale = scale_of(norm_of(arm), all.scores(arm), all.documents().size());
        if (rule_.constant) scale.constant = *rule_.constant;
        return scale;
    }

    weighted_sum const& rule_;
};

} // namespace detail

TRAWL_INLINE void weighted_sum::validate(std::size_t arms) const {
    detail::check_weights("weighted_sum", weights, arms);
    detail::check_count("weighted_sum", "norms", norms.size(), arms);
    if (!detail::is_finite(least) || !detail::is_finite(constant.value_or(0))) {
        detail::fail(
            errc::invalid_argument, detail::join("weighted_sum: constant is ", constant.value_or(0),
                                        " and least is ", least, ", must be finite"));
    }
}

TRAWL_INLINE ranking weighted_sum::operator()(std::span<ranking const> arms) const {
    validate(arms.size());
    return detail::fuse(detail::weighted_sum_formula(*this), arms);
}

TRAWL_INLINE explanation weighted_sum::explain(
    std::span<ranking const> arms, doc_id id, std::span<explanation const> arm_parts) const {
    validate(arms.size());
    return detail::explain(detail::weighted_sum_formula(*this), arms, id, arm_parts);
}

TRAWL_INLINE weighted_sum weighted_sum::spread(
    std::size_t arms, std::span<double const> variant_weights) const {
    auto spread = *this;
    detail::spread_weights(spread.weights, arms, variant_weights);
    detail::repeat(spread.norms, variant_weights.size());
    return spread;
}

TRAWL_INLINE bool weighted_sum::leaves_out(std::size_t arm) const noexcept {
    return detail::has_weight_0(weights, arm);
}

TRAWL_END_NAMESPACE
