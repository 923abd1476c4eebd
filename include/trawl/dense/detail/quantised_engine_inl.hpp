// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of quantised_engine.hpp.

#include <trawl/dense/detail/quantised_engine.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/coded_query.hpp>
#include <trawl/dense/detail/coded_rows.hpp>
#include <trawl/dense/detail/coded_search.hpp>
#include <trawl/dense/detail/flat_search.hpp>
#include <trawl/dense/detail/recall.hpp>
#include <trawl/dense/detail/vector_encoder.hpp>
#include <trawl/dense/detail/vector_table.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/simd/dispatch.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline quantised_options checked(
    code_kind kind, std::size_t candidates, std::size_t dim, quantised_options options) {
    if (options.prefix > dim) {
        fail(errc::invalid_argument, join("quantised_index: prefix is ", options.prefix,
                                         ", the vectors have ", dim, " values"));
    }
    auto const coded = options.prefix == 0 ? dim : options.prefix;
    if (coded > vector_encoder::largest_dim(kind)) {
        fail(errc::invalid_argument,
            join("quantised_index: ", coded, " dimensions cannot be coded, at most ",
                vector_encoder::largest_dim(kind), " can: give a prefix"));
    }
    if (options.candidates == 0) options.candidates = candidates;
    return options;
}

TRAWL_INLINE quantised_engine::quantised_engine(code_kind kind, char const* code_name,
    std::size_t candidates, std::size_t dim, quantised_options options)
    : options_(checked(kind, candidates, dim, options)),
      code_name_(code_name),
      encoder_(kind, options.prefix == 0 ? dim : options.prefix, options.metric, options.seed),
      exact_(dim, options.metric) {
    table().rename("quantised_index");
}

TRAWL_INLINE measured_vector quantised_engine::measured_prefix(float const* vector) const noexcept {
    return coded_part(encoder_, table().kernels(), vector);
}

TRAWL_INLINE void quantised_engine::check_length(
    char const* caller, std::span<float const> vector) const {
    check_codable(table().index(), caller, table().measured(vector));
    check_codable(table().index(), caller, measured_prefix(vector.data()));
}

// Drops codes that were appended for rows whose addition then failed.
struct undo_append {
    coded_rows& codes;
    vector_encoder const& encoder;
    std::size_t rows;
    bool done = false;

    ~undo_append() {
        if (!done) codes.cut(encoder, rows);
    }
};

TRAWL_INLINE doc_id quantised_engine::add(
    doc_id first, matrix_view<float const> vectors, char const* caller, executor const* pool) {
    if (vectors.empty()) return first;
    auto& full = table();
    full.documents().check_new(full.index(), first, vectors.rows);
    for (std::size_t i = 0; i < vectors.rows; ++i) {
        if (vectors.rows == 1 && caller[3] == '\0') {
            full.check_vector(caller, "the vector", vectors.row(i));
        } else {
            full.check_vector(caller, "row", vectors.row(i), i);
        }
        check_length(caller, vectors.row(i));
    }
    auto const lengths = full.inverse_lengths_of(vectors, pool);
    auto const rows = full.documents().rows();
    auto const added = [&](std::size_t i) { return vectors.row(i).data(); };
    if (coding_) {
        full.reserve_more(vectors.rows);
        coded_.reserve_more(encoder_, vectors.rows);
        undo_append undo{coded_, encoder_, rows};
        coded_.append(encoder_, vectors.rows);
        encode_rows(coded_, encoder_, full.kernels(), rows, vectors.rows, added, pool);
        undo.done = true;
        full.append_reserved(first, vectors, lengths);
        return first;
    }
    if (rows + vectors.rows < vector_encoder::sample) {
        full.reserve_more(vectors.rows);
        full.append_reserved(first, vectors, lengths);
        return first;
    }
    // The sample is there: its mean is the centre, and all rows are coded.
    auto const all = [&](std::size_t i) {
        return i < rows ? full.floats(i) : vectors.row(i - rows).data();
    };
    for (std::size_t row = 0; row < rows; ++row) full.check_row(caller, row);
    auto encoder = encoder_;
    encoder.set_centre(encoder.mean_of(
        vector_encoder::sample, [&](std::size_t i) { return measured_prefix(all(i)); }));
    coded_rows codes;
    codes.reserve_more(encoder, rows + vectors.rows);
    codes.append(encoder, rows + vectors.rows);
    encode_rows(codes, encoder, full.kernels(), 0, rows + vectors.rows, all, pool);
    full.reserve_more(vectors.rows);
    full.append_reserved(first, vectors, lengths);
    encoder_ = std::move(encoder);
    coded_ = std::move(codes);
    coding_ = true;
    if (!options_.keep_full) full.drop_values();
    return first;
}

TRAWL_INLINE bool quantised_engine::update(doc_id id, std::span<float const> vector) {
    auto& full = table();
    full.check_vector("update", "the vector", vector);
    check_length("update", vector);
    auto const row = full.documents().find(id);
    if (row == vector_table::no_row) return false;
    std::vector<float> space(encoder_.workspace());
    full.update(row, vector);
    if (coding_)
        coded_.encode(encoder_, measured_prefix(vector.data()), encoder_.centre(), row, space);
    return true;
}

// Learns the centre anew, from the live rows, and codes all rows.
TRAWL_INLINE void quantised_engine::train(executor const* pool, char const* caller) {
    auto& full = table();
    if (!options_.keep_full) {
        fail(errc::invalid_argument,
            join(full.index(), "::train: the vectors are not kept (keep_full is false)"));
    }
    if (!coding_) return;
    auto const live = full.documents().live_rows();
    if (live.empty()) return;
    auto encoder = encoder_;
    encoder.set_centre(encoder.mean_of(live.size(), [&](std::size_t i) {
        full.check_row(caller, live[i]);
        return measured_prefix(full.floats(live[i]));
    }));
    coded_rows codes;
    auto const rows = full.documents().rows();
    codes.reserve_more(encoder, rows);
    codes.append(encoder, rows);
    encode_rows(
        codes, encoder, full.kernels(), 0, rows, [&](std::size_t i) { return full.floats(i); },
        pool);
    encoder_ = std::move(encoder);
    coded_ = std::move(codes);
}

TRAWL_INLINE void quantised_engine::compact(executor const* pool) {
    table().prepare_compact();
    if (coding_ && options_.keep_full) train(pool, "compact");
    drop_erased();
}

TRAWL_INLINE void quantised_engine::drop_erased() {
    auto& full = table();
    full.prepare_compact(); // from here on nothing can fail
    if (coding_) {
        std::size_t to = 0;
        for (std::size_t from = 0; from < full.documents().rows(); ++from) {
            if (full.documents().lives(from)) coded_.move(encoder_, from, to++);
        }
        coded_.cut(encoder_, to);
    }
    full.compact();
}

TRAWL_INLINE void quantised_engine::set_candidates(std::size_t documents) {
    if (documents == 0) {
        fail(errc::invalid_argument,
            join(table().index(), "::set_candidates: candidates must be > 0, is 0"));
    }
    options_.candidates = documents;
}

TRAWL_INLINE flat_index const& quantised_engine::exact() const {
    if (!options_.keep_full) {
        fail(errc::invalid_argument,
            join(table().index(), ": the vectors are not kept (keep_full is false)"));
    }
    return exact_;
}

TRAWL_INLINE std::vector<ranking> quantised_engine::search(
    matrix_view<float const> queries, search_options const& options) const {
    for (std::size_t i = 0; i < queries.rows; ++i)
        table().check_vector("search", "query", queries.row(i), i);
    return scan(queries, options);
}

TRAWL_INLINE std::vector<ranking> quantised_engine::search(
    std::span<query const> queries, search_options const& options) const {
    if (queries.size() != 1) {
        return search_batch(table(), queries,
            [&](matrix_view<float const> vectors) { return scan(vectors, options); });
    }
    auto const vector = queries[0].vector;
    if (vector.empty()) return std::vector<ranking>(1);
    table().check_vector("search", "the query's vector", vector);
    return scan({vector.data(), 1, vector.size()}, options);
}

TRAWL_INLINE ranking quantised_engine::search(
    std::span<float const> vector, std::size_t k, filter where) const {
    table().check_dim("search", "the query's vector", vector.size());
    query const q{.vector = vector};
    return std::move(search(std::span(&q, 1), {.k = k, .where = std::move(where)}).front());
}

// The search of queries that have been checked.
TRAWL_INLINE std::vector<ranking> quantised_engine::scan(
    matrix_view<float const> queries, search_options const& options) const {
    if (!coding_) return search_vectors(table(), queries, options);
    for (std::size_t i = 0; i < queries.rows; ++i) check_length("search", queries.row(i));
    return search_codes(table(), encoder_, coded_.view(), queries, options_.candidates, options);
}

TRAWL_INLINE std::vector<hit> quantised_engine::score(
    query const& q, std::span<doc_id const> ids, search_options const& options) const {
    if (table().keeps_values()) return score_vectors(table(), q, ids, options);
    std::vector<hit> hits;
    if (q.vector.empty()) return hits;
    table().check_vector("score", "the query's vector", q.vector);
    check_length("score", q.vector);
    auto const coded = encoder_.encode(measured_prefix(q.vector.data()));
    for (auto const id : ids) {
        auto const row = table().documents().find(id);
        if (row == vector_table::no_row || !options.where.admits(id)) continue;
        block_group group;
        group.count = 1;
        group.numbers[0] = row / coded_rows::block;
        group.bits[0] = std::uint64_t{1} << row % coded_rows::block;
        coded_.view().estimate(encoder_, table().kernels(), coded, group,
            (std::numeric_limits<float>::lowest)(), [&](std::size_t, float found) {
                hits.push_back({id, whole_estimate(options_.metric, coded, found)});
            });
    }
    return hits;
}

TRAWL_INLINE explanation quantised_engine::explain(
    query const& q, doc_id id, search_options const& options) const {
    if (table().keeps_values()) return explain_vector(table(), q, id, options);
    if (q.vector.empty()) return no_match("no match: the query has no vector");
    auto const hits = score(q, {&id, 1}, options);
    if (hits.empty())
        return no_match("no match: the document has no vector here, or is outside the filter");
    return {.label = join(name_of(options_.metric), " of query and document, estimated from ",
                code_name_, " codes"),
        .value = static_cast<double>(hits[0].score)};
}

TRAWL_INLINE double quantised_engine::recall(
    matrix_view<float const> queries, std::size_t k) const {
    return recall_of(exact().search(queries, {.k = k}), search(queries, {.k = k}));
}

} // namespace detail
TRAWL_END_NAMESPACE
