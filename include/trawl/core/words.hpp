// SPDX-License-Identifier: MIT
#pragma once

/// The basic types: documents, hits, rankings, queries and tokens.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/core/matrix_view.hpp>

TRAWL_BEGIN_NAMESPACE

/// A document. All arms of a search share one id space.
using doc_id = std::uint32_t;

/// Never a document.
inline constexpr doc_id no_doc = 0xFFFFFFFFu;

/// A document and its score. A higher score is always better: a distance becomes its negative.
struct hit {
    doc_id id = no_doc;
    float score = 0;
    friend bool operator==(hit const&, hit const&) = default;
};

/// Hits, best first: scores never rise from one hit to the next.
using ranking = std::vector<hit>;

/// The order in which retrievers and fusion rules return hits: score descending, then id ascending.
struct by_rank {
    [[nodiscard]] bool operator()(hit const& a, hit const& b) const noexcept {
        return a.score != b.score ? a.score > b.score : a.id < b.id;
    }
};

/// An analysed term and how much it counts.
struct weighted_term {
    std::string_view term = {};
    double weight = 1;
};

/// A query. Holds views only, so it is passed to a search and never stored. A member that the caller
/// does not set is empty.
struct query {
    std::string_view text = {};
    std::span<float const> vector = {};
    std::span<weighted_term const> terms = {};   ///< already analysed; used instead of text
    matrix_view<float const> token_vectors = {}; ///< [tokens x dim], for late interaction
};

/// One token of a text. The term is valid only during the call that receives the token.
struct token {
    std::string_view term = {};
    std::uint32_t position = 0; ///< never falls from token to token
    std::uint32_t begin = 0;    ///< byte offset of the first byte in the text
    std::uint32_t end = 0;      ///< byte offset past the last byte in the text
};

using token_sink = function_ref<void(token const&)>;

/// What a text is to an embedder. Some models treat queries and passages differently.
enum class text_role : unsigned char { query, passage };

/// A document as a reranker sees it: its id, the score of the stage before, and its text.
struct candidate {
    doc_id id = no_doc;
    float score = 0;
    std::string_view text = {};
};

TRAWL_END_NAMESPACE
