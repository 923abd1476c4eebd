// SPDX-License-Identifier: MIT
// Two stages: a cheap scorer sees everything, an expensive one only the first N. How small may N
// be?
#include "support/corpus.hpp"

#include <cstdio>
#include <optional>
#include <span>
#include <vector>

#include <trawl/eval/smallest_depth.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/overlap_reranker.hpp>

int main() {
    learn::corpus const manual;
    auto const lexical = manual.lexical();
    auto const dense = manual.dense();
    auto const texts = [&](trawl::doc_id id) { return manual.chunks[id].searched(); };

    // The expensive scorer, with a meter. It reads one text at a time, as a cross-encoder would.
    std::size_t calls = 0;
    auto const expensive = [&](trawl::query const& q, std::span<trawl::candidate const> batch,
                               std::span<float> out) {
        calls += batch.size();
        trawl::overlap_reranker{}(q, batch, out);
    };

    auto const& asked = manual.asked("Q002");
    learn::print_question(asked);
    std::puts("depth  expensive calls  first hit");
    for (std::size_t const depth :
        {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{20}, manual.chunks.size()}) {
        calls = 0;
        auto const search = trawl::hybrid_search{dense}
                                .window(manual.chunks.size())
                                .rerank(expensive, texts, {.depth = depth});
        auto const first = search(asked.query(), 1).front().id;
        std::printf("%5zu  %15zu  %s%s\n", depth, calls, manual.key(first).c_str(),
            asked.judged.grade(first).value_or(0) == 2 ? "  **" : "");
    }

    // Where does the cheap stage put the right chunk? N must reach it, for as many questions as we
    // promise.
    auto const cheap = trawl::hybrid_search{lexical, dense};
    std::vector<std::optional<std::size_t>> ranks;
    for (auto const& q : manual.questions) {
        if (!q.has_answer()) continue;
        auto const eligible = manual.of_version(q.version);
        auto const hits = cheap(q.query(), manual.chunks.size(), eligible);
        std::optional<std::size_t> best;
        for (std::size_t i = hits.size(); i > 0; --i) {
            if (q.judged.grade(hits[i - 1].id).value_or(0) == 2) best = i;
        }
        ranks.push_back(best);
    }
    std::printf(
        "\n%zu questions; the cheap stage is BM25 and dense, fused and filtered, 50 hits an arm:\n",
        ranks.size());
    std::puts("share of questions whose answer must be among the first N   smallest N   expensive "
              "calls saved");
    for (double const target : {.5, .7, .8, .9, .95, 1.0}) {
        auto const n = trawl::smallest_depth(ranks, target);
        if (n) {
            std::printf("%57.2f   %10zu   %20.0f%%\n", target, *n,
                100 * (1 - static_cast<double>(*n) / static_cast<double>(manual.chunks.size())));
        } else {
            std::printf("%57.2f   %10s\n", target, "none");
        }
    }
    learn::take_away(
        "the cheap stage decides what can be found, the expensive one its order; measure N, do "
        "not guess it.");
}
