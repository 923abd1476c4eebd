// SPDX-License-Identifier: MIT
#pragma once

/// Reranking: the first candidates are read by a model, the others follow.

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/core/placed.hpp>
#include <trawl/rerank/stage.hpp>

namespace trawl::inline v0_1 {

struct rerank_options {
    std::size_t depth = 20; ///< candidates that the model scores, at most
    std::size_t keep = (std::numeric_limits<std::size_t>::max)(); ///< hits that leave the stage, at most
    std::size_t batch_size = 32; ///< candidates in one call of the model, >= 1
    bool deduplicate =
        false; ///< of candidates with the same text drop all but the first, before depth counts
};

namespace detail {

template <class S>
decltype(auto) text_of(S const& source, doc_id id) {
    if constexpr (requires { source.text(id); }) {
        return source.text(id);
    } else {
        return source(id);
    }
}

// What to keep while a text of the source is in use: a string that it returns by value, else a view.
template <class S>
using kept_text =
    std::conditional_t<std::is_lvalue_reference_v<decltype(text_of(std::declval<S const&>(), doc_id{}))>,
        std::string_view, std::remove_cvref_t<decltype(text_of(std::declval<S const&>(), doc_id{}))>>;

} // namespace detail

/// Scores the first min(depth, candidates) hits with a model, once each, and sorts them by that score, ties
/// in the order given. The others follow in their old order, each one float step below the hit before.
/// Lvalues are borrowed, rvalues owned, shared_ptrs shared.
/// @throws trawl::error (model) if a score is NaN, infinite or was not written; (invalid_argument) for
/// batch_size 0 or a null shared_ptr.
/// @par Complexity  ceil(min(depth, n) / batch_size) calls of the model; O(n) besides, and a sort of depth
/// hits.
template <class Model, class Texts>
class rerank_stage {
public:
    template <class M, class T>
        requires(std::same_as<detail::held<M>, Model>&& std::same_as<detail::held<T>, Texts>&&
                reranker<detail::held_target<M>>&& text_source<detail::held_target<T>>)
    rerank_stage(M&& model, T&& texts, rerank_options options = {})
        : model_((detail::require_object(model, "rerank: the model"), std::forward<M>(model))),
          texts_((detail::require_object(texts, "rerank: the text source"), std::forward<T>(texts))),
          options_(options) {
        if (options.batch_size == 0)
            detail::fail(errc::invalid_argument, "rerank: batch_size is 0, must be >= 1");
    }

    [[nodiscard]] ranking operator()(
        query const& q, ranking candidates, search_options const& options = {}) const {
        stage_trace trace;
        return (*this)(q, std::move(candidates), options, trace);
    }

    [[nodiscard]] ranking operator()(
        query const& q, ranking candidates, search_options const& options, stage_trace& trace) const {
        trace.name = "rerank";
        auto const texts = read(candidates, trace);
        auto const depth = (std::min)(options_.depth, candidates.size());
        trace.scored = score(q, candidates, std::span(texts).first(depth), options);
        trace.partial = trace.scored < depth;
        std::stable_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(trace.scored),
            [](hit const& a, hit const& b) { return a.score > b.score; });
        place_rest(candidates, trace.scored);
        if (candidates.size() > options_.keep) candidates.resize(options_.keep);
        return candidates;
    }

    [[nodiscard]] explanation explain(
        query const&, stage_step const& step, std::size_t position, explanation given) const {
        if (position >= step.trace.scored) return detail::explain_rest(step, position, std::move(given));
        return detail::opaque_score(step.out[position].score, "rerank: the model's score", std::move(given));
    }

private:
    using text = detail::kept_text<std::remove_cvref_t<decltype(std::declval<Texts const&>().get())>>;

    // The texts that are needed, in the order of the candidates; drops repeated ones if asked to.
    [[nodiscard]] std::vector<text> read(ranking& candidates, stage_trace& trace) const {
        auto const wanted =
            options_.deduplicate ? candidates.size() : (std::min)(options_.depth, candidates.size());
        std::vector<text> texts;
        texts.reserve(wanted); // never moves: views of short strings stay valid
        std::unordered_set<std::string_view> seen;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < wanted; ++i) {
            texts.push_back(detail::text_of(texts_.get(), candidates[i].id));
            if (options_.deduplicate && !seen.insert(texts.back()).second) {
                texts.pop_back();
            } else {
                candidates[kept++] = candidates[i];
            }
        }
        if (kept < wanted) {
            trace.notes.push_back(detail::join(wanted - kept, " candidates dropped, their text came before"));
            candidates.resize(kept);
        }
        return texts;
    }

    // Replaces the scores of the first texts.size() candidates; fewer if stopped. Returns how many.
    [[nodiscard]] std::size_t score(query const& q, ranking& candidates, std::span<text const> texts,
        search_options const& options) const {
        std::vector<candidate> batch;
        std::vector<float> scores;
        for (std::size_t first = 0; first < texts.size(); first += batch.size()) {
            if (options.stopped()) return first;
            batch.clear();
            auto const end = first + (std::min)(options_.batch_size, texts.size() - first);
            for (std::size_t i = first; i < end; ++i)
                batch.push_back({candidates[i].id, candidates[i].score, texts[i]});
            constexpr auto not_written = std::bit_cast<float>(std::uint32_t{0x7FC00000}); // NaN
            scores.assign(batch.size(), not_written);
            model_.get()(q, std::span<candidate const>(batch), std::span<float>(scores));
            auto const bad = detail::first_not_finite(scores);
            if (bad < scores.size()) {
                detail::fail(errc::model, detail::join("rerank: the model's score of document ",
                                              batch[bad].id, " is ", scores[bad], ", must be finite"));
            }
            for (std::size_t i = first; i < end; ++i) candidates[i].score = scores[i - first];
        }
        return texts.size();
    }

    Model model_;
    Texts texts_;
    rerank_options options_;
};

template <class M, class T>
rerank_stage(M&&, T&&) -> rerank_stage<detail::held<M>, detail::held<T>>;
template <class M, class T>
rerank_stage(M&&, T&&, rerank_options) -> rerank_stage<detail::held<M>, detail::held<T>>;

} // namespace trawl::inline v0_1
