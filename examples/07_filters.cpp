// SPDX-License-Identifier: MIT
// Filters: which chunks may be returned at all. The same set goes into both arms, before they
// choose their best.
#include "support/corpus.hpp"

#include <algorithm>
#include <cstdio>

#include <trawl/eval/validity.hpp>
#include <trawl/pipeline/hybrid_search.hpp>

int main() {
    learn::corpus const manual;
    auto const lexical = manual.lexical();
    auto const dense = manual.dense();
    auto const search = trawl::hybrid_search{lexical, dense};
    auto const& asked = manual.asked("Q001");
    auto const current = manual.of_version(asked.version);
    std::printf("%zu chunks, %zu of them of version %s\n\n", manual.chunks.size(), current.count(),
        asked.version.c_str());

    learn::print_question(asked);
    std::puts("  dense, without a filter:");
    auto const open = dense.search(asked.vector, 5);
    learn::print_hits(manual, asked, open, "cosine");
    std::puts("  dense, filtered inside the arm:");
    learn::print_hits(manual, asked, dense.search(asked.vector, 5, current), "cosine");

    std::puts("  dense, the finished first five filtered afterwards:");
    auto late = open;
    std::erase_if(late, [&](trawl::hit const& h) { return !current.contains(h.id); });
    learn::print_hits(manual, asked, late, "cosine");
    std::printf("Filtering too late leaves %zu of 5: what the ineligible chunks pushed out does "
                "not come back.\n\n",
        late.size());

    std::puts("  both arms fused, the same filter inside both:");
    learn::print_hits(manual, asked, search(asked.query(), 5, current), "RRF");
    std::puts(
        "Now nothing is outdated. But BM25 has no words for the right chunk and pulls it down: a "
        "filter makes a\n"
        "result valid, not right.\n");

    std::printf(
        "ineligible@5, mean over all questions: BM25 and dense fused %.3f without, %.3f with the "
        "filter\n\n",
        [&] {
            double sum = 0;
            for (auto const& q : manual.questions) {
                sum +=
                    trawl::ineligible{.k = 5}(search(q.query(), 5), manual.of_version(q.version));
            }
            return sum / static_cast<double>(manual.questions.size());
        }(),
        [&] {
            double sum = 0;
            for (auto const& q : manual.questions) {
                auto const eligible = manual.of_version(q.version);
                sum += trawl::ineligible{.k = 5}(search(q.query(), 5, eligible), eligible);
            }
            return sum / static_cast<double>(manual.questions.size());
        }());

    // Which documents count for how rare a word is?
    auto const& rate = manual.asked("Q084");
    auto const old = manual.of_version(rate.version);
    learn::print_question(rate);
    std::puts("  BM25 with the statistics of the whole manual:");
    learn::print_hits(manual, rate,
        lexical.search(
            rate.query(), {.k = 3, .where = old, .statistics = trawl::statistics::whole}),
        "BM25");
    std::puts("  BM25 with the statistics of the eligible chunks, as an index of these alone would "
              "have:");
    learn::print_hits(manual, rate,
        lexical.search(
            rate.query(), {.k = 3, .where = old, .statistics = trawl::statistics::eligible}),
        "BM25");

    learn::take_away("what must not be returned is filtered inside the arms; no score, rank or "
                     "rereading does it.");
}
