// SPDX-License-Identifier: MIT
#pragma once

/// Vector search that compares the query with every vector: exact, without training or tuning.

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/filter.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/flat_search.hpp>
#include <trawl/dense/detail/vector_table.hpp>
#include <trawl/dense/element.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/detail/owner.hpp>

TRAWL_BEGIN_NAMESPACE

namespace detail {
struct table_access;
} // namespace detail

/// An exact index of dense vectors. Every live document that has a vector matches; a document
/// without one is a gap in the ids. The bits of a score depend only on query, vector and metric:
/// not on k, filter, batch, threads, instruction set or compiler flags. (A machine without FMA
/// rounds differently, and so does a host that flushes subnormal numbers to zero:
/// docs/vectors.md.)
///
/// Memory: 4 * dim + 12 bytes for each document, or 2 * dim + 12 where Element is bfloat16 or
/// float16; scores are then those of the rounded values.
///
/// Const members may run from any number of threads at once. A member that changes the index must
/// run alone: beside no other change and no search. A member that throws has changed nothing.
/// @tparam Element float, bfloat16 or float16.
template <vector_element Element>
class basic_flat_index {
public:
    /// @param dim  Values of each vector, > 0.
    /// @throws trawl::error (invalid_argument) if dim is 0, or if TRAWL_FORCE_ISA in the
    /// environment names a level that is unknown or that this machine lacks.
    explicit basic_flat_index(std::size_t dim, trawl::metric how = trawl::metric::cosine)
        : table_("flat_index", how, dim, detail::type_of<Element>) {}

    /// An index over the rows of a matrix [n x dim], as documents 0 to n - 1. The rows stay where
    /// they are: the caller keeps them alive and unchanged, or hands over their owner. Rows added
    /// later are copied; search and erase leave borrowed rows alone; the first update or compact
    /// copies all of them.
    /// @param owner  Any copyable value that keeps the rows alive, such as a std::shared_ptr.
    /// @throws trawl::error (not_finite), naming the row; (invalid_argument) if cols is 0.
    /// @par Complexity O(n * dim), to measure the lengths.
    template <class Owner = detail::nobody>
    [[nodiscard]] static basic_flat_index over(matrix_view<Element const> rows,
        trawl::metric how = trawl::metric::cosine, Owner owner = {}) {
        basic_flat_index index(rows.cols, how);
        index.table_.borrow(rows.data, rows.rows, detail::owner::of(std::move(owner)));
        return index;
    }

    /// Adds a vector [dim] under the next id, which it returns. Errors as for add(id, vector).
    doc_id add(std::span<float const> vector) { return add(next_id(), vector); }

    /// Adds a vector [dim] under a given id, which it returns. Amortised O(dim).
    /// @throws trawl::error (id_order) if id < next_id(); (invalid_argument) if id is no_doc, or if
    /// a value is too large for Element; (dimension_mismatch); (not_finite).
    doc_id add(doc_id id, std::span<float const> vector) {
        return detail::add_vector(table_, id, vector);
    }

    /// Adds the rows of a matrix [n x dim] under the next n ids, all or none, and returns the first
    /// of these ids. Errors as for add(id, vector); they name the row.
    /// @param pool  Runs the measuring of lengths; null: the calling thread.
    doc_id add_all(matrix_view<float const> vectors, executor const* pool = nullptr) {
        return detail::add_vectors(table_, next_id(), vectors, pool);
    }

    /// Replaces the vector of a document. Returns false, and changes nothing, if there is no such
    /// document.
    /// @throws trawl::error (dimension_mismatch); (not_finite); (invalid_argument) as add.
    bool update(doc_id id, std::span<float const> vector) {
        return detail::update_vector(table_, id, vector);
    }

    /// Removes a document. Its id is never used again; its memory is in use until compact().
    /// Returns false if there is no such document.
    bool erase(doc_id id) noexcept { return detail::erase_vector(table_, id); }

    /// Gives back the memory of erased documents. Ids and scores stay. O(size() * dim).
    /// @param pool  Not used: rows are moved in place, one after the other. It is there so that all
    /// indexes have the same call.
    void compact([[maybe_unused]] executor const* pool = nullptr) {
        detail::compact_vectors(table_);
    }

    [[nodiscard]] bool contains(doc_id id) const noexcept {
        return table_.documents().find(id) != detail::vector_table::no_row;
    }
    /// The number of live documents.
    [[nodiscard]] std::size_t size() const noexcept { return table_.documents().live(); }
    [[nodiscard]] doc_id next_id() const noexcept { return table_.documents().next_id(); }
    [[nodiscard]] std::size_t dim() const noexcept { return table_.dim(); }
    [[nodiscard]] trawl::metric metric() const noexcept { return table_.how(); }

    /// Copies the vector of a document, as the index stores it, to out [dim]. Returns false, and
    /// zeroes out, if there is no such document.
    /// @throws trawl::error (dimension_mismatch) if out.size() != dim(); (corrupt) if the index was
    /// opened from a damaged file and the vector is not finite.
    bool copy_vector(doc_id id, std::span<float> out) const {
        return detail::copy_vector(table_, id, out);
    }

    /// The k documents inside the filter that score best, by score descending, then id ascending.
    /// Empty for a query without a vector.
    /// @throws trawl::error (dimension_mismatch), (not_finite) for the query's vector.
    /// @par Complexity O(dim) for each eligible document; O(k) memory.
    [[nodiscard]] ranking search(query const& q, search_options const& options = {}) const {
        return std::move(detail::search_vectors(table_, std::span(&q, 1), options).front());
    }

    [[nodiscard]] ranking search(
        std::span<float const> vector, std::size_t k, filter where = {}) const {
        return detail::search_vectors(table_, vector, k, std::move(where));
    }

    /// One ranking for each query, with the bits that search gives for the query alone. Vectors are
    /// read from memory once for all queries. Errors as for one query; they name the query.
    [[nodiscard]] std::vector<ranking> search(
        std::span<query const> queries, search_options const& options = {}) const {
        return detail::search_vectors(table_, queries, options);
    }

    /// The same for queries that are the rows of a matrix [n x dim].
    [[nodiscard]] std::vector<ranking> search(
        matrix_view<float const> queries, search_options const& options = {}) const {
        return detail::search_vectors(table_, queries, options);
    }

    /// Every document inside the filter whose score is at least `least`, with the order and the
    /// scores of search; options.k is ignored.
    /// @throws trawl::error as search; (not_finite) if least is NaN or infinite.
    [[nodiscard]] ranking search_above(
        query const& q, float least, search_options const& options = {}) const {
        return detail::vectors_above(table_, q, least, options);
    }

    /// The score of each of the given documents that is in the index and inside the filter, in the
    /// order given, with the bits that search gives. Empty for a query without a vector. Errors as
    /// for search.
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options = {}) const {
        return detail::score_vectors(table_, q, ids, options);
    }

    /// Why a document has the score that search gives it; a leaf of value 0 if search never returns
    /// the document. Errors as for search.
    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options = {}) const {
        return detail::explain_vector(table_, q, id, options);
    }

    /// Sentences about what may be surprising in this query's scores, such as a zero vector;
    /// usually none.
    [[nodiscard]] std::vector<std::string> warnings(query const& q) const {
        return detail::warnings_of(table_, q);
    }

private:
    friend struct detail::table_access;

    detail::vector_table table_;
};

/// The exact index of float vectors.
using flat_index = basic_flat_index<float>;
/// Half the memory, and half the time of one query; exact for the vectors as they were rounded.
using bfloat16_index = basic_flat_index<bfloat16>;
using float16_index = basic_flat_index<float16>;

namespace detail {

/// The table inside a flat index, for the indexes that keep one and for the readers of files.
struct table_access {
    template <class Element>
    [[nodiscard]] static vector_table& of(basic_flat_index<Element>& index) noexcept {
        return index.table_;
    }
    template <class Element>
    [[nodiscard]] static vector_table const& of(basic_flat_index<Element> const& index) noexcept {
        return index.table_;
    }
};

} // namespace detail
TRAWL_END_NAMESPACE
