// SPDX-License-Identifier: MIT
#pragma once

/// The engine of a pipeline.

#include <trawl/pipeline/detail/engine.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/doc_set.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/error.hpp>
#include <trawl/pipeline/detail/arm.hpp>
#include <trawl/pipeline/detail/completion.hpp>
#include <trawl/pipeline/detail/run_query_steps.hpp>
#include <trawl/pipeline/detail/search_log.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The documents that meet the conditions that arms read out of the query; nothing if no arm reads
/// any.
/// @param universe  of the caller's filter; at least next_id_of(pipeline) is taken.
/// @param readers  if not null, and an arm reads any: set to whether each arm does.
[[nodiscard]] inline std::optional<doc_set> conditions_met(pipeline_view const& pipeline,
    query const& q, std::size_t universe, buffer<char>* readers = nullptr) {
    // Documents that only another arm has must be in the universe: no condition excludes them.
    std::size_t const next = next_id_of(pipeline);
    universe = next > universe ? next : universe;
    std::optional<doc_set> all;
    for (std::size_t i = 0; i < pipeline.arms.size(); ++i) {
        auto const& arm = pipeline.arms[i];
        if (arm.call->conditions == nullptr) continue;
        auto met = arm.call->conditions(arm.object, q, universe);
        if (!met) continue;
        if (readers != nullptr) {
            readers->resize(pipeline.arms.size());
            (*readers)[i] = 1;
        }
        if (all) {
            *all &= *met;
        } else {
            all = std::move(met);
        }
    }
    return all;
}

/// One search.
class pipeline_run {
public:
    pipeline_run(pipeline_view const& pipeline, search_options const& options, log_level level)
        : pipeline_(pipeline), given_(options), options_(options) {
        log_.level = level;
    }
    pipeline_run(pipeline_run const&) = delete; // options_ may point to a set in log_
    pipeline_run& operator=(pipeline_run const&) = delete;
    ~pipeline_run() = default;

    /// Everything but the cut at k.
    [[nodiscard]] ranking run(query const& q) {
        run_query_steps(pipeline_.steps, q, log_);
        read_conditions();
        ask_arms();
        auto hits = fuse();
        fused_ = hits.size();
        for (std::size_t i = 0; i < pipeline_.stages.size(); ++i) hits = pass(i, std::move(hits));
        return hits;
    }

    [[nodiscard]] search_report report(query const& q) {
        auto hits = slice(run(q), 0, options_.k);
        auto const window_reached = fused_ < options_.k && log_.may_have_more;
        if (window_reached) {
            log_.trace[log_.trace.size() - pipeline_.stages.size() - 1].notes.push_back(
                join("fewer candidates than k = ", options_.k,
                    ": the arms may have more, raise the window"));
        }
        return {std::move(hits), std::move(log_.trace), std::move(log_.failures), log_.partial,
            window_reached};
    }

    [[nodiscard]] explanation explain(query const& q, doc_id id) {
        static_cast<void>(run(q));
        auto tree = explain_fused(id);
        auto const count = pipeline_.stages.size();
        for (std::size_t i = 0; i < count; ++i) {
            auto const& trace = log_.trace[log_.trace.size() - count + i];
            tree = explain_stage(pipeline_.stages[i], {log_.steps[i], log_.steps[i + 1], trace}, id,
                std::move(tree));
        }
        return tree;
    }

private:
    // Conditions that an arm reads out of the query become a filter for every arm and stage.
    void read_conditions() {
        auto const universe = given_.where.set() != nullptr ? given_.where.set()->universe() : 0;
        auto met = conditions_met(pipeline_, log_.asked_for, universe, &log_.reads_conditions);
        if (!met) return;
        log_.allowed = *std::move(met);
        log_.has_conditions = true;
        if (auto const* const set = given_.where.set()) log_.allowed &= *set;
        options_.where = log_.allowed;
    }

    // An arm that reads conditions keeps the filter given: under statistics::eligible, its scores
    // must not depend on them.
    [[nodiscard]] search_options arm_options(std::size_t arm) const noexcept {
        auto const reads = arm < log_.reads_conditions.size() && log_.reads_conditions[arm] != 0;
        auto of_arm = reads ? given_ : options_;
        of_arm.k = log_.windows[arm];
        return of_arm;
    }

    // Calls visit(arm, index) for every arm of weight other than 0 and every variant, on the
    // executor.
    void for_each_arm(function_ref<void(std::size_t, std::size_t)> visit) const {
        auto const count = pipeline_.arms.size();
        run_tasks(options_.executor, count * log_.asked.size(), [&](std::size_t index) {
            auto const arm = log_.place(index, count).arm;
            auto const& rule = pipeline_.rule;
            if (!rule.call->leaves_out(rule.object, arm)) visit(arm, index);
        });
    }

    void ask_arms() {
        auto const& settings = pipeline_.settings;
        auto const count = pipeline_.arms.size();
        log_.windows = settings.windows;
        log_.windows.resize(count, settings.window);
        buffer<arm_answer> answers(count * log_.asked.size());
        ask(answers, true);
        while (need_more(answers)) {
            for (auto& window : log_.windows) window *= 2;
            ask(answers, false);
        }
        require_one_arm(answers);
        if (settings.complete) {
            auto const all = documents_of(answers);
            for_each_arm([&](std::size_t arm, std::size_t index) {
                guard(settings.failures, answers[index], [&] {
                    complete(pipeline_.arms[arm], log_.place(index, count),
                        log_.asked[index / count], all, arm_options(arm), log_.level,
                        answers[index]);
                });
            });
        }
        log_.take(answers, count);
    }

    // Asks all arms; or, once more, only those that may have more hits than they returned.
    void ask(array_ref<arm_answer> answers, bool all) {
        auto const count = pipeline_.arms.size();
        for_each_arm([&](std::size_t arm, std::size_t index) {
            auto& answer = answers[index];
            if (!all && !answer.full) return;
            guard(pipeline_.settings.failures, answer, [&] {
                detail::ask(pipeline_.arms[arm], log_.place(index, count),
                    log_.asked[index / count], arm_options(arm), log_.level, answer);
                if (log_.has_conditions) drop_excluded(answer.hits);
                if (!all && log_.level != log_level::result) {
                    answer.trace.notes.push_back(join("asked for ", log_.windows[arm],
                        " hits, so that a later stage keeps enough"));
                }
            });
        });
    }

    // Drops what another arm's conditions exclude: an arm that reads conditions was asked without
    // them.
    void drop_excluded(ranking& hits) const {
        std::size_t kept = 0;
        for (auto const& h : hits)
            if (options_.where.admits(h.id)) hits[kept++] = h;
        hits.resize(kept);
    }

    // Whether a stage such as group_by_parent would keep fewer candidates than the smallest window,
    // while an arm may have more. Independent of k, so that the best 5 are the first 5 of 10.
    [[nodiscard]] bool need_more(array_ref<arm_answer const> answers) const {
        auto wanted = log_.windows[0];
        for (auto const window : first_windows()) wanted = window < wanted ? window : wanted;
        bool counts = false;
        for (auto const& stage : pipeline_.stages) counts |= may_drop(stage);
        bool more = false;
        for (auto const& answer : answers) more |= answer.full;
        if (!counts || !more || log_.windows[0] > no_doc || options_.stopped()) return false;
        auto const documents = documents_of(answers);
        for (auto const& stage : pipeline_.stages) {
            if (!may_drop(stage)) continue;
            if (stage.call->count_kept(stage.object, {documents.data(), documents.size()}) < wanted)
                return true;
        }
        return false;
    }

    [[nodiscard]] static bool may_drop(stage_ref stage) noexcept {
        auto const& call = *stage.call;
        return call.count_kept != nullptr
               && (call.drops_candidates == nullptr || call.drops_candidates(stage.object));
    }

    [[nodiscard]] std::span<std::size_t const> first_windows() const noexcept {
        auto const& settings = pipeline_.settings;
        if (settings.windows.empty()) return {&settings.window, 1};
        return settings.windows;
    }

    // Calls use(rule), with the rule for all variants where there are several.
    void with_rule(function_ref<void(rule_ref)> use) const {
        auto const& rule = pipeline_.rule;
        if (log_.asked.size() == 1 || rule.call->spread == nullptr) return use(rule);
        rule.call->spread(rule.object, pipeline_.arms.size(), log_.weights, use);
    }

    [[nodiscard]] ranking fuse() {
        stage_trace step;
        step.partial = options_.stopped(); // an arm may have been cut short
        std::size_t given = 0;
        for (auto const& arm : log_.arms) given += arm.size();
        stopwatch const watch(log_.level);
        ranking hits;
        with_rule([&](rule_ref rule) { hits = rule.call->fuse(rule.object, log_.arms); });
        check_hits(hits, options_.where, given, [] { return "hybrid_search: the fusion rule"; });
        step.name = "fusion";
        step.seconds = watch.seconds();
        log_.close(std::move(step), given, hits);
        return hits;
    }

    [[nodiscard]] ranking pass(std::size_t index, ranking hits) {
        auto const& stage = pipeline_.stages[index];
        auto stage_options = options_;
        stage_options.k = hits.size();
        auto const given = hits.size();
        stage_trace step;
        step.given = log_.origin;
        auto const before = log_.origin == score_origin{} ? ranking{} : hits;
        stopwatch const watch(log_.level);
        hits = stage.call->run(stage.object, log_.asked_for, std::move(hits), stage_options, step);
        step.seconds = watch.seconds();
        log_.origin = step.left ? *step.left : origin_after(before, step.given, hits);
        if (step.name.empty() && log_.level != log_level::result) step.name = join("stage ", index);
        check_hits(hits, options_.where, no_doc, [&] {
            return step.name.empty() ? join("hybrid_search: stage ", index)
                                     : join("hybrid_search: ", step.name);
        });
        log_.close(std::move(step), given, hits);
        return hits;
    }

    [[nodiscard]] explanation explain_fused(doc_id id) const {
        auto const count = pipeline_.arms.size();
        std::vector<explanation> of_arms(log_.arms.size());
        bool found = false;
        for (std::size_t i = 0; i < of_arms.size(); ++i) {
            auto const place = log_.place(i, count);
            auto const at = position_of(log_.arms[i], id);
            if (at == log_.arms[i].size()) {
                of_arms[i] = no_match(join("no match: ", place.name(), " did not return it"));
                continue;
            }
            found = true;
            of_arms[i] = explain_arm(pipeline_.arms[place.arm], place, log_.asked[i / count],
                log_.arms[i][at], arm_options(place.arm));
        }
        auto const& fused = log_.steps.front();
        auto const at = position_of(fused, id);
        if (at < fused.size()) {
            explanation tree;
            with_rule([&](rule_ref rule) {
                tree = explain_fusion(rule, id, fused[at].score, std::move(of_arms));
            });
            return tree;
        }
        auto const reason = !given_.where.admits(id)     ? ", the filter excludes it"
                            : !options_.where.admits(id) ? ", the query's conditions exclude it"
                            : found                      ? " was left out by the fusion"
                                                         : " was returned by no arm";
        return no_match(join("no match: document ", id, reason));
    }

    /// @param of_arms  For each arm why the document has its score there.
    /// @param score    What the rule gave the document.
    [[nodiscard]] explanation explain_fusion(
        rule_ref rule, doc_id id, float score, std::vector<explanation> of_arms) const {
        explanation node{.op = operation::opaque,
            .label = "fusion: the rule's score",
            .value = static_cast<double>(score)};
        if (rule.call->explain != nullptr) {
            auto own = rule.call->explain(rule.object, log_.arms, id, of_arms);
            if (own.role != node_role::no_reason && same_bits(own.value, node.value)) return own;
        }
        node.children = std::move(of_arms);
        return node;
    }

    /// The document after a stage; `given` explains it before, or says why it was not there.
    [[nodiscard]] explanation explain_stage(
        stage_ref stage, stage_step const& step, doc_id id, explanation given) const {
        auto const position = position_of(step.out, id);
        if (position == step.out.size()) {
            if (position_of(step.in, id) == step.in.size()) return given;
            return no_match(join("no match: document ", id, " was left out by ", step.trace.name));
        }
        auto const score = step.out[position].score;
        if (stage.call->explain == nullptr)
            return opaque_score(score, step.trace.name, std::move(given));
        auto own =
            stage.call->explain(stage.object, log_.asked_for, step, position, std::move(given));
        if (same_bits(own.value, static_cast<double>(score))) return own;
        return opaque_score(score, step.trace.name, std::move(own));
    }

    pipeline_view const& pipeline_;
    search_options given_;   // as the caller gave them
    search_options options_; // where the query's conditions hold too
    search_log log_;
    std::size_t fused_ = 0;
};

TRAWL_INLINE ranking page_of(pipeline_view const& pipeline, query const& q, std::size_t offset,
    search_options const& options) {
    return slice(pipeline_run(pipeline, options, log_level::result).run(q), offset, options.k);
}

TRAWL_INLINE cursor pages_of(
    pipeline_view const& pipeline, query const& q, search_options const& options) {
    return cursor(pipeline_run(pipeline, options, log_level::result).run(q));
}

TRAWL_INLINE search_report report_of(
    pipeline_view const& pipeline, query const& q, search_options const& options) {
    return pipeline_run(pipeline, options, log_level::trace).report(q);
}

TRAWL_INLINE explanation explanation_of(
    pipeline_view const& pipeline, query const& q, doc_id id, search_options const& options) {
    return pipeline_run(pipeline, options, log_level::steps).explain(q, id);
}

TRAWL_INLINE std::optional<doc_set> pipeline_conditions(
    pipeline_view const& pipeline, query const& q, std::size_t universe) {
    return conditions_met(pipeline, q, universe);
}

TRAWL_INLINE doc_id next_id_of(pipeline_view const& pipeline) {
    doc_id next = 0;
    for (auto const& arm : pipeline.arms) {
        if (arm.call->next_id == nullptr) continue;
        auto const of_arm = arm.call->next_id(arm.object);
        next = of_arm > next ? of_arm : next;
    }
    return next;
}

} // namespace detail
TRAWL_END_NAMESPACE
