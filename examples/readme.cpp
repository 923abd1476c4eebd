// SPDX-License-Identifier: MIT
// The program of README.md, which tests/cli/readme_test.sh holds against it.
#include <cstdio>
#include <trawl/trawl.hpp>

int main() {
    struct document {
        char const* text;
        std::vector<float> vector;
    }; // vectors of a model of yours; here by hand
    std::vector<document> const documents{{"Refunds take three days", {0.9f, 0.4f}},
        {"How to get your money back", {1.0f, 0.1f}},
        {"PROD-4817: the printer prints nothing", {0.1f, 1.0f}}};

    trawl::bm25_index words;
    trawl::flat_index meaning{2};
    for (auto const& d : documents) meaning.add(words.add(d.text), d.vector);

    auto const search = trawl::hybrid_search{words, meaning}.fuse(trawl::rrf{.k = 60});
    std::vector<float> const wanted{1.0f, 0.0f};
    for (auto const [id, score] : search({.text = "refunds for PROD-4817", .vector = wanted}, 3))
        std::printf("%.4f  %s\n", static_cast<double>(score), documents[id].text);
}
