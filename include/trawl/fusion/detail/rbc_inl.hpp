// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of fusion/rbc.hpp.

#include <trawl/fusion/rbc.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/detail/formula.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class rbc_formula final : public formula {
public:
    explicit rbc_formula(rbc const& rule) : phi_(rule.phi) {
        name = "rbc";
        ties = rule.ties;
    }

    std::optional<double> values(arm_union const&, std::size_t,
        std::span<std::uint32_t const> ranks, std::span<double> out) const override {
        for (std::size_t i = 0; i < out.size(); ++i) {
            auto const reached = rounded(math::pow(phi_, static_cast<double>(ranks[i] - 1)));
            out[i] = rounded(rounded(1 - phi_) * reached);
        }
        return {};
    }

    [[nodiscard]] std::string describe(
        arm_union const&, std::size_t, float, std::size_t rank) const override {
        return join("(1 - phi) * phi^(rank - 1), rank ", rank, ", phi = ", phi_);
    }

private:
    double phi_;
};

} // namespace detail

TRAWL_INLINE void rbc::validate(std::size_t) const {
    if (detail::is_finite(phi) && phi > 0 && phi < 1) return;
    detail::fail(errc::invalid_argument, detail::join("rbc: phi is ", phi, ", must be in (0, 1)"));
}

TRAWL_INLINE ranking rbc::operator()(std::span<ranking const> arms) const {
    validate(arms.size());
    return detail::fuse(detail::rbc_formula(*this), arms);
}

TRAWL_INLINE explanation rbc::explain(
    std::span<ranking const> arms, doc_id id, std::span<explanation const> arm_parts) const {
    validate(arms.size());
    return detail::explain(detail::rbc_formula(*this), arms, id, arm_parts);
}

TRAWL_END_NAMESPACE
