// SPDX-License-Identifier: MIT
// What a program of a consumer's may look like; its output is checked.
#include <cstdio>
#include <string_view>
#include <vector>

#include <trawl/trawl.hpp>

int main() {
    std::vector<std::string_view> const texts{
        "refunds by card", "PROD-4817 refund policy", "shipping times"};
    float const vectors[][2]{{1, 0}, {0.8f, 0.6f}, {0, 1}};

    trawl::bm25_index lexical;
    trawl::flat_index dense{2};
    for (std::size_t i = 0; i < texts.size(); ++i) dense.add(lexical.add(texts[i]), vectors[i]);

    auto const search =
        trawl::hybrid_search{lexical, dense}.fuse(trawl::rrf{.weights = {0.6, 0.4}});
    for (auto const& hit : search({.text = "PROD-4817 refund", .vector = vectors[0]}, 2)) {
        std::printf("%u %.6f\n", hit.id, static_cast<double>(hit.score));
    }
}
