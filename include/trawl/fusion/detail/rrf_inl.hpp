// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of fusion/rrf.hpp.

#include <trawl/fusion/rrf.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/detail/formula.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class rrf_formula final : public formula {
public:
    explicit rrf_formula(rrf const& rule) : rule_(rule) {
        name = "rrf";
        weights = rule.weights;
        ties = rule.ties;
    }

    std::optional<double> values(arm_union const&, std::size_t arm,
        std::span<std::uint32_t const> ranks, std::span<double> out) const override {
        auto const k = k_of(arm);
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = divided(1.0, rounded(k + static_cast<double>(ranks[i])));
        return {};
    }

    [[nodiscard]] std::string describe(
        arm_union const&, std::size_t arm, float, std::size_t rank) const override {
        return join("1 / (", k_of(arm), " + rank ", rank, ")");
    }

private:
    [[nodiscard]] double k_of(std::size_t arm) const noexcept {
        return rule_.ks.empty() ? rule_.k : rule_.ks[arm];
    }

    rrf const& rule_;
};

} // namespace detail

TRAWL_INLINE void rrf::validate(std::size_t arms) const {
    auto const check = [](std::string_view name, double value) {
        if (detail::is_finite(value) && value > 0) return;
        detail::fail(errc::invalid_argument,
            detail::join("rrf: ", name, " is ", value, ", must be finite and > 0"));
    };
    check("k", k);
    detail::check_count("rrf", "ks", ks.size(), arms);
    for (std::size_t a = 0; a < ks.size(); ++a) check(detail::join("k of arm ", a), ks[a]);
    detail::check_weights("rrf", weights, arms);
}

TRAWL_INLINE ranking rrf::operator()(std::span<ranking const> arms) const {
    validate(arms.size());
    return detail::fuse(detail::rrf_formula(*this), arms);
}

TRAWL_INLINE explanation rrf::explain(
    std::span<ranking const> arms, doc_id id, std::span<explanation const> arm_parts) const {
    validate(arms.size());
    return detail::explain(detail::rrf_formula(*this), arms, id, arm_parts);
}

TRAWL_INLINE rrf rrf::spread(std::size_t arms, std::span<double const> variant_weights) const {
    auto spread = *this;
    detail::spread_weights(spread.weights, arms, variant_weights);
    detail::repeat(spread.ks, variant_weights.size());
    return spread;
}

TRAWL_INLINE bool rrf::leaves_out(std::size_t arm) const noexcept {
    return detail::has_weight_0(weights, arm);
}

TRAWL_END_NAMESPACE
