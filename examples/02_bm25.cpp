// SPDX-License-Identifier: MIT
// Search by words: BM25 counts shared words, rare ones more than common ones.
#include "support/corpus.hpp"

#include <cstdio>

#include <trawl/text/analyzers/technical_analyzer.hpp>

int main() {
    learn::corpus const manual;
    auto const lexical = manual.lexical();

    std::puts("What it is good at: two printers whose names differ in two swapped digits.");
    auto const& printer = manual.asked("Q030");
    learn::print_question(printer);
    learn::print_hits(manual, printer, lexical.search(printer.text, 3), "BM25", 3);
    std::puts("  the dense arm, for comparison:");
    learn::print_hits(manual, printer, manual.dense().search(printer.vector, 3), "cosine", 3);

    std::puts("\nWhat it is bad at: a question in everyday words.");
    auto const& firewall = manual.asked("Q015");
    learn::print_question(firewall);
    auto const hits = lexical.search(firewall.text, 10);
    learn::print_hits(manual, firewall, hits, "BM25", 7);
    std::printf("The right chunk is %zu. of %zu: a page of small talk has \"what do I have to\" "
                "more often.\n",
        learn::rank_of(hits, firewall.expected()), hits.size());

    std::puts(
        "\nA path as one token, with the technical analyzer: five hits are asked for, two exist.");
    trawl::basic_bm25_index<trawl::technical_analyzer> paths;
    for (auto const& chunk : manual.chunks) paths.add(chunk.searched());
    auto const& path = manual.asked("Q033");
    learn::print_question(path);
    learn::print_hits(manual, path, paths.search(path.text, 5), "BM25");
    std::puts("BM25 fills no list up: what shares no word with the question is no hit.");

    learn::take_away(
        "BM25 finds what is spelled alike and is misled by words that everybody uses.");
}
