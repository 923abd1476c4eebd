// SPDX-License-Identifier: MIT
// Every fusion rule on judged collections, as docs/fusion.md has it: nDCG@10 of BM25 (the
// language's analyzer, k1 .9, b .4) and of MiniLM's cosines alone, then of each rule on their best
// 50, with and without completion. Reads ../shared/data; what is absent is left out.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <trawl/dense/flat_index.hpp>
#include <trawl/eval/evaluate.hpp>
#include <trawl/formats/beir.hpp>
#include <trawl/formats/npy.hpp>
#include <trawl/formats/trec.hpp>
#include <trawl/fusion/borda.hpp>
#include <trawl/fusion/comb.hpp>
#include <trawl/fusion/condorcet.hpp>
#include <trawl/fusion/isr.hpp>
#include <trawl/fusion/presets.hpp>
#include <trawl/fusion/rbc.hpp>
#include <trawl/fusion/tm2c2.hpp>
#include <trawl/fusion/weighted_mnz.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>
#include <trawl/text/analyzers/german_analyzer.hpp>

namespace {

using namespace trawl;

constexpr std::size_t window = 50;

struct rule {
    std::string name;
    std::function<ranking(std::span<ranking const>)> fuse;
    bool completes;
};

template <fusion_rule Rule>
rule named(std::string name, Rule made) {
    return {std::move(name), [made](std::span<ranking const> arms) { return made(arms); },
        Rule::uses_scores};
}

std::vector<rule> rules() {
    std::vector<rule> all;
    std::vector<double> const half{0.5, 0.5};
    all.push_back(named("rrf", rrf{}));
    all.push_back(named("rrf, k = 1 (qdrant_rrf)", qdrant_rrf()));
    all.push_back(named("isr", isr{}));
    all.push_back(named("log_isr", log_isr()));
    all.push_back(named("logn_isr", logn_isr{}));
    all.push_back(named("rbc, phi = .8", rbc{}));
    all.push_back(named("borda", borda{}));
    all.push_back(named("condorcet", condorcet{}));
    for (auto const norm :
        {normaliser::min_max, normaliser::z_score, normaliser::max, normaliser::sum, normaliser::l2,
            normaliser::rank, normaliser::borda, normaliser::none}) {
        all.push_back(named("weighted_sum, " + std::string(name_of(norm)),
            weighted_sum{.weights = half, .norm = norm}));
    }
    all.push_back(named("weighted_sum, z-score, missing = lowest",
        weighted_sum{
            .weights = half, .norm = normaliser::z_score, .missing = missing_score::lowest}));
    all.push_back(named("weighted_sum, milvus-bm25 and milvus-cosine",
        weighted_sum{
            .weights = half, .norms = {normaliser::milvus_bm25, normaliser::milvus_cosine}}));
    all.push_back(
        named("tm2c2, bounds {0} and {-1}", tm2c2{.weights = half, .bounds = {{0}, {-1}}}));
    all.push_back(named("tm2c2, bounds {0} and {0}", tm2c2{.weights = half}));
    all.push_back(named("dbsf", dbsf{}));
    all.push_back(named("qdrant_dbsf", qdrant_dbsf()));
    all.push_back(named("opensearch", opensearch()));
    all.push_back(named("comb_mnz", comb_mnz{}));
    all.push_back(named("comb_anz", comb_anz{}));
    all.push_back(named("comb_med", comb_med{}));
    all.push_back(named("comb_min", comb_min{}));
    all.push_back(named("comb_max", comb_max{}));
    all.push_back(named("comb_gmnz, gamma = .5", comb_gmnz{.gamma = 0.5}));
    all.push_back(named("wmnz", wmnz{.weights = half}));
    all.push_back(named("mixed", mixed{.weights = half}));
    return all;
}

/// A judged collection: of every question the arms' best, and completed.
class collection {
public:
    template <class Analyzer>
    collection(std::string const& folder, Analyzer analyzer)
        : judged_(read_qrels(folder + "/qrels.tsv")) {
        auto const corpus = read_corpus(folder + "/corpus.jsonl");
        auto const questions = read_queries(folder + "/queries.jsonl");
        auto const vectors = read_npy(folder + "/minilm_corpus.npy");
        auto const asked = read_npy(folder + "/minilm_queries.npy");
        basic_bm25_index<Analyzer> lexical{analyzer, bm25{.k1 = 0.9, .b = 0.4}};
        flat_index dense{vectors.cols};
        for (doc_id id = 0; id < corpus.size(); ++id) {
            lexical.add(corpus.searched(id));
            dense.add(std::span(vectors.values).subspan(id * vectors.cols, vectors.cols));
            keys_.emplace_back(corpus.keys.key(id));
        }
        for (std::size_t i = 0; i < questions.size(); ++i) {
            query const q{.text = questions.texts[i],
                .vector = std::span(asked.values).subspan(i * asked.cols, asked.cols)};
            queries_.emplace_back(questions.keys.key(static_cast<doc_id>(i)));
            search_options const options{.k = window};
            arms_.push_back({lexical.search(q, options), dense.search(q, options)});
            completed_.push_back(arms_.back());
            complete(lexical, q, arms_.back()[1], completed_.back()[0]);
            complete(dense, q, arms_.back()[0], completed_.back()[1]);
        }
    }

    [[nodiscard]] double ndcg_of(rule const& r, bool complete_first) const {
        return mean(
            [&](std::size_t i) { return r.fuse(complete_first ? completed_[i] : arms_[i]); });
    }
    [[nodiscard]] double ndcg_of_arm(std::size_t arm) const {
        return mean([&](std::size_t i) { return arms_[i][arm]; });
    }

private:
    // As a pipeline does it: an arm that found nothing stays empty.
    template <class Index>
    static void complete(Index const& index, query const& q, ranking const& others, ranking& arm) {
        if (arm.empty()) return;
        std::vector<doc_id> missing;
        for (auto const& h : others) {
            auto const same = [&](hit const& own) { return own.id == h.id; };
            if (std::none_of(arm.begin(), arm.end(), same)) missing.push_back(h.id);
        }
        auto const scored = index.score(q, missing);
        arm.insert(arm.end(), scored.begin(), scored.end());
        std::sort(arm.begin(), arm.end(), by_rank{});
    }

    template <class Ranking>
    [[nodiscard]] double mean(Ranking&& ranking_of) const {
        std::vector<run_row> rows;
        for (std::size_t i = 0; i < queries_.size(); ++i) {
            auto const hits = ranking_of(i);
            for (std::size_t r = 0; r < std::min<std::size_t>(10, hits.size()); ++r)
                rows.push_back({queries_[i], keys_[hits[r].id], -static_cast<double>(r)});
        }
        auto const result = evaluate(run(rows), judged_, measures_named("ndcg@10"));
        return result.summaries.front();
    }

    qrels judged_;
    std::vector<std::string> keys_, queries_;
    std::vector<std::vector<ranking>> arms_, completed_;
};

} // namespace

int main() {
    std::vector<collection> collections;
    std::printf("| rule |");
    auto const add = [&](std::string const& name, auto analyzer) {
        auto const folder = "../shared/data/" + name;
        if (!std::filesystem::exists(folder + "/minilm_corpus.npy")) return;
        collections.emplace_back(folder, analyzer);
        std::printf(" %s | completed |", name.c_str());
    };
    add("scifact", english_analyzer());
    add("xquad_en", english_analyzer());
    add("xquad_de", german_analyzer());
    std::printf("\n|---|");
    for (std::size_t i = 0; i < collections.size(); ++i) std::printf("---|---|");
    for (std::size_t arm = 0; arm < 2; ++arm) {
        std::printf("\n| %s alone |", arm == 0 ? "BM25" : "MiniLM");
        for (auto const& c : collections) std::printf(" %.4f | |", c.ndcg_of_arm(arm));
    }
    for (auto const& r : rules()) {
        std::printf("\n| %s |", r.name.c_str());
        for (auto const& c : collections) {
            std::printf(" %.4f |", c.ndcg_of(r, false));
            if (r.completes) {
                std::printf(" %.4f |", c.ndcg_of(r, true));
            } else {
                std::printf(" |");
            }
        }
    }
    std::printf("\n");
}
