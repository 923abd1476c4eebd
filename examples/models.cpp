// SPDX-License-Identifier: MIT
// Models in process: embed, search by words and meaning, rerank. docs/models.md explains it. Usage:
// example_models [EMBEDDING_MODEL CROSS_ENCODER], two folders. Without them it takes two tiny models with
// random weights, whose scores mean nothing.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/matrix.hpp>
#include <trawl/core/thread_executor.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/models/cross_encoder.hpp>
#include <trawl/models/sentence_encoder.hpp>
#include <trawl/pipeline/hybrid_search.hpp>

int main(int argc, char** argv) {
    std::string const folder = argc > 2 ? argv[1] : "tests/golden/models/sentence_bert";
    std::string const pairs_folder = argc > 2 ? argv[2] : "tests/golden/models/bert_classifier";

    // -- open
    trawl::thread_executor const pool;
    auto const model = trawl::sentence_encoder::open(folder, {.pool = &pool});
    // -- end
    std::vector<std::string_view> const texts{"A refund of PROD-4817 takes three days.",
        "The money comes back within the week.", "Ink is no reason for a refund."};

    // -- embed
    trawl::matrix<float> vectors{
        std::vector<float>(texts.size() * model.dim()), texts.size(), model.dim()};
    model.embed(texts, trawl::text_role::passage, vectors.view());
    trawl::bm25_index lexical;
    trawl::flat_index dense{model.dim()};
    for (std::size_t i = 0; i < texts.size(); ++i) {
        dense.add(lexical.next_id(), vectors.view().row(i));
        lexical.add(texts[i]);
    }
    // -- search
    auto const search = trawl::hybrid_search{lexical, dense}.embed(model);
    for (auto const& [id, score] : search({.text = "when do I get my money back"}, 3))
        std::printf("%.4f  %s\n", static_cast<double>(score), std::string(texts[id]).c_str());
    // -- rerank
    auto const reader = trawl::cross_encoder::open(pairs_folder, {.pool = &pool});
    auto const reranked = trawl::hybrid_search{lexical, dense}.embed(model).rerank(
        reader, [&](trawl::doc_id id) { return texts[id]; }, {.depth = 20});
    for (auto const& [id, score] : reranked({.text = "when do I get my money back"}, 3))
        std::printf("%.4f  %s\n", static_cast<double>(score), std::string(texts[id]).c_str());
    // -- end
}
