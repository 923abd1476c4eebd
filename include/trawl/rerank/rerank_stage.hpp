// SPDX-License-Identifier: MIT
#pragma once

/// Reranking: a model scores the first candidates, the others follow.

#include <concepts>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/fusion/normaliser.hpp>
#include <trawl/rerank/stage.hpp>

TRAWL_BEGIN_NAMESPACE

/// How much the score of the stage before counts beside the model's. Both are normalised over the
/// candidates that the model scored.
struct score_mixture {
    /// Weight of the earlier score, in [0, 1]; the model's is 1 - before. 0: the model's score as
    /// it is, not normalised.
    double before = 0;
    normaliser norm = normaliser::min_max;
};

struct rerank_options {
    std::size_t depth = 20; ///< candidates that the model scores, at most
    /// hits that leave the stage, at most
    std::size_t keep = (std::numeric_limits<std::size_t>::max)();
    std::size_t batch_size = 32; ///< candidates in one call of the model, >= 1
    /// drop every candidate whose text equals that of one before it, before depth is counted; in a
    /// pipeline, the arms are asked for more in their place
    bool deduplicate = false;
    /// batch texts of similar length, short ones first: less padding, the same result. If the time
    /// limit is reached, long texts stay unscored instead of low ranks
    bool by_length = false;
    /// seconds, >= 0, after which no batch begins
    double time_limit = std::numeric_limits<double>::infinity();
    /// leave_out: a batch on which the model fails is not reranked, and the trace says so
    failure_policy on_failure = failure_policy::fail;
    score_mixture mix = {};
};

/// A text source for models that read none.
struct no_text {
    [[nodiscard]] std::string_view operator()(doc_id) const noexcept { return {}; }
};

/// A reranker that leaves notes for the trace: what it repaired, cut or missed in this batch.
template <class R>
concept noting_reranker = requires(R const& r, query const& q, std::span<candidate const> batch,
    std::span<float> out, std::vector<std::string>& notes) {
    { r(q, batch, out, notes) } -> std::same_as<void>;
};

namespace detail {

/// A model and texts, their types erased.
struct rerank_calls {
    using truncated = function_ref<bool(std::string_view)>;
    using explained = function_ref<explanation(candidate const&)>;

    bool whole_list;
    /// The text of a document: a view, or a text kept in `storage`.
    function_ref<std::string_view(doc_id, std::string& storage)> text;
    function_ref<void(std::span<candidate const>, std::span<float>, std::vector<std::string>&)>
        score;
    truncated const* truncates; ///< null: the model cannot say
    explained const* explain;   ///< null: the model cannot
};

void check_rerank(rerank_options const& options, bool has_texts);

[[nodiscard]] ranking rerank(rerank_calls const& calls, ranking candidates,
    search_options const& options, rerank_options const& how, trace_ref trace);

[[nodiscard]] std::size_t count_distinct_texts(
    rerank_calls const& calls, std::span<doc_id const> documents);

[[nodiscard]] explanation explain_reranked(rerank_calls const& calls, rerank_options const& how,
    stage_step const& step, std::size_t position, explanation given);

// A model that must see all its candidates in one call says so by `static constexpr bool whole_list
// = true`.
template <class Model>
inline constexpr bool reads_whole_list = requires { requires Model::whole_list; };

template <class S>
decltype(auto) text_of(S const& source, doc_id id) {
    if constexpr (requires { source.text(id); }) {
        return source.text(id);
    } else {
        return source(id);
    }
}

} // namespace detail

/// Scores the first min(depth, candidates) hits with a model, each once, and sorts them by that
/// score, ties in the order given. The others follow in their old order, each one float step below
/// the hit before; so does what a stop, the time limit or a failure left unscored. The trace tells
/// later stages how many hits have a score of their own (score_origin). If the model scored
/// nothing, all hits keep the scores of the stage before.
///
/// Let a model give its logits, not their sigmoid: in floats 1 / (1 + exp(-x)) is 1 for all x above
/// 17, and ties what the logits tell apart.
///
/// Beside the call a model may have: a call with notes (noting_reranker); truncates(q, text) ->
/// bool, whether it reads only a part of the text, which the trace then counts; explain(q,
/// candidate) -> explanation, whose value is the score to the bit; and whole_list, which overrules
/// batch_size.
///
/// Model and texts are held as pipelines hold their parts (core/holding.hpp).
/// @throws trawl::error (model) if a score is NaN, infinite or was not written; (invalid_argument)
/// for batch_size 0, a mixture outside [0, 1], a time limit that is NaN or negative, deduplication
/// without texts or a null shared_ptr.
/// @par Complexity ceil(min(depth, n) / batch_size) calls of the model; O(n) besides, and a sort of
/// depth hits.
template <class Model, class Texts>
class rerank_stage {
public:
    template <class M, class T>
        requires(std::same_as<detail::held<M>, Model> && std::same_as<detail::held<T>, Texts>
                    && reranker<detail::held_target<M>> && text_source<detail::held_target<T>>)
    rerank_stage(M&& model, T&& texts, rerank_options options = {})
        : model_((detail::require_object(model, "rerank: the model"), std::forward<M>(model))),
          texts_(
              (detail::require_object(texts, "rerank: the text source"), std::forward<T>(texts))),
          options_(options) {
        detail::check_rerank(options, !std::same_as<detail::held_target<T>, no_text>);
    }

    [[nodiscard]] ranking operator()(query const& q, ranking candidates,
        search_options const& options = {}, trace_ref trace = {}) const {
        return call(q, [&](detail::rerank_calls const& calls) {
            return detail::rerank(calls, std::move(candidates), options, options_, trace);
        });
    }

    /// Whether count_kept can be less than the number of candidates. A pipeline reads it.
    [[nodiscard]] bool drops_candidates() const noexcept { return options_.deduplicate; }

    /// How many of these candidates are left if repeated texts are dropped. A pipeline reads it.
    [[nodiscard]] std::size_t count_kept(std::span<doc_id const> candidates) const {
        if (!options_.deduplicate) return candidates.size();
        return call({}, [&](detail::rerank_calls const& calls) {
            return detail::count_distinct_texts(calls, candidates);
        });
    }

    [[nodiscard]] explanation explain(
        query const& q, stage_step const& step, std::size_t position, explanation given) const {
        return call(q, [&](detail::rerank_calls const& calls) {
            return detail::explain_reranked(calls, options_, step, position, std::move(given));
        });
    }

private:
    using model_type = std::remove_cvref_t<decltype(std::declval<Model const&>().get())>;
    using text_type = decltype(detail::text_of(std::declval<Texts const&>().get(), doc_id{}));

    template <class Use>
    [[nodiscard]] auto call(query const& q, Use const& use) const {
        auto const& model = model_.get();
        auto const text = [&](doc_id id, std::string& storage) -> std::string_view {
            if constexpr (std::is_reference_v<text_type>
                          || std::is_trivially_copyable_v<text_type>) {
                static_cast<void>(storage);
                return detail::text_of(texts_.get(), id); // a view of what the source keeps
            } else {
                auto&& own = detail::text_of(texts_.get(), id);
                if constexpr (std::same_as<text_type, std::string>) {
                    storage = std::move(own);
                } else {
                    storage = std::string_view(own);
                }
                return storage;
            }
        };
        auto const score = [&](std::span<candidate const> batch, std::span<float> out,
                               [[maybe_unused]] std::vector<std::string>& notes) {
            if constexpr (noting_reranker<model_type>) {
                model(q, batch, out, notes);
            } else {
                model(q, batch, out);
            }
        };
        detail::rerank_calls calls{
            detail::reads_whole_list<model_type>, text, score, nullptr, nullptr};
        auto const truncates = [&]([[maybe_unused]] std::string_view t) -> bool {
            if constexpr (can_tell_truncation) {
                return model.truncates(q, t);
            } else {
                return false;
            }
        };
        auto const explain = [&]([[maybe_unused]] candidate const& c) -> explanation {
            if constexpr (can_explain) {
                return model.explain(q, c);
            } else {
                return {};
            }
        };
        detail::rerank_calls::truncated const truncated = truncates;
        detail::rerank_calls::explained const explained = explain;
        if (can_tell_truncation) calls.truncates = &truncated;
        if (can_explain) calls.explain = &explained;
        return use(calls);
    }

    static constexpr bool can_tell_truncation =
        requires(model_type const& model, query const& q, std::string_view t) {
            { model.truncates(q, t) } -> std::same_as<bool>;
        };
    static constexpr bool can_explain =
        requires(model_type const& model, query const& q, candidate const& c) {
            { model.explain(q, c) } -> std::same_as<explanation>;
        };

    Model model_;
    Texts texts_;
    rerank_options options_;
};

template <class M, class T>
rerank_stage(M&&, T&&) -> rerank_stage<detail::held<M>, detail::held<T>>;
template <class M, class T>
rerank_stage(M&&, T&&, rerank_options) -> rerank_stage<detail::held<M>, detail::held<T>>;

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/rerank/detail/rerank_stage_inl.hpp>
#endif
