// SPDX-License-Identifier: MIT
#pragma once

/// Vector search by comparing the query with every vector: exact, nothing to train, nothing to
/// tune.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/placed.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/top_k.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/row_scan.hpp>
#include <trawl/dense/detail/similarity.hpp>
#include <trawl/dense/detail/vector_store.hpp>
#include <trawl/dense/element.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

namespace detail {
template <class Index>
struct stored; // storage/open.hpp
} // namespace detail

class inverted_file_index;

/// An exact index of dense vectors. Every live document with a vector matches; a document without
/// one is a gap in the ids. The bits of a score depend on query, vector and metric alone: not on k,
/// filter, batch, threads, instruction set or compiler flags (a machine without FMA rounds
/// differently, detail/simd/dispatch.hpp). Memory: 4 * dim + 12 bytes a document; half the first
/// where Element is bfloat16 or float16, and then scores are those of the values as they were
/// rounded to it. Const members may run from any number of threads; a writer excludes all else.
/// @tparam Element float, bfloat16 or float16.
template <vector_element Element>
class basic_flat_index {
public:
    /// @param dim  Values of each vector, > 0.
    /// @throws trawl::error (invalid_argument) if dim is 0, or if TRAWL_FORCE_ISA in the
    /// environment names a
    ///         level that is not scalar, avx2, avx512 or neon or that this machine lacks.
    explicit basic_flat_index(std::size_t dim, trawl::metric how = trawl::metric::cosine)
        : similarity_(how, checked_dim(dim)), store_(dim) {}

    /// An index over the rows of a matrix [n x dim] as documents 0 to n - 1, which stay where they
    /// are: the caller keeps them alive and unchanged, or hands over their owner. What is added
    /// later is copied; erase and search leave them alone; the first update or compact copies them
    /// all.
    /// @throws trawl::error (not_finite), naming the row; (invalid_argument) if cols is 0.
    /// @par Complexity O(n * dim), to measure their lengths.
    [[nodiscard]] static basic_flat_index over(matrix_view<Element const> rows,
        trawl::metric how = trawl::metric::cosine, std::shared_ptr<void const> owner = {}) {
        basic_flat_index index(rows.cols, how);
        index.check_ids(0, rows.rows);
        std::vector<float> row(rows.cols);
        for (std::size_t i = 0; i < rows.rows; ++i) {
            std::transform(rows.row(i).begin(), rows.row(i).end(), row.begin(),
                [](Element value) { return detail::as_float(value); });
            index.check_vector("over", "row", row, i);
            index.count(index.inverse_lengths_.emplace_back(
                index.similarity_.measured(row.data()).inverse_length));
        }
        index.store_.borrow(rows.data, rows.rows, std::move(owner));
        return index;
    }

    /// Adds a vector under the next id and returns that. Errors as for add(id, vector).
    doc_id add(std::span<float const> vector) { return add(next_id(), vector); }

    /// Adds a vector [dim] under a given id, which it returns; amortised O(dim).
    /// @throws trawl::error (id_order) if id < next_id() or id is no_doc, (dimension_mismatch),
    /// (not_finite).
    doc_id add(doc_id id, std::span<float const> vector) {
        check_ids(id, 1);
        check_vector("add", "the vector", vector);
        append(id, {vector.data(), 1, vector.size()});
        return id;
    }

    /// Adds the rows of a matrix [n x dim] under the next n ids, all or none, and returns the first
    /// of these. Errors as for add(id, vector).
    doc_id add(matrix_view<float const> vectors) {
        auto const first = next_id();
        if (vectors.empty()) return first;
        check_ids(first, vectors.rows);
        for (std::size_t i = 0; i < vectors.rows; ++i)
            check_vector("add", "row", vectors.row(i), i);
        append(first, vectors);
        return first;
    }

    /// Gives a document another vector, [dim]. False, and nothing changes, if it is not there.
    /// @throws trawl::error (dimension_mismatch), (not_finite).
    bool update(doc_id id, std::span<float const> vector) {
        check_vector("update", "the vector", vector);
        auto const row = store_.find(id);
        if (row == no_row) return false;
        auto const inverse = length_of(vector);
        store_.update(row, vector);
        uncount(inverse_lengths_[row]);
        count(inverse_lengths_[row] = inverse);
        return true;
    }

    /// Retires a document; its id stays taken, its memory in use until compact(). False if it is
    /// not there.
    bool erase(doc_id id) noexcept {
        auto const row = store_.find(id);
        if (row == no_row) return false;
        uncount(inverse_lengths_[row]);
        store_.erase(row);
        return true;
    }

    /// Gives back the memory of erased documents. Ids and scores stay. O(size() * dim).
    void compact() {
        compact_rows([](std::size_t, std::size_t) {});
    }

    [[nodiscard]] bool contains(doc_id id) const noexcept { return store_.find(id) != no_row; }
    [[nodiscard]] std::size_t size() const noexcept { return store_.live(); } ///< live documents
    [[nodiscard]] doc_id next_id() const noexcept { return store_.next_id(); }
    [[nodiscard]] std::size_t dim() const noexcept { return similarity_.dim(); }
    [[nodiscard]] trawl::metric metric() const noexcept { return similarity_.how(); }

    /// Copies a document's vector, as it was added, to out [dim]. False, and out zeroed, if it is
    /// not there.
    /// @throws trawl::error (dimension_mismatch) if out.size() != dim().
    bool copy_vector(doc_id id, std::span<float> out) const {
        check_dim("copy_vector", "out", out.size());
        auto const row = store_.find(id);
        if (row == no_row) {
            std::fill(out.begin(), out.end(), 0.0f);
            return false;
        }
        auto const* const from = store_.row(row);
        std::transform(
            from, from + dim(), out.begin(), [](Element value) { return detail::as_float(value); });
        return true;
    }

    /// The best k documents inside the filter for the query's vector, by score, then id; a query
    /// without a vector finds nothing. O(dim) for each eligible document, O(k) memory.
    /// @throws trawl::error (dimension_mismatch), (not_finite) for the query's vector.
    [[nodiscard]] ranking search(query const& q, search_options const& options) const {
        if (q.vector.empty()) return {};
        auto const measured = measure("search", q.vector);
        return std::move(best_of({&measured, 1}, options, top_k(options.k)).front());
    }

    [[nodiscard]] ranking search(
        std::span<float const> vector, std::size_t k, filter where = {}) const {
        check_dim("search", "the query's vector", vector.size());
        return search(query{.vector = vector}, {.k = k, .where = where});
    }

    /// One ranking for each row of queries [n x dim], bit for bit what search gives for it alone;
    /// the vectors are read from memory once for all of them. Errors as for one query; they name
    /// the row.
    [[nodiscard]] std::vector<ranking> search(
        matrix_view<float const> queries, search_options const& options) const {
        std::vector<detail::measured_vector> measured;
        measured.reserve(queries.rows);
        for (std::size_t i = 0; i < queries.rows; ++i) {
            check_vector("search", "query", queries.row(i), i);
            measured.push_back(similarity_.measured(queries.row(i).data()));
        }
        return best_of(measured, options, top_k(options.k));
    }

    /// Every document inside the filter whose score is at least `least`, in search's order and with
    /// its scores; options.k plays no part. Errors as for search; (not_finite) if least is NaN or
    /// infinite.
    [[nodiscard]] ranking search_above(
        query const& q, float least, search_options options = {}) const {
        if (!detail::is_finite(least)) {
            detail::fail(
                errc::not_finite, detail::join("flat_index::search_above: least is ", least));
        }
        if (q.vector.empty()) return {};
        auto const measured = measure("search_above", q.vector);
        options.k = 1; // none asked for would be none found
        return std::move(best_of({&measured, 1}, options, detail::hits_above(least)).front());
    }

    /// The score of each of the ids that is here and inside the filter, in the order given: the
    /// bits that search gives. Empty for a query without a vector. Errors as for search.
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options = {}) const {
        std::vector<hit> hits;
        if (q.vector.empty()) return hits;
        auto const measured = measure("score", q.vector);
        std::vector<std::size_t> numbers;
        for (auto const id : ids) {
            auto const row = store_.find(id);
            if (row == no_row || !options.where.admits(id)) continue;
            numbers.push_back(row);
            hits.push_back({id, 0});
        }
        scan().score(measured, numbers, [&](std::size_t i, float score) { hits[i].score = score; });
        return hits;
    }

    /// How a document gets the score that search gives it; a leaf of value 0 if search never
    /// returns it. Errors as for search.
    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options = {}) const {
        if (q.vector.empty()) return no_match("no match: the query has no vector");
        auto const measured = measure("explain", q.vector);
        auto const row = store_.find(id);
        if (row == no_row) return no_match("no match: the document has no vector here");
        if (!options.where.admits(id)) return no_match("no match: outside the filter");
        std::vector<float> vector(dim());
        copy_vector(id, vector);
        return similarity_.explain(measured, {vector.data(), inverse_lengths_[row]});
    }

    /// What may surprise about this query's scores, as sentences; empty if nothing.
    [[nodiscard]] std::vector<std::string> warnings(query const& q) const {
        std::vector<std::string> found;
        if (q.vector.empty()) return found;
        if (not_unit_ > 0 && metric() == trawl::metric::dot_product) {
            found.push_back(detail::join("flat_index: dot product, but ", not_unit_, " of ", size(),
                " vectors do not have length 1: longer ones score higher; metric::cosine ignores "
                "the "
                "length"));
        }
        if (metric() != trawl::metric::euclidean
            && std::all_of(q.vector.begin(), q.vector.end(), [](float v) { return v == 0; })) {
            found.push_back("flat_index: the query's vector is zero, and so is every score");
        }
        return found;
    }

private:
    template <class Code>
    friend class quantised_index;
    friend class inverted_file_index;
    template <class Index>
    friend struct detail::stored;

    static constexpr std::size_t no_row = detail::vector_store<Element>::no_row;

    template <class Moved>
    void compact_rows(Moved&& moved) {
        store_.compact([&](std::size_t from, std::size_t to) {
            inverse_lengths_[to] = inverse_lengths_[from];
            moved(from, to);
        });
        inverse_lengths_.resize(store_.rows());
        inverse_lengths_.shrink_to_fit();
    }

    [[nodiscard]] detail::row_scan<Element> scan() const noexcept {
        return {store_, similarity_, inverse_lengths_, not_ordinary_ == 0};
    }

    // The first k of hits that are ordered by an estimate: the first `candidates` of them by exact
    // score, the rest in their order behind these.
    [[nodiscard]] ranking rescored(
        std::span<float const> query, ranking hits, std::size_t candidates, std::size_t k) const {
        auto const exact = (std::min)(candidates, hits.size());
        std::vector<std::size_t> numbers;
        for (std::size_t i = 0; i < exact; ++i) {
            auto const row = store_.find(hits[i].id);
            if (row == no_row) return {}; // ids of a damaged file, which are not ascending
            numbers.push_back(row);
        }
        scan().score(similarity_.measured(query.data()), numbers, [&](std::size_t i, float score) {
            // Only a damaged file gives scores that are not finite.
            hits[i].score =
                detail::is_finite(score) ? score : (std::numeric_limits<float>::lowest)();
        });
        std::sort(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(exact), by_rank{});
        if (hits.size() > k) hits.resize(k);
        if (exact < hits.size()) place_rest(hits, exact);
        return hits;
    }

    // `empty` is what collects, before it has any.
    template <class Collector>
    [[nodiscard]] std::vector<ranking> best_of(std::span<detail::measured_vector const> queries,
        search_options const& options, Collector const& empty) const {
        if (options.k == 0 || size() == 0) return std::vector<ranking>(queries.size());
        detail::query_block const packed(queries, dim(), similarity_.with().tile_queries);
        return detail::in_parts(store_.blocks(), queries.size(), options, empty,
            [&](std::size_t first, std::size_t last, std::span<Collector> best) {
                scan().run(first, last, packed, options, best);
            });
    }

    void count(double inverse_length) noexcept {
        // As loose as half precision.
        if (!(std::fabs(inverse_length - 1) <= 1e-3)) ++not_unit_;
        if (!detail::is_ordinary(inverse_length)) ++not_ordinary_;
    }
    void uncount(double inverse_length) noexcept {
        if (!(std::fabs(inverse_length - 1) <= 1e-3)) --not_unit_;
        if (!detail::is_ordinary(inverse_length)) --not_ordinary_;
    }

    [[nodiscard]] detail::measured_vector measure(
        char const* caller, std::span<float const> vector) const {
        check_vector(caller, "the query's vector", vector);
        return similarity_.measured(vector.data());
    }

    // Of a vector as it is stored.
    [[nodiscard]] double length_of(std::span<float const> vector) const {
        if constexpr (std::same_as<Element, float>) {
            return similarity_.measured(vector.data()).inverse_length;
        } else {
            std::vector<float> stored(vector.size());
            std::transform(vector.begin(), vector.end(), stored.begin(),
                [](float value) { return detail::as_float(detail::stored_as<Element>(value)); });
            return similarity_.measured(stored.data()).inverse_length;
        }
    }

    void append(doc_id first, matrix_view<float const> vectors) {
        detail::make_room(inverse_lengths_, vectors.rows);
        store_.append(first, vectors);
        for (std::size_t i = 0; i < vectors.rows; ++i)
            count(inverse_lengths_.emplace_back(length_of(vectors.row(i))));
    }

    static std::size_t checked_dim(std::size_t dim) {
        if (dim == 0) detail::fail(errc::invalid_argument, "flat_index: dim must be > 0, is 0");
        return dim;
    }

    void check_ids(doc_id first, std::size_t count) const {
        if (first < next_id()) {
            detail::fail(errc::id_order,
                detail::join(name_, "::add: id ", first, " is below the next id ", next_id()));
        }
        if (count > no_doc - first) {
            detail::fail(errc::id_order, detail::join(name_, "::add: ", count, " ids from ", first,
                                             " on reach past the last, ", no_doc - 1));
        }
    }

    // `what` is the thing checked, number `row` of several.
    void check_dim(
        char const* caller, char const* what, std::size_t size, std::size_t row = no_row) const {
        if (size != dim()) {
            detail::fail(errc::dimension_mismatch,
                detail::join(name_, "::", caller, ": ", numbered(what, row), " has ", size,
                    " values, the index ", dim()));
        }
    }

    void check_vector(char const* caller, char const* what, std::span<float const> vector,
        std::size_t row = no_row) const {
        check_dim(caller, what, vector.size(), row);
        auto const bad = detail::first_not_finite(vector);
        if (bad != vector.size()) {
            detail::fail(errc::not_finite, detail::join(name_, "::", caller, ": value ", bad,
                                               " of ", numbered(what, row), " is ", vector[bad]));
        }
        if constexpr (!std::same_as<Element, float>) {
            auto const large = std::find_if(vector.begin(), vector.end(),
                [](float value) { return value > Element::largest || value < -Element::largest; });
            if (large != vector.end()) {
                detail::fail(errc::invalid_argument,
                    detail::join(name_, "::", caller, ": value ", large - vector.begin(), " of ",
                        numbered(what, row), " is ", *large, ", the largest ", Element::name,
                        " is ", Element::largest));
            }
        }
    }

    [[nodiscard]] static std::string numbered(char const* what, std::size_t row) {
        return row == no_row ? what : detail::join(what, " ", row);
    }

    char const* name_ = "flat_index"; // in messages
    detail::similarity similarity_;
    detail::vector_store<Element> store_;
    std::vector<double> inverse_lengths_; // one a row
    std::size_t not_unit_ = 0;            // live vectors whose length is not 1
    std::size_t not_ordinary_ = 0;        // live vectors that float sums may be wrong for
};

/// The exact index of float vectors.
using flat_index = basic_flat_index<float>;
/// Half the memory, and half the time of one query; exact for the vectors as they were rounded.
using bfloat16_index = basic_flat_index<bfloat16>;
using float16_index = basic_flat_index<float16>;

TRAWL_END_NAMESPACE
