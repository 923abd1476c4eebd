// SPDX-License-Identifier: MIT
#pragma once

/// What a search of a collection is asked, and what it gives.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/collection/condition.hpp>
#include <trawl/collection/document.hpp>
#include <trawl/collection/facets.hpp>
#include <trawl/collection/metadata.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/lexical/query_syntax.hpp>
#include <trawl/pipeline/report.hpp>
#include <trawl/text/passages/passage_finder.hpp>

TRAWL_BEGIN_NAMESPACE

/// How the rankings of words and vectors become one.
enum class collection_fusion : unsigned char {
    weighted_sum, ///< of min-max normalised scores; the scores that an arm lacks are completed
    rrf,          ///< reciprocal ranks, k = 60
};

/// The order of hits by a metadata field instead of by score.
struct field_order {
    std::string field;
    bool descending = false;
};

struct collection_search_options {
    std::size_t k = 10;
    condition where = {};       ///< what must be true of a hit's metadata
    std::size_t per_parent = 0; ///< at most so many passages of a parent; 0: any number
    /// The query's vector in the first vector space, instead of the embedded text.
    std::span<float const> vector = {};
    std::vector<named_vector> vectors = {}; ///< in the other spaces
    collection_fusion fusion = collection_fusion::weighted_sum;
    /// Of the words and of each vector space, in this order; empty: 1 each. 0 leaves an arm out.
    std::vector<double> weights = {};
    /// How many hits each arm is asked for. With several arms, k beyond it may give fewer hits.
    std::size_t window = 50;
    /// Compare every eligible vector, not only those whose codes are near: misses none. Few eligible
    /// vectors always are compared, as flat_segments says.
    bool exact = false;
    syntax_mode syntax = syntax_mode::lenient;
    trawl::statistics statistics = trawl::statistics::whole; ///< a view's are its own, always
    /// Sorts by a field, without scores: the documents that match the words, or all if there are
    /// none; of a document the first passage that matches.
    std::optional<field_order> sort = {};
    /// Continues a search behind the hits that gave this: collection_result::cursor.
    std::string cursor = {};
    bool count = false;                   ///< fill collection_result::matches
    std::vector<std::string> facets = {}; ///< fields whose values are counted
    std::size_t facet_values = 10;        ///< at most so many of each
    bool suggest = false;                 ///< fill collection_result::did_you_mean
    highlight_options highlight = {};
    bool (*stop)(void*) = nullptr; ///< as in search_options
    void* stop_context = nullptr;
    trawl::executor const* executor = nullptr;
};

/// The score of a hit in one arm; no score: the arm does not have it.
struct arm_score {
    std::string arm; ///< "words", or the name of the vector space
    std::optional<float> score = {};
};

/// A passage that was found.
struct collection_hit {
    doc_id id = no_doc; ///< of the passage, until the document is replaced
    float score = 0;
    std::string key = {}; ///< of the passage: that of its document, with "#2" where it has several
    std::string document = {}; ///< the key of its document
    std::string parent = {};   ///< what the document is a part of: its own key unless given
    std::string title = {};
    std::string text = {};    ///< the passage
    std::string snippet = {}; ///< the best part of it, the query's words marked
    trawl::metadata metadata = {};
    std::vector<arm_score> arms = {};
};

struct facet {
    std::string field;
    std::vector<facet_count> values = {}; ///< most documents first, then by value
    std::size_t others = 0;               ///< how many values more there are
};

struct collection_result {
    std::vector<collection_hit> hits = {};
    /// If asked for: how many documents have a passage that matches the words of the query (any, if
    /// it has none), its conditions and the filter.
    std::optional<std::size_t> matches = {};
    std::vector<facet> facets = {}; ///< over the documents that `matches` counts
    std::string cursor = {};        ///< for the hits that follow; empty: there are none
    /// The query with misspelt words corrected, if asked for and different.
    std::optional<std::string> did_you_mean = {};
    bool partial = false; ///< the search was cut short by `stop`

    [[nodiscard]] auto begin() const noexcept { return hits.begin(); }
    [[nodiscard]] auto end() const noexcept { return hits.end(); }
    [[nodiscard]] std::size_t size() const noexcept { return hits.size(); }
    [[nodiscard]] bool empty() const noexcept { return hits.empty(); }
};

TRAWL_END_NAMESPACE
