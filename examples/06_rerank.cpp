// SPDX-License-Identifier: MIT
// Reranking: a slower, closer reader scores the first few candidates again. Here it counts common
// words, and common neighbouring pairs twice; a cross-encoder would take its place in the same
// line.
#include "support/corpus.hpp"

#include <array>
#include <cstdio>

#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/overlap_reranker.hpp>

int main() {
    learn::corpus const manual;
    auto const lexical = manual.lexical();
    auto const dense = manual.dense();
    trawl::overlap_reranker const reader;
    auto const texts = [&](trawl::doc_id id) { return manual.chunks[id].searched(); };
    auto const reranked = [&](std::size_t depth) {
        return trawl::hybrid_search{lexical, dense}.rerank(reader, texts, {.depth = depth});
    };

    auto const& paging = manual.asked("Q002");
    learn::print_question(paging);
    std::puts("  fused, not reranked:");
    learn::print_hits(
        manual, paging, trawl::hybrid_search{lexical, dense}(paging.query(), 3), "RRF", 3);
    for (std::size_t const depth : std::array<std::size_t, 2>{1, 3}) {
        std::printf("  reranked at depth %zu:\n", depth);
        learn::print_hits(manual, paging, reranked(depth)(paging.query(), 3), "overlap", 3);
    }
    std::puts("At depth 1 the wrong first place stays: one candidate has nothing to be compared "
              "with. What was not "
              "read\nkeeps its order, each hit the smallest step below the one before.\n");

    auto const& token = manual.asked("Q001");
    learn::print_question(token);
    learn::print_hits(manual, token, reranked(20)(token.query(), 3), "overlap", 3);
    std::puts(
        "The outdated chunk survives: it does read like the answer. Only a filter knows better "
        "(07_filters).\n");

    std::puts("One text imported twice takes two places until .deduplicate drops the second:");
    auto const& backup = manual.asked("Q118");
    learn::print_question(backup);
    // without the headings
    auto const bodies = [&](trawl::doc_id id) { return manual.chunks[id].text; };
    for (bool const once : {false, true}) {
        std::printf("  deduplicate = %s:\n", once ? "true" : "false");
        auto const search =
            trawl::hybrid_search{dense}.rerank(reader, bodies, {.depth = 0, .deduplicate = once});
        learn::print_hits(manual, backup, search(backup.query(), 4), "score", 4);
    }

    learn::take_away("reranking mends the order of what was found, within its depth, at one "
                     "reading a candidate.");
}
