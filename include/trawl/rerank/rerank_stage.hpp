// SPDX-License-Identifier: MIT
#pragma once

/// Reranking: the first candidates are read by a model, the others follow.

#include <algorithm>
#include <bit>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <new>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/core/placed.hpp>
#include <trawl/fusion/detail/arm_scale.hpp>
#include <trawl/fusion/normaliser.hpp>
#include <trawl/rerank/stage.hpp>

TRAWL_BEGIN_NAMESPACE

/// How much the score of the stage before counts beside the model's; both are normalised over the
/// candidates that the model scored.
struct score_mixture {
    double before = 0; ///< in [0, 1]; the model has the rest. 0: the model's score as it is
    normaliser norm = normaliser::min_max;
};

struct rerank_options {
    std::size_t depth = 20; ///< candidates that the model scores, at most
    /// hits that leave the stage, at most
    std::size_t keep = (std::numeric_limits<std::size_t>::max)();
    std::size_t batch_size = 32; ///< candidates in one call of the model, >= 1
    bool deduplicate =
        /// of candidates with the same text drop all but the first, before depth counts
        false;
    /// batches of texts of like length, short ones first: less padding, the same result. What a
    /// deadline leaves out are then long texts, not low ranks
    bool by_length = false;
    double time_limit =
        /// seconds, >= 0, after which no batch begins
        std::numeric_limits<double>::infinity();
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

template <class S>
decltype(auto) text_of(S const& source, doc_id id) {
    if constexpr (requires { source.text(id); }) {
        return source.text(id);
    } else {
        return source(id);
    }
}

// What to keep while a text of the source is in use: a string that it returns by value, else a
// view.
template <class S>
using kept_text = std::conditional_t<
    std::is_lvalue_reference_v<decltype(text_of(std::declval<S const&>(), doc_id{}))>,
    std::string_view, std::remove_cvref_t<decltype(text_of(std::declval<S const&>(), doc_id{}))>>;

} // namespace detail

namespace detail {

// A model that must see all its candidates in one call says so by `static constexpr bool whole_list
// = true`.
template <class Model>
inline constexpr bool reads_whole_list = false;
template <class Model>
    requires requires {
        { Model::whole_list } -> std::convertible_to<bool>;
    }
inline constexpr bool reads_whole_list<Model> = Model::whole_list;

} // namespace detail

/// Scores the first min(depth, candidates) hits with a model, once each, and sorts them by that
/// score, ties in the order given. The others follow in their old order, each one float step below
/// the hit before; so does what a stop, the time limit or a failure left unscored.
///
/// Let a model give its logits, not their sigmoid: in floats 1 / (1 + exp(-x)) is 1 for all x above
/// 17, and what was told apart is tied.
///
/// A model may have, beside the call: a call with notes (noting_reranker); truncates(q, text) ->
/// bool, whether it reads only a part of the text, which the trace then counts; explain(q,
/// candidate) -> explanation, whose value is the score to the bit; and whole_list, which overrules
/// batch_size.
///
/// Lvalues are borrowed, rvalues owned, shared_ptrs shared.
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
        validate();
    }

    [[nodiscard]] ranking operator()(
        query const& q, ranking candidates, search_options const& options = {}) const {
        stage_trace trace;
        return (*this)(q, std::move(candidates), options, trace);
    }

    [[nodiscard]] ranking operator()(query const& q, ranking candidates,
        search_options const& options, stage_trace& trace) const {
        trace.name = "rerank";
        auto const texts = read(candidates, trace);
        auto const depth = (std::min)(options_.depth, candidates.size());
        auto scored = score(q, candidates, std::span(texts).first(depth), options, trace);
        trace.scored = scored.size();
        trace.partial = scored.size() < depth;
        sort(scored, candidates, trace);
        candidates = reranked(scored, candidates);
        if (candidates.size() > options_.keep) candidates.resize(options_.keep);
        return candidates;
    }

    [[nodiscard]] explanation explain(
        query const& q, stage_step const& step, std::size_t position, explanation given) const {
        if (position >= step.trace.scored)
            return detail::explain_rest(step, position, std::move(given));
        auto const found = step.out[position];
        if (options_.mix.before == 0) {
            auto node =
                detail::opaque_score(found.score, "rerank: the model's score", std::move(given));
            explain_model(q, step, found, static_cast<double>(found.score), node.children);
            return node;
        }
        auto const* const kept = step.trace.kept.data() + 3 * position;
        auto const norm = name_of(options_.mix.norm);
        explanation before{operation::opaque, detail::join("score before, ", norm), kept[0], {}};
        before.children.push_back(std::move(given));
        explanation model{
            operation::opaque, detail::join("the model's score, ", norm), kept[2], {}};
        explain_model(q, step, found, kept[1], model.children);
        if (model.children.empty())
            model.children.push_back({operation::leaf, "the model's score", kept[1], {}});
        explanation sum{operation::sum, "mixture", 0, {}};
        sum.children.push_back(weighted(options_.mix.before, std::move(before)));
        sum.children.push_back(weighted(model_weight(), std::move(model)));
        sum.value = recompute(sum);
        explanation score{operation::round, "rerank: mixed with the score before", 0, {}};
        score.children.push_back(std::move(sum));
        score.value = recompute(score);
        return score;
    }

private:
    using text =
        detail::kept_text<std::remove_cvref_t<decltype(std::declval<Texts const&>().get())>>;
    using model_type = std::remove_cvref_t<decltype(std::declval<Model const&>().get())>;
    using clock = std::chrono::steady_clock;

    // A candidate that the model has scored: where it stood, and its score.
    struct scored_candidate {
        std::size_t from;
        float score;
    };

    void validate() const {
        auto const refuse = [](auto const&... parts) {
            detail::fail(errc::invalid_argument, detail::join("rerank: ", parts...));
        };
        if (options_.batch_size == 0) refuse("batch_size is 0, must be >= 1");
        if (!(options_.time_limit >= 0))
            refuse("time_limit is ", options_.time_limit, ", must be >= 0");
        auto const before = options_.mix.before;
        if (!detail::is_finite(before) || before < 0 || before > 1)
            refuse("mix.before is ", before, ", must be in [0, 1]");
        using source = std::remove_cvref_t<decltype(std::declval<Texts const&>().get())>;
        if (options_.deduplicate && std::same_as<source, no_text>)
            refuse("deduplicate is true, but there are no texts to compare");
    }

    [[nodiscard]] double model_weight() const noexcept {
        return detail::rounded(1 - options_.mix.before);
    }

    // The texts that are needed, in the order of the candidates; drops repeated ones if asked to.
    [[nodiscard]] std::vector<text> read(ranking& candidates, stage_trace& trace) const {
        auto const wanted = options_.deduplicate ? candidates.size()
                                                 : (std::min)(options_.depth, candidates.size());
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
            trace.notes.push_back(
                detail::join(wanted - kept, " candidates dropped, their text came before"));
            candidates.resize(kept);
        }
        return texts;
    }

    // What the model scored, in the order of the candidates.
    [[nodiscard]] std::vector<scored_candidate> score(query const& q, ranking const& candidates,
        std::span<text const> texts, search_options const& options, stage_trace& trace) const {
        std::vector<std::size_t> order(texts.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        if (options_.by_length) {
            std::stable_sort(order.begin(), order.end(),
                [&](std::size_t a, std::size_t b) { return length(texts[a]) < length(texts[b]); });
        }
        note_truncation(q, texts, trace);

        auto const size = detail::reads_whole_list<model_type> ? texts.size() : options_.batch_size;
        auto const start = options_.time_limit < infinity ? clock::now() : clock::time_point{};
        std::vector<scored_candidate> scored;
        scored.reserve(texts.size());
        std::vector<candidate> batch;
        std::vector<float> scores;
        for (std::size_t first = 0; first < order.size(); first += batch.size()) {
            if (options.stopped() || out_of_time(start)) break;
            auto const members =
                std::span(order).subspan(first, (std::min)(size, order.size() - first));
            batch.clear();
            for (auto const i : members)
                batch.push_back({candidates[i].id, candidates[i].score, texts[i]});
            if (!try_call(q, batch, scores, trace)) continue;
            for (std::size_t j = 0; j < members.size(); ++j)
                scored.push_back({members[j], scores[j]});
        }
        std::sort(scored.begin(), scored.end(),
            [](scored_candidate const& a, scored_candidate const& b) { return a.from < b.from; });
        return scored;
    }

    [[nodiscard]] static std::size_t length(std::string_view t) noexcept { return t.size(); }

    [[nodiscard]] bool out_of_time(clock::time_point start) const {
        return options_.time_limit < infinity
               && std::chrono::duration<double>(clock::now() - start).count()
                      >= options_.time_limit;
    }

    void note_truncation([[maybe_unused]] query const& q,
        [[maybe_unused]] std::span<text const> texts, [[maybe_unused]] stage_trace& trace) const {
        if constexpr (requires(std::string_view t) {
                          { model_.get().truncates(q, t) } -> std::same_as<bool>;
                      }) {
            std::size_t cut = 0;
            for (auto const& t : texts)
                cut += model_.get().truncates(q, std::string_view(t)) ? 1u : 0u;
            if (cut > 0) {
                trace.notes.push_back(detail::join(
                    cut, " of ", texts.size(), " texts are longer than the model reads"));
            }
        }
    }

    // Whether the batch was scored; if not, the trace says why.
    [[nodiscard]] bool try_call(query const& q, std::span<candidate const> batch,
        std::vector<float>& scores, stage_trace& trace) const {
#if TRAWL_HAS_EXCEPTIONS
        if (options_.on_failure == failure_policy::leave_out) {
            auto const note = [&](std::string_view reason) {
                trace.notes.push_back(
                    detail::join("a batch of ", batch.size(), " was not reranked: ", reason));
            };
            try {
                call(q, batch, scores, trace);
                return true;
            } catch (std::bad_alloc const&) {
                throw;
            } catch (std::exception const& e) {
                note(e.what());
            } catch (...) {
                note("an exception of unknown type");
            }
            return false;
        }
#endif
        call(q, batch, scores, trace);
        return true;
    }

    void call(query const& q, std::span<candidate const> batch, std::vector<float>& scores,
        stage_trace& trace) const {
        constexpr auto not_written = std::bit_cast<float>(std::uint32_t{0x7FC00000}); // NaN
        scores.assign(batch.size(), not_written);
        if constexpr (noting_reranker<model_type>) {
            model_.get()(q, batch, std::span<float>(scores), trace.notes);
        } else {
            static_cast<void>(trace);
            model_.get()(q, batch, std::span<float>(scores));
        }
        auto const bad = detail::first_not_finite(scores);
        if (bad < scores.size()) {
            detail::fail(errc::model, detail::join("rerank: the model's score of document ",
                                          batch[bad].id, " is ", scores[bad], ", must be finite"));
        }
    }

    static void sort_by_score(std::vector<scored_candidate>& scored) {
        std::stable_sort(scored.begin(), scored.end(),
            [](scored_candidate const& a, scored_candidate const& b) { return a.score > b.score; });
    }

    // Best first; mixed, if so asked, and then the trace keeps for each: the score before,
    // normalised, the model's, and that normalised.
    void sort(std::vector<scored_candidate>& scored, ranking const& candidates,
        stage_trace& trace) const {
        if (options_.mix.before == 0 || scored.empty()) return sort_by_score(scored);
        std::vector<float> before;
        for (auto const& s : scored) before.push_back(candidates[s.from].score);
        auto const before_scale = detail::scale_of(options_.mix.norm, before, before.size());
        struct two_scores {
            std::size_t from;
            float model;
            double parts[2];
        };
        std::vector<two_scores> all;
        for (std::size_t i = 0; i < scored.size(); ++i)
            all.push_back({scored[i].from, scored[i].score, {before_scale(before[i], i + 1), 0}});
        std::stable_sort(all.begin(), all.end(),
            [](two_scores const& a, two_scores const& b) { return a.model > b.model; });
        std::vector<float> model;
        for (auto const& m : all) model.push_back(m.model);
        auto const model_scale = detail::scale_of(options_.mix.norm, model, model.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i].parts[1] = model_scale(model[i], i + 1);
        auto const score = [&](two_scores const& m) {
            double const parts[] = {detail::rounded(options_.mix.before * m.parts[0]),
                detail::rounded(model_weight() * m.parts[1])};
            return static_cast<float>(detail::sum_of(parts));
        };
        std::sort(all.begin(), all.end(), [&](two_scores const& a, two_scores const& b) {
            auto const x = score(a);
            auto const y = score(b);
            return x != y ? x > y : a.from < b.from;
        });
        for (std::size_t i = 0; i < all.size(); ++i) {
            scored[i] = {all[i].from, score(all[i])};
            trace.kept.insert(trace.kept.end(),
                {all[i].parts[0], static_cast<double>(all[i].model), all[i].parts[1]});
        }
        for (auto const& s : scored) {
            if (detail::is_finite(s.score)) continue;
            detail::fail(
                errc::not_finite, detail::join("rerank: the mixed score of document ",
                                      candidates[s.from].id, " is ", s.score, ", must be finite"));
        }
    }

    [[nodiscard]] static ranking reranked(
        std::vector<scored_candidate> const& scored, ranking const& candidates) {
        ranking hits;
        hits.reserve(candidates.size());
        std::vector<bool> taken(candidates.size());
        for (auto const& s : scored) {
            hits.push_back({candidates[s.from].id, s.score});
            taken[s.from] = true;
        }
        for (std::size_t i = 0; i < candidates.size(); ++i)
            if (!taken[i]) hits.push_back(candidates[i]);
        place_rest(hits, scored.size());
        return hits;
    }

    void explain_model([[maybe_unused]] query const& q, [[maybe_unused]] stage_step const& step,
        [[maybe_unused]] hit const& found, [[maybe_unused]] double score,
        [[maybe_unused]] std::vector<explanation>& parts) const {
        if constexpr (requires(candidate const& c) {
                          { model_.get().explain(q, c) } -> std::same_as<explanation>;
                      }) {
            auto const before = step.in[detail::position_of(step.in, found.id)].score;
            text const read = detail::text_of(texts_.get(), found.id);
            auto own = model_.get().explain(q, candidate{found.id, before, read});
            if (detail::same_bits(own.value, score)) parts.insert(parts.begin(), std::move(own));
        }
    }

    [[nodiscard]] static explanation weighted(double weight, explanation part) {
        explanation node{operation::product, part.label, 0, {}};
        node.children.push_back({operation::leaf, "weight", weight, {}});
        node.children.push_back(std::move(part));
        node.value = recompute(node);
        return node;
    }

    static constexpr double infinity = std::numeric_limits<double>::infinity();

    Model model_;
    Texts texts_;
    rerank_options options_;
};

template <class M, class T>
rerank_stage(M&&, T&&) -> rerank_stage<detail::held<M>, detail::held<T>>;
template <class M, class T>
rerank_stage(M&&, T&&, rerank_options) -> rerank_stage<detail::held<M>, detail::held<T>>;

TRAWL_END_NAMESPACE
