// SPDX-License-Identifier: MIT
#pragma once

/// Late interaction as a retriever: documents of many vectors, each compared with all vectors of the
/// query.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/filter.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/document_table.hpp>
#include <trawl/detail/aligned_bytes.hpp>

TRAWL_BEGIN_NAMESPACE

namespace detail {
struct kernels;
class token_scan;
} // namespace detail

/// An exact index of documents that are token vectors. score(d) = the sum, over the tokens of the
/// query, of the largest dot product with a token of d. The bits are those of the reranker maxsim:
/// products have 16 lanes; they are added in double, first token to last, and rounded to float
/// once. Products are cosines if the vectors are of unit length. Every live document matches a query
/// with token vectors; a query without any finds nothing.
///
/// A search compares all tokens: use it for thousands of documents, not millions; for more, rerank
/// with maxsim(index). Memory: 4 * dim bytes a token, 20 a document.
///
/// Const members may run from any number of threads at once. A member that changes the index must
/// run alone: beside no other change and no search. A member that throws has changed nothing.
/// @par Source Khattab, Zaharia, "ColBERT: efficient and effective passage search via
/// contextualized late interaction over BERT", SIGIR 2020.
class maxsim_index {
public:
    /// @param dim  Values of each token's vector, > 0.
    /// @throws trawl::error (invalid_argument) if dim is 0, or as flat_index.
    explicit maxsim_index(std::size_t dim);

    /// Adds a document under the next id, which it returns. Errors as for add(id, tokens).
    doc_id add(matrix_view<float const> tokens) { return add(next_id(), tokens); }

    /// Adds the token vectors [tokens x dim] of a document under a given id, which it returns.
    /// @throws trawl::error (id_order) if id < next_id(); (invalid_argument) if id is no_doc, if
    /// there are no tokens, or if one is longer than 2^60; (dimension_mismatch); (not_finite).
    doc_id add(doc_id id, matrix_view<float const> tokens);

    /// Adds documents under the next ids, all or none, and returns the first of these ids. Errors
    /// as for add(id, tokens).
    doc_id add_all(
        std::span<matrix_view<float const> const> documents, executor const* pool = nullptr);

    /// Replaces the token vectors of a document. Returns false, and changes nothing, if there is no
    /// such document.
    /// @throws trawl::error as add, for the tokens.
    bool update(doc_id id, matrix_view<float const> tokens);

    /// Removes a document. Its id is never used again; its memory is in use until compact().
    /// Returns false if there is no such document.
    bool erase(doc_id id) noexcept;

    /// Gives back the memory of erased documents and of the old vectors of updated ones.
    void compact(executor const* pool = nullptr);

    [[nodiscard]] bool contains(doc_id id) const noexcept {
        return documents_.find(id) != detail::document_table::no_row;
    }
    /// The number of live documents.
    [[nodiscard]] std::size_t size() const noexcept { return documents_.live(); }
    [[nodiscard]] doc_id next_id() const noexcept { return documents_.next_id(); }
    [[nodiscard]] std::size_t dim() const noexcept { return dim_; }

    /// The token vectors of a document [tokens x dim], valid until the next change; no rows if there
    /// is no such document. So the index is a token_vector_source for the reranker.
    [[nodiscard]] matrix_view<float const> operator()(doc_id id) const noexcept;

    /// The k documents inside the filter that score best for the query's token vectors, by score
    /// descending, then id ascending.
    /// @throws trawl::error (dimension_mismatch), (not_finite) for the query's token vectors;
    /// (invalid_argument) if one is longer than 2^60.
    /// @par Complexity O(tokens of the query * tokens of the eligible documents * dim).
    [[nodiscard]] ranking search(query const& q, search_options const& options = {}) const;
    [[nodiscard]] ranking search(
        matrix_view<float const> tokens, std::size_t k, filter where = {}) const {
        return search(query{.token_vectors = tokens}, {.k = k, .where = std::move(where)});
    }

    /// One ranking for each query, as search gives for the query alone.
    [[nodiscard]] std::vector<ranking> search(
        std::span<query const> queries, search_options const& options = {}) const;

    /// The score of each of the given documents that is in the index and inside the filter, in the
    /// order given, with the bits that search gives. Errors as for search.
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options = {}) const;

    /// Which token of the document answers which token of the query; a leaf of value 0 if search
    /// never returns the document. Errors as for search.
    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options = {}) const;

private:
    friend class detail::token_scan;

    // Where the tokens of a row are.
    struct tokens_of_row {
        std::size_t first = 0;
        std::size_t count = 0;
    };

    void check(char const* what, matrix_view<float const> tokens) const;
    void check_document(char const* what, matrix_view<float const> tokens) const;
    tokens_of_row store(float const* values, std::size_t rows) noexcept;
    [[nodiscard]] float const* token(std::size_t number) const noexcept {
        return reinterpret_cast<float const*>(values_.data()) + number * dim_;
    }

    std::size_t dim_;
    detail::kernels const* kernels_;
    detail::document_table documents_ = {};
    std::vector<tokens_of_row> tokens_ = {}; // one a row
    detail::aligned_bytes values_ = {};      // of all tokens
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/dense/detail/maxsim_index_inl.hpp>
#endif
