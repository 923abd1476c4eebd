// SPDX-License-Identifier: MIT
#pragma once

/// Runs a pipeline: the question, the arms, the fusion, the stages; and follows a document through
/// all of it.

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/fusion/spread.hpp>
#include <trawl/pipeline/detail/arm.hpp>
#include <trawl/pipeline/detail/completion.hpp>
#include <trawl/pipeline/detail/explain.hpp>
#include <trawl/pipeline/detail/parts.hpp>
#include <trawl/pipeline/detail/question.hpp>
#include <trawl/pipeline/detail/search_log.hpp>
#include <trawl/pipeline/report.hpp>
#include <trawl/pipeline/variants.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct pipeline_settings {
    std::size_t window = 50;
    std::vector<std::size_t> windows = {}; ///< one an arm; empty: window for all
    bool complete = false;
    failure_policy failures = failure_policy::fail;
};

template <class Rule>
inline constexpr bool uses_scores = true;
template <class Rule>
    requires requires {
        { Rule::uses_scores } -> std::convertible_to<bool>;
    }
inline constexpr bool uses_scores<Rule> = Rule::uses_scores;

// Whether a stage drops hits only, so that the scores are still those of the fusion.
template <class Stage>
inline constexpr bool keeps_scores = requires { requires Stage::keeps_scores; };

// Whether a stage that needs scores (autocut) would be given what a rule made of ranks.
/// @tparam Earlier  The holders of the stages before.
template <class Stage, class Rule, class... Earlier>
inline constexpr bool needs_other_scores =
    requires { requires Stage::needs_scores; } && !uses_scores<Rule>
    && (keeps_scores<std::remove_cvref_t<decltype(std::declval<Earlier const&>().get())>> && ...);

/// @tparam Arms, Stages  Holders, in a std::tuple or a std::vector.
/// @tparam Questions     question_steps.
template <class Arms, fusion_rule Rule, class Questions, class Stages>
struct search_engine {
    Arms arms;
    pipeline_settings settings = {};
    Rule rule = {};
    Questions questions = {};
    Stages stages = {};

    /// Everything but the cut at k.
    [[nodiscard]] ranking run(
        query const& q, search_options const& options, search_log& log) const {
        questions(q, log);
        ask_arms(options, log);
        auto hits = fuse(options, log);
        for (std::size_t i = 0; i < count_of(stages); ++i) {
            visit_at(stages, i,
                [&](auto const& stage) { hits = pass(stage, i, std::move(hits), options, log); });
        }
        return hits;
    }

    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options) const {
        search_log log;
        log.level = log_level::steps;
        static_cast<void>(run(q, options, log));
        auto tree = explain_fused(id, options, log);
        auto const count = count_of(stages);
        for (std::size_t i = 0; i < count; ++i) {
            auto const& trace = log.trace[log.trace.size() - count + i];
            visit_at(stages, i, [&](auto const& stage) {
                tree = explain_stage(stage, log.question, {log.steps[i], log.steps[i + 1], trace},
                    id, std::move(tree));
            });
        }
        return tree;
    }

private:
    [[nodiscard]] search_options arm_options(
        search_options options, std::size_t arm) const noexcept {
        options.k = settings.windows.empty() ? settings.window : settings.windows[arm];
        return options;
    }

    // Calls visit(arm, place, index) for every arm that counts and every way to ask, on the
    // executor.
    template <class Visit>
    void for_each_arm(executor const* where, search_log const& log, Visit&& visit) const {
        auto const count = count_of(arms);
        run_tasks(where, count * log.asked.size(), [&](std::size_t index) {
            auto const place = log.place(index, count);
            if (trawl::leaves_out(rule, place.arm)) return;
            visit_at(arms, place.arm, [&](auto const& arm) { visit(arm, place, index); });
        });
    }

    void ask_arms(search_options const& options, search_log& log) const {
        auto const count = count_of(arms);
        std::vector<arm_answer> answers(count * log.asked.size());
        for_each_arm(
            options.executor, log, [&](auto const& arm, arm_place place, std::size_t index) {
                auto& answer = answers[index];
                guard(settings.failures, answer, [&] {
                    ask(arm, place, log.asked[index / count], arm_options(options, place.arm),
                        log.level, answer);
                });
            });
        require_one_arm(answers);
        if (settings.complete) {
            auto const all = documents_of(answers);
            for_each_arm(
                options.executor, log, [&](auto const& arm, arm_place place, std::size_t index) {
                    auto& answer = answers[index];
                    guard(settings.failures, answer, [&] {
                        complete(arm, place, log.asked[index / count], all,
                            arm_options(options, place.arm), log.level, answer);
                    });
                });
        }
        log.take(answers, count);
    }

    // Calls work(rule), with the rule for all variants where there are several.
    template <class Work>
    [[nodiscard]] auto with_rule(search_log const& log, Work&& work) const {
        if constexpr (spreading_rule<Rule>) {
            if (log.asked.size() > 1)
                return work(
                    spread_over(rule, count_of(arms), std::span<double const>(log.weights)));
        }
        return work(rule);
    }

    [[nodiscard]] ranking fuse(search_options const& options, search_log& log) const {
        stage_trace step;
        step.partial = options.stopped(); // an arm may have been cut short
        std::size_t given = 0;
        for (auto const& arm : log.arms) given += arm.size();
        stopwatch const watch(log.level);
        auto hits =
            with_rule(log, [&](Rule const& r) { return r(std::span<ranking const>(log.arms)); });
        check_hits(hits, options.where, given, [] { return "hybrid_search: the fusion rule"; });
        step.name = "fusion";
        step.seconds = watch.seconds();
        log.close(std::move(step), given, hits);
        return hits;
    }

    template <class S>
    [[nodiscard]] static ranking pass(S const& stage, std::size_t index, ranking hits,
        search_options const& options, search_log& log) {
        auto stage_options = options;
        stage_options.k = hits.size();
        auto const given = hits.size();
        stage_trace step;
        step.given = log.origin;
        auto const before = log.origin == score_origin{} ? ranking{} : hits;
        stopwatch const watch(log.level);
        if constexpr (traced_stage<S>) {
            hits = stage(log.question, std::move(hits), stage_options, step);
        } else {
            hits = stage(log.question, std::move(hits), stage_options);
        }
        step.seconds = watch.seconds();
        log.origin = step.left ? *step.left : origin_after(before, step.given, hits);
        if (step.name.empty() && log.level != log_level::result) step.name = join("stage ", index);
        check_hits(hits, options.where, no_doc, [&] {
            return step.name.empty() ? join("hybrid_search: stage ", index)
                                     : join("hybrid_search: ", step.name);
        });
        log.close(std::move(step), given, hits);
        return hits;
    }

    [[nodiscard]] explanation explain_fused(
        doc_id id, search_options const& options, search_log const& log) const {
        auto const count = count_of(arms);
        std::vector<explanation> parts(log.arms.size());
        bool found = false;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            auto const place = log.place(i, count);
            auto const at = position_of(log.arms[i], id);
            if (at == log.arms[i].size()) {
                parts[i] = no_match(join("no match: ", place.name(), " did not return it"));
                continue;
            }
            found = true;
            visit_at(arms, place.arm, [&](auto const& arm) {
                parts[i] = explain_arm(arm, place, log.asked[i / count], log.arms[i][at],
                    arm_options(options, place.arm));
            });
        }
        auto const& fused = log.steps.front();
        auto const at = position_of(fused, id);
        if (at < fused.size()) {
            return with_rule(log, [&](Rule const& r) {
                return explain_fusion(
                    r, std::span<ranking const>(log.arms), id, fused[at].score, std::move(parts));
            });
        }
        auto const reason = !options.where.admits(id) ? ", the filter excludes it"
                            : found                   ? " was left out by the fusion"
                                                      : " was returned by no arm";
        return no_match(join("no match: document ", id, reason));
    }
};

} // namespace detail
TRAWL_END_NAMESPACE
