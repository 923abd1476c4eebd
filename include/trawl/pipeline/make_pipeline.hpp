// SPDX-License-Identifier: MIT
#pragma once

/// A pipeline whose arms and stages are known at run time only. Where they are known before, build a
/// hybrid_search.

#include <cstddef>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/error.hpp>
#include <trawl/pipeline/any_pipeline.hpp>
#include <trawl/pipeline/any_retriever.hpp>
#include <trawl/pipeline/detail/any_parts.hpp>
#include <trawl/pipeline/detail/searchable.hpp>

TRAWL_BEGIN_NAMESPACE

struct pipeline_options {
    std::size_t window = 50; ///< hits that each arm is asked for, >= 1
    bool complete = false;   ///< as in fuse_options
};

/// The pipeline that hybrid_search would build of these arms, this rule and these stages (any_stage
/// takes any stage).
/// @throws trawl::error (invalid_argument) if there is no arm, the window is 0, or `complete` is set
/// for a rule that reads ranks; whatever rule.validate throws.
template <fusion_rule Rule>
[[nodiscard]] any_pipeline make_pipeline(std::vector<any_retriever> arms, Rule rule,
    pipeline_options options = {}, std::vector<any_stage> stages = {}) {
    if (arms.empty()) detail::fail(errc::invalid_argument, "make_pipeline: there must be an arm");
    if (options.window == 0)
        detail::fail(errc::invalid_argument, "make_pipeline: the window is 0, must be >= 1");
    rule.validate(arms.size());
    if (options.complete && !detail::uses_scores<Rule>) {
        detail::fail(errc::invalid_argument,
            "make_pipeline: complete is true, but the fusion rule reads ranks, not scores");
    }
    detail::pipeline_settings settings;
    settings.window = options.window;
    settings.complete = options.complete;
    return any_pipeline(
        detail::searchable<detail::any_pipeline_parts>(detail::any_pipeline_parts{std::move(arms),
            std::move(settings), detail::any_rule(std::move(rule)), {}, std::move(stages)}));
}

TRAWL_END_NAMESPACE
