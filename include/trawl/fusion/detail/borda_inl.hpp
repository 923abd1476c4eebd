// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of fusion/borda.hpp.

#include <trawl/fusion/borda.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/detail/formula.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class borda_formula final : public formula {
public:
    explicit borda_formula(borda const& rule) {
        name = "borda";
        weights = rule.weights;
        ties = rule.ties;
    }

    std::optional<double> values(arm_union const& all, std::size_t arm,
        std::span<std::uint32_t const> ranks, std::span<double> out) const override {
        auto const documents = static_cast<double>(all.documents().size());
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = documents + 1 - static_cast<double>(ranks[i]);
        return (documents - static_cast<double>(all.scores(arm).size()) + 1) / 2;
    }

    [[nodiscard]] std::string describe(
        arm_union const& all, std::size_t, float, std::size_t rank) const override {
        return join(all.documents().size(), " documents, rank ", rank);
    }
};

} // namespace detail

TRAWL_INLINE void borda::validate(std::size_t arms) const {
    detail::check_weights("borda", weights, arms);
}

TRAWL_INLINE ranking borda::operator()(std::span<ranking const> arms) const {
    validate(arms.size());
    return detail::fuse(detail::borda_formula(*this), arms);
}

TRAWL_INLINE explanation borda::explain(
    std::span<ranking const> arms, doc_id id, std::span<explanation const> arm_parts) const {
    validate(arms.size());
    return detail::explain(detail::borda_formula(*this), arms, id, arm_parts);
}

TRAWL_INLINE borda borda::spread(std::size_t arms, std::span<double const> variant_weights) const {
    auto spread = *this;
    detail::spread_weights(spread.weights, arms, variant_weights);
    return spread;
}

TRAWL_INLINE bool borda::leaves_out(std::size_t arm) const noexcept {
    return detail::has_weight_0(weights, arm);
}

TRAWL_END_NAMESPACE
