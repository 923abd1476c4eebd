// SPDX-License-Identifier: MIT
#include "models.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include <trawl/core/thread_executor.hpp>
#include <trawl/models/cross_encoder.hpp>
#include <trawl/models/model_folder.hpp>
#include <trawl/models/sentence_encoder.hpp>
#include <trawl/models/static_embedding.hpp>
#include <trawl/rerank/overlap_reranker.hpp>

#include "terminal.hpp"

namespace cli {
namespace {

// As many as the machine has, started with the first model.
trawl::executor const& threads() {
    static trawl::thread_executor const pool;
    return pool;
}

} // namespace

trawl::any_embedder open_embedder(std::string const& folder) {
    if (trawl::read_model_folder(folder).config.type == trawl::model_type::model2vec)
        return trawl::static_embedding::open(folder);
    return trawl::sentence_encoder::open(folder, {.pool = &threads()});
}

std::vector<std::string> searched_texts(trawl::beir_corpus const& corpus) {
    std::vector<std::string> texts;
    texts.reserve(corpus.size());
    for (trawl::doc_id id = 0; id < corpus.size(); ++id) texts.push_back(corpus.searched(id));
    return texts;
}

trawl::matrix<float> embedded(
    trawl::any_embedder const& model, std::span<std::string const> texts, trawl::text_role role) {
    // Enough for a model to put texts of like length together.
    constexpr std::size_t batch = 256;
    auto const dim = model.dim();
    trawl::matrix<float> out{std::vector<float>(texts.size() * dim), texts.size(), dim};
    std::vector<std::string_view> const views(texts.begin(), texts.end());
    progress bar("embedding", texts.size());
    std::size_t shown = 0;
    model.embed_all(views, role, out.view(), batch, [&](std::size_t done, std::size_t) {
        for (; shown < done; ++shown) bar.step();
    });
    return out;
}

candidate_scorer open_reranker(std::string const& name) {
    if (name == "overlap") return trawl::overlap_reranker();
    return trawl::cross_encoder::open(name, {.pool = &threads()});
}

} // namespace cli
