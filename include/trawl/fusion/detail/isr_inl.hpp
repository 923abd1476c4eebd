// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of fusion/isr.hpp.

#include <trawl/fusion/isr.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/detail/formula.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// 1 / rank^2, the same for all arms.
class inverse_square_formula : public formula {
public:
    std::optional<double> values(arm_union const&, std::size_t,
        std::span<std::uint32_t const> ranks, std::span<double> out) const override {
        for (std::size_t i = 0; i < out.size(); ++i) {
            auto const rank = static_cast<double>(ranks[i]);
            out[i] = divided(1.0, rounded(rank * rank));
        }
        return {};
    }

    [[nodiscard]] std::string describe(
        arm_union const&, std::size_t, float, std::size_t rank) const override {
        return join("1 / rank^2, rank ", rank);
    }

protected:
    ~inverse_square_formula() = default;
};

class isr_formula final : public inverse_square_formula {
public:
    explicit isr_formula(isr const& rule) {
        name = "isr";
        ties = rule.ties;
        factor_label = "arms that have it";
    }

    [[nodiscard]] double factor(std::span<std::size_t const> arms) const override {
        return static_cast<double>(arms.size());
    }
};

class logn_isr_formula final : public inverse_square_formula {
public:
    explicit logn_isr_formula(logn_isr const& rule) : sigma_(rule.sigma) {
        name = "logn_isr";
        ties = rule.ties;
        factor_label = "ln(arms that have it + sigma)";
    }

    [[nodiscard]] double factor(std::span<std::size_t const> arms) const override {
        return rounded(math::log(static_cast<double>(arms.size()) + sigma_));
    }

private:
    double sigma_;
};

} // namespace detail

TRAWL_INLINE ranking isr::operator()(std::span<ranking const> arms) const {
    return detail::fuse(detail::isr_formula(*this), arms);
}

TRAWL_INLINE explanation isr::explain(
    std::span<ranking const> arms, doc_id id, std::span<explanation const> arm_parts) const {
    return detail::explain(detail::isr_formula(*this), arms, id, arm_parts);
}

TRAWL_INLINE void logn_isr::validate(std::size_t) const {
    if (detail::is_finite(sigma) && sigma >= 0 && sigma <= 1) return;
    detail::fail(
        errc::invalid_argument, detail::join("logn_isr: sigma is ", sigma, ", must be in [0, 1]"));
}

TRAWL_INLINE ranking logn_isr::operator()(std::span<ranking const> arms) const {
    validate(arms.size());
    return detail::fuse(detail::logn_isr_formula(*this), arms);
}

TRAWL_INLINE explanation logn_isr::explain(
    std::span<ranking const> arms, doc_id id, std::span<explanation const> arm_parts) const {
    validate(arms.size());
    return detail::explain(detail::logn_isr_formula(*this), arms, id, arm_parts);
}

TRAWL_END_NAMESPACE
