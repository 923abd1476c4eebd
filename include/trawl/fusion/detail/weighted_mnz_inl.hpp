// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of fusion/weighted_mnz.hpp.

#include <trawl/fusion/weighted_mnz.hpp>

#include <algorithm>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/detail/normalised_formula.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class wmnz_formula final : public normalised_formula {
public:
    explicit wmnz_formula(wmnz const& rule) {
        name = "wmnz";
        weights = rule.weights;
        weigh = false;
        factor_label = "weights of the arms that have it";
        norm = rule.norm;
        negative = below_0::shifted;
    }

    [[nodiscard]] double factor(std::span<std::size_t const> arms) const override {
        std::vector<double> of_arms;
        for (auto const arm : arms) of_arms.push_back(weight_of(weights, arm));
        std::sort(of_arms.begin(), of_arms.end(), [](double a, double b) { return a > b; });
        return sum_of(of_arms);
    }
};

class mixed_formula final : public normalised_formula {
public:
    explicit mixed_formula(mixed const& rule) {
        name = "mixed";
        weights = rule.weights;
        factor_label = "square root of the arms that have it";
        norm = rule.norm;
        negative = below_0::shifted;
    }

    [[nodiscard]] double factor(std::span<std::size_t const> arms) const override {
        return rounded(math::sqrt(static_cast<double>(arms.size())));
    }
};

} // namespace detail

TRAWL_INLINE void wmnz::validate(std::size_t arms) const {
    detail::check_weights("wmnz", weights, arms);
}

TRAWL_INLINE ranking wmnz::operator()(std::span<ranking const> arms) const {
    validate(arms.size());
    return detail::fuse(detail::wmnz_formula(*this), arms);
}

TRAWL_INLINE explanation wmnz::explain(
    std::span<ranking const> arms, doc_id id, std::span<explanation const> arm_parts) const {
    validate(arms.size());
    return detail::explain(detail::wmnz_formula(*this), arms, id, arm_parts);
}

TRAWL_INLINE wmnz wmnz::spread(std::size_t arms, std::span<double const> variant_weights) const {
    auto spread = *this;
    detail::spread_weights(spread.weights, arms, variant_weights);
    return spread;
}

TRAWL_INLINE bool wmnz::leaves_out(std::size_t arm) const noexcept {
    return detail::has_weight_0(weights, arm);
}

TRAWL_INLINE void mixed::validate(std::size_t arms) const {
    detail::check_weights("mixed", weights, arms);
}

TRAWL_INLINE ranking mixed::operator()(std::span<ranking const> arms) const {
    validate(arms.size());
    return detail::fuse(detail::mixed_formula(*this), arms);
}

TRAWL_INLINE explanation mixed::explain(
    std::span<ranking const> arms, doc_id id, std::span<explanation const> arm_parts) const {
    validate(arms.size());
    return detail::explain(detail::mixed_formula(*this), arms, id, arm_parts);
}

TRAWL_INLINE mixed mixed::spread(std::size_t arms, std::span<double const> variant_weights) const {
    auto spread = *this;
    detail::spread_weights(spread.weights, arms, variant_weights);
    return spread;
}

TRAWL_INLINE bool mixed::leaves_out(std::size_t arm) const noexcept {
    return detail::has_weight_0(weights, arm);
}

TRAWL_END_NAMESPACE
