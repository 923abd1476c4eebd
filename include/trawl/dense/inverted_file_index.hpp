// SPDX-License-Identifier: MIT
#pragma once

/// Vector search for millions of vectors: k-means divides them into lists, a query reads the codes
/// of the nearest lists, and the most promising vectors are scored exactly.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/filter.hpp>
#include <trawl/core/matrix.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/inverted_lists.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/dense/metric.hpp>

TRAWL_BEGIN_NAMESPACE

namespace detail {
struct inverted_file_storage; // detail/storage_inl.hpp
} // namespace detail

struct inverted_file_options {
    trawl::metric metric = trawl::metric::cosine;
    std::size_t probes = 16;      ///< lists that a query reads, > 0
    std::size_t candidates = 100; ///< scored exactly, whatever k is, > 0
    std::uint64_t seed = 1;       ///< of k-means and of the codes' rotation
    /// Of the `probes` nearest lists, a query reads those whose means score at most this much less
    /// than the nearest mean, >= 0. A mean's score is minus half its squared distance from the
    /// query (both of length 1 under cosine), or its dot product where that is the metric. The
    /// default admits all of them.
    double margin = 1.7976931348623157e308;
};

/// An index of vectors in lists, each of vectors that lie near each other. Within a list, vectors
/// are coded with one bit a dimension, as differences from the list's mean. A query reads the
/// `probes` lists nearest to it that hold documents, or the fewer within `margin`, and further ones
/// until they held `candidates` documents that the filter admits. The `candidates` documents of the
/// best estimates, then lowest ids, are scored exactly. So the scores are those of flat_index and a
/// filter never costs hits, but a document may be missed; recall() tells how many are. Where k is
/// above `candidates`, the others follow in the order of their estimates, then further lists one
/// after the other, each document one float step below the one before.
///
/// Until train(), every search is exact. Documents that are added, updated and erased later go into
/// and out of the lists that there are; train() again when the documents no longer resemble those
/// that the lists were made of. The same calls give the same result on every machine and with any
/// number of threads. Memory: what flat_index takes, dim / 8 + 20 bytes a document, and the means.
///
/// Const members may run from any number of threads at once. A member that changes the index must
/// run alone: beside no other change and no search. A member that throws has changed nothing.
/// @par Source Jégou, Douze, Schmid, "Product quantization for nearest neighbor search", TPAMI
/// 2011, IVFADC; codes as one_bit_index.
class inverted_file_index {
public:
    /// @throws trawl::error (invalid_argument) if dim, probes or candidates is 0, if margin is below
    /// 0, infinite or NaN, or as flat_index.
    explicit inverted_file_index(std::size_t dim, inverted_file_options options = {});

    /// Divides the vectors into lists and codes them. The same documents give the same lists with
    /// any number of threads.
    /// @param lists  How many; 0: the square root of the number of documents. No more than there
    /// are documents.
    /// @throws trawl::error (corrupt) if the index was opened from a damaged file and a vector is one
    /// that add refuses.
    /// @par Complexity O(size() * lists * dim).
    void train(std::size_t lists = 0, executor const* pool = nullptr);

    /// Whether train() has made lists.
    [[nodiscard]] bool trained() const noexcept { return lists() > 0; }
    [[nodiscard]] std::size_t lists() const noexcept { return lists_.size(); }
    [[nodiscard]] inverted_file_options const& options() const noexcept { return options_; }

    /// Sets how many lists a query reads at most. @throws trawl::error (invalid_argument) if 0.
    void set_probes(std::size_t lists);

    /// Sets how much less than the nearest list a list may score. @throws trawl::error
    /// (invalid_argument) if below 0, infinite or NaN.
    void set_margin(double score);

    /// Sets how many documents are scored exactly. @throws trawl::error (invalid_argument) if 0.
    void set_candidates(std::size_t documents);

    /// Adds a vector [dim] under the next id, which it returns. Errors as for add(id, vector).
    doc_id add(std::span<float const> vector) { return add(next_id(), vector); }

    /// Adds a vector [dim] under a given id, which it returns. O(lists * dim) once there are lists.
    /// @throws trawl::error (id_order) if id < next_id(); (invalid_argument) if id is no_doc, or if
    /// the length of the vector is above 2^60 or, unless it is 0, below 2^-30;
    /// (dimension_mismatch); (not_finite).
    doc_id add(doc_id id, std::span<float const> vector);

    /// Adds the rows of a matrix [n x dim] under the next n ids, all or none, and returns the first
    /// of these ids. Errors as for add(id, vector); they name the row.
    /// @param pool  Runs the search for the nearest lists; null: the calling thread.
    doc_id add_all(matrix_view<float const> vectors, executor const* pool = nullptr);

    /// Replaces the vector of a document. Returns false, and changes nothing, if there is no such
    /// document.
    /// @throws trawl::error as add, for the vector.
    bool update(doc_id id, std::span<float const> vector);

    /// Removes a document. Its id is never used again; its memory is in use until compact().
    /// Returns false if there is no such document.
    bool erase(doc_id id) noexcept;

    /// Gives back the memory of erased documents and of the old codes of updated ones, and drops
    /// lists that have become empty. Ids and scores stay.
    void compact(executor const* pool = nullptr);

    [[nodiscard]] bool contains(doc_id id) const noexcept { return full_.contains(id); }
    /// The number of live documents.
    [[nodiscard]] std::size_t size() const noexcept { return full_.size(); }
    [[nodiscard]] doc_id next_id() const noexcept { return full_.next_id(); }
    [[nodiscard]] std::size_t dim() const noexcept { return full_.dim(); }
    [[nodiscard]] trawl::metric metric() const noexcept { return full_.metric(); }

    /// The exact index of the same vectors.
    [[nodiscard]] flat_index const& exact() const noexcept { return full_; }

    /// Copies the vector of a document to out [dim]. Returns false, and zeroes out, if there is no
    /// such document. Errors as flat_index::copy_vector.
    bool copy_vector(doc_id id, std::span<float> out) const { return full_.copy_vector(id, out); }

    /// The k documents inside the filter that score best, of those in the lists read. Empty for a
    /// query without a vector. Errors as for flat_index; (invalid_argument) for a query of a length
    /// that add refuses.
    [[nodiscard]] ranking search(query const& q, search_options const& options = {}) const;
    [[nodiscard]] ranking search(
        std::span<float const> vector, std::size_t k, filter where = {}) const;

    /// One ranking for each query, as search gives for the query alone; the executor runs several
    /// queries at once.
    [[nodiscard]] std::vector<ranking> search(
        std::span<query const> queries, search_options const& options = {}) const;

    /// The same for queries that are the rows of a matrix [n x dim].
    [[nodiscard]] std::vector<ranking> search(
        matrix_view<float const> queries, search_options const& options = {}) const;

    /// The score of each of the given documents that is in the index and inside the filter, in the
    /// order given. Empty for a query without a vector.
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options = {}) const {
        return full_.score(q, ids, options);
    }

    /// How a document gets its score; a leaf of value 0 if search never returns the document.
    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options = {}) const {
        return full_.explain(q, id, options);
    }

    /// The share of the k best documents of each query [n x dim], as an exact search finds them,
    /// that this index finds too: the mean over the queries. Takes as long as the exact searches.
    /// Errors as search.
    [[nodiscard]] double recall(matrix_view<float const> queries, std::size_t k) const;

private:
    friend struct detail::inverted_file_storage;

    [[nodiscard]] detail::vector_table& table() noexcept { return detail::table_access::of(full_); }
    [[nodiscard]] detail::vector_table const& table() const noexcept {
        return detail::table_access::of(full_);
    }
    void set_options(inverted_file_options const& options);
    [[nodiscard]] bool is_compact() const noexcept;
    void check(char const* caller, char const* what, std::span<float const> vector,
        std::size_t number = detail::vector_table::no_row) const;
    [[nodiscard]] matrix<float> lifted(detail::vector_encoder const& encoder, std::size_t count,
        function_ref<detail::measured_vector(std::size_t)> vector) const;
    [[nodiscard]] std::vector<std::uint32_t> nearest_lists(detail::vector_encoder const& encoder,
        detail::cluster_means const& means, std::size_t count,
        function_ref<detail::measured_vector(std::size_t)> vector, executor const* pool) const;
    void append(doc_id first, matrix_view<float const> vectors, executor const* pool);
    [[nodiscard]] ranking probed(
        std::span<float const> vector, search_options const& options) const;

    inverted_file_options options_;
    flat_index full_;
    detail::inverted_lists lists_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/dense/detail/inverted_file_index_inl.hpp>
#endif
