// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of tuning.hpp.

#include <trawl/collection/tuning.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/collection/collection.hpp>
#include <trawl/core/matrix.hpp>
#include <trawl/core/sort_by_rank.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/judgements.hpp>
#include <trawl/eval/ndcg.hpp>
#include <trawl/fusion/rrf.hpp>
#include <trawl/fusion/weighted_sum.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// What words and vectors found for a pseudo-query: passages of one round.
struct found_passages {
    std::vector<ranking> alone = {}; ///< by each arm
    std::vector<ranking> fused = {}; ///< what a fusion of both is given
    std::size_t round = 0;
    judgements known = {}; ///< documents of the sample
};

/// One call of tune(collection_view).
class collection_tuner {
public:
    collection_tuner(
        collection_view const& of, fit_embedder const* fit, collection_tune_options const& options)
        : of_(of.snapshot()), fit_(fit), options_(options), made_(of_.options()) {
        spaces_ = made_.vectors.size();
        for (space_ = 0; space_ < spaces_; ++space_) {
            if (options.space.empty() || made_.vectors[space_].name == options.space) break;
        }
        if (space_ == spaces_) {
            fail(errc::unknown_id, join("tune: there is no vector space '", options.space, "'"));
        }
        auto space = made_.vectors[space_];
        if (fit == nullptr && !space.embedder) {
            fail(errc::invalid_argument,
                join("tune: the vector space '", space.name,
                    "' has no embedder, and the vectors of documents without their pieces must be "
                    "made"));
        }
        made_.fields.clear();
        made_.vectors = {std::move(space)};
    }

    [[nodiscard]] weight_choice run() {
        draw_sample();
        auto const wanted = options_.queries.count;
        for (std::size_t round = 0; round < options_.rounds && asked_.size() < wanted; ++round) {
            if (!ask_round(round, wanted - asked_.size())) break;
        }
        check_judged();
        auto choice = options_.choice;
        choice.groups = sources_;
        choice.groups.insert(choice.groups.end(), options_.judged.size(), "judged");
        return choose_weight([&](double weight) { return values_at(weight); }, choice);
    }

private:
    void draw_sample() {
        std::vector<std::string> keys;
        of_.for_each_key([&](std::string_view key) {
            keys.emplace_back(key);
            return true;
        });
        random(options_.queries.seed).shuffle(std::span(keys));
        if (keys.size() > options_.sample) keys.resize(options_.sample);
        for (auto const& key : keys) {
            auto found = of_.get(key);
            if (!found) continue;
            found->metadata = {};
            found->vector.clear();
            found->vectors.clear();
            found->parent.clear();
            found->key = std::to_string(sample_.size());
            sample_.push_back(std::move(*found));
        }
    }

    // False if nothing could be drawn.
    bool ask_round(std::size_t round, std::size_t count) {
        std::vector<titled_text> texts;
        for (auto const& d : sample_) texts.push_back({d.title, d.text});
        auto how = options_.queries;
        how.count = count;
        how.seed = random(options_.queries.seed + round).next();
        auto const drawn = draw_pseudo_queries(texts, made_.analyzer, how);
        if (drawn.empty()) return false;
        auto left = sample_;
        for (auto const& q : drawn) {
            left[q.document].title = q.title;
            left[q.document].text = q.text;
        }
        auto const indexed = without_pieces(std::move(left));
        auto const& all = indexed.all();
        auto& documents = documents_.emplace_back(all.passages());
        for (doc_id passage = 0; passage < documents.size(); ++passage) {
            auto const key = all.parent(passage);
            std::from_chars(key.data(), key.data() + key.size(), documents[passage]);
        }
        auto const& embedder = made_.vectors[0].embedder;
        matrix<float> rows{
            std::vector<float>(drawn.size() * embedder.dim()), drawn.size(), embedder.dim()};
        std::vector<std::string_view> queries;
        for (auto const& q : drawn) queries.push_back(q.query);
        embedder.embed_all(queries, text_role::query, rows.view());
        auto const words = all.words();
        auto const vectors = all.vectors();
        for (std::size_t i = 0; i < drawn.size(); ++i) {
            asked_.push_back(ask(words, vectors, drawn[i], rows.view().row(i)));
            sources_.emplace_back(name_of(drawn[i].source));
        }
        return true;
    }

    // A collection of these documents, embedded by what was learnt from them if anything is learnt.
    [[nodiscard]] collection without_pieces(std::vector<document> documents) {
        if (fit_ != nullptr) {
            std::vector<std::string> texts;
            for (auto const& d : documents)
                texts.push_back(d.title.empty() ? d.text : d.title + " " + d.text);
            std::vector<std::string_view> const views(texts.begin(), texts.end());
            auto& space = made_.vectors[0];
            space.embedder = (*fit_)(views);
            if (!space.embedder) fail(errc::invalid_argument, "tune: fit returned no embedder");
            space.dim = space.embedder.dim();
        }
        auto out = collection::in_memory(made_);
        out.put_all(std::move(documents));
        out.commit();
        return out;
    }

    [[nodiscard]] found_passages ask(any_retriever const& words, any_retriever const& vectors,
        pseudo_query const& drawn, std::span<float const> vector) const {
        // As terms: signs in a piece are no syntax.
        std::vector<std::string> terms;
        made_.analyzer.analyze(drawn.query, [&](token const& t) { terms.emplace_back(t.term); });
        std::vector<weighted_term> weighted;
        for (auto const& term : terms) weighted.push_back({.term = term});
        query const q{.vector = vector, .terms = weighted};
        search_options const how{.k = options_.window};
        found_passages out{
            .round = documents_.size() - 1, .known = judgements{{drawn.document, 1}}};
        out.alone = {words.search(q, how), vectors.search(q, how)};
        out.fused = out.alone;
        if (options_.fusion == collection_fusion::weighted_sum) {
            std::vector<doc_id> ids;
            for (auto const& arm : out.alone)
                for (auto const& h : arm) ids.push_back(h.id);
            std::sort(ids.begin(), ids.end());
            ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
            out.fused = {words.score(q, ids, how), vectors.score(q, ids, how)};
            for (auto& arm : out.fused) sort_by_rank(arm);
        }
        return out;
    }

    void check_judged() const {
        for (auto const& q : options_.judged) {
            for (auto const& key : q.relevant) {
                if (of_.get(key)) continue;
                fail(errc::unknown_id, join("tune: a judged query names '", key,
                                           "', which the collection does not hold"));
            }
        }
    }

    // nDCG@10 of every query.
    [[nodiscard]] std::vector<double> values_at(double weight) const {
        std::vector<double> out;
        for (auto const& found : asked_) {
            auto const passages = weight == 0   ? found.alone[0]
                                  : weight == 1 ? found.alone[1]
                                                : fused(found.fused, weight);
            auto const& documents = documents_[found.round];
            ranking best;
            std::vector<bool> seen(sample_.size());
            for (auto h : passages) {
                h.id = documents[h.id];
                if (seen[h.id]) continue;
                seen[h.id] = true;
                best.push_back(h);
            }
            out.push_back(measure_(best, found.known));
        }
        for (auto const& q : options_.judged) out.push_back(judged_value(q, weight));
        return out;
    }

    [[nodiscard]] ranking fused(std::span<ranking const> arms, double weight) const {
        if (options_.fusion == collection_fusion::rrf)
            return rrf{.weights = {1 - weight, weight}}(arms);
        return weighted_sum{.weights = {1 - weight, weight}}(arms);
    }

    [[nodiscard]] double judged_value(judged_query const& q, double weight) const {
        collection_search_options how{
            .k = 2 * options_.window, .fusion = options_.fusion, .window = options_.window};
        how.weights.assign(spaces_ + 1, 0.0);
        how.weights[0] = 1 - weight;
        how.weights[1 + space_] = weight;
        std::vector<judgement> known;
        while (known.size() < q.relevant.size())
            known.push_back({.id = static_cast<doc_id>(known.size()), .grade = 1});
        ranking best;
        std::vector<std::string> seen;
        for (auto const& hit : of_.search(q.text, how)) {
            if (std::find(seen.begin(), seen.end(), hit.document) != seen.end()) continue;
            seen.push_back(hit.document);
            auto const at = std::find(q.relevant.begin(), q.relevant.end(), hit.document);
            auto const relevant = at != q.relevant.end();
            best.push_back(
                {static_cast<doc_id>(relevant ? static_cast<std::size_t>(at - q.relevant.begin())
                                              : q.relevant.size() + seen.size()),
                    hit.score});
        }
        return measure_(best, judgements(std::move(known)));
    }

    collection_view of_;
    fit_embedder const* fit_;
    collection_tune_options const& options_;
    collection_options made_; ///< of the collections without pieces
    std::size_t spaces_ = 0;  ///< that the collection has
    std::size_t space_ = 0;
    std::vector<document> sample_;
    std::vector<std::vector<doc_id>> documents_; ///< of the passages of each round
    std::vector<found_passages> asked_;
    std::vector<std::string> sources_; ///< of each
    ndcg measure_{.k = 10};
};

} // namespace detail

TRAWL_INLINE weight_choice tune(collection_view const& of, collection_tune_options const& options) {
    return detail::collection_tuner(of, nullptr, options).run();
}

TRAWL_INLINE weight_choice tune(
    collection_view const& of, fit_embedder fit, collection_tune_options const& options) {
    return detail::collection_tuner(of, &fit, options).run();
}

TRAWL_END_NAMESPACE
