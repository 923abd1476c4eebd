// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of fusion/comb.hpp.

#include <trawl/fusion/comb.hpp>

#include <string_view>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/detail/normalised_formula.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class comb_formula final : public normalised_formula {
public:
    comb_formula(comb kind, normaliser how) : kind_(kind) {
        constexpr std::string_view names[enum_count<comb>] = {
            "comb_sum", "comb_mnz", "comb_anz", "comb_med", "comb_min", "comb_max"};
        name = names[static_cast<std::size_t>(kind)];
        norm = how;
        if (kind == comb::median) combine = operation::median;
        if (kind == comb::lowest) combine = operation::min;
        if (kind == comb::highest) combine = operation::max;
        if (kind == comb::mnz) factor_label = "arms that have it";
        if (kind == comb::anz) factor_label = "1 / arms that have it";
        if (kind == comb::mnz) negative = below_0::shifted;
        if (kind == comb::sum) negative = below_0::is_lowest;
    }

    [[nodiscard]] double factor(std::span<std::size_t const> arms) const override {
        auto const h = static_cast<double>(arms.size());
        return kind_ == comb::mnz ? h : divided(1.0, h);
    }

private:
    comb kind_;
};

class comb_gmnz_formula final : public normalised_formula {
public:
    explicit comb_gmnz_formula(comb_gmnz const& rule) : gamma_(rule.gamma) {
        name = "comb_gmnz";
        factor_label = "arms that have it, to the power of gamma";
        norm = rule.norm;
        if (gamma_ > 0) negative = below_0::shifted;
        if (gamma_ == 0) negative = below_0::is_lowest;
    }

    [[nodiscard]] double factor(std::span<std::size_t const> arms) const override {
        return rounded(math::pow(static_cast<double>(arms.size()), gamma_));
    }

private:
    double gamma_;
};

TRAWL_INLINE ranking fuse_comb(comb kind, normaliser norm, std::span<ranking const> arms) {
    return fuse(comb_formula(kind, norm), arms);
}

TRAWL_INLINE explanation explain_comb(comb kind, normaliser norm, std::span<ranking const> arms,
    doc_id id, std::span<explanation const> arm_parts) {
    return explain(comb_formula(kind, norm), arms, id, arm_parts);
}

} // namespace detail

TRAWL_INLINE void comb_gmnz::validate(std::size_t) const {
    if (detail::is_finite(gamma)) return;
    detail::fail(
        errc::invalid_argument, detail::join("comb_gmnz: gamma is ", gamma, ", must be finite"));
}

TRAWL_INLINE ranking comb_gmnz::operator()(std::span<ranking const> arms) const {
    validate(arms.size());
    return detail::fuse(detail::comb_gmnz_formula(*this), arms);
}

TRAWL_INLINE explanation comb_gmnz::explain(
    std::span<ranking const> arms, doc_id id, std::span<explanation const> arm_parts) const {
    validate(arms.size());
    return detail::explain(detail::comb_gmnz_formula(*this), arms, id, arm_parts);
}

TRAWL_END_NAMESPACE
