// SPDX-License-Identifier: MIT
#pragma once

/// Models in folders, as --model and --rerank name them.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <trawl/core/matrix.hpp>
#include <trawl/core/words.hpp>
#include <trawl/embed/any_embedder.hpp>
#include <trawl/formats/beir.hpp>

namespace cli {

/// Opens an embedding model: an encoder of sentences, or one vector for each token (model2vec).
/// @throws trawl::error (io; parse; corrupt) naming the file and what is wrong or not supported.
[[nodiscard]] trawl::any_embedder open_embedder(std::string const& folder);

/// What is embedded of each document: what BM25 searches, too.
[[nodiscard]] std::vector<std::string> searched_texts(trawl::beir_corpus const& corpus);

/// Embeds texts, with progress on a terminal.
[[nodiscard]] trawl::matrix<float> embedded(
    trawl::any_embedder const& model, std::span<std::string const> texts, trawl::text_role role);

/// Scores candidates, as rerankers do.
using candidate_scorer =
    std::function<void(trawl::query const&, std::span<trawl::candidate const>, std::span<float>)>;

/// The reranker that --rerank names: "overlap" counts shared words; else a folder with a cross-encoder.
/// @throws trawl::error as open_embedder().
[[nodiscard]] candidate_scorer open_reranker(std::string const& name);

} // namespace cli
