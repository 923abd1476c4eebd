// SPDX-License-Identifier: MIT
#pragma once

/// Vector search over short codes: the codes of all documents are scanned, the most promising are
/// scored exactly.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/top_k.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/coded_rows.hpp>
#include <trawl/dense/detail/recall.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/dense/vector_code.hpp>

TRAWL_BEGIN_NAMESPACE

struct quantised_options {
    trawl::metric metric = trawl::metric::cosine;
    std::size_t candidates = 0; ///< scored exactly, whatever k is; 0: 100 for int8, 400 for one bit
    std::size_t prefix = 0;     ///< dimensions that are coded, the first ones (Matryoshka); 0: all
    bool keep_full = true;      ///< keep the float vectors; without them estimates are the scores
    std::uint64_t seed = 1;     ///< of the rotation of one bit
};

/// An index of vectors that are scanned as codes: `int8_index` reads a quarter of the floats,
/// `one_bit_index` a 32nd. The best `candidates` documents by estimate, then id, are scored
/// exactly; so the scores are those of flat_index, but a document may be missed (recall() tells how
/// many are). Where k is above `candidates`, the rest follow by estimate, each one float step below
/// the last. The same calls give the same result on every machine, at any batch size and number of
/// threads.
///
/// Until a code has seen its sample (256 documents for one bit) every search is exact. Memory: the
/// codes, 8 bytes a document, and what flat_index takes, or 12 bytes a document without the floats.
/// Const members may run from any number of threads; a writer excludes all else.
/// @tparam Code int8_code or one_bit_code.
template <class Code>
class quantised_index {
public:
    /// @throws trawl::error (invalid_argument) if dim is 0 or prefix is above it, or as flat_index.
    explicit quantised_index(std::size_t dim, quantised_options options = {})
        : options_(checked(dim, options)),
          coded_dim_(options.prefix == 0 ? dim : options.prefix),
          code_(coded_dim_, options.metric, options.seed),
          full_(dim, options.metric),
          coded_metric_(options.metric, coded_dim_),
          kernels_(&detail::active_kernels()) {
        full_.name_ = "quantised_index";
        if (options_.candidates == 0) options_.candidates = Code::candidates;
        if (Code::sample == 0) begin_coding();
    }

    /// Adds a vector under the next id and returns that. Errors as for add(id, vector).
    doc_id add(std::span<float const> vector) { return add(next_id(), vector); }

    /// Adds a vector [dim] under a given id, which it returns.
    /// @throws trawl::error (id_order) if id < next_id() or id is no_doc, (dimension_mismatch),
    /// (not_finite);
    ///         (invalid_argument) if its length is above 2^60 or, but for 0, below 2^-30.
    doc_id add(doc_id id, std::span<float const> vector) {
        full_.check_ids(id, 1);
        full_.check_vector("add", "the vector", vector);
        check_length("add", vector);
        append(id, {vector.data(), 1, vector.size()});
        return id;
    }

    /// Adds the rows of a matrix [n x dim] under the next n ids, all or none, and returns the first
    /// of these.
    doc_id add(matrix_view<float const> vectors) {
        auto const first = next_id();
        if (vectors.empty()) return first;
        full_.check_ids(first, vectors.rows);
        for (std::size_t i = 0; i < vectors.rows; ++i) {
            full_.check_vector("add", "row", vectors.row(i), i);
            check_length("add", vectors.row(i));
        }
        append(first, vectors);
        return first;
    }

    /// Gives a document another vector. False, and nothing changes, if it is not there. Errors as
    /// for add.
    bool update(doc_id id, std::span<float const> vector) {
        full_.check_vector("update", "the vector", vector);
        check_length("update", vector);
        auto const row = full_.store_.find(id);
        if (row == no_row) return false;
        if (full_.store_.dim() > 0) full_.update(id, vector);
        if (coding_) encode(row, vector.data());
        return true;
    }

    /// Retires a document; its id stays taken, its memory in use until compact(). False if it is
    /// not there.
    bool erase(doc_id id) noexcept { return full_.erase(id); }

    /// Gives back the memory of erased documents.
    void compact() {
        full_.compact_rows([&](std::size_t from, std::size_t to) {
            if (coding_) coded_.move(code_, from, to);
        });
        if (coding_) coded_.resize(code_, full_.store_.rows());
    }

    [[nodiscard]] bool contains(doc_id id) const noexcept { return full_.contains(id); }
    [[nodiscard]] std::size_t size() const noexcept { return full_.size(); } ///< live documents
    [[nodiscard]] doc_id next_id() const noexcept { return full_.next_id(); }
    [[nodiscard]] std::size_t dim() const noexcept { return full_.similarity_.dim(); }
    [[nodiscard]] trawl::metric metric() const noexcept { return full_.metric(); }
    [[nodiscard]] quantised_options const& options() const noexcept { return options_; }

    /// The exact index of the same vectors. @throws trawl::error (invalid_argument) where they are
    /// not kept.
    [[nodiscard]] flat_index const& exact() const {
        if (full_.store_.dim() == 0) {
            detail::fail(errc::invalid_argument,
                "quantised_index: the vectors are not kept (keep_full is false)");
        }
        return full_;
    }

    /// Copies a document's vector to out [dim]. False, and out zeroed, if it is not there. Errors
    /// as exact().
    bool copy_vector(doc_id id, std::span<float> out) const { return exact().copy_vector(id, out); }

    /// The best k documents inside the filter. Errors as for flat_index.
    [[nodiscard]] ranking search(query const& q, search_options const& options) const {
        if (q.vector.empty()) return {};
        full_.check_vector("search", "the query's vector", q.vector);
        return std::move(search({q.vector.data(), 1, q.vector.size()}, options).front());
    }

    [[nodiscard]] ranking search(
        std::span<float const> vector, std::size_t k, filter where = {}) const {
        full_.check_dim("search", "the query's vector", vector.size());
        return search(query{.vector = vector}, {.k = k, .where = where});
    }

    /// One ranking for each row of queries [n x dim], as search gives for it alone.
    [[nodiscard]] std::vector<ranking> search(
        matrix_view<float const> queries, search_options const& options) const {
        if (!coding_) return full_.search(queries, options);
        for (std::size_t i = 0; i < queries.rows; ++i) {
            full_.check_vector("search", "query", queries.row(i), i);
            check_length("search", queries.row(i));
        }
        std::vector<ranking> results(queries.rows);
        if (options.k == 0 || size() == 0) return results;
        auto wider = options;
        wider.k = (std::max)(options.k, options_.candidates);
        std::vector<detail::coded_query> coded;
        for (std::size_t i = 0; i < queries.rows; ++i)
            coded.push_back(code_.encode(coded_metric_.measured(queries.row(i).data())));
        auto found = estimated(coded, wider);
        for (std::size_t i = 0; i < queries.rows; ++i)
            results[i] = finish(queries.row(i), coded[i], std::move(found[i]), options.k);
        return results;
    }

    /// The score of each of the ids that is here and inside the filter, in the order given.
    [[nodiscard]] std::vector<hit> score(
        query const& q, std::span<doc_id const> ids, search_options const& options = {}) const {
        if (full_.store_.dim() > 0) return full_.score(q, ids, options);
        std::vector<hit> hits;
        if (q.vector.empty()) return hits;
        full_.check_vector("score", "the query's vector", q.vector);
        check_length("score", q.vector);
        auto const coded = code_.encode(coded_metric_.measured(q.vector.data()));
        for (auto const id : ids) {
            auto const row = full_.store_.find(id);
            if (row != no_row && options.where.admits(id))
                hits.push_back({id, estimate(coded, row)});
        }
        return hits;
    }

    /// How a document gets its score; a leaf of value 0 if search never returns it.
    [[nodiscard]] explanation explain(
        query const& q, doc_id id, search_options const& options = {}) const {
        if (full_.store_.dim() > 0) return full_.explain(q, id, options);
        if (q.vector.empty()) return no_match("no match: the query has no vector");
        auto const hits = score(q, {&id, 1}, options);
        if (hits.empty())
            return no_match("no match: the document has no vector here, or is outside the filter");
        return {.label = detail::join(name_of(metric()), " of query and document, estimated from ",
                    Code::name, " codes"),
            .value = static_cast<double>(hits[0].score)};
    }

    /// What share of the k best documents of each query [n x dim], found by an exact search, this
    /// one finds too: the mean over the queries. Takes as long as the exact searches. Errors as
    /// exact() and search.
    [[nodiscard]] double recall(matrix_view<float const> queries, std::size_t k) const {
        return detail::recall_of(exact().search(queries, {.k = k}), search(queries, {.k = k}));
    }

private:
    template <class Index>
    friend struct detail::stored;

    static constexpr std::size_t no_row = detail::vector_store<float>::no_row;

    static quantised_options checked(std::size_t dim, quantised_options options) {
        if (options.prefix > dim) {
            detail::fail(
                errc::invalid_argument, detail::join("quantised_index: prefix is ", options.prefix,
                                            ", the vectors have ", dim, " values"));
        }
        return options;
    }

    void check_length(char const* caller, std::span<float const> vector) const {
        for (auto const& how : {&full_.similarity_, &coded_metric_})
            detail::check_codable("quantised_index", caller, how->measured(vector.data()));
    }

    void append(doc_id first, matrix_view<float const> vectors) {
        auto const row = full_.store_.rows();
        if (!coding_) {
            full_.append(first, vectors);
            if (full_.store_.rows() >= Code::sample) learn();
            return;
        }
        coded_.reserve_more(code_, vectors.rows);
        full_.append(first, vectors);
        coded_.resize(code_, full_.store_.rows());
        for (std::size_t i = 0; i < vectors.rows; ++i) encode(row + i, vectors.row(i).data());
    }

    // Codes what is there, from a centre that the first rows alone decide.
    void learn() {
        std::vector<detail::measured_vector> sample;
        for (std::size_t row = 0; row < Code::sample; ++row)
            sample.push_back(coded_metric_.measured(full_.store_.row(row)));
        code_.learn(sample);
        begin_coding();
    }

    void begin_coding() {
        coding_ = true;
        coded_.resize(code_, full_.store_.rows());
        for (std::size_t row = 0; row < full_.store_.rows(); ++row)
            encode(row, full_.store_.row(row));
        if (!options_.keep_full) full_.store_.drop_values();
    }

    void encode(std::size_t row, float const* vector) {
        coded_.set(row, code_.encode(coded_metric_.measured(vector), coded_.codes.data(), row));
    }

    [[nodiscard]] std::vector<ranking> estimated(
        std::span<detail::coded_query const> queries, search_options const& options) const {
        auto const& store = full_.store_;
        return detail::in_parts(store.blocks(), queries.size(), options, top_k(options.k),
            [&](std::size_t first, std::size_t last, std::span<top_k> best) {
                typename detail::coded_rows<Code>::workspace space;
                auto const step = (last - first + Code::streams - 1) / Code::streams;
                for (std::size_t b = first; b < first + step; ++b) {
                    detail::block_group group;
                    for (auto at = b; at < last; at += step) {
                        auto const bits = store.eligible(at, options.where);
                        if (bits == 0) continue;
                        group.numbers[group.count] = at;
                        group.bits[group.count++] = bits;
                    }
                    if (group.count == 0) continue;
                    if (options.stopped()) return;
                    for (std::size_t q = 0; q < queries.size(); ++q) {
                        coded_.estimate(code_, *kernels_, queries[q], group, best[q].threshold(),
                            space, [&](std::size_t row, float estimate) {
                                best[q].push({store.id(row), estimate});
                            });
                    }
                }
            });
    }

    // An estimate, with what all estimates of a query have in common.
    [[nodiscard]] float whole(detail::coded_query const& q, float estimate) const noexcept {
        auto const score =
            detail::narrowed(detail::rounded(static_cast<double>(estimate) + q.constant));
        return metric() == trawl::metric::cosine      ? std::clamp(score, -1.0f, 1.0f)
               : metric() == trawl::metric::euclidean ? (std::min)(score, 0.0f)
                                                      : score;
    }

    [[nodiscard]] float estimate(detail::coded_query const& q, std::size_t row) const noexcept {
        typename detail::coded_rows<Code>::workspace space;
        constexpr auto block = detail::coded_rows<Code>::block;
        detail::block_group const group{1, {row / block}, {std::uint64_t{1} << row % block}};
        float score = 0;
        coded_.estimate(code_, *kernels_, q, group, (std::numeric_limits<float>::lowest)(), space,
            [&](std::size_t, float found) { score = whole(q, found); });
        return score;
    }

    [[nodiscard]] ranking finish(std::span<float const> query, detail::coded_query const& coded,
        ranking hits, std::size_t k) const {
        for (auto& h : hits) h.score = whole(coded, h.score);
        if (full_.store_.dim() > 0)
            return full_.rescored(query, std::move(hits), options_.candidates, k);
        std::sort(hits.begin(), hits.end(), by_rank{}); // what was clamped may tie
        if (hits.size() > k) hits.resize(k);
        return hits;
    }

    quantised_options options_;
    std::size_t coded_dim_;
    Code code_;
    flat_index full_; // without values where they are not kept
    detail::similarity coded_metric_;
    detail::kernels const* kernels_;
    bool coding_ = false;
    detail::coded_rows<Code> coded_;
};

using int8_index = quantised_index<int8_code>;
using one_bit_index = quantised_index<one_bit_code>;

TRAWL_END_NAMESPACE
