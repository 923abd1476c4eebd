// SPDX-License-Identifier: MIT
#pragma once

/// What a collection is made of.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <trawl/collection/metadata.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/embed/any_embedder.hpp>
#include <trawl/lexical/bm25.hpp>
#include <trawl/text/analyzers/any_analyzer.hpp>
#include <trawl/text/passages/chunker.hpp>

TRAWL_BEGIN_NAMESPACE

/// Vectors of passages that are compared with each other: those of one model.
struct vector_space {
    std::string name = "vector"; ///< unlike the others', 1 to 255 bytes
    std::size_t dim = 0;         ///< 0: that of the embedder
    trawl::metric metric = trawl::metric::cosine;
    /// Embeds the passages of documents that come without a vector, and queries. None: every document
    /// and query brings its own, or has no part in this space.
    any_embedder embedder = {};
};

/// How a collection is opened. Of a collection that exists, what is empty here is as it was stored,
/// and what is not must agree with it.
struct collection_options {
    /// Metadata. A collection that exists takes further fields; none can be taken away.
    std::vector<metadata_field> fields = {};
    /// The text fields, ranked by BM25F; empty: title, of weight 2, and text. The field "text" is the
    /// one that is cut into passages.
    std::vector<bm25_field> texts = {};
    std::vector<vector_space> vectors = {};
    any_analyzer analyzer = {}; ///< must split texts as it did when the collection was made
    bm25 parameters = {};
    bool positions = true; ///< keep the positions of words, for phrases
    bool surfaces = true;  ///< as index_options::surfaces
    /// How documents are cut into passages. Nothing: each is one passage.
    std::optional<chunk_options> chunks = chunk_options{};
    /// Opens a collection that exists, for searches and refresh() only, beside a writer.
    bool read_only = false;
    /// Whether commit() merges small segments. False: maintain() does, when it is called.
    bool merge_on_commit = true;
    /// Whose threads analyse texts and merge segments; null: the calling thread alone. Must outlive
    /// the collection.
    executor const* pool = nullptr;
};

TRAWL_END_NAMESPACE
