// SPDX-License-Identifier: MIT
#pragma once

/// Rules, query steps and stages whose types are erased, to make a pipeline of at run time. Copies
/// share what they hold.

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/pipeline/any_retriever.hpp>
#include <trawl/pipeline/detail/engine.hpp>
#include <trawl/pipeline/detail/parts.hpp>
#include <trawl/pipeline/detail/query_steps.hpp>
#include <trawl/rerank/stage.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A fusion rule.
class any_rule {
public:
    template <class Rule>
        requires(!std::same_as<Rule, any_rule>) && fusion_rule<Rule>
    explicit any_rule(Rule rule) {
        auto const shared = std::make_shared<Rule const>(std::move(rule));
        ref_ = ref_of_rule(*shared);
        owner_ = shared;
    }

    [[nodiscard]] rule_ref ref() const noexcept { return ref_; }

private:
    std::shared_ptr<void const> owner_;
    rule_ref ref_;
};

/// Query steps of any type.
class any_query_steps {
public:
    any_query_steps() = default;
    template <class Steps>
    explicit any_query_steps(Steps steps) {
        auto const shared = std::make_shared<Steps const>(std::move(steps));
        ref_ = shared->ref();
        owner_ = shared;
    }

    [[nodiscard]] query_steps_ref const& ref() const noexcept { return ref_; }

private:
    std::shared_ptr<void const> owner_;
    query_steps_ref ref_;
};

} // namespace detail

/// Any stage, itself a stage.
class any_stage {
public:
    template <class Stage>
        requires(!std::same_as<Stage, any_stage>) && pipeline_stage<Stage>
    any_stage(Stage stage) { // NOLINT(google-explicit-constructor): implicit on purpose
        auto const shared = std::make_shared<Stage const>(std::move(stage));
        ref_ = detail::ref_of_stage(*shared);
        owner_ = shared;
    }

    [[nodiscard]] ranking operator()(query const& q, ranking candidates,
        search_options const& options, trace_ref trace = {}) const {
        stage_trace unread;
        return ref_.call->run(
            ref_.object, q, std::move(candidates), options, trace.or_else(unread));
    }
    [[nodiscard]] explanation explain(
        query const& q, stage_step const& step, std::size_t position, explanation given) const {
        if (ref_.call->explain != nullptr)
            return ref_.call->explain(ref_.object, q, step, position, std::move(given));
        return detail::opaque_score(step.out[position].score, step.trace.name, std::move(given));
    }

    [[nodiscard]] detail::stage_ref ref() const noexcept { return ref_; }

private:
    std::shared_ptr<void const> owner_;
    detail::stage_ref ref_;
};

static_assert(traced_stage<any_stage> && explaining_stage<any_stage>);

namespace detail {

/// What a pipeline holds that was put together at run time.
struct any_pipeline_parts {
    std::vector<any_retriever> arms;
    pipeline_settings settings;
    any_rule rule;
    any_query_steps steps;
    std::vector<any_stage> stages;

    struct part_refs {
        any_pipeline_parts const& parts;
        std::vector<arm_ref> arms = {};
        std::vector<stage_ref> stages = {};

        [[nodiscard]] pipeline_view view() const noexcept {
            return {arms, parts.rule.ref(), parts.steps.ref(), stages, parts.settings};
        }
    };
    [[nodiscard]] part_refs refs() const {
        part_refs made{*this};
        for (auto const& arm : arms) made.arms.push_back(arm.ref());
        for (auto const& stage : stages) made.stages.push_back(stage.ref());
        return made;
    }
};

} // namespace detail
TRAWL_END_NAMESPACE
