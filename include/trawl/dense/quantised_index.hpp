// SPDX-License-Identifier: MIT
#pragma once

/// Vector search over short codes: the codes of all documents are scanned, the most promising
/// documents are scored exactly.

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
#include <trawl/dense/detail/quantised_engine.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/dense/vector_code.hpp>

TRAWL_BEGIN_NAMESPACE

namespace detail {
template <class Index>
struct stored; // storage/open.hpp
} // namespace detail

/// An index of vectors that are scanned as codes: `int8_index` reads a quarter of what flat_index
/// reads, `one_bit_index` a 32nd. The `candidates` documents of the best estimates, then lowest
/// ids, are scored exactly. So the scores are those of flat_index, but a document may be missed;
/// recall() tells how many are. Where k is above `candidates`, the others follow in the order of
/// their estimates, each one float step below the one before. The same calls give the same result
/// on every machine, at any batch size and with any number of threads.
///
/// Codes hold differences from a centre, which is the mean of the first 256 vectors; until there
/// are so many, every search is exact. train() and compact() learn the centre anew. Memory: the
/// codes, 8 bytes a document, and what flat_index takes, or 12 bytes a document without the floats.
///
/// Const members may run from any number of threads at once. A member that changes the index must
/// run alone: beside no other change and no search. A member that throws has changed nothing.
/// @tparam Code int8_code or one_bit_code.
template <class Code>
class quantised_index {
public:
    /// @param dim  Values of each vector, > 0.
    /// @throws trawl::error (invalid_argument) if dim is 0, if prefix is above dim, if more than
    /// 133,144 dimensions (int8) or 34,087,042 (one bit) are to be coded, or as flat_index.
    explicit quantised_index(std::size_t dim, quantised_options options = {})
        : engine_(Code::kind, Code::name, Code::candidates, dim, options) {}

    /// Adds a vector [dim] under the next id, which it returns. Errors as for add(id, vector).
    doc_id add(std::span<float const> vector) { return add(next_id(), vector); }

    /// Adds a vector [dim] under a given id, which it returns.
    /// @throws trawl::error (id_order) if id < next_id(); (invalid_argument) if id is no_doc, or if
    /// the length of the vector is above 2^60 or, unless it is 0, below 2^-30;
    /// (dimension_mismatch); (not_finite); (corrupt) for the 256th vector, as train().
    doc_id add(doc_id id, std::span<float const> vector) {
        return engine_.add(id, {vector.data(), 1, vector.size()}, "add", nullptr);
    }

    /// Adds the rows of a matrix [n x dim] under the next n ids, all or none, and returns the first
    /// of these ids. Errors as for add(id, vector); they name the row.
    /// @param pool  Runs the coding; null: the calling thread.
    doc_id add_all(matrix_view<float const> vectors, executor const* pool = nullptr) {
        return engine_.add(next_id(), vectors, "add_all", pool);
    }

    /// Replaces the vector of a document. Returns false, and changes nothing, if there is no such
    /// document.
    /// @throws trawl::error as add, for the vector.
    bool update(doc_id id, std::span<float const> vector) { return engine_.update(id, vector); }

    /// Removes a document. Its id is never used again; its memory is in use until compact().
    /// Returns false if there is no such document.
    bool erase(doc_id id) noexcept { return engine_.erase(id); }

    /// Gives back the memory of erased documents, after train() if the vectors are kept. Ids and
    /// exact scores stay. Errors as for train(), if the vectors are kept.
    void compact(executor const* pool = nullptr) { engine_.compact(pool); }

    /// Learns the centre of the codes anew, from all live documents, and codes them again: worth it
    /// when the documents no longer resemble the first 256. Does nothing while searches are still
    /// exact.
    /// @throws trawl::error (invalid_argument) if the vectors are not kept; (corrupt) if the index was
    /// opened from a damaged file and a vector is one that add refuses.
    /// @par Complexity O(size() * dim).
    void train(executor const* pool = nullptr) { engine_.train(pool); }

    [[nodiscard]] bool contains(doc_id id) const noexcept {
        return engine_.table().documents().find(id) != detail::vector_table::no_row;
    }
    /// The number of live documents.
    [[nodiscard]] std::size_t size() const noexcept { return engine_.table().documents().live(); }
    [[nodiscard]] doc_id next_id() const noexcept { return engine_.table().documents().next_id(); }
    [[nodiscard]] std::size_t dim() const noexcept { return engine_.table().dim(); }
    [[nodiscard]] trawl::metric metric() const noexcept { return engine_.table().how(); }
    [[nodiscard]] quantised_options const& options() const noexcept { return engine_.options(); }

    /// Sets how many documents are scored exactly. @throws trawl::error (invalid_argument) if 0.
    void set_candidates(std::size_t documents) { engine_.set_candidates(documents); }

    /// The exact index of the same vectors.
    /// @throws trawl::error (invalid_argument) if they are not kept.
    [[nodiscard]] flat_index const& exact() const { return engine_.exact(); }

    /// Copies the vector of a document to out [dim]. Returns false, and zeroes out, if there is no
    /// such document. Errors as exact() and flat_index::copy_vector.
    bool copy_vector(doc_id id, std::span<float> out) const { return exact().copy_vector(id, out); }

    /// The k documents inside the filter that score best, of those that are found. Empty for a
    /// query without a vector. Errors as for flat_index; (invalid_argument) for a query of a length
    /// that add refuses.
    [[nodiscard]] ranking search(query const& q, search_options const& options = {}) const {
        return std::move(engine_.search(std::span(&q, 1), options).front());
    }

    [[nodiscard]] ranking search(
        std::span<float const> vector, std::size_t k, filter where = {}) const {
        return engine_.search(vector, k, std::move(where));
    }

    /// One ranking for each query, as search gives for the query alone.
    [[nodiscard]] std::vector<ranking> search(
        std::span<query const> queries, search_options const& options = {}) const {
        return engine_.search(queries, options);
    }

    /// The same for queries that are the rows of a matrix [n x dim].
    [[nodiscard]] std::vector<ranking> search(
        matrix_view<float const> queries, search_options const& options = {}) const {
        return engine_.search(queries, options);
    }

    /// The score of each of the given documents that is in the index and inside the filter, in the
    /// order given. Empty for a query without a vector.
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options = {}) const {
        return engine_.score(q, ids, options);
    }

    /// How a document gets its score; a leaf of value 0 if search never returns the document.
    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options = {}) const {
        return engine_.explain(q, id, options);
    }

    /// The share of the k best documents of each query [n x dim], as an exact search finds them,
    /// that this index finds too: the mean over the queries. Takes as long as the exact searches.
    /// Errors as exact() and search.
    [[nodiscard]] double recall(matrix_view<float const> queries, std::size_t k) const {
        return engine_.recall(queries, k);
    }

private:
    template <class Index>
    friend struct detail::stored;

    detail::quantised_engine engine_;
};

using int8_index = quantised_index<int8_code>;
using one_bit_index = quantised_index<one_bit_code>;

TRAWL_END_NAMESPACE
