// SPDX-License-Identifier: MIT
// One unit of a program: GIVES defines give(), which builds an index of this unit's form and returns what it
// finds; without GIVES, main() calls it.
#include <cstdio>

#include <trawl/trawl.hpp>

#ifdef PASSES_TYPES
trawl::ranking give();
#else
unsigned give();
#endif

#ifdef GIVES
#ifdef PASSES_TYPES
trawl::ranking give() {
#else
unsigned give() {
#endif
    trawl::bm25_index index;
    index.add("a dog");
    index.add("a cat");
#ifdef PASSES_TYPES
    return index.search("cat", 1);
#else
    return index.search("cat", 1).front().id;
#endif
}
#else
int main() {
    trawl::bm25_index index;
    index.add("one cat");
#ifdef PASSES_TYPES
    auto const theirs = give().front().id;
#else
    auto const theirs = give();
#endif
    return index.search("cat", 1).front().id == 0 && theirs == 1 ? 0 : 1;
}
#endif
