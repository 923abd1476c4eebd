// SPDX-License-Identifier: MIT
// Diversity: MMR takes the next most relevant chunk that does not repeat what is there already.
#include "support/corpus.hpp"

#include <cstdio>
#include <vector>

#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/mmr.hpp>

int main() {
    learn::corpus const manual;
    auto const dense = manual.dense();
    auto const cosine = [&](trawl::doc_id a, trawl::doc_id b) {
        return static_cast<double>(
            dense.score({.vector = manual.vectors.view().row(a)}, {&b, 1}).front().score);
    };
    auto const likeness = [&](trawl::ranking const& hits) {
        double sum = 0, pairs = 0;
        for (std::size_t i = 0; i < hits.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j, ++pairs) sum += cosine(hits[i].id, hits[j].id);
        }
        return sum / pairs;
    };

    auto const show = [&](char const* key) {
        auto const& asked = manual.asked(key);
        auto const eligible = manual.of_version(asked.version);
        learn::print_question(asked);
        auto const plain = dense.search(asked.vector, 5, eligible);
        std::printf(
            "  the five nearest (alike: mean cosine between them %.2f):\n", likeness(plain));
        learn::print_hits(manual, asked, plain, "cosine");
        for (double const lambda : {0.5, 0.3}) {
            auto const search = trawl::hybrid_search{dense}.diversify(
                trawl::mmr{.lambda = lambda, .relevance = trawl::relevance::cosine}, dense,
                {.depth = 10});
            auto const hits = search(asked.query(), 5, eligible);
            std::printf("  MMR among the ten nearest, lambda %.1f (mean cosine %.2f):\n", lambda,
                likeness(hits));
            learn::print_hits(manual, asked, hits, "MMR value");
        }
    };

    show("Q118");
    std::puts(
        "The first two are one text, imported twice. MMR keeps one of them, and the chunk about "
        "encrypting, which\n"
        "the question asks for (\"keep them safe\"), moves up.\n");
    show("Q092");
    std::puts("Here the nearest were the right ones, alike because they belong together: MMR "
              "throws some of "
              "them out,\n"
              "the more the lower lambda is.");
    learn::take_away("MMR mends repetition, and costs relevance where there was none to mend.");
}
