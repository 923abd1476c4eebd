// SPDX-License-Identifier: MIT
// Phrases, words that must or must not be there, beginnings and misspelt words: the program of
// docs/query_syntax.md.
#include <cstdio>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/lexical/query_syntax.hpp>

int main() {
    char const* const texts[] = {"Refund of a PROD-4817 after a dead lock",
        "The lock is dead: no refund", "Refunding a deadlocked printer", "Read and write locks"};
    // -- index
    trawl::bm25_index index({}, {.positions = true}); // positions: for phrases
    for (auto const* const text : texts) index.add(text);
    // -- end

    auto const show = [&](char const* title, trawl::ranking const& hits) {
        std::printf("%s\n", title);
        for (auto const [id, score] : hits)
            std::printf("  %.4f  %s\n", static_cast<double>(score), texts[id]);
    };
    // -- ask
    using namespace trawl::ask;
    show("both words", index.search(every("refund lock"), 10));
    show("side by side", index.search(phrase("dead lock"), 10));
    show("close, in any order", index.search(phrase("dead lock", 3), 10));
    show("words that begin so", index.search(prefix("refund"), 10));
    show("misspelt", index.search(fuzzy("refnud", 2), 10));
    show("refund, not a lock that is dead",
        index.search(every("refund").without(phrase("lock is dead")), 10));
    show("must be there, may be there",
        index.search(every("lock").also(words("PROD-4817").times(2)), 10));

    // -- typed
    trawl::syntax_search const typed{index}; // a retriever: also an arm of hybrid_search
    show("as people type it", typed.search("+ref* \"dead lock\"~3^2 -printer", 10));
    try {
        static_cast<void>(typed.search("refund \"dead lock", 10));
    } catch (trawl::error const& e) {
        std::printf("%s\n", e.what());
    }
    // -- end
}
