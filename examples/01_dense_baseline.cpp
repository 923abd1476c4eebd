// SPDX-License-Identifier: MIT
// The simplest semantic search: the question becomes a vector, and the nearest vectors win.
#include "support/corpus.hpp"

#include <cstdio>

int main() {
    learn::corpus const manual;
    std::printf("%zu chunks, each a vector of %zu numbers; no word is compared.\n\n",
        manual.chunks.size(), manual.vectors.cols);

    auto const& asked = manual.asked("Q001");
    learn::print_question(asked);
    auto const dense = manual.dense(trawl::metric::cosine);
    learn::print_hits(manual, asked, dense.search(asked.vector, 5), "cosine");

    // The same vectors, another metric. Scores are "higher is better", so a distance comes as its
    // negative; for vectors of length 1 both metrics give the same order.
    std::puts("\nThe same by squared Euclidean distance (negative, so that higher is better):");
    auto const euclidean = manual.dense(trawl::metric::euclidean);
    learn::print_hits(manual, asked, euclidean.search(asked.vector, 5), "-distance");

    std::puts(
        "\n** answers the question, * helps. The first hit says 12 hours: true for 2.6, wrong for "
        "3.1.\n"
        "It came first because the old manual uses the question's own words, \"access token\", "
        "where the\n"
        "new one says \"bearer credential\"; nothing in a vector knows which page is in force.");
    learn::take_away(
        "the nearest text is the one that sounds most alike, not the one that is valid.");
}
