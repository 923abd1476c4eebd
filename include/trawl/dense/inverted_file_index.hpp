// SPDX-License-Identifier: MIT
#pragma once

/// Vector search for millions: the vectors are divided into lists by k-means, a query reads the
/// codes of the nearest lists, and the most promising vectors are scored exactly.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/filter.hpp>
#include <trawl/core/matrix.hpp>
#include <trawl/core/placed.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/top_k.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/inverted_lists.hpp>
#include <trawl/dense/detail/k_means.hpp>
#include <trawl/dense/detail/recall.hpp>
#include <trawl/dense/detail/vector_store.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/dense/vector_code.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

struct inverted_file_options {
    trawl::metric metric = trawl::metric::cosine;
    std::size_t probes = 16;      ///< lists that a query reads, > 0
    std::size_t candidates = 100; ///< scored exactly, whatever k is, > 0
    std::uint64_t seed = 1;       ///< of k-means and of the codes' rotation
    /// Of these lists, those whose centre scores at most this much less than the nearest one, >= 0.
    /// A centre scores minus half its squared distance, from the query at length 1 under cosine;
    /// its dot product where that is the metric. The default lets all pass.
    double margin = (std::numeric_limits<double>::max)();
};

/// An index of vectors in lists, each of vectors that lie together; within a list, vectors are
/// coded with one bit a dimension, from the list's centre. A query reads the `probes` lists nearest
/// to it, or the fewer that lie within `margin`, and further ones until they held `candidates`
/// documents that the filter admits; the best `candidates` of these by estimate, then id, are
/// scored exactly. So the scores are those of flat_index and a filter never costs hits, but a
/// document may be missed: recall() tells how many are. Where k is above `candidates`, the rest
/// follow by estimate, then further lists one after the other, each document one float step below
/// the last.
///
/// Until train() every search is exact. What is added, updated and erased later goes to and from
/// the lists as they are; train() again where the collection has become another. The same calls
/// give the same result on every machine and number of threads. Memory: what flat_index takes, dim
/// / 8 + 20 bytes a document, and the centres. Const members may run from any number of threads; a
/// writer excludes all else.
/// @par Source Jégou, Douze, Schmid, "Product quantization for nearest neighbor search", TPAMI
/// 2011, IVFADC; codes as one_bit_index.
class inverted_file_index {
public:
    /// @throws trawl::error (invalid_argument) if dim, probes or candidates is 0, or as flat_index.
    explicit inverted_file_index(std::size_t dim, inverted_file_options options = {})
        : options_(checked(options)),
          full_(dim, options.metric),
          lists_{.code = {dim, options.metric, options.seed}} {
        full_.name_ = "inverted_file_index";
    }

    /// Divides the vectors into lists and codes them. As many documents give the same lists on any
    /// number of threads.
    /// @param lists  0: the square root of their number. At most their number.
    /// @par Complexity O(size() * lists * dim).
    void train(std::size_t lists = 0, executor const* where = nullptr) {
        auto const live = size();
        if (lists == 0) lists = static_cast<std::size_t>(std::sqrt(static_cast<double>(live)));
        lists = (std::min)(lists, live);
        if (lists == 0) return;
        // k-means sees enough vectors a list, drawn at random.
        constexpr std::size_t seen_by_list = 64;
        constexpr std::size_t iterations = 8;
        std::vector<std::size_t> rows;
        rows.reserve(live);
        full_.store_.for_each_live([&](std::size_t row) { rows.push_back(row); });
        auto sample = rows;
        if (live / seen_by_list > lists) {
            detail::random from(options_.seed);
            for (std::size_t i = 0; i < lists * seen_by_list; ++i)
                std::swap(sample[i], sample[i + from.below(sample.size() - i)]);
            sample.resize(lists * seen_by_list);
        }
        auto code = lists_.code;
        std::vector<detail::measured_vector> measured;
        for (auto const row : sample) measured.push_back(measured_row(row));
        code.learn(measured);
        divide(std::move(code),
            detail::k_means(lifted_rows(sample).view(), lists, iterations, options_.seed, where),
            rows, where);
    }

    /// Whether train() has made lists.
    [[nodiscard]] bool trained() const noexcept { return lists() > 0; }
    [[nodiscard]] std::size_t lists() const noexcept { return lists_.size(); }
    [[nodiscard]] inverted_file_options const& options() const noexcept { return options_; }

    /// How many lists a query reads at most from now on. @throws trawl::error (invalid_argument) if
    /// 0.
    void probes(std::size_t lists) {
        change([&](auto& options) { options.probes = lists; });
    }

    /// How much less than the nearest list a list may score from now on. @throws trawl::error
    /// (invalid_argument) if below 0, infinite or NaN.
    void margin(double score) {
        change([&](auto& options) { options.margin = score; });
    }

    /// How many documents are scored exactly from now on. @throws trawl::error (invalid_argument)
    /// if 0.
    void candidates(std::size_t documents) {
        change([&](auto& options) { options.candidates = documents; });
    }

    /// Adds a vector under the next id and returns that. Errors as for add(id, vector).
    doc_id add(std::span<float const> vector) { return add(next_id(), vector); }

    /// Adds a vector [dim] under a given id, which it returns. Once there are lists, O(lists *
    /// dim).
    /// @throws trawl::error (id_order) if id < next_id() or id is no_doc, (dimension_mismatch),
    /// (not_finite);
    ///         (invalid_argument) if its length is above 2^60 or, but for 0, below 2^-30.
    doc_id add(doc_id id, std::span<float const> vector) {
        full_.check_ids(id, 1);
        check("add", "the vector", vector);
        append(id, {vector.data(), 1, vector.size()});
        return id;
    }

    /// Adds the rows of a matrix [n x dim] under the next n ids, all or none, and returns the first
    /// of these.
    doc_id add(matrix_view<float const> vectors) {
        auto const first = next_id();
        if (vectors.empty()) return first;
        full_.check_ids(first, vectors.rows);
        for (std::size_t i = 0; i < vectors.rows; ++i) check("add", "row", vectors.row(i), i);
        append(first, vectors);
        return first;
    }

    /// Gives a document another vector. False, and nothing changes, if it is not there. Errors as
    /// for add.
    bool update(doc_id id, std::span<float const> vector) {
        check("update", "the vector", vector);
        auto const row = full_.store_.find(id);
        if (row == no_row) return false;
        if (!trained()) return full_.update(id, vector);
        auto const list = nearest_lists({vector.data(), 1, vector.size()})[0];
        lists_.lists[list].reserve_more(lists_.code, 1);
        full_.update(id, vector);
        lists_.take_out(row);
        lists_.put(list, row, measured_row(row));
        return true;
    }

    /// Retires a document; its id stays taken, its memory in use until compact(). False if it is
    /// not there.
    bool erase(doc_id id) noexcept {
        auto const row = full_.store_.find(id);
        if (row == no_row) return false;
        if (trained()) lists_.take_out(row);
        return full_.erase(id);
    }

    /// Gives back the memory of erased documents, and of the old codes of updated ones. Ids and
    /// scores stay.
    void compact() {
        std::vector<std::uint32_t> moved_to(full_.store_.rows());
        full_.compact_rows([&](std::size_t from, std::size_t to) {
            moved_to[from] = static_cast<std::uint32_t>(to);
            if (trained()) lists_.places[to] = lists_.places[from];
        });
        if (trained()) lists_.compact(moved_to, full_.store_.rows());
    }

    [[nodiscard]] bool contains(doc_id id) const noexcept { return full_.contains(id); }
    [[nodiscard]] std::size_t size() const noexcept { return full_.size(); } ///< live documents
    [[nodiscard]] doc_id next_id() const noexcept { return full_.next_id(); }
    [[nodiscard]] std::size_t dim() const noexcept { return full_.dim(); }
    [[nodiscard]] trawl::metric metric() const noexcept { return full_.metric(); }

    /// The exact index of the same vectors.
    [[nodiscard]] flat_index const& exact() const noexcept { return full_; }

    /// Copies a document's vector to out [dim]. False, and out zeroed, if it is not there. Errors
    /// as flat_index.
    bool copy_vector(doc_id id, std::span<float> out) const { return full_.copy_vector(id, out); }

    /// The best k documents inside the filter, of those that the lists probed hold. Errors as for
    /// flat_index.
    [[nodiscard]] ranking search(query const& q, search_options const& options) const {
        if (q.vector.empty()) return {};
        if (!trained()) return full_.search(q, options);
        check("search", "the query's vector", q.vector);
        return options.k == 0 ? ranking{} : probed(q.vector, options);
    }

    [[nodiscard]] ranking search(
        std::span<float const> vector, std::size_t k, filter where = {}) const {
        full_.check_dim("search", "the query's vector", vector.size());
        return search(query{.vector = vector}, {.k = k, .where = where});
    }

    /// One ranking for each row of queries [n x dim], as search gives for it alone; the executor
    /// runs several queries at once.
    [[nodiscard]] std::vector<ranking> search(
        matrix_view<float const> queries, search_options const& options) const {
        if (!trained()) return full_.search(queries, options);
        for (std::size_t i = 0; i < queries.rows; ++i) check("search", "query", queries.row(i), i);
        std::vector<ranking> results(queries.rows);
        if (options.k == 0) return results;
        run_tasks(options.executor, queries.rows,
            [&](std::size_t i) { results[i] = probed(queries.row(i), options); });
        return results;
    }

    /// The score of each of the ids that is here and inside the filter, in the order given.
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options = {}) const {
        return full_.score(q, ids, options);
    }

    /// How a document gets its score; a leaf of value 0 if search never returns it.
    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options = {}) const {
        return full_.explain(q, id, options);
    }

    /// What share of the k best documents of each query [n x dim], found by an exact search, this
    /// one finds too: the mean over the queries. Takes as long as the exact searches. Errors as
    /// search.
    [[nodiscard]] double recall(matrix_view<float const> queries, std::size_t k) const {
        return detail::recall_of(full_.search(queries, {.k = k}), search(queries, {.k = k}));
    }

private:
    template <class Index>
    friend struct detail::stored;

    static constexpr std::size_t no_row = detail::vector_store<float>::no_row;

    static inverted_file_options checked(inverted_file_options options) {
        if (options.probes == 0 || options.candidates == 0) {
            detail::fail(errc::invalid_argument,
                detail::join("inverted_file_index: probes is ", options.probes, ", candidates ",
                    options.candidates, "; both must be > 0"));
        }
        if (!detail::is_finite(options.margin) || options.margin < 0) {
            detail::fail(errc::invalid_argument, detail::join("inverted_file_index: margin is ",
                                                     options.margin, ", must be finite and >= 0"));
        }
        return options;
    }

    template <class Change>
    void change(Change&& set) {
        auto changed = options_;
        set(changed);
        options_ = checked(changed);
    }

    void check(char const* caller, char const* what, std::span<float const> vector,
        std::size_t number = no_row) const {
        full_.check_vector(caller, what, vector, number);
        detail::check_codable(
            "inverted_file_index", caller, full_.similarity_.measured(vector.data()));
    }

    [[nodiscard]] detail::measured_vector measured_row(std::size_t row) const noexcept {
        return {full_.store_.row(row), full_.inverse_lengths_[row]};
    }

    // [v, last], v of unit length under cosine.
    void lift(detail::measured_vector const& v, float last, std::span<float> out) const noexcept {
        auto const scale = metric() == trawl::metric::cosine ? v.inverse_length : 1.0;
        for (std::size_t i = 0; i < dim(); ++i)
            out[i] = static_cast<float>(detail::rounded(static_cast<double>(v.values[i]) * scale));
        out[dim()] = last;
    }

    [[nodiscard]] matrix<float> lifted_rows(std::span<std::size_t const> rows) const {
        matrix<float> out{std::vector<float>(rows.size() * (dim() + 1)), rows.size(), dim() + 1};
        for (std::size_t i = 0; i < rows.size(); ++i)
            lift(measured_row(rows[i]), 1, out.view().row(i));
        return out;
    }

    [[nodiscard]] std::vector<std::uint32_t> nearest_lists(matrix_view<float const> vectors) const {
        std::vector<std::uint32_t> found(vectors.rows);
        matrix<float> lifted{
            std::vector<float>(vectors.rows * (dim() + 1)), vectors.rows, dim() + 1};
        for (std::size_t i = 0; i < vectors.rows; ++i)
            lift(full_.similarity_.measured(vectors.row(i).data()), 1, lifted.view().row(i));
        lists_.centres.nearest(lifted.view(), found);
        return found;
    }

    // Codes the rows anew, each in the list of its nearest centre.
    void divide(one_bit_code code, detail::cluster_means centres, std::span<std::size_t const> rows,
        executor const* where) {
        std::vector<std::uint32_t> nearest(rows.size());
        detail::run_parts(
            where, rows.size(), detail::cluster_part, [&](std::size_t first, std::size_t last) {
                auto const lifted = lifted_rows(rows.subspan(first, last - first));
                centres.nearest(lifted.view(), std::span(nearest).subspan(first, last - first));
            });
        lists_ = detail::inverted_lists::divided(std::move(code), std::move(centres), rows, nearest,
            full_.store_.rows(), where, [&](std::size_t row) { return measured_row(row); });
    }

    void append(doc_id first, matrix_view<float const> vectors) {
        if (!trained()) return full_.append(first, vectors);
        auto const nearest = nearest_lists(vectors);
        lists_.reserve_more(nearest);
        auto const row = full_.store_.rows();
        full_.append(first, vectors);
        lists_.places.resize(full_.store_.rows());
        for (std::size_t i = 0; i < vectors.rows; ++i)
            lists_.put(nearest[i], row + i, measured_row(row + i));
    }

    // The answer of the lists nearest to a query that has been checked.
    [[nodiscard]] ranking probed(std::span<float const> q, search_options const& options) const {
        auto const measured = full_.similarity_.measured(q.data());
        auto const coded = lists_.code.encode(measured);
        std::vector<float> lifted(dim() + 1);
        lift(measured, metric() == trawl::metric::dot_product ? 0.0f : 1.0f, lifted);
        auto order = lists_.centres.best(lifted, options_.probes);
        auto const least = static_cast<double>(order[0].score) - options_.margin;
        auto const wanted = static_cast<std::size_t>(std::count_if(order.begin(), order.end(),
            [&](hit const& centre) { return static_cast<double>(centre.score) >= least; }));
        std::size_t next = 0;
        auto const read_next = [&](top_k& best) {
            if (next == order.size()) order = lists_.centres.best(lifted, lists());
            return lists_.read(
                order[next++], coded, metric(), options.where,
                [&](std::size_t row) { return full_.store_.id(row); }, best);
        };
        auto const more = [&] { return next < lists() && !options.stopped(); };
        top_k best((std::max)(options.k, options_.candidates));
        for (std::size_t seen = 0; (next < wanted || seen < options_.candidates) && more();)
            seen += read_next(best);
        auto hits = full_.rescored(q, best.take(), options_.candidates, options.k);
        auto const placed = hits.size();
        while (hits.size() < options.k && more()) {
            top_k further(options.k - hits.size());
            static_cast<void>(read_next(further));
            for (auto const& h : further.take()) hits.push_back(h);
        }
        place_rest(hits, placed);
        return hits;
    }

    inverted_file_options options_;
    flat_index full_;
    detail::inverted_lists lists_;
};

TRAWL_END_NAMESPACE
