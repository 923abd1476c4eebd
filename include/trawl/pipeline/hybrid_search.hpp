// SPDX-License-Identifier: MIT
#pragma once

/// Hybrid search: arms are asked, their rankings fused, stages reorder what came of it, the best k leave.

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/fusion/rrf.hpp>
#include <trawl/pipeline/arm.hpp>
#include <trawl/pipeline/completion.hpp>
#include <trawl/pipeline/embedding.hpp>
#include <trawl/pipeline/explain.hpp>
#include <trawl/pipeline/report.hpp>
#include <trawl/pipeline/search_log.hpp>
#include <trawl/rerank/diversify_stage.hpp>
#include <trawl/rerank/rerank_stage.hpp>

namespace trawl::inline v0_1 {

struct fuse_options {
    bool complete = false; ///< compute the scores that an arm did not return for documents of the union
};

namespace detail {

/// The rule of a pipeline for which none was chosen.
struct default_rule : rrf {};

struct pipeline_settings {
    std::size_t window = 50;
    bool complete = false;
    failure_policy failures = failure_policy::fail;
};

// Whether a rule that has weights gives this arm none: then nothing of the arm can reach the result.
template <fusion_rule Rule>
[[nodiscard]] bool leaves_out(Rule const& rule, std::size_t arm) {
    if constexpr (requires { std::span<double const>(rule.weights); }) {
        return arm < rule.weights.size() && rule.weights[arm] == 0;
    } else {
        return false;
    }
}

template <class Rule>
inline constexpr bool uses_scores = true;
template <class Rule>
    requires requires {
        { Rule::uses_scores } -> std::convertible_to<bool>;
    }
inline constexpr bool uses_scores<Rule> = Rule::uses_scores;

} // namespace detail

/// A search over several retrievers, built in one expression and const afterwards:
///
///     auto const search = trawl::hybrid_search{lexical, dense}.fuse(trawl::rrf{}).rerank(model, texts);
///     trawl::ranking const best = search({.text = "...", .vector = v}, 10);
///
/// Lvalues are borrowed (the caller keeps them alive and in place), rvalues owned, shared_ptrs shared; rules
/// and options are copied. A pipeline is itself a retriever. (A pipeline of nothing but one pipeline is a
/// copy of it, as with std::tuple.) Any number of threads may search at once if arms, models and sources
/// allow it.
///
/// Nothing inside depends on k: the first 5 hits of 10 are the 5 hits of 5.
template <class Arms, fusion_rule Rule = detail::default_rule, class Embedder = detail::no_embedder,
    class Stages = std::tuple<>>
class hybrid_search;

template <class... Arms, fusion_rule Rule, class Embedder, class... Stages>
class hybrid_search<std::tuple<Arms...>, Rule, Embedder, std::tuple<Stages...>> {
    static constexpr bool rule_not_chosen = std::same_as<Rule, detail::default_rule>;
    static constexpr bool no_stage_yet = sizeof...(Stages) == 0;
    static constexpr bool no_embedder_yet = std::same_as<Embedder, detail::no_embedder>;

public:
    /// @throws trawl::error (invalid_argument) if an arm is a null shared_ptr.
    template <class... T>
        requires(sizeof...(T) >= 1
                 && std::same_as<std::tuple<detail::held<T>...>,
                     std::tuple<Arms...>> && (retriever<detail::held_target<T>> && ...))
    explicit hybrid_search(T&&... arms) : arms_(checked(std::forward<T>(arms)...)) {}

    /// How many hits each arm is asked for; 50 unless set.
    /// @throws trawl::error (invalid_argument) if it is 0.
    [[nodiscard]] hybrid_search window(std::size_t hits_per_arm) && {
        if (hits_per_arm == 0)
            detail::fail(errc::invalid_argument, "hybrid_search: the window is 0, must be >= 1");
        settings_.window = hits_per_arm;
        return std::move(*this);
    }

    /// Chooses the fusion rule, once and before the stages; rrf{} unless chosen. Under complete, every arm
    /// that can score given documents (scoring_retriever) is asked for those of the union that it did not
    /// return, so that the rule sees whole columns; documents that it lacks stay missing, an arm that found
    /// nothing stays empty, an arm that cannot score is used as it is. An arm of weight 0 is not asked at
    /// all.
    /// @throws trawl::error  whatever rule.validate throws; (invalid_argument) for completion under a rule
    /// that does not use scores.
    template <fusion_rule F>
        requires(rule_not_chosen&& no_stage_yet)
    [[nodiscard]] auto fuse(F rule, fuse_options options = {}) && {
        rule.validate(sizeof...(Arms));
        if (options.complete && !detail::uses_scores<F>) {
            detail::fail(errc::invalid_argument,
                "hybrid_search: complete is true, but the fusion rule reads ranks, not scores");
        }
        settings_.complete = options.complete;
        return hybrid_search<std::tuple<Arms...>, F, Embedder, std::tuple<Stages...>>(
            std::move(arms_), settings_, std::move(rule), std::move(embedder_), std::move(stages_));
    }

    /// Embeds the text of a question that has no vector, once for all arms and stages.
    /// @throws trawl::error (invalid_argument) if the model is a null shared_ptr.
    template <class M>
        requires(no_embedder_yet&& embedder<detail::held_target<M>>)
    [[nodiscard]] auto embed(M&& model) && {
        using held_embedder = detail::question_embedder<detail::held<M>>;
        detail::require_object(model, "embed: the model");
        return hybrid_search<std::tuple<Arms...>, Rule, held_embedder, std::tuple<Stages...>>(
            std::move(arms_), settings_, std::move(rule_),
            held_embedder(detail::held<M>(std::forward<M>(model))), std::move(stages_));
    }

    /// What happens when an arm throws or breaks its contract; the search fails unless set.
    [[nodiscard]] hybrid_search on_arm_failure(failure_policy policy) && {
        settings_.failures = policy;
        return std::move(*this);
    }

    /// Adds a rerank_stage.
    template <class M, class T>
        requires(reranker<detail::held_target<M>>&& text_source<detail::held_target<T>>)
    [[nodiscard]] auto rerank(M&& model, T&& texts, rerank_options options = {}) && {
        return std::move(*this).then(rerank_stage(std::forward<M>(model), std::forward<T>(texts), options));
    }

    /// Adds a diversify_stage.
    template <diversifier D, class V>
        requires vector_source<detail::held_target<V>>
    [[nodiscard]] auto diversify(D rule, V&& vectors, diversify_options options = {}) && {
        return std::move(*this).then(diversify_stage(std::move(rule), std::forward<V>(vectors), options));
    }

    /// Adds a stage of the caller's. Stages run in the order in which they are written.
    /// @throws trawl::error (invalid_argument) if it is a null shared_ptr.
    template <class S>
        requires pipeline_stage<detail::held_target<S>>
    [[nodiscard]] auto then(S&& stage) && {
        using stages = std::tuple<Stages..., detail::held<S>>;
        detail::require_object(stage, "hybrid_search: the stage");
        return hybrid_search<std::tuple<Arms...>, Rule, Embedder, stages>(std::move(arms_), settings_,
            std::move(rule_), std::move(embedder_),
            std::tuple_cat(
                std::move(stages_), std::tuple<detail::held<S>>(detail::held<S>(std::forward<S>(stage)))));
    }

    /// The best k documents, none outside the filter. Arms run on options.executor at once, with the same
    /// result.
    /// @throws trawl::error (model) naming the arm or stage that breaks its contract; what arms, models and
    /// sources throw.
    [[nodiscard]] ranking search(query const& q, search_options const& options) const {
        detail::search_log log;
        return best(run(q, options, log), options.k);
    }

    /// Sugar for search.
    [[nodiscard]] ranking operator()(query const& q, std::size_t k = 10, filter where = {}) const {
        return search(q, {.k = k, .where = where});
    }

    /// The same ranking, with what each step did, which arms failed and whether the search was cut short.
    [[nodiscard]] search_report report(query const& q, search_options const& options = {}) const {
        detail::search_log log{.level = detail::log_level::trace};
        auto hits = best(run(q, options, log), options.k);
        return {std::move(hits), std::move(log.trace), std::move(log.failures), log.partial};
    }

    /// Why a document has its score: the value is the score that search gives it, to the bit, whatever k; the
    /// parts lead back through the stages and the fusion to the arms. For a document that does not come out,
    /// a leaf of value 0 says where it was lost. Runs the search once.
    [[nodiscard]] explanation explain(query const& q, doc_id id, search_options const& options = {}) const {
        detail::search_log log{.level = detail::log_level::steps};
        static_cast<void>(run(q, options, log));
        auto tree = explain_fused(id, options, log);
        for_each_index<sizeof...(Stages)>([&](auto i) {
            auto const& trace = log.trace[log.trace.size() - sizeof...(Stages) + i];
            tree = detail::explain_stage(std::get<i>(stages_).get(), log.question,
                {log.steps[i], log.steps[i + 1], trace}, id, std::move(tree));
        });
        return tree;
    }

private:
    template <class, fusion_rule, class, class>
    friend class hybrid_search;

    static constexpr std::size_t arm_count = sizeof...(Arms);

    hybrid_search(std::tuple<Arms...> arms, detail::pipeline_settings settings, Rule rule, Embedder embedder,
        std::tuple<Stages...> stages)
        : arms_(std::move(arms)),
          settings_(settings),
          rule_(std::move(rule)),
          embedder_(std::move(embedder)),
          stages_(std::move(stages)) {}

    template <class... T>
    [[nodiscard]] static std::tuple<Arms...> checked(T&&... arms) {
        std::size_t index = 0;
        (detail::require_object(arms, "hybrid_search: arm ", index++), ...);
        return std::tuple<Arms...>(Arms(std::forward<T>(arms))...);
    }

    template <std::size_t Count, class Visit>
    static void for_each_index(Visit&& visit) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (visit(std::integral_constant<std::size_t, I>{}), ...);
        }
        (std::make_index_sequence<Count>{});
    }

    // Calls visit(arm, index) for every arm that counts, on the executor.
    template <class Visit>
    void for_each_arm(executor const* where, Visit&& visit) const {
        run_tasks(where, arm_count, [&](std::size_t index) {
            if (detail::leaves_out(rule_, index)) return;
            for_each_index<arm_count>([&](auto i) {
                if (i == index) visit(std::get<i>(arms_).get(), index);
            });
        });
    }

    [[nodiscard]] search_options arm_options(search_options options) const noexcept {
        options.k = settings_.window;
        return options;
    }

    [[nodiscard]] static ranking best(ranking hits, std::size_t k) {
        if (hits.size() > k) hits.resize(k);
        return hits;
    }

    // Everything but the cut at k.
    [[nodiscard]] ranking run(query const& q, search_options const& options, detail::search_log& log) const {
        log.question = q;
        if (embedder_.embeds(q)) {
            detail::stopwatch const watch(log.level);
            log.embedding = embedder_(q);
            log.question.vector = log.embedding;
            if (log.level != detail::log_level::result)
                log.trace.push_back({.name = "embed", .scored = 1, .seconds = watch.seconds()});
        }
        ask_arms(options, log);
        auto hits = fuse(options, log);
        for_each_index<sizeof...(Stages)>(
            [&](auto i) { hits = pass(std::get<i>(stages_).get(), i, std::move(hits), options, log); });
        return hits;
    }

    void ask_arms(search_options const& options, detail::search_log& log) const {
        auto const per_arm = arm_options(options);
        std::array<detail::arm_answer, arm_count> answers;
        for_each_arm(options.executor, [&](auto const& arm, std::size_t index) {
            detail::guard(settings_.failures, answers[index],
                [&] { detail::ask(arm, index, log.question, per_arm, log.level, answers[index]); });
        });
        detail::require_one_arm(answers);
        if (settings_.complete) {
            auto const all = detail::documents_of(answers);
            for_each_arm(options.executor, [&](auto const& arm, std::size_t index) {
                detail::guard(settings_.failures, answers[index], [&] {
                    detail::complete(arm, index, log.question, all, per_arm, log.level, answers[index]);
                });
            });
        }
        log.take(answers);
    }

    [[nodiscard]] ranking fuse(search_options const& options, detail::search_log& log) const {
        stage_trace step;
        step.partial = options.stopped(); // an arm may have been cut short
        std::size_t given = 0;
        for (auto const& arm : log.arms) given += arm.size();
        detail::stopwatch const watch(log.level);
        auto hits = rule_(std::span<ranking const>(log.arms));
        detail::check_hits(hits, options.where, given, [] { return "hybrid_search: the fusion rule"; });
        step.name = "fusion";
        step.seconds = watch.seconds();
        log.close(std::move(step), given, hits);
        return hits;
    }

    template <class S>
    [[nodiscard]] static ranking pass(S const& stage, std::size_t index, ranking hits,
        search_options const& options, detail::search_log& log) {
        auto stage_options = options;
        stage_options.k = hits.size();
        auto const given = hits.size();
        stage_trace step;
        detail::stopwatch const watch(log.level);
        if constexpr (traced_stage<S>) {
            hits = stage(log.question, std::move(hits), stage_options, step);
        } else {
            hits = stage(log.question, std::move(hits), stage_options);
        }
        step.seconds = watch.seconds();
        if (step.name.empty() && log.level != detail::log_level::result)
            step.name = detail::join("stage ", index);
        detail::check_hits(hits, options.where, no_doc, [&] {
            return step.name.empty() ? detail::join("hybrid_search: stage ", index)
                                     : detail::join("hybrid_search: ", step.name);
        });
        log.close(std::move(step), given, hits);
        return hits;
    }

    [[nodiscard]] explanation explain_fused(
        doc_id id, search_options const& options, detail::search_log const& log) const {
        auto const per_arm = arm_options(options);
        std::vector<explanation> parts(arm_count);
        bool found = false;
        for_each_index<arm_count>([&](auto i) {
            auto const at = detail::position_of(log.arms[i], id);
            if (at == log.arms[i].size()) {
                parts[i] =
                    detail::no_score(detail::join("no match: arm ", std::size_t{i}, " did not return it"));
            } else {
                found = true;
                parts[i] =
                    detail::explain_arm(std::get<i>(arms_).get(), i, log.question, log.arms[i][at], per_arm);
            }
        });
        auto const& fused = log.steps.front();
        auto const at = detail::position_of(fused, id);
        if (at < fused.size())
            return detail::explain_fusion(
                rule_, std::span<ranking const>(log.arms), id, fused[at].score, std::move(parts));
        auto const reason = !options.where.admits(id) ? ", the filter excludes it"
                            : found                   ? " was left out by the fusion"
                                                      : " was returned by no arm";
        return detail::no_score(detail::join("no match: document ", id, reason));
    }

    std::tuple<Arms...> arms_;
    detail::pipeline_settings settings_ = {};
    Rule rule_ = {};
    Embedder embedder_ = {};
    std::tuple<Stages...> stages_ = {};
};

template <class... T>
    requires(sizeof...(T) >= 1 && (retriever<detail::held_target<T>> && ...))
hybrid_search(T&&...)
->hybrid_search<std::tuple<detail::held<T>...>>;

} // namespace trawl::inline v0_1
