// SPDX-License-Identifier: MIT
#pragma once

/// Hybrid search: asks the arms, fuses their rankings, passes the result through the stages, and
/// returns the best k.

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include <trawl/core/concepts.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/fusion/rrf.hpp>
#include <trawl/fusion/spread.hpp>
#include <trawl/pipeline/detail/engine.hpp>
#include <trawl/pipeline/detail/parts.hpp>
#include <trawl/pipeline/detail/query_steps.hpp>
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

/// The rule of a pipeline until fuse() chooses one: its type tells.
struct default_rule : rrf {
    [[nodiscard]] default_rule spread(
        std::size_t arms, std::span<double const> variant_weights) const {
        return {rrf::spread(arms, variant_weights)};
    }
};

// Whether a stage only drops hits, so that the scores are those that it was given.
template <class Stage>
inline constexpr bool keeps_scores = requires { requires Stage::keeps_scores; };

// Whether a stage that needs scores (autocut) would get scores that a rule made of ranks.
/// @tparam Earlier  The holders of the stages before.
template <class Stage, class Rule, class... Earlier>
inline constexpr bool needs_other_scores =
    requires { requires Stage::needs_scores; } && !uses_scores<Rule>
    && (keeps_scores<std::remove_cvref_t<decltype(std::declval<Earlier const&>().get())>> && ...);

/// What a typed pipeline holds.
template <class Arms, class Rule, class Steps, class Stages>
struct pipeline_parts;

template <class... Arms, class Rule, class Steps, class... Stages>
struct pipeline_parts<std::tuple<Arms...>, Rule, Steps, std::tuple<Stages...>> {
    std::tuple<Arms...> arms;
    pipeline_settings settings = {};
    Rule rule = {};
    Steps steps = {};
    std::tuple<Stages...> stages = {};

    struct part_refs {
        arm_ref arms[sizeof...(Arms)];
        rule_ref rule;
        query_steps_ref steps;
        stage_ref stages[sizeof...(Stages) + 1]; // and an empty one: no array has no element
        pipeline_settings const& settings;

        [[nodiscard]] pipeline_view view() const noexcept {
            return {arms, rule, steps, {stages, sizeof...(Stages)}, settings};
        }
    };

    [[nodiscard]] part_refs refs() const noexcept {
        return std::apply(
            [&](Arms const&... arm) {
                return std::apply(
                    [&](Stages const&... stage) {
                        return part_refs{{ref_of_arm(arm.get())...}, ref_of_rule(rule), steps.ref(),
                            {ref_of_stage(stage.get())..., stage_ref{}}, settings};
                    },
                    stages);
            },
            arms);
    }
};

} // namespace detail

/// A search over several retrievers, built in one expression and const afterwards:
///
///     auto const search = trawl::hybrid_search{lexical, dense}.fuse(trawl::rrf{}).rerank(model, texts);
///     trawl::ranking const best = search({.text = "...", .vector = v}, 10);
///
/// Lvalues that are indexes, models or stores are borrowed: the caller keeps them alive and in
/// place. Other lvalues, such as lambdas, rules and options, are copied (borrows_lvalue says which
/// are which). Rvalues are owned, shared_ptrs shared. A pipeline is itself a retriever. (A pipeline
/// of nothing but one pipeline is a copy of it, as with std::tuple.) Any number of threads may search
/// at once if arms, models and sources allow it.
///
/// Nothing inside depends on k: the best 5 are the first 5 of the best 10. So k above the window may
/// give fewer than k hits; report() says when a larger window gives more.
///
/// Conditions that an arm reads out of the query (required and forbidden terms, phrases: see
/// conditional_retriever) bind every arm, as a filter does.
///
/// Its base class, detail/searchable.hpp, has the members that search: search(q, options),
/// operator()(q, k, where), page, pages, report, explain and conditions.
template <class Arms, fusion_rule Rule = detail::default_rule, class Steps = detail::query_steps<>,
    class Stages = std::tuple<>>
class hybrid_search;

template <class... Arms, fusion_rule Rule, class Rewriter, class Embedder, class Expander,
    class... Stages>
class hybrid_search<std::tuple<Arms...>, Rule, detail::query_steps<Rewriter, Embedder, Expander>,
    std::tuple<Stages...>>
    : public detail::searchable<detail::pipeline_parts<std::tuple<Arms...>, Rule,
          detail::query_steps<Rewriter, Embedder, Expander>, std::tuple<Stages...>>> {
    using steps = detail::query_steps<Rewriter, Embedder, Expander>;
    using parts = detail::pipeline_parts<std::tuple<Arms...>, Rule, steps, std::tuple<Stages...>>;
    using base = detail::searchable<parts>;
    using base::parts_;

    static constexpr bool rule_not_chosen = std::same_as<Rule, detail::default_rule>;
    static constexpr bool no_stage_yet = sizeof...(Stages) == 0;

public:
    /// @throws trawl::error (invalid_argument) if an arm is a null shared_ptr.
    template <class... T>
        requires(sizeof...(T) >= 1 && !(std::same_as<std::remove_cvref_t<T>, hybrid_search> || ...)
                 && std::same_as<std::tuple<detail::held<T>...>, std::tuple<Arms...>>
                 && (retriever<detail::held_target<T>> && ...))
    explicit hybrid_search(T&&... arms) : base(parts{.arms = checked(std::forward<T>(arms)...)}) {}

    /// How many hits each arm is asked for; 50 unless set. It does not depend on k. A stage that keeps
    /// few of the candidates (group_by_parent) doubles it until the stage keeps as many as the
    /// window, or the arms have no more.
    /// @throws trawl::error (invalid_argument) if it is 0.
    [[nodiscard]] hybrid_search window(std::size_t hits_per_arm) && {
        require_window(hits_per_arm, "the window");
        parts_.settings.window = hits_per_arm;
        parts_.settings.windows.clear();
        return std::move(*this);
    }

    /// A window for each arm: .window({200, 50}).
    /// @throws trawl::error (invalid_argument) if one is 0.
    [[nodiscard]] hybrid_search window(
        std::array<std::size_t, sizeof...(Arms)> const& hits_of_each_arm) && {
        for (std::size_t i = 0; i < sizeof...(Arms); ++i)
            require_window(hits_of_each_arm[i], "the window of arm ", i);
        parts_.settings.windows.assign(hits_of_each_arm.begin(), hits_of_each_arm.end());
        return std::move(*this);
    }

    /// Chooses the fusion rule, once and before the stages; rrf{} unless chosen. With complete,
    /// every arm that can score given documents (scoring_retriever) scores those of the union that
    /// it did not return, so that the rule has a score of every arm for every document. Documents
    /// that an arm lacks stay missing, an arm that found nothing stays empty, and an arm that
    /// cannot score is used as it is. An arm of weight 0 is not asked.
    /// @throws trawl::error whatever rule.validate throws; (invalid_argument) for completion under
    /// a rule that does not use scores.
    template <fusion_rule F>
        requires(rule_not_chosen && no_stage_yet)
    [[nodiscard]] auto fuse(F rule, fuse_options options = {}) && {
        static_assert(!steps::expands || spreading_rule<F>,
            "the pipeline has variants, and the rule does not say how it spreads over them: give "
            "it spread(arms, weights), or per_arm = false");
        rule.validate(sizeof...(Arms));
        if (options.complete && !detail::uses_scores<F>) {
            detail::fail(errc::invalid_argument,
                "hybrid_search: complete is true, but the fusion rule reads ranks, not scores");
        }
        parts_.settings.complete = options.complete;
        return made(detail::pipeline_parts<std::tuple<Arms...>, F, steps, std::tuple<Stages...>>{
            std::move(parts_.arms), std::move(parts_.settings), std::move(rule),
            std::move(parts_.steps), std::move(parts_.stages)});
    }

    /// Rewrites the text of a query before anything else reads it: embedder, variants, arms and
    /// stages see the new text. Words with a digit, identifiers and quoted words that it loses are
    /// put back or, if options.protect is false, only reported.
    /// @throws trawl::error (invalid_argument) if it is a null shared_ptr.
    template <class R>
        requires(!steps::rewrites && query_rewriter<detail::held_target<R>>)
    [[nodiscard]] auto rewrite(R&& rewriter, rewrite_options options = {}) && {
        detail::require_object(rewriter, "rewrite: the rewriter");
        using held = detail::query_rewriting<detail::held<R>>;
        return with_steps(detail::query_steps<held, Embedder, Expander>{
            held{detail::held<R>(std::forward<R>(rewriter)), options},
            std::move(parts_.steps.embedder), std::move(parts_.steps.expansion)});
    }

    /// Embeds the text of a query that has no vector, once for all arms and stages, and the texts of
    /// its variants.
    /// @throws trawl::error (invalid_argument) if the model is a null shared_ptr.
    template <class M>
        requires(!steps::embeds && embedder<detail::held_target<M>>)
    [[nodiscard]] auto embed(M&& model) && {
        detail::require_object(model, "embed: the model");
        return with_steps(detail::query_steps<Rewriter, detail::held<M>, Expander>{
            std::move(parts_.steps.rewriting), detail::held<M>(std::forward<M>(model)),
            std::move(parts_.steps.expansion)});
    }

    /// Asks every arm the variants of the query too. All rankings are fused once, each with the weight
    /// of its arm times that of its variant. Stages see the query itself. Variants that repeat it or
    /// one another are dropped.
    /// @throws trawl::error (invalid_argument) if it is a null shared_ptr; when searching, (model)
    /// for an invalid variant, (weight_count) for weights other than 1 with a rule without weights.
    template <class E>
        requires(!steps::expands && query_expander<detail::held_target<E>>)
    [[nodiscard]] auto variants(E&& expander, variant_options options = {}) && {
        static_assert(spreading_rule<Rule>,
            "the fusion rule does not say how it spreads over variants: give it spread(arms, "
            "weights), or per_arm = false");
        detail::require_object(expander, "variants: the expander");
        using held = detail::query_expansion<detail::held<E>>;
        return with_steps(detail::query_steps<Rewriter, Embedder, held>{
            std::move(parts_.steps.rewriting), std::move(parts_.steps.embedder),
            held{detail::held<E>(std::forward<E>(expander)), options}});
    }

    /// What happens when an arm throws or breaks its contract; the search fails unless set.
    [[nodiscard]] hybrid_search on_arm_failure(failure_policy policy) && {
        parts_.settings.failures = policy;
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

    /// Adds a stage of the caller's. Stages run in the order in which they are added.
    /// @throws trawl::error (invalid_argument) if it is a null shared_ptr, or needs scores
    /// (autocut) where the fusion rule reads ranks and no stage before has scored anew.
    template <class S>
        requires pipeline_stage<detail::held_target<S>>
    [[nodiscard]] auto then(S&& stage) && {
        using stages = std::tuple<Stages..., detail::held<S>>;
        detail::require_object(stage, "hybrid_search: the stage");
        if (detail::needs_other_scores<detail::held_target<S>, Rule, Stages...>) {
            detail::fail(errc::invalid_argument, "hybrid_search: the stage needs scores, but the "
                                                 "fusion rule makes them of ranks; fuse by scores, "
                                                 "or rerank first");
        }
        return made(
            detail::pipeline_parts<std::tuple<Arms...>, Rule, steps, stages>{std::move(parts_.arms),
                std::move(parts_.settings), std::move(parts_.rule), std::move(parts_.steps),
                std::tuple_cat(std::move(parts_.stages),
                    std::tuple<detail::held<S>>(detail::held<S>(std::forward<S>(stage))))});
    }

private:
    template <class, fusion_rule, class, class>
    friend class hybrid_search;

    explicit hybrid_search(parts made) : base(std::move(made)) {}

    template <class OtherArms, class F, class Q, class S>
    [[nodiscard]] static auto made(detail::pipeline_parts<OtherArms, F, Q, S> made) {
        return hybrid_search<OtherArms, F, Q, S>(std::move(made));
    }

    template <class Q>
    [[nodiscard]] auto with_steps(Q steps_then) {
        return made(detail::pipeline_parts<std::tuple<Arms...>, Rule, Q, std::tuple<Stages...>>{
            std::move(parts_.arms), std::move(parts_.settings), std::move(parts_.rule),
            std::move(steps_then), std::move(parts_.stages)});
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
