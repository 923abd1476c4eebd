// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of rerank/rerank_stage.hpp.

#include <trawl/rerank/rerank_stage.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <exception>
#include <new>

#include <trawl/core/placed.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/steady_clock.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE void check_rerank(rerank_options const& options, bool has_texts) {
    auto const refuse = [](std::string const& text) {
        fail(errc::invalid_argument, join("rerank: ", text));
    };
    if (options.batch_size == 0) refuse("batch_size is 0, must be >= 1");
    if (!(options.time_limit >= 0))
        refuse(join("time_limit is ", options.time_limit, ", must be >= 0"));
    auto const before = options.mix.before;
    if (!is_finite(before) || before < 0 || before > 1)
        refuse(join("mix.before is ", before, ", must be in [0, 1]"));
    if (options.deduplicate && !has_texts)
        refuse("deduplicate is true, but there are no texts to compare");
}

[[nodiscard]] inline double model_weight(rerank_options const& how) noexcept {
    return rounded(1 - how.mix.before);
}

// Of each text, whether it is that of one before it.
[[nodiscard]] inline buffer<char> repeated_texts(array_ref<std::string_view const> texts) {
    buffer<std::size_t> order(texts.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return texts[a] != texts[b] ? texts[a] < texts[b] : a < b;
    });
    buffer<char> repeats(texts.size());
    for (std::size_t i = 1; i < order.size(); ++i)
        repeats[order[i]] = texts[order[i]] == texts[order[i - 1]] ? 1 : 0;
    return repeats;
}

TRAWL_INLINE std::size_t count_distinct_texts(
    rerank_calls const& calls, std::span<doc_id const> documents) {
    std::vector<std::string> storage(documents.size());
    buffer<std::string_view> texts;
    for (std::size_t i = 0; i < documents.size(); ++i)
        texts.push_back(calls.text(documents[i], storage[i]));
    auto const repeats = repeated_texts(texts);
    return static_cast<std::size_t>(std::count(repeats.begin(), repeats.end(), char{0}));
}

// A candidate that the model has scored: where it stood, and its score.
struct reranked_candidate {
    std::size_t from;
    float score;
};

// One pass of a model over candidates.
class reranking {
public:
    reranking(rerank_calls const& calls, search_options const& options, rerank_options const& how,
        stage_trace& trace)
        : calls_(calls), options_(options), how_(how), trace_(trace) {}

    // Reads the texts that are needed, and drops repeated ones if asked to.
    // @return how many of the candidates that are left have a score of their own.
    std::size_t read(ranking& candidates) {
        auto own = own_of(trace_.given, candidates.size());
        auto const wanted =
            how_.deduplicate ? candidates.size() : (std::min)(how_.depth, candidates.size());
        storage_.resize(wanted); // never moves: views of short strings stay valid
        texts_.reserve(wanted);
        for (std::size_t i = 0; i < wanted; ++i)
            texts_.push_back(calls_.text(candidates[i].id, storage_[i]));
        if (how_.deduplicate) own = drop_repeated(candidates, own);
        return own;
    }

    // What the model scored of the first `depth` candidates, in their order.
    [[nodiscard]] buffer<reranked_candidate> score(ranking const& candidates, std::size_t depth) {
        buffer<std::size_t> order(depth);
        for (std::size_t i = 0; i < depth; ++i) order[i] = i;
        if (how_.by_length) {
            std::stable_sort(order.begin(), order.end(),
                [&](std::size_t a, std::size_t b) { return texts_[a].size() < texts_[b].size(); });
        }
        note_truncation(depth);

        auto const size = calls_.whole_list ? depth : how_.batch_size;
        bool const limited = how_.time_limit < std::numeric_limits<double>::infinity();
        auto const start = limited ? steady_seconds() : 0.0;
        buffer<reranked_candidate> scored;
        scored.reserve(depth);
        buffer<candidate> batch;
        std::vector<float> scores;
        for (std::size_t first = 0; first < depth; first += batch.size()) {
            if (options_.stopped() || (limited && steady_seconds() - start >= how_.time_limit))
                break;
            batch.clear();
            for (std::size_t i = first; i < depth && i - first < size; ++i) {
                auto const& h = candidates[order[i]];
                batch.push_back({h.id, h.score, texts_[order[i]]});
            }
            if (!try_call(batch, scores)) continue;
            for (std::size_t j = 0; j < batch.size(); ++j)
                scored.push_back({order[first + j], scores[j]});
        }
        std::sort(scored.begin(), scored.end(),
            [](auto const& a, auto const& b) { return a.from < b.from; });
        return scored;
    }

private:
    std::size_t drop_repeated(ranking& candidates, std::size_t own) {
        auto const repeats = repeated_texts(texts_);
        std::size_t kept = 0;
        std::size_t kept_own = 0;
        for (std::size_t i = 0; i < texts_.size(); ++i) {
            if (repeats[i] != 0) continue;
            kept_own += i < own ? 1u : 0u;
            texts_[kept] = texts_[i];
            candidates[kept++] = candidates[i];
        }
        if (kept < texts_.size()) {
            trace_.notes.push_back(
                join(texts_.size() - kept, " candidates dropped, their text came before"));
            texts_.resize(kept);
            candidates.resize(kept);
        }
        return kept_own;
    }

    void note_truncation(std::size_t depth) {
        if (calls_.truncates == nullptr) return;
        std::size_t cut = 0;
        for (std::size_t i = 0; i < depth; ++i) cut += (*calls_.truncates)(texts_[i]) ? 1u : 0u;
        if (cut > 0) {
            trace_.notes.push_back(
                join(cut, " of ", depth, " texts are longer than the model reads"));
        }
    }

    // Whether the batch was scored; if not, the trace says why.
    [[nodiscard]] bool try_call(array_ref<candidate const> batch, std::vector<float>& scores) {
#if TRAWL_HAS_EXCEPTIONS
        if (how_.on_failure == failure_policy::leave_out) {
            auto const note = [&](std::string_view reason) {
                trace_.notes.push_back(
                    join("a batch of ", batch.size(), " was not reranked: ", reason));
            };
            try {
                call(batch, scores);
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
        call(batch, scores);
        return true;
    }

    void call(array_ref<candidate const> batch, std::vector<float>& scores) {
        constexpr auto not_written = std::bit_cast<float>(std::uint32_t{0x7FC00000}); // NaN
        scores.assign(batch.size(), not_written);
        calls_.score({batch.data(), batch.size()}, scores, trace_.notes);
        auto const bad = first_not_finite(scores);
        if (bad < scores.size()) {
            fail(errc::model, join("rerank: the model's score of document ", batch[bad].id, " is ",
                                  scores[bad], ", must be finite"));
        }
    }

    rerank_calls const& calls_;
    search_options const& options_;
    rerank_options const& how_;
    stage_trace& trace_;
    std::vector<std::string> storage_;
    buffer<std::string_view> texts_;
};

// The scores before of what the model scored, normalised over those that are a candidate's own. The
// others were below all of these.
[[nodiscard]] inline std::vector<double> mixed_before(array_ref<reranked_candidate const> scored,
    ranking const& candidates, std::size_t own, normaliser norm) {
    std::vector<float> before;
    for (auto const& s : scored)
        if (s.from < own) before.push_back(candidates[s.from].score);
    auto values = normalised(norm, before, before.size());
    auto const lowest = values.empty() ? 0.0 : *std::min_element(values.begin(), values.end());
    values.resize(scored.size(), lowest);
    return values;
}

// Best first. A mixture keeps in the trace, for each: the score before, normalised, the model's,
// and that normalised.
inline void sort_scored(buffer<reranked_candidate>& scored, ranking const& candidates,
    std::size_t own, score_mixture const& mix, double weight_of_model, stage_trace& trace) {
    auto const by_score = [](reranked_candidate const& a, reranked_candidate const& b) {
        return a.score != b.score ? a.score > b.score : a.from < b.from;
    };
    if (mix.before == 0 || scored.empty()) return std::sort(scored.begin(), scored.end(), by_score);
    struct two_scores {
        double before;
        double model;
        double model_normalised;
    };
    auto const before = mixed_before(scored, candidates, own, mix.norm);
    buffer<two_scores> values(candidates.size()); // by candidate
    for (std::size_t i = 0; i < scored.size(); ++i) values[scored[i].from].before = before[i];
    std::sort(scored.begin(), scored.end(), by_score);
    std::vector<float> model;
    for (auto const& s : scored) model.push_back(s.score);
    auto const scaled = normalised(mix.norm, model, model.size());
    for (std::size_t i = 0; i < scored.size(); ++i) {
        auto& its = values[scored[i].from];
        its.model = static_cast<double>(model[i]);
        its.model_normalised = scaled[i];
        double const terms[] = {
            rounded(mix.before * its.before), rounded(weight_of_model * its.model_normalised)};
        scored[i].score = static_cast<float>(sum_of(terms));
    }
    std::sort(scored.begin(), scored.end(), by_score);
    for (auto const& s : scored) {
        auto const& its = values[s.from];
        trace.kept.push_back(its.before);
        trace.kept.push_back(its.model);
        trace.kept.push_back(its.model_normalised);
        if (is_finite(s.score)) continue;
        fail(errc::not_finite, join("rerank: the mixed score of document ", candidates[s.from].id,
                                   " is ", s.score, ", must be finite"));
    }
}

// The scored candidates, then the others in their old order.
[[nodiscard]] inline ranking scored_first(
    array_ref<reranked_candidate const> scored, ranking const& candidates) {
    ranking hits;
    hits.reserve(candidates.size());
    buffer<char> taken(candidates.size());
    for (auto const& s : scored) {
        hits.push_back({candidates[s.from].id, s.score});
        taken[s.from] = 1;
    }
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (taken[i] == 0) hits.push_back(candidates[i]);
    place_rest(hits, scored.size());
    return hits;
}

TRAWL_INLINE ranking rerank(rerank_calls const& calls, ranking candidates,
    search_options const& options, rerank_options const& how, trace_ref trace) {
    stage_trace unread;
    auto& log = trace.or_else(unread);
    log.name = "rerank";
    reranking work(calls, options, how, log);
    auto const own = work.read(candidates);
    auto const depth = (std::min)(how.depth, candidates.size());
    auto scored = work.score(candidates, depth);
    log.scored = scored.size();
    log.partial = scored.size() < depth;
    log.left = log.given;
    if (own < candidates.size()) log.left->own = own;
    if (scored.empty() && depth > 0) log.left->stale = true;
    if (!scored.empty()) log.left = score_origin{.own = scored.size()};
    sort_scored(scored, candidates, own, how.mix, model_weight(how), log);
    candidates = scored_first(scored, candidates);
    if (candidates.size() > how.keep) candidates.resize(how.keep);
    return candidates;
}

// The model's own explanation of a score, if it has one that agrees.
inline void add_model_explanation(rerank_calls const& calls, stage_step const& step,
    hit const& found, double score, std::vector<explanation>& children) {
    if (calls.explain == nullptr) return;
    auto const before = step.in[position_of(step.in, found.id)].score;
    std::string storage;
    auto const text = calls.text(found.id, storage);
    auto own = (*calls.explain)(candidate{found.id, before, text});
    if (same_bits(own.value, score)) children.insert(children.begin(), std::move(own));
}

[[nodiscard]] inline explanation mixed_share(double weight, explanation node) {
    explanation product{operation::product, node.label, 0, {}};
    product.children.push_back({operation::leaf, "weight", weight, {}});
    product.children.push_back(std::move(node));
    product.value = recompute(product);
    return product;
}

TRAWL_INLINE explanation explain_reranked(rerank_calls const& calls, rerank_options const& how,
    stage_step const& step, std::size_t position, explanation given) {
    if (position >= step.trace.scored) return explain_rest(step, position, std::move(given));
    auto const found = step.out[position];
    if (how.mix.before == 0) {
        auto node = opaque_score(found.score, "rerank: the model's score", std::move(given));
        add_model_explanation(calls, step, found, static_cast<double>(found.score), node.children);
        return node;
    }
    auto const* const kept = step.trace.kept.data() + 3 * position;
    auto const norm = name_of(how.mix.norm);
    explanation before{operation::opaque, join("score before, ", norm), kept[0], {}};
    before.children.push_back(std::move(given));
    explanation model{operation::opaque, join("the model's score, ", norm), kept[2], {}};
    add_model_explanation(calls, step, found, kept[1], model.children);
    if (model.children.empty())
        model.children.push_back({operation::leaf, "the model's score", kept[1], {}});
    explanation sum{operation::sum, "mixture", 0, {}};
    sum.children.push_back(mixed_share(how.mix.before, std::move(before)));
    sum.children.push_back(mixed_share(model_weight(how), std::move(model)));
    sum.value = recompute(sum);
    explanation score{operation::round, "rerank: mixed with the score before", 0, {}};
    score.children.push_back(std::move(sum));
    score.value = recompute(score);
    return score;
}

} // namespace detail
TRAWL_END_NAMESPACE
