// SPDX-License-Identifier: MIT
#pragma once

/// Vector search by comparing the query with every vector: exact, nothing to train, nothing to tune.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/top_k.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/dense/similarity.hpp>
#include <trawl/dense/vector_store.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

namespace trawl::inline v0_1 {

/// An exact index of dense vectors. Every live document with a vector matches; a document without one is a
/// gap in the ids. The bits of a score depend on query, vector and metric alone: not on k, filter, batch,
/// threads, instruction set or compiler flags (a machine without FMA rounds differently,
/// detail/simd/dispatch.hpp). Memory: 4 * dim + 4 bytes a document, 8 more under cosine. Const members may
/// run from any number of threads; a writer excludes all else.
template <class Element>
class basic_flat_index {
    static_assert(std::same_as<Element, float>, "trawl: flat_index stores float");

public:
    /// @param dim  Values of each vector, > 0.
    /// @throws trawl::error (invalid_argument) if dim is 0, or if TRAWL_FORCE_ISA in the environment names a
    ///         level that is not scalar, avx2, avx512 or neon or that this machine lacks.
    explicit basic_flat_index(std::size_t dim, trawl::metric how = trawl::metric::cosine)
        : similarity_(how, checked_dim(dim)), store_(dim) {}

    /// Adds a vector under the next id and returns that. Errors as for add(id, vector).
    doc_id add(std::span<float const> vector) { return add(next_id(), vector); }

    /// Adds a vector [dim] under a given id, which it returns; amortised O(dim).
    /// @throws trawl::error (id_order) if id < next_id() or id is no_doc, (dimension_mismatch), (not_finite).
    doc_id add(doc_id id, std::span<float const> vector) {
        check_ids(id, 1);
        check_vector("add", "the vector", vector);
        append(id, {vector.data(), 1, vector.size()});
        return id;
    }

    /// Adds the rows of a matrix [n x dim] under the next n ids, all or none, and returns the first of these.
    /// Errors as for add(id, vector).
    doc_id add(matrix_view<float const> vectors) {
        auto const first = next_id();
        if (vectors.empty()) return first;
        check_ids(first, vectors.rows);
        for (std::size_t i = 0; i < vectors.rows; ++i) check_vector("add", "row", vectors.row(i), i);
        append(first, vectors);
        return first;
    }

    /// Retires a document; its id stays taken and its memory in use. False if it is not there.
    bool erase(doc_id id) noexcept {
        auto const row = store_.find(id);
        if (row == no_row) return false;
        if (counts_lengths() && !is_unit(store_.row(row))) --not_unit_;
        store_.erase(row);
        return true;
    }

    [[nodiscard]] bool contains(doc_id id) const noexcept { return store_.find(id) != no_row; }
    [[nodiscard]] std::size_t size() const noexcept { return store_.live(); } ///< live documents
    [[nodiscard]] doc_id next_id() const noexcept { return store_.next_id(); }
    [[nodiscard]] std::size_t dim() const noexcept { return store_.dim(); }
    [[nodiscard]] trawl::metric metric() const noexcept { return similarity_.how(); }

    /// Copies a document's vector, as it was added, to out [dim]. False, and out zeroed, if it is not there.
    /// @throws trawl::error (dimension_mismatch) if out.size() != dim().
    bool copy_vector(doc_id id, std::span<float> out) const {
        check_dim("copy_vector", "out", out.size());
        auto const row = store_.find(id);
        if (row == no_row) {
            std::fill(out.begin(), out.end(), 0.0f);
            return false;
        }
        std::copy_n(store_.row(row), dim(), out.begin());
        return true;
    }

    /// The best k documents inside the filter for the query's vector, by score, then id; a query without a
    /// vector finds nothing. O(dim) for each eligible document, O(k) memory.
    /// @throws trawl::error (dimension_mismatch), (not_finite) for the query's vector.
    [[nodiscard]] ranking search(query const& q, search_options const& options) const {
        if (q.vector.empty()) return {};
        auto const measured = measure("search", q.vector);
        return std::move(search_measured({&measured, 1}, options).front());
    }

    [[nodiscard]] ranking search(std::span<float const> vector, std::size_t k, filter where = {}) const {
        check_dim("search", "the query's vector", vector.size());
        return search(query{.vector = vector}, {.k = k, .where = where});
    }

    /// One ranking for each row of queries [n x dim], bit for bit what search gives for it alone; the vectors
    /// are read from memory once for all of them. Errors as for one query; they name the row.
    [[nodiscard]] std::vector<ranking> search(
        matrix_view<float const> queries, search_options const& options) const {
        std::vector<detail::measured_vector> measured;
        measured.reserve(queries.rows);
        for (std::size_t i = 0; i < queries.rows; ++i) {
            check_vector("search", "query", queries.row(i), i);
            measured.push_back(measure_checked(queries.row(i).data()));
        }
        return search_measured(measured, options);
    }

    /// The score of each of the ids that is here and inside the filter, in the order given: the bits that
    /// search gives. Empty for a query without a vector. Errors as for search.
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options = {}) const {
        std::vector<hit> hits;
        if (q.vector.empty()) return hits;
        auto const measured = measure("score", q.vector);
        hits.reserve(ids.size());
        row_block block;
        auto const flush = [&] {
            for (std::size_t i = 0; auto const s : scores(measured, block))
                hits.push_back({store_.id(block.numbers[i++]), s});
            block.size = 0;
        };
        for (auto const id : ids) {
            auto const row = store_.find(id);
            if (row == no_row || !options.where.admits(id)) continue;
            push(block, row);
            if (block.full()) flush();
        }
        flush();
        return hits;
    }

    /// How a document gets the score that search gives it; a leaf of value 0 if search never returns it.
    /// Errors as for search.
    [[nodiscard]] explanation explain(query const& q, doc_id id, search_options const& options = {}) const {
        if (q.vector.empty()) return {.label = "no match: the query has no vector"};
        auto const measured = measure("explain", q.vector);
        auto const row = store_.find(id);
        if (row == no_row) return {.label = "no match: the document has no vector here"};
        if (!options.where.admits(id)) return {.label = "no match: outside the filter"};
        return similarity_.explain(measured, {store_.row(row), inverse_length(row)});
    }

    /// What may surprise about this query's scores, as sentences; empty if nothing.
    [[nodiscard]] std::vector<std::string> warnings(query const& q) const {
        std::vector<std::string> found;
        if (q.vector.empty()) return found;
        if (not_unit_ > 0) {
            found.push_back(detail::join("flat_index: dot product, but ", not_unit_, " of ", size(),
                " vectors do not have length 1: longer ones score higher; metric::cosine ignores the "
                "length"));
        }
        if (metric() != trawl::metric::euclidean
            && std::all_of(q.vector.begin(), q.vector.end(), [](float v) { return v == 0; })) {
            found.push_back("flat_index: the query's vector is zero, and so is every score");
        }
        return found;
    }

private:
    static constexpr std::size_t block_rows = detail::vector_store<Element>::block;
    static constexpr std::size_t no_row = detail::vector_store<Element>::no_row;

    // Rows on their way to the kernel, which wants many at once.
    struct row_block {
        std::array<float const*, block_rows> rows;
        std::array<std::size_t, block_rows> numbers;
        std::array<float, block_rows> scores;
        std::size_t size = 0;
        [[nodiscard]] bool full() const noexcept { return size == block_rows; }
    };

    void push(row_block& block, std::size_t row) const noexcept {
        block.rows[block.size] = store_.row(row);
        block.numbers[block.size++] = row;
    }

    [[nodiscard]] std::span<float const> scores(
        detail::measured_vector const& query, row_block& block) const noexcept {
        similarity_.score(query, block.rows.data(), block.size, block.scores.data(),
            [&](std::size_t i) { return inverse_lengths_[block.numbers[i]]; });
        return {block.scores.data(), block.size};
    }

    [[nodiscard]] std::vector<ranking> search_measured(
        std::span<detail::measured_vector const> queries, search_options const& options) const {
        constexpr std::size_t least_blocks = 16; // a task of fewer costs more than it saves
        auto const threads = options.executor != nullptr ? options.executor->concurrency() : 1;
        auto const tasks = std::clamp<std::size_t>(store_.blocks() / least_blocks, 1, threads);
        std::vector<ranking> results(queries.size());
        if (options.k == 0 || size() == 0) return results;

        std::vector<std::vector<top_k>> best(tasks, std::vector<top_k>(queries.size(), top_k(options.k)));
        run_tasks(options.executor, tasks, [&](std::size_t t) {
            scan(store_.blocks() * t / tasks, store_.blocks() * (t + 1) / tasks, queries, options, best[t]);
        });
        for (std::size_t q = 0; q < queries.size(); ++q) {
            for (std::size_t t = 1; t < tasks; ++t) {
                for (auto const& h : best[t][q].take()) best[0][q].push(h);
            }
            results[q] = best[0][q].take();
        }
        return results;
    }

    // Every query meets a block of rows while that is in the cache.
    void scan(std::size_t first, std::size_t last, std::span<detail::measured_vector const> queries,
        search_options const& options, std::span<top_k> best) const {
        row_block block;
        auto const flush = [&] {
            for (std::size_t q = 0; q < queries.size(); ++q) {
                for (std::size_t i = 0; auto const s : scores(queries[q], block)) {
                    best[q].push({store_.id(block.numbers[i++]), s});
                }
            }
            block.size = 0;
        };
        for (std::size_t b = first; b < last; ++b) {
            for (auto bits = store_.eligible(b, options.where); bits != 0; bits &= bits - 1) {
                push(block, b * block_rows + static_cast<std::size_t>(std::countr_zero(bits)));
                if (!block.full()) continue;
                if (options.stopped()) return;
                flush();
            }
        }
        flush();
    }

    [[nodiscard]] bool counts_lengths() const noexcept { return metric() == trawl::metric::dot_product; }

    [[nodiscard]] bool is_unit(float const* vector) const noexcept {
        return std::fabs(similarity_.inverse_length(vector) - 1) <= 1e-3; // as loose as half precision
    }

    [[nodiscard]] double inverse_length(std::size_t row) const noexcept {
        return metric() == trawl::metric::cosine ? inverse_lengths_[row] : 0;
    }

    [[nodiscard]] detail::measured_vector measure_checked(float const* vector) const noexcept {
        return {vector, metric() == trawl::metric::cosine ? similarity_.inverse_length(vector) : 0};
    }

    [[nodiscard]] detail::measured_vector measure(char const* caller, std::span<float const> vector) const {
        check_vector(caller, "the query's vector", vector);
        return measure_checked(vector.data());
    }

    void append(doc_id first, matrix_view<float const> vectors) {
        bool const keep_lengths = metric() == trawl::metric::cosine;
        if (keep_lengths) detail::make_room(inverse_lengths_, vectors.rows);
        store_.append(first, vectors);
        for (std::size_t i = 0; i < vectors.rows; ++i) {
            auto const* const vector = vectors.row(i).data();
            if (keep_lengths) inverse_lengths_.push_back(similarity_.inverse_length(vector));
            if (counts_lengths() && !is_unit(vector)) ++not_unit_;
        }
    }

    static std::size_t checked_dim(std::size_t dim) {
        if (dim == 0) detail::fail(errc::invalid_argument, "flat_index: dim must be > 0, is 0");
        return dim;
    }

    void check_ids(doc_id first, std::size_t count) const {
        if (first < next_id()) {
            detail::fail(errc::id_order,
                detail::join("flat_index::add: id ", first, " is below the next id ", next_id()));
        }
        if (count > no_doc - first) {
            detail::fail(errc::id_order, detail::join("flat_index::add: ", count, " ids from ", first,
                                             " on reach past the last, ", no_doc - 1));
        }
    }

    // `what` is the thing checked, number `row` of several.
    void check_dim(char const* caller, char const* what, std::size_t size, std::size_t row = no_row) const {
        if (size != dim()) {
            detail::fail(
                errc::dimension_mismatch, detail::join("flat_index::", caller, ": ", numbered(what, row),
                                              " has ", size, " values, the index ", dim()));
        }
    }

    void check_vector(
        char const* caller, char const* what, std::span<float const> vector, std::size_t row = no_row) const {
        check_dim(caller, what, vector.size(), row);
        auto const bad = detail::first_not_finite(vector);
        if (bad != vector.size()) {
            detail::fail(errc::not_finite, detail::join("flat_index::", caller, ": value ", bad, " of ",
                                               numbered(what, row), " is ", vector[bad]));
        }
    }

    [[nodiscard]] static std::string numbered(char const* what, std::size_t row) {
        return row == no_row ? what : detail::join(what, " ", row);
    }

    detail::similarity similarity_;
    detail::vector_store<Element> store_;
    std::vector<double> inverse_lengths_; // under cosine, one a row
    std::size_t not_unit_ = 0;            // live vectors whose length is not 1, under dot product
};

/// The exact index of float vectors.
using flat_index = basic_flat_index<float>;

} // namespace trawl::inline v0_1
