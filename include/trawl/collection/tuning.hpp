// SPDX-License-Identifier: MIT
#pragma once

/// Chooses the weight of a collection's vectors beside its words, without judged queries.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/collection/search.hpp>
#include <trawl/collection/view.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/embed/any_embedder.hpp>
#include <trawl/eval/pseudo_queries.hpp>
#include <trawl/eval/weight_choice.hpp>

TRAWL_BEGIN_NAMESPACE

/// A query that somebody has judged.
struct judged_query {
    std::string text;
    std::vector<std::string> relevant; ///< keys of documents
};

struct collection_tune_options {
    pseudo_query_options queries = {};
    /// Documents, drawn by chance, that the pseudo-queries are drawn from and compete in.
    std::size_t sample = 5000;
    /// Where the sample has fewer than queries.count documents, each gives up to so many queries, one
    /// a round; in each round the sample is indexed and embedded anew.
    std::size_t rounds = 8;
    std::string space = {}; ///< the vectors; empty: the first space
    collection_fusion fusion = collection_fusion::weighted_sum;
    std::size_t window = 50;
    /// Judged queries count beside the pseudo-queries, each as much as one of those.
    std::vector<judged_query> judged = {};
    weight_choice_options choice = {}; ///< its groups are set: "passage", "title", …, "judged"
};

/// Learns an embedder from texts.
using fit_embedder = function_ref<any_embedder(std::span<std::string_view const> texts)>;

/// Chooses the weight of the vectors for collection_search_options::weights, {1 - weight, weight}, by
/// pseudo-queries (eval/pseudo_queries.hpp): pieces are cut out of a sample of the documents, the rest
/// is indexed in memory, and each piece should find its document. The measure is nDCG@10 of documents,
/// each by its best passage.
///
/// This stands in for queries of people and does not replace them: a piece of a document shares more
/// words with it than a question does, so that vectors which find paraphrases are worth more than it
/// says. docs/tuning.md tells how it did on eight collections, and what judged queries beside it change.
/// @param fit  Learns the embedder anew from what is left of the documents. An embedder that was
/// learnt from this collection (latent semantic analysis) must be given so: it has read every piece
/// in its document, and would find it there.
/// @throws trawl::error (invalid_argument) if the space has no embedder, or there are fewer than two
/// queries; (unknown_id) for a space that the collection does not have, or a judged key that it does
/// not hold; what the embedder throws.
/// @par Complexity  rounds times indexing and embedding the sample, and one search for each query. The
/// same collection, options and embedder give the same choice.
[[nodiscard]] weight_choice tune(
    collection_view const& of, collection_tune_options const& options = {});
[[nodiscard]] weight_choice tune(
    collection_view const& of, fit_embedder fit, collection_tune_options const& options = {});

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/collection/detail/tuning_inl.hpp>
#endif
