// SPDX-License-Identifier: MIT
#pragma once

/// The pipeline that the options of a command describe.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <trawl/collection/view.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/pipeline/any_pipeline.hpp>
#include <trawl/pipeline/any_retriever.hpp>

#include "models.hpp"
#include "options.hpp"

namespace cli {

/// The names that --fusion takes: every rule and preset of the library, and "weighted", which is
/// weighted_sum.
[[nodiscard]] std::vector<std::string> const& fusion_names();

/// The rule that leaves the scores of a single arm as they are.
[[nodiscard]] fusion_options kept_scores();

/// What a pipeline is built over. Everything is borrowed.
struct pipeline_sources {
    std::vector<trawl::any_retriever> arms = {};
    trawl::flat_index const* vectors =
        nullptr; ///< read by --dedupe and --mmr; null: there are none
    trawl::collection_vectors const* stored = nullptr; ///< the same, of a collection
    /// the text of a document, which --rerank reads
    std::function<std::string(trawl::doc_id)> text = {};
    candidate_scorer const* reranker = nullptr; ///< that --rerank names; null: overlap
    /// what a document is a part of; read where per_parent is not 0
    std::function<std::string(trawl::doc_id)> parent = {};
    std::size_t per_parent = 0;        ///< hits of each parent, at most; 0: any number
    std::size_t* texts_read = nullptr; ///< counts the texts that the reranker read; may be null
};

/// A pipeline of these arms, fused by the rule; then the stages in the order rerank, score floor,
/// autocut, dedupe, MMR, parents.
/// @param window  hits that each arm returns
/// @throws trawl::error (invalid_argument, parse, weight_count) for options that the rule does not
/// know, for their values, and for --dedupe or --mmr without vectors.
[[nodiscard]] trawl::any_pipeline described(
    pipeline_sources const& from, retrieval_options const& options, std::size_t window);

} // namespace cli
