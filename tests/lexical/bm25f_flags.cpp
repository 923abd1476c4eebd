// SPDX-License-Identifier: MIT
// Prints the bits of scores of fields: the same under every compiler and flag.
#include "lexical/fields.hpp"

#include <bit>
#include <cstdio>

int main() {
    for (auto const variant : {trawl::bm25_variant::lucene, trawl::bm25_variant::bm25l,
             trawl::bm25_variant::xapian, trawl::bm25_variant::tf_ldp}) {
        trawl::detail::random random(5);
        test::field_index index(
            {{"title", 2.3, 0.3}, {"text", 0.7}}, {.variant = variant, .k1 = 0.9, .b = 0.4});
        for (int n = 0; n < 2000; ++n) index.add(test::views(test::random_document(random)));
        for (int n = 0; n < 10; ++n) {
            for (auto const& [id, score] :
                index.search(test::random_text(random, 1 + random.below(6)), 50)) {
                std::printf("%u %08x\n", id, std::bit_cast<std::uint32_t>(score));
            }
        }
    }
}
