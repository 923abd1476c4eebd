// SPDX-License-Identifier: MIT
#pragma once

/// Hybrid search: arms are asked, their rankings fused, stages reorder what came of it, the best k
/// leave.

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/fusion/rrf.hpp>
#include <trawl/pipeline/detail/engine.hpp>
#include <trawl/pipeline/detail/question.hpp>
#include <trawl/pipeline/detail/searchable.hpp>
#include <trawl/pipeline/rewriting.hpp>
#include <trawl/pipeline/variants.hpp>
#include <trawl/rerank/diversify_stage.hpp>
#include <trawl/rerank/rerank_stage.hpp>

TRAWL_BEGIN_NAMESPACE

struct fuse_options {
    /// compute the scores that an arm did not return for documents of the union
    bool complete = false;
};

namespace detail {

/// The rule of a pipeline for which none was chosen.
struct default_rule : rrf {
    [[nodiscard]] default_rule spread(
        std::size_t arms, std::span<double const> variant_weights) const {
        return {rrf::spread(arms, variant_weights)};
    }
};

} // namespace detail

/// A search over several retrievers, built in one expression and const afterwards:
///
///     auto const search = trawl::hybrid_search{lexical, dense}.fuse(trawl::rrf{}).rerank(model, texts);
///     trawl::ranking const best = search({.text = "...", .vector = v}, 10);
///
/// Lvalues are borrowed (the caller keeps them alive and in place), rvalues owned, shared_ptrs
/// shared; rules and options are copied. A pipeline is itself a retriever. (A pipeline of nothing
/// but one pipeline is a copy of it, as with std::tuple.) Any number of threads may search at once
/// if arms, models and sources allow it.
///
/// Nothing inside depends on k: the first 5 hits of 10 are the 5 hits of 5.
template <class Arms, fusion_rule Rule = detail::default_rule,
    class Questions = detail::question_steps<>, class Stages = std::tuple<>>
class hybrid_search;

template <class... Arms, fusion_rule Rule, class Rewriter, class Embedder, class Expander,
    class... Stages>
class hybrid_search<std::tuple<Arms...>, Rule, detail::question_steps<Rewriter, Embedder, Expander>,
    std::tuple<Stages...>>
    : public detail::searchable<detail::search_engine<std::tuple<Arms...>, Rule,
          detail::question_steps<Rewriter, Embedder, Expander>, std::tuple<Stages...>>> {
    using questions = detail::question_steps<Rewriter, Embedder, Expander>;
    using engine =
        detail::search_engine<std::tuple<Arms...>, Rule, questions, std::tuple<Stages...>>;
    using base = detail::searchable<engine>;
    using base::engine_;

    static constexpr bool rule_not_chosen = std::same_as<Rule, detail::default_rule>;
    static constexpr bool no_stage_yet = sizeof...(Stages) == 0;

public:
    /// @throws trawl::error (invalid_argument) if an arm is a null shared_ptr.
    template <class... T>
        requires(sizeof...(T) >= 1 && !(std::same_as<std::remove_cvref_t<T>, hybrid_search> || ...)
                 && std::same_as<std::tuple<detail::held<T>...>, std::tuple<Arms...>>
                 && (retriever<detail::held_target<T>> && ...))
    explicit hybrid_search(T&&... arms) : base(engine{.arms = checked(std::forward<T>(arms)...)}) {}

    /// How many hits each arm is asked for; 50 unless set. It does not depend on k.
    /// @throws trawl::error (invalid_argument) if it is 0.
    [[nodiscard]] hybrid_search window(std::size_t hits_per_arm) && {
        require_window(hits_per_arm, "the window");
        engine_.settings.window = hits_per_arm;
        engine_.settings.windows.clear();
        return std::move(*this);
    }

    /// The same for each arm by itself: .window({200, 50}).
    /// @throws trawl::error (invalid_argument) if one is 0.
    [[nodiscard]] hybrid_search window(
        std::array<std::size_t, sizeof...(Arms)> const& hits_of_each_arm) && {
        for (std::size_t i = 0; i < sizeof...(Arms); ++i)
            require_window(hits_of_each_arm[i], "the window of arm ", i);
        engine_.settings.windows.assign(hits_of_each_arm.begin(), hits_of_each_arm.end());
        return std::move(*this);
    }

    /// Chooses the fusion rule, once and before the stages; rrf{} unless chosen. Under complete,
    /// every arm that can score given documents (scoring_retriever) is asked for those of the union
    /// that it did not return, so that the rule sees whole columns; documents that it lacks stay
    /// missing, an arm that found nothing stays empty, an arm that cannot score is used as it is.
    /// An arm of weight 0 is not asked at all.
    /// @throws trawl::error whatever rule.validate throws; (invalid_argument) for completion under
    /// a rule that does not use scores.
    template <fusion_rule F>
        requires(rule_not_chosen && no_stage_yet)
    [[nodiscard]] auto fuse(F rule, fuse_options options = {}) && {
        static_assert(!questions::expands || spreading_rule<F>,
            "the pipeline has variants, and the rule "
            "does not say how it spreads over them: give it spread(arms, weights), or per_arm = "
            "false");
        rule.validate(sizeof...(Arms));
        if (options.complete && !detail::uses_scores<F>) {
            detail::fail(errc::invalid_argument,
                "hybrid_search: complete is true, but the fusion rule reads ranks, not scores");
        }
        engine_.settings.complete = options.complete;
        return made(detail::search_engine<std::tuple<Arms...>, F, questions, std::tuple<Stages...>>{
            std::move(engine_.arms), std::move(engine_.settings), std::move(rule),
            std::move(engine_.questions), std::move(engine_.stages)});
    }

    /// Rewrites the text of a question before anything else reads it: embedder, variants, arms and
    /// stages see the new one. Words with a digit, identifiers and quoted words that it loses are
    /// put back or, if options.protect is false, only reported.
    /// @throws trawl::error (invalid_argument) if it is a null shared_ptr.
    template <class R>
        requires(!questions::rewrites && query_rewriter<detail::held_target<R>>)
    [[nodiscard]] auto rewrite(R&& rewriter, rewrite_options options = {}) && {
        detail::require_object(rewriter, "rewrite: the rewriter");
        using held = detail::question_rewriter<detail::held<R>>;
        return asking(detail::question_steps<held, Embedder, Expander>{
            held{detail::held<R>(std::forward<R>(rewriter)), options},
            std::move(engine_.questions.embedder), std::move(engine_.questions.expander)});
    }

    /// Embeds the text of a question that has no vector, once for all arms and stages, and that of
    /// variants.
    /// @throws trawl::error (invalid_argument) if the model is a null shared_ptr.
    template <class M>
        requires(!questions::embeds && embedder<detail::held_target<M>>)
    [[nodiscard]] auto embed(M&& model) && {
        detail::require_object(model, "embed: the model");
        return asking(detail::question_steps<Rewriter, detail::held<M>, Expander>{
            std::move(engine_.questions.rewriter), detail::held<M>(std::forward<M>(model)),
            std::move(engine_.questions.expander)});
    }

    /// Asks every arm in several ways. What all arms return for the question and its variants is
    /// fused once, each ranking with the weight of its arm times that of its variant. Stages see
    /// the question itself. Variants that repeat it or one another are dropped.
    /// @throws trawl::error (invalid_argument) if it is a null shared_ptr; when searching, (model)
    /// for a variant that is none, (weight_count) for weights other than 1 under a rule without
    /// weights.
    template <class E>
        requires(!questions::expands && query_expander<detail::held_target<E>>)
    [[nodiscard]] auto variants(E&& expander, variant_options options = {}) && {
        static_assert(spreading_rule<Rule>,
            "the fusion rule does not say how it spreads over variants: "
            "give it spread(arms, weights), or per_arm = false");
        detail::require_object(expander, "variants: the expander");
        using held = detail::question_expander<detail::held<E>>;
        return asking(detail::question_steps<Rewriter, Embedder, held>{
            std::move(engine_.questions.rewriter), std::move(engine_.questions.embedder),
            held{detail::held<E>(std::forward<E>(expander)), options}});
    }

    /// What happens when an arm throws or breaks its contract; the search fails unless set.
    [[nodiscard]] hybrid_search on_arm_failure(failure_policy policy) && {
        engine_.settings.failures = policy;
        return std::move(*this);
    }

    /// Adds a rerank_stage.
    template <class M, class T>
        requires(reranker<detail::held_target<M>> && text_source<detail::held_target<T>>)
    [[nodiscard]] auto rerank(M&& model, T&& texts, rerank_options options = {}) && {
        return std::move(*this).then(
            rerank_stage(std::forward<M>(model), std::forward<T>(texts), options));
    }

    /// Adds a diversify_stage.
    template <diversifier D, class V>
        requires vector_source<detail::held_target<V>>
    [[nodiscard]] auto diversify(D rule, V&& vectors, diversify_options options = {}) && {
        return std::move(*this).then(
            diversify_stage(std::move(rule), std::forward<V>(vectors), options));
    }

    /// Adds a stage of the caller's. Stages run in the order in which they are written.
    /// @throws trawl::error (invalid_argument) if it is a null shared_ptr, or needs scores
    /// (autocut) where the fusion rule reads ranks and no stage before has scored anew.
    template <class S>
        requires pipeline_stage<detail::held_target<S>>
    [[nodiscard]] auto then(S&& stage) && {
        using stages = std::tuple<Stages..., detail::held<S>>;
        detail::require_object(stage, "hybrid_search: the stage");
        if (detail::needs_other_scores<detail::held_target<S>, Rule, Stages...>) {
            detail::fail(errc::invalid_argument, "hybrid_search: the stage needs scores, but the "
                                                 "fusion rule makes them of ranks; fuse by "
                                                 "scores, or rerank first");
        }
        return made(detail::search_engine<std::tuple<Arms...>, Rule, questions, stages>{
            std::move(engine_.arms), std::move(engine_.settings), std::move(engine_.rule),
            std::move(engine_.questions),
            std::tuple_cat(std::move(engine_.stages),
                std::tuple<detail::held<S>>(detail::held<S>(std::forward<S>(stage))))});
    }

private:
    template <class, fusion_rule, class, class>
    friend class hybrid_search;

    explicit hybrid_search(engine parts) : base(std::move(parts)) {}

    template <class OtherArms, class F, class Q, class S>
    [[nodiscard]] static auto made(detail::search_engine<OtherArms, F, Q, S> parts) {
        return hybrid_search<OtherArms, F, Q, S>(std::move(parts));
    }

    template <class Q>
    [[nodiscard]] auto asking(Q questions_then) {
        return made(detail::search_engine<std::tuple<Arms...>, Rule, Q, std::tuple<Stages...>>{
            std::move(engine_.arms), std::move(engine_.settings), std::move(engine_.rule),
            std::move(questions_then), std::move(engine_.stages)});
    }

    template <class... T>
    [[nodiscard]] static std::tuple<Arms...> checked(T&&... arms) {
        std::size_t index = 0;
        (detail::require_object(arms, "hybrid_search: arm ", index++), ...);
        return std::tuple<Arms...>(Arms(std::forward<T>(arms))...);
    }

    template <class... Name>
    static void require_window(std::size_t hits, Name const&... name) {
        if (hits == 0)
            detail::fail(errc::invalid_argument,
                detail::join("hybrid_search: ", name..., " is 0, must be >= 1"));
    }
};

template <class... T>
    requires(sizeof...(T) >= 1 && (retriever<detail::held_target<T>> && ...))
hybrid_search(T&&...) -> hybrid_search<std::tuple<detail::held<T>...>>;

TRAWL_END_NAMESPACE
