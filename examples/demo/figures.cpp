// SPDX-License-Identifier: MIT
#include "tour.hpp"

#include <cstdio>
#include <filesystem>
#include <functional>

#include <trawl/dense/flat_index.hpp>
#include <trawl/eval/evaluate.hpp>
#include <trawl/formats/beir.hpp>
#include <trawl/formats/npy.hpp>
#include <trawl/formats/trec.hpp>
#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/mmr.hpp>
#include <trawl/rerank/overlap_reranker.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>

namespace demo {

void show_figures(std::string const& folder) {
    std::printf("\n== 5. What each technique is worth: SciFact, 300 judged questions on 5183 "
                "abstracts\n\n");
    if (!std::filesystem::exists(folder)) {
        std::printf("  (left out: there is no %s)\n", folder.c_str());
        return;
    }
    auto const corpus = trawl::read_corpus(folder + "/corpus.jsonl");
    auto const queries = trawl::read_queries(folder + "/queries.jsonl");
    auto const judged = trawl::read_qrels(folder + "/qrels.tsv");
    auto const vectors = trawl::read_npy(folder + "/minilm_corpus.npy");
    auto const asked = trawl::read_npy(folder + "/minilm_queries.npy");

    trawl::basic_bm25_index<trawl::english_analyzer> lexical{trawl::bm25{.k1 = 0.9, .b = 0.4}};
    std::vector<std::string> texts;
    for (trawl::doc_id id = 0; id < corpus.size(); ++id) {
        texts.push_back(corpus.searched(id));
        lexical.add(texts.back());
    }
    trawl::flat_index dense{vectors.cols};
    dense.add_all(vectors.view());

    using search = std::function<trawl::ranking(trawl::query const&, trawl::search_options const&)>;
    auto const measured = [&](char const* name, search const& find) {
        std::string run;
        for (trawl::doc_id i = 0; i < queries.size(); ++i) {
            trawl::query const q{.text = queries.texts[i], .vector = asked.view().row(i)};
            trawl::append_run(run, queries.keys.key(i), find(q, {.k = 100}),
                [&](trawl::doc_id id) { return corpus.keys.key(id); });
        }
        auto const values = trawl::evaluate(
            trawl::parse_run(run, name), judged, trawl::measures_named("ndcg@10,mrr,recall@100"))
                                .summaries;
        std::printf("  %-44s %8.4f %8.4f %8.4f\n", name, values[0], values[1], values[2]);
        return values[0];
    };
    auto const through = [](auto const& pipeline) {
        return [&](trawl::query const& q, trawl::search_options const& o) {
            return pipeline.search(q, o);
        };
    };

    auto const text_of = [&](trawl::doc_id id) { return std::string_view(texts[id]); };
    trawl::basic_overlap_reranker<trawl::english_analyzer> const overlap;
    auto const both = [&] { return trawl::hybrid_search{lexical, dense}.window(100); };
    trawl::weighted_sum const min_max{.weights = {0.5, 0.5}};
    trawl::weighted_sum const z_score{.weights = {0.5, 0.5}, .norm = trawl::normaliser::z_score};

    std::printf("  %-44s %8s %8s %8s\n", "", "nDCG@10", "MRR", "R@100");
    auto const bm25 = measured("BM25 (k1 .9, b .4)", through(lexical));
    auto const cosine = measured("cosine of MiniLM vectors", through(dense));
    measured("fused: RRF", through(both().fuse(trawl::rrf{})));
    measured("fused: min-max, half and half", through(both().fuse(min_max)));
    measured("fused: z-score", through(both().fuse(z_score)));
    auto const completed =
        measured("fused: min-max, completed", through(both().fuse(min_max, {.complete = true})));
    measured("fused: z-score, completed", through(both().fuse(z_score, {.complete = true})));
    auto const reranked = measured("  then reranked by shared words",
        through(both().fuse(min_max, {.complete = true}).rerank(overlap, text_of)));
    auto const diverse = measured("  then diversified by MMR (lambda .7)",
        through(both()
                    .fuse(min_max, {.complete = true})
                    .diversify(
                        trawl::mmr{.lambda = 0.7, .relevance = trawl::relevance::cosine}, dense)));

    std::printf("\n  Here the arms see different things: completed fusion is %+.4f nDCG@10 over "
                "the better one.\n",
        completed - (bm25 > cosine ? bm25 : cosine));
    std::printf("  Counting shared words again changes it by %+.4f: a reranker must know more than "
                "its arms.\n",
        reranked - completed);
    std::printf("  MMR changes it by %+.4f: diversity is paid for where one document answers.\n",
        diverse - completed);
}

} // namespace demo
