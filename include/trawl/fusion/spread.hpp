// SPDX-License-Identifier: MIT
#pragma once

/// What a fusion rule says about its per-arm parameters: how they apply to the variants of a query,
/// and which arm has no weight.

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

#include <trawl/core/concepts.hpp>

TRAWL_BEGIN_NAMESPACE

namespace detail {

/// A rule that treats all arms alike: it has no state, or declares per_arm = false.
template <class F>
concept alike_rule = fusion_rule<F> && (std::is_empty_v<F> || requires { requires !F::per_arm; });

void check_spread_alike(std::span<double const> variant_weights);

} // namespace detail

/// A rule that can fuse the rankings of several query variants, those of all arms for each variant.
/// Either it has no per-arm parameters (it has no members, or declares per_arm = false), or its
/// spread() makes the rule for all these rankings. A pipeline with variants refuses other rules.
template <class F>
concept spreading_rule =
    detail::alike_rule<F>
    || (fusion_rule<F>
        && requires(F const& f, std::size_t arms, std::span<double const> variant_weights) {
               /** The rule for arms * variants rankings: each arm's parameters are repeated for every
        variant, and its weight is multiplied by the variant's. */
               { f.spread(arms, variant_weights) } -> std::same_as<F>;
           });

/// The rule for the rankings of several query variants.
/// @param variant_weights  One for each variant.
/// @throws trawl::error (weight_count) if one of them is not 1 and the rule has no weights.
template <spreading_rule Rule>
[[nodiscard]] Rule spread_over(
    Rule const& rule, std::size_t arms, std::span<double const> variant_weights) {
    if constexpr (detail::alike_rule<Rule>) {
        detail::check_spread_alike(variant_weights);
        return rule;
    } else {
        auto spread = rule.spread(arms, variant_weights);
        spread.validate(arms * variant_weights.size());
        return spread;
    }
}

/// Whether a rule gives an arm no weight, as its member leaves_out(arm) says; then nothing of the
/// arm can reach the result, and the pipeline does not ask it. False for a rule without the member.
template <fusion_rule Rule>
[[nodiscard]] bool leaves_out(Rule const& rule, [[maybe_unused]] std::size_t arm) {
    if constexpr (requires {
                      { rule.leaves_out(arm) } -> std::same_as<bool>;
                  }) {
        return rule.leaves_out(arm);
    } else {
        static_cast<void>(rule);
        return false;
    }
}

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/fusion/detail/spread_inl.hpp>
#endif
