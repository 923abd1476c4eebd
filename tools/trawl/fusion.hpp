// SPDX-License-Identifier: MIT
#pragma once

/// The fusion rule that the options name.

#include <string_view>

#include <trawl/error.hpp>
#include <trawl/fusion/normaliser.hpp>
#include <trawl/fusion/rrf.hpp>
#include <trawl/fusion/weighted_sum.hpp>

#include "options.hpp"

namespace cli {

[[nodiscard]] inline trawl::normaliser normaliser_named(std::string_view name) {
    if (name == "z-score") return trawl::normaliser::z_score;
    if (name == "none") return trawl::normaliser::none;
    return trawl::normaliser::min_max;
}

/// Calls use(rule) and gives its result.
/// @throws trawl::error (invalid_argument) for an option that the rule does not know.
template <class Use>
[[nodiscard]] auto with_rule(fusion_options const& options, Use&& use) {
    if (options.rule == "rrf") {
        if (options.norm)
            throw trawl::error(trawl::errc::invalid_argument, "--norm goes with --fusion weighted");
        return use(trawl::rrf{.k = options.rrf_k.value_or(60), .weights = options.weights});
    }
    if (options.rrf_k)
        throw trawl::error(trawl::errc::invalid_argument, "--rrf-k goes with --fusion rrf");
    return use(trawl::weighted_sum{
        .weights = options.weights, .norm = normaliser_named(options.norm.value_or("min-max"))});
}

} // namespace cli
