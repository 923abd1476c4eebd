// SPDX-License-Identifier: MIT
// Both arms asked the same: what they share, and what only one of them sees.
#include "support/corpus.hpp"

#include <cstdio>
#include <span>

#include <trawl/eval/comparison.hpp>

int main() {
    learn::corpus const manual;
    auto const lexical = manual.lexical();
    auto const dense = manual.dense();

    for (char const* const key : {"Q010", "Q025", "Q065"}) {
        auto const& asked = manual.asked(key);
        learn::print_question(asked);
        auto const by_meaning = dense.search(asked.vector, 5);
        auto const by_words = lexical.search(asked.text, 5);
        learn::print_hits(manual, asked, by_meaning, "cosine");
        learn::print_hits(manual, asked, by_words, "BM25");

        auto const both = trawl::overlap(by_meaning, by_words);
        auto const list = [&](char const* name, std::span<trawl::doc_id const> ids) {
            std::printf("  %s (%zu):", name, ids.size());
            for (auto const id : ids) std::printf(" %s", manual.key(id).c_str());
            std::puts("");
        };
        list("in both", both.shared);
        list("only dense", both.only_first);
        list("only BM25", both.only_second);
        std::printf("  together: %zu chunks\n\n", both.united());
    }

    // Over all questions that have an answer: who has a right chunk among the first five?
    std::size_t both = 0, only_dense = 0, only_lexical = 0, neither = 0;
    for (auto const& asked : manual.questions) {
        if (!asked.has_answer()) continue;
        auto const found = [&](trawl::ranking const& hits) {
            for (auto const& h : hits) {
                if (asked.judged.grade(h.id).value_or(0) == 2) return true;
            }
            return false;
        };
        bool const d = found(dense.search(asked.vector, 5));
        bool const l = found(lexical.search(asked.text, 5));
        ++(d && l ? both : d ? only_dense : l ? only_lexical : neither);
    }
    std::printf(
        "A chunk that answers is among the first five of: both %zu, dense only %zu, BM25 only %zu, "
        "neither %zu questions.\n",
        both, only_dense, only_lexical, neither);
    learn::take_away(
        "the two arms fail on different questions; that is the whole reason to have both.");
}
