// SPDX-License-Identifier: MIT
// Reciprocal rank fusion: each arm gives 1 / (60 + rank), the sum decides; scores are not compared.
#include "support/corpus.hpp"

#include <cstdio>
#include <vector>

#include <trawl/fusion/rrf.hpp>

int main() {
    learn::corpus const manual;
    auto const lexical = manual.lexical();
    auto const dense = manual.dense();

    auto const show = [&](char const* key, std::size_t rows) {
        auto const& asked = manual.asked(key);
        learn::print_question(asked);
        std::vector<trawl::ranking> const arms{
            dense.search(asked.vector, 50), lexical.search(asked.text, 50)};
        learn::print_hits(manual, asked, arms[0], "cosine", rows);
        learn::print_hits(manual, asked, arms[1], "BM25", rows);
        auto const fused = trawl::rrf{.k = 60}(arms);
        learn::print_hits(manual, asked, fused, "RRF", rows);
        auto const first = fused.front().id;
        std::printf("First after fusion: %s, in the arms %zu. and %zu.\n\n",
            manual.key(first).c_str(), learn::rank_of(arms[0], first),
            learn::rank_of(arms[1], first));
    };

    std::puts("A third and a second place become the first:");
    show("Q091", 3);
    std::puts("What both arms put high stays high, right or not. The outdated chunk leads both, so "
              "it leads here:");
    show("Q001", 3);
    std::puts(
        "And where one arm is sure and the other guesses, fusion believes both (an error code; the "
        "dense arm\n"
        "does not know it):");
    show("Q038", 3);

    learn::take_away(
        "fusion rewards agreement; it cannot tell a right agreement from a wrong one.");
}
