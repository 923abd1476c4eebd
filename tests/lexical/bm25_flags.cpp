// SPDX-License-Identifier: MIT
// Prints the bits of scores: the same under every compiler and flag.
#include "lexical/whitespace.hpp"

#include <trawl/detail/random.hpp>

#include <bit>
#include <cstdio>
#include <string>

int main() {
    for (std::size_t i = 0; i < trawl::detail::bm25_variants; ++i) {
        auto const variant = static_cast<trawl::bm25_variant>(i);
        trawl::detail::random random(5);
        auto const text = [&](std::size_t words) {
            std::string made;
            for (; words > 0; --words) {
                made += std::to_string(random.below(1 + random.below(60))) + ' ';
            }
            return made;
        };
        test::index index({.variant = variant, .k1 = 0.9, .b = 0.4});
        for (int n = 0; n < 5000; ++n) index.add(text(random.below(40)));
        trawl::doc_set some(5000);
        for (int n = 0; n < 100; ++n) some.insert(static_cast<trawl::doc_id>(random.below(5000)));
        for (int n = 0; n < 20; ++n) {
            auto const wanted = text(1 + random.below(6));
            for (auto const& [id, score] : index.search(wanted, 50)) {
                std::printf("%u %08x\n", id, std::bit_cast<std::uint32_t>(score));
            }
            auto const eligible = index.search(
                {.text = wanted}, {.where = some, .statistics = trawl::statistics::eligible});
            for (auto const& [id, score] : eligible) {
                std::printf("%u %08x\n", id, std::bit_cast<std::uint32_t>(score));
            }
        }
    }
}
