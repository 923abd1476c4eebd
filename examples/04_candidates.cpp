// SPDX-License-Identifier: MIT
// What later stages can work with: the union of what the arms return, and not one chunk more.
#include "support/corpus.hpp"

#include <array>
#include <cstdio>
#include <string>

#include <trawl/eval/comparison.hpp>

int main() {
    learn::corpus const manual;
    auto const lexical = manual.lexical();
    auto const dense = manual.dense();

    std::puts("window  candidates per question  questions whose answer no arm found");
    for (std::size_t const window : std::array<std::size_t, 6>{1, 3, 5, 10, 20, 50}) {
        std::size_t candidates = 0, questions = 0;
        std::string lost;
        std::size_t lost_count = 0;
        for (auto const& asked : manual.questions) {
            if (!asked.has_answer()) continue;
            ++questions;
            auto const by_meaning = dense.search(asked.vector, window);
            auto const by_words = lexical.search(asked.text, window);
            candidates += trawl::overlap(by_meaning, by_words).united();
            bool found = false;
            for (auto const& j : asked.judged.all()) {
                found =
                    found
                    || (j.grade == 2
                        && learn::rank_of(by_meaning, j.id) + learn::rank_of(by_words, j.id) > 0);
            }
            if (found) continue;
            ++lost_count;
            if (lost_count <= 6) lost += " " + asked.key;
        }
        std::printf("%6zu  %23.1f  %3zu of %zu:%s%s\n", window,
            static_cast<double>(candidates) / static_cast<double>(questions), lost_count, questions,
            lost.c_str(), lost_count > 6 ? " …" : "");
    }

    std::puts("\nOne that neither arm finds among its first five:");
    auto const& asked = manual.asked("Q098");
    learn::print_question(asked);
    learn::print_hits(manual, asked, dense.search(asked.vector, 5), "cosine");
    learn::print_hits(manual, asked, lexical.search(asked.text, 5), "BM25");
    std::printf(
        "The answer is %s, \"%s\": the embedding model is an English one, and \"stelle … wieder "
        "her\" shares\n"
        "no word with \"Wiederherstellen\".\n",
        manual.key(manual.id("D049-chunk-3")).c_str(),
        manual.chunks[manual.id("D049-chunk-3")].path.c_str());

    std::puts("\nAnd one that has no answer in the manual at all, which no window mends:");
    auto const& coffee = manual.asked("Q108");
    learn::print_question(coffee);
    learn::print_hits(manual, coffee, dense.search(coffee.vector, 2), "cosine", 2);

    learn::take_away(
        "no later stage can bring back what no arm returned: first widen the window, then refine.");
}
