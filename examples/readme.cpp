// SPDX-License-Identifier: MIT
// The program of README.md, which tests/cli/readme_test.sh holds against it.
#include <cstdio>
#include <trawl/trawl.hpp>

int main() {
    char const* const texts[] = {
        "Refunds take 3 days", "Get your money back", "PROD-4817 prints nothing"};
    // Your model makes the vectors; these are written by hand.
    std::vector<float> const vectors[] = {{.9f, .4f}, {1, .1f}, {.1f, 1}};
    trawl::bm25_index words;
    trawl::flat_index meaning{2};
    for (int i = 0; i < 3; ++i) words.add(meaning.add(vectors[i]), texts[i]);

    auto const search = trawl::hybrid_search{words, meaning}.fuse(trawl::rrf{.k = 60});
    trawl::query const query{.text = "refunds for PROD-4817", .vector = vectors[1]};
    for (auto const [id, score] : search(query, 3)) {
        std::printf("%.5f  %s\n", static_cast<double>(score), texts[id]);
    }
}
