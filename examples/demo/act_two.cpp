// SPDX-License-Identifier: MIT

#include "act_two.hpp"

#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/mmr.hpp>
#include <trawl/rerank/overlap_reranker.hpp>

#include "support/corpus.hpp"
#include "support/scoreboard.hpp"

namespace demo {
namespace {

using technique = std::pair<std::string, std::function<trawl::ranking(learn::question const&)>>;

// Columns of chunk ids: ** answers, * helps, ! is of another version.
void show_side_by_side(
    learn::corpus const& manual, learn::question const& asked, std::vector<technique> const& all) {
    std::printf(
        "\n  \"%s\" (asks about version %s)\n  ", asked.text.c_str(), asked.version.c_str());
    std::vector<trawl::ranking> found;
    for (auto const& [name, search] : all) {
        std::printf("%-20s", name.c_str());
        found.push_back(search(asked));
    }
    for (std::size_t row = 0; row < 3; ++row) {
        std::printf("\n  ");
        for (auto const& hits : found) {
            std::string cell;
            if (row < hits.size()) {
                auto const& chunk = manual.chunks[hits[row].id];
                auto const grade = asked.judged.grade(hits[row].id).value_or(0);
                bool const tied =
                    (row > 0 && hits[row - 1].score == hits[row].score)
                    || (row + 1 < hits.size() && hits[row + 1].score == hits[row].score);
                cell = chunk.key.substr(0, 5) + chunk.key.substr(11)
                       + (grade == 2    ? "**"
                           : grade == 1 ? "*"
                                        : "")
                       + (chunk.version == asked.version ? "" : "!") + (tied ? " tied" : "");
            }
            std::printf("%-20s", cell.c_str());
        }
    }
    std::printf("\n");
}

} // namespace

void show_learning() {
    std::printf("\n== A manual in three versions: which technique mends which failure\n\n");
    learn::corpus const manual;
    auto const lexical = manual.lexical();
    auto const dense = manual.dense();
    trawl::overlap_reranker const reader;
    auto const texts = [&](trawl::doc_id id) { return manual.chunks[id].searched(); };
    auto const rrf = trawl::hybrid_search{lexical, dense};
    auto const sum = trawl::hybrid_search{lexical, dense}.fuse(
        trawl::weighted_sum{.weights = {.5, .5}}, {.complete = true});
    auto const reranked = trawl::hybrid_search{lexical, dense}
                              .fuse(trawl::weighted_sum{.weights = {.5, .5}}, {.complete = true})
                              .rerank(reader, texts, {.depth = 10});
    auto const diverse =
        trawl::hybrid_search{lexical, dense}
            .fuse(trawl::weighted_sum{.weights = {.5, .5}}, {.complete = true})
            .diversify(trawl::mmr{.relevance = trawl::relevance::cosine}, dense, {.depth = 20});
    auto const filtered = [&](auto const& search) {
        return [&](learn::question const& q) {
            auto const eligible = manual.of_version(q.version);
            return search(q.query(), 50, eligible);
        };
    };
    std::vector<technique> const techniques{
        {"BM25", [&](auto const& q) { return lexical.search(q.query(), {.k = 50}); }},
        {"dense", [&](auto const& q) { return dense.search(q.query(), {.k = 50}); }},
        {"RRF", [&](auto const& q) { return rrf(q.query(), 50); }},
        {"RRF, filter", filtered(rrf)},
        {"sum, filter", filtered(sum)},
        {"+ rerank", filtered(reranked)},
        {"+ MMR", filtered(diverse)},
    };
    std::printf(
        "  %zu chunks, vectors of all-MiniLM-L6-v2: an English model, so its German and French are "
        "weak.\n"
        "  ** answers, * helps, ! is of another version. \"sum\" completes missing scores.\n",
        manual.chunks.size());
    for (char const* const key : {"Q001", "Q038", "Q006", "Q065"}) {
        show_side_by_side(manual, manual.asked(key), techniques);
    }

    learn::scoreboard board(manual);
    for (auto const& [name, search] : techniques) board.add(name, search);
    std::printf("\n");
    board.print_measures();
    std::printf("\n  nDCG@10 per kind of question, the best of each row marked <\n\n");
    board.print_labels();
    auto const percent = [&](std::size_t technique) { return 100 * board.ndcg(technique); };
    std::printf("\n  In plain words: BM25 alone reaches %.0f %% of the ideal order, vectors alone "
                "%.0f %%, their "
                "ranks fused\n"
                "  (RRF) %.0f %%, so vectors alone were better. The filter makes that %.0f %% and "
                "is the only thing "
                "that\n"
                "  keeps old versions out; fusing scores in place of ranks gives %.0f %%. Bare "
                "codes want BM25,\n"
                "  paraphrases the vectors, and RRF harms both. Rereading by common words mends "
                "the codes and harms\n"
                "  most of the rest; MMR harms where nothing repeats itself. Measure on your own "
                "questions.\n",
        percent(0), percent(1), percent(2), percent(3), percent(4));
}

} // namespace demo
