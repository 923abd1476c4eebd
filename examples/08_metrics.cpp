// SPDX-License-Identifier: MIT
// Measures: one number for many questions, and what it hides. Every technique, every measure, then
// per label.
#include "support/corpus.hpp"
#include "support/scoreboard.hpp"

#include <cstdio>

#include <trawl/pipeline/hybrid_search.hpp>

int main() {
    learn::corpus const manual;
    auto const lexical = manual.lexical();
    auto const dense = manual.dense();
    auto const fused = trawl::hybrid_search{lexical, dense};

    learn::scoreboard board(manual);
    board.add(
        "BM25", [&](learn::question const& q) { return lexical.search(q.query(), {.k = 50}); });
    board.add(
        "dense", [&](learn::question const& q) { return dense.search(q.query(), {.k = 50}); });
    board.add("dense, filtered", [&](learn::question const& q) {
        auto const eligible = manual.of_version(q.version);
        return dense.search(q.query(), {.k = 50, .where = eligible});
    });
    board.add("RRF", [&](learn::question const& q) { return fused(q.query(), 50); });
    board.add("RRF, filtered", [&](learn::question const& q) {
        auto const eligible = manual.of_version(q.version);
        return fused(q.query(), 50, eligible);
    });

    std::puts("All questions that have an answer (a chunk of grade 1 or 2 is relevant):\n");
    board.print_measures();
    std::puts("\nHit@k: is one right chunk among the first k? P@k: how many of the k are right? "
              "R@k: how many of "
              "the\n"
              "right ones are there? MRR: 1 / rank of the first right one. MAP: precision at every "
              "right one. "
              "nDCG@k:\n"
              "all of it with grades, high places counting more. ineligible@k: the share that must "
              "not be shown, "
              "which\n"
              "relevance does not tell from what is merely useless.");
    std::puts("\nnDCG@10 per label, the best in its row marked <:\n");
    board.print_labels();

    learn::take_away("a mean hides its labels: the best technique depends on what people ask.");
}
