// SPDX-License-Identifier: MIT
// Reranking: a slower, closer reader scores the first few candidates again. One reader counts common
// words, and common neighbouring pairs twice; the other is a cross-encoder, a model that was trained
// to read question and text together.
#include "support/corpus.hpp"
#include "support/scoreboard.hpp"
#include "support/stored_cross_encoder.hpp"

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

    std::puts("A trained reader, a cross-encoder, takes its place in the same line:");
    learn::stored_cross_encoder const trained(manual);
    auto const read_by_model = [&](std::size_t depth, double before) {
        return trawl::hybrid_search{lexical, dense}.rerank(
            trained, texts, {.depth = depth, .mix = {.before = before}});
    };
    learn::print_question(paging);
    learn::print_hits(manual, paging, read_by_model(20, 0)(paging.query(), 3), "logit", 3);

    std::puts("\nAll questions, by reader and depth; \"half model\" mixes its score with the one "
              "before (.mix):\n");
    learn::scoreboard board(manual);
    auto const add = [&](char const* name, auto const& search) {
        board.add(name, [&](learn::question const& q) { return search(q.query(), 50); });
    };
    add("fused", trawl::hybrid_search{lexical, dense});
    add("words, 20", reranked(20));
    add("model, 5", read_by_model(5, 0));
    add("model, 20", read_by_model(20, 0));
    add("model, 50", read_by_model(50, 0));
    add("half model, 20", read_by_model(20, .5));
    board.print_measures();
    std::puts("\nThis model learnt for minutes, from claims about science and questions about "
              "Wikipedia. Alone it harms,\nthe more the deeper it reads; mixed with the score "
              "before, it gains nothing over these two arms\n(docs/models.md has more). A reranker "
              "has to earn its place on your own questions.\n");

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
