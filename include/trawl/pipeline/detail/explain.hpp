// SPDX-License-Identifier: MIT
#pragma once

/// Follows one document through a search and explains its score.

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/rerank/stage.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// @param arms   Of every arm its ranking, completed where that was asked for.
/// @param parts  Of every arm why the document has its score there.
/// @param score  What the rule gave the document.
template <fusion_rule Rule>
[[nodiscard]] explanation explain_fusion(Rule const& rule, std::span<ranking const> arms, doc_id id,
    float score, std::vector<explanation> parts) {
    explanation node{.op = operation::opaque,
        .label = "fusion: the rule's score",
        .value = static_cast<double>(score)};
    if constexpr (requires(std::span<explanation const> arm_parts) {
                      { rule.explain(arms, id, arm_parts) } -> std::same_as<explanation>;
                  }) {
        auto own = rule.explain(arms, id, std::span<explanation const>(parts));
        if (own.role != node_role::no_reason && same_bits(own.value, node.value)) return own;
    }
    node.children = std::move(parts);
    return node;
}

/// The document after a stage; `given` explains it before, or says why it was not there.
template <pipeline_stage Stage>
[[nodiscard]] explanation explain_stage(
    Stage const& stage, query const& q, stage_step const& step, doc_id id, explanation given) {
    auto const position = position_of(step.out, id);
    if (position == step.out.size()) {
        if (position_of(step.in, id) == step.in.size()) return given;
        return no_match(join("no match: document ", id, " was left out by ", step.trace.name));
    }
    auto const score = step.out[position].score;
    if constexpr (explaining_stage<Stage>) {
        auto own = stage.explain(q, step, position, std::move(given));
        if (same_bits(own.value, static_cast<double>(score))) return own;
        return opaque_score(score, step.trace.name, std::move(own));
    } else {
        return opaque_score(score, step.trace.name, std::move(given));
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
