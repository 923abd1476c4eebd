// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of weight_choice.hpp.

#include <trawl/eval/weight_choice.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE std::vector<query_group> means_of_groups(std::span<std::string const> groups,
    std::span<double const> usual, std::span<double const> chosen) {
    if (usual.size() != groups.size() || chosen.size() != groups.size()) {
        detail::fail(errc::invalid_argument,
            detail::join("means_of_groups: there are ", usual.size(), " and ", chosen.size(),
                " values of ", groups.size(), " queries"));
    }
    std::vector<query_group> out;
    for (std::size_t q = 0; q < groups.size(); ++q) {
        auto const known = std::find_if(
            out.begin(), out.end(), [&](query_group const& g) { return g.name == groups[q]; });
        auto& group = known == out.end() ? out.emplace_back() : *known;
        group.name = groups[q];
        ++group.queries;
        group.usual += usual[q];
        group.chosen += chosen[q];
    }
    for (auto& group : out) {
        group.usual /= static_cast<double>(group.queries);
        group.chosen /= static_cast<double>(group.queries);
    }
    return out;
}

TRAWL_INLINE weight_choice choose_weight(
    function_ref<std::vector<double>(double)> measured, weight_choice_options const& options) {
    if (options.steps == 0 || options.steps % 2 != 0) {
        detail::fail(errc::invalid_argument,
            detail::join("choose_weight: steps is ", options.steps, ", must be even and > 0"));
    }
    tuned_parameter weight{.name = "weight"};
    for (std::size_t i = 0; i <= options.steps; ++i)
        weight.values.push_back(static_cast<double>(i) / static_cast<double>(options.steps));
    tuning_reference const alone{.name = "weight 0", .values = measured(0)};
    if (!options.groups.empty() && options.groups.size() != alone.values.size()) {
        detail::fail(
            errc::invalid_argument, detail::join("choose_weight: there are ", options.groups.size(),
                                        " groups of ", alone.values.size(), " queries"));
    }
    auto const values_at = [&](std::span<double const> at) {
        return at[0] == 0 ? alone.values : measured(at[0]);
    };
    weight_choice out;
    out.tried = tune(std::span(&weight, 1), values_at, std::span(&alone, 1),
        {.folds = options.folds,
            .seed = options.seed,
            .confidence = options.confidence,
            .usual = {0}});
    auto const& points = out.tried.points;
    out.weight = points[out.tried.recommended].parameters[0];
    out.gain = out.tried.gain;
    out.equal_weights = bootstrap_difference(points[options.steps / 2].outcome.values, alone.values,
        {.confidence = options.confidence, .seed = options.seed});
    if (!options.groups.empty()) {
        out.groups = means_of_groups(
            options.groups, alone.values, points[out.tried.recommended].outcome.values);
    }
    if (out.weight > 0) {
        out.effect = out.gain.low > 0 ? arm_effect::helps : arm_effect::may_help;
    } else {
        out.effect = out.equal_weights.high < 0 ? arm_effect::harms : arm_effect::uncertain;
    }
    return out;
}

TRAWL_INLINE std::string weight_choice::summary(
    std::string_view first, std::string_view second) const {
    auto const from = [](interval const& i) {
        return detail::join(detail::fixed_text(i.low, 4), " to ", detail::fixed_text(i.high, 4));
    };
    switch (effect) {
    case arm_effect::helps:
        return detail::join(second, " helps: of weight ", weight, " it gains ", from(gain),
            " over ", first, " alone.");
    case arm_effect::may_help:
        return detail::join(second, " may help: of weight ", weight, " it is better than ", first,
            " alone by more than one standard error, but the gain on queries that did not choose "
            "the "
            "weight is ",
            from(gain), ".");
    case arm_effect::harms:
        return detail::join(second, " harms: no weight is better than ", first,
            " alone, and equal weights gain ", from(equal_weights), ". Leave it out.");
    case arm_effect::uncertain:
        break;
    }
    return detail::join("The queries say nothing for or against ", second, ": equal weights gain ",
        from(equal_weights), " over ", first, " alone, which stays.");
}

TRAWL_END_NAMESPACE
