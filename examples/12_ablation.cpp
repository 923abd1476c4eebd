// SPDX-License-Identifier: MIT
// Ablation: one technique at a time is added, and the same questions are measured again. Some
// techniques harm.
#include "support/corpus.hpp"
#include "support/scoreboard.hpp"

#include <cstdio>

#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/mmr.hpp>
#include <trawl/rerank/overlap_reranker.hpp>

int main() {
    learn::corpus const manual;
    auto const lexical = manual.lexical();
    auto const dense = manual.dense();
    trawl::overlap_reranker const reader;
    auto const texts = [&](trawl::doc_id id) { return manual.chunks[id].searched(); };

    learn::scoreboard board(manual);
    auto const add = [&](char const* name, auto const& search, bool filtered) {
        board.add(name, [&](learn::question const& q) {
            auto const eligible = manual.of_version(q.version);
            return search.search(q.query(),
                {.k = 50, .where = filtered ? trawl::filter(eligible) : trawl::filter()});
        });
    };
    auto const fused = trawl::hybrid_search{lexical, dense};
    auto const summed = trawl::hybrid_search{lexical, dense}.fuse(
        trawl::weighted_sum{.weights = {.5, .5}}, {.complete = true});
    auto const reranked = trawl::hybrid_search{lexical, dense}
                              .fuse(trawl::weighted_sum{.weights = {.5, .5}}, {.complete = true})
                              .rerank(reader, texts, {.depth = 10});
    auto const diverse =
        trawl::hybrid_search{lexical, dense}
            .fuse(trawl::weighted_sum{.weights = {.5, .5}}, {.complete = true})
            .diversify(trawl::mmr{.lambda = .5, .relevance = trawl::relevance::cosine}, dense,
                {.depth = 20});
    add("BM25", lexical, false);
    add("dense", dense, false);
    add("dense, filtered", dense, true);
    add("RRF", fused, false);
    add("RRF, filtered", fused, true);
    add("sum, filtered", summed, true);
    add("  + rerank 10", reranked, true);
    add("  + MMR", diverse, true);

    std::puts("\"sum\" is the weighted sum of both arms' scores, missing ones computed "
              "(.complete). The last "
              "two rows add\n"
              "one stage each to \"sum, filtered\".\n");
    board.print_measures();
    std::puts("\nnDCG@10 per label, the best in its row marked <:\n");
    board.print_labels();
    std::puts("");
    board.print_changes(5);
    learn::take_away(
        "add a technique only if your own questions get better by it; some make them worse.");
}
