// SPDX-License-Identifier: MIT
#pragma once

/// The words of the library: documents, hits, rankings, questions and tokens.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/core/matrix_view.hpp>

TRAWL_BEGIN_NAMESPACE

/// A document, in the one id space that all arms of a search share.
using doc_id = std::uint32_t;

/// Never a document.
inline constexpr doc_id no_doc = 0xFFFFFFFFu;

/// A document and its score. Higher is better, always: a distance becomes its negative.
struct hit {
    doc_id id = no_doc;
    float score = 0;
    friend bool operator==(hit const&, hit const&) = default;
};

/// Hits, best first. Scores never rise along it.
using ranking = std::vector<hit>;

/// The order of retrievers and fusion rules: score descending, then id ascending.
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

/// What the caller asks. Views only: a parameter, never stored. A part that is absent is empty.
struct query {
    std::string_view text = {};
    std::span<float const> vector = {};
    std::span<weighted_term const> terms = {};   ///< analysed already; replaces text
    matrix_view<float const> token_vectors = {}; ///< late interaction
};

/// One token of a text. The term lives during the call that hands the token over.
struct token {
    std::string_view term = {};
    std::uint32_t position = 0; ///< never falls from token to token
    std::uint32_t begin = 0;    ///< byte offset of the first byte in the text
    std::uint32_t end = 0;      ///< byte offset past the last byte in the text
};

using token_sink = function_ref<void(token const&)>;

/// What a text is to an embedder: some models treat the two differently.
enum class text_role : unsigned char { query, passage };

/// A document on its way to a reranker: its id, the score of the stage before, its text.
struct candidate {
    doc_id id = no_doc;
    float score = 0;
    std::string_view text = {};
};

TRAWL_END_NAMESPACE
