// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of flat_search.hpp.

#include <trawl/dense/detail/flat_search.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/placed.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/top_k.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/collector.hpp>
#include <trawl/dense/detail/query_block.hpp>
#include <trawl/dense/detail/row_scan.hpp>
#include <trawl/dense/detail/similarity.hpp>
#include <trawl/dense/detail/vector_table.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE doc_id add_vectors(
    vector_table& table, doc_id first, matrix_view<float const> vectors, executor const* pool) {
    if (vectors.empty()) return first;
    table.documents().check_new(table.index(), first, vectors.rows);
    for (std::size_t i = 0; i < vectors.rows; ++i)
        table.check_vector("add_all", "row", vectors.row(i), i);
    table.append(first, vectors, pool);
    return first;
}

TRAWL_INLINE doc_id add_vector(vector_table& table, doc_id id, std::span<float const> vector) {
    table.documents().check_new(table.index(), id, 1);
    table.check_vector("add", "the vector", vector);
    table.append(id, {vector.data(), 1, vector.size()});
    return id;
}

TRAWL_INLINE bool update_vector(vector_table& table, doc_id id, std::span<float const> vector) {
    table.check_vector("update", "the vector", vector);
    auto const row = table.documents().find(id);
    if (row == vector_table::no_row) return false;
    table.update(row, vector);
    return true;
}

TRAWL_INLINE bool erase_vector(vector_table& table, doc_id id) noexcept {
    auto const row = table.documents().find(id);
    if (row == vector_table::no_row) return false;
    table.erase(row);
    return true;
}

TRAWL_INLINE void compact_vectors(vector_table& table) {
    table.prepare_compact();
    table.compact();
}

TRAWL_INLINE bool copy_vector(vector_table const& table, doc_id id, std::span<float> out) {
    table.check_dim("copy_vector", "out", out.size());
    auto const row = table.documents().find(id);
    if (row == vector_table::no_row) {
        std::fill(out.begin(), out.end(), 0.0f);
        return false;
    }
    table.copy_row(row, out);
    auto const bad = first_not_finite(out);
    if (bad == out.size()) return true;
    fail(errc::corrupt, join(table.index(), "::copy_vector: value ", bad, " of document ", id,
                            " is ", out[bad], ": its file is damaged"));
}

// One ranking for each query; they have been checked.
[[nodiscard]] inline std::vector<ranking> scan_table(vector_table const& table,
    array_ref<measured_vector const> queries, search_options const& options,
    collector const& empty) {
    auto const& documents = table.documents();
    if (options.k == 0 || documents.live() == 0) return std::vector<ranking>(queries.size());
    query_block const packed(queries, table.dim(), table.kernels().tile_queries);
    row_scan const scan(table);
    return scan_in_tasks(documents.blocks(), queries.size(), options, empty,
        [&](std::size_t first, std::size_t last, array_ref<collector> best) {
            scan.run(first, last, packed, options, best);
        });
}

TRAWL_INLINE std::vector<ranking> search_vectors(
    vector_table const& table, matrix_view<float const> queries, search_options const& options) {
    buffer<measured_vector> measured;
    measured.reserve(queries.rows);
    for (std::size_t i = 0; i < queries.rows; ++i) {
        table.check_vector("search", "query", queries.row(i), i);
        measured.push_back(table.measured(queries.row(i)));
    }
    return scan_table(table, measured, options, collector::of_best(options.k));
}

TRAWL_INLINE std::vector<ranking> search_batch(vector_table const& table,
    std::span<query const> queries,
    function_ref<std::vector<ranking>(matrix_view<float const>)> search) {
    std::vector<float> packed;
    std::size_t count = 0;
    for (std::size_t i = 0; i < queries.size(); ++i) {
        auto const vector = queries[i].vector;
        if (vector.empty()) continue;
        table.check_vector("search", "query", vector, i);
        packed.insert(packed.end(), vector.begin(), vector.end());
        ++count;
    }
    auto found = search({packed.data(), count, table.dim()});
    std::vector<ranking> results(queries.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < queries.size(); ++i)
        if (!queries[i].vector.empty()) results[i] = std::move(found[next++]);
    return results;
}

TRAWL_INLINE std::vector<ranking> search_vectors(
    vector_table const& table, std::span<query const> queries, search_options const& options) {
    if (queries.size() != 1) {
        return search_batch(table, queries, [&](matrix_view<float const> vectors) {
            return search_vectors(table, vectors, options);
        });
    }
    auto const vector = queries[0].vector;
    if (vector.empty()) return std::vector<ranking>(1);
    table.check_vector("search", "the query's vector", vector);
    auto const measured = table.measured(vector);
    return scan_table(table, {&measured, 1}, options, collector::of_best(options.k));
}

TRAWL_INLINE ranking search_vectors(
    vector_table const& table, std::span<float const> vector, std::size_t k, filter where) {
    table.check_dim("search", "the query's vector", vector.size());
    query const q{.vector = vector};
    return std::move(
        search_vectors(table, std::span(&q, 1), {.k = k, .where = std::move(where)}).front());
}

TRAWL_INLINE ranking vectors_above(
    vector_table const& table, query const& q, float least, search_options const& options) {
    if (!is_finite(least)) {
        fail(errc::not_finite, join(table.index(), "::search_above: least is ", least));
    }
    if (q.vector.empty()) return {};
    table.check_vector("search_above", "the query's vector", q.vector);
    auto const measured = table.measured(q.vector);
    auto all = options;
    all.k = 1; // 0 would ask for nothing
    return std::move(scan_table(table, {&measured, 1}, all, collector::of_all_from(least)).front());
}

TRAWL_INLINE std::vector<hit> score_vectors(vector_table const& table, query const& q,
    std::span<doc_id const> ids, search_options const& options) {
    std::vector<hit> hits;
    if (q.vector.empty()) return hits;
    table.check_vector("score", "the query's vector", q.vector);
    std::vector<std::uint32_t> rows;
    for (auto const id : ids) {
        auto const row = table.documents().find(id);
        if (row == vector_table::no_row || !options.where.admits(id)) continue;
        rows.push_back(static_cast<std::uint32_t>(row));
        hits.push_back({id, 0});
    }
    std::size_t kept = 0;
    row_scan(table).score(table.measured(q.vector), rows, [&](std::size_t i, float score) {
        if (is_finite(score)) hits[kept++] = {hits[i].id, score};
    });
    hits.resize(kept);
    return hits;
}

// The score of one row, and how it comes about.
[[nodiscard]] inline explanation explain_row(
    similarity const& how, measured_vector const& query, measured_vector const& row) {
    if (how.how() != metric::cosine) {
        return {.label = how.how() == metric::dot_product
                             ? "dot product of query and document"
                             : "minus the squared distance of query and document",
            .value = static_cast<double>(how.score(query, row))};
    }
    float sum = 0;
    how.rows_kernel()(query.values, &row.values, 1, how.dim(), &sum);
    auto const product = dot_of(query, row, sum, how.dim());
    auto const leaf = [](char const* label, double value) {
        explanation made;
        made.label = label;
        made.value = value;
        return made;
    };
    explanation cosine;
    cosine.op = operation::product;
    cosine.label = "cosine, in double";
    cosine.value = unrounded_cosine(product, query, row);
    cosine.children.push_back(leaf("dot product", product));
    cosine.children.push_back(leaf("1 / length of the query", query.inverse_length));
    cosine.children.push_back(leaf("1 / length of the document", row.inverse_length));
    explanation tree;
    tree.op = operation::round;
    tree.label = "cosine of query and document";
    tree.value = static_cast<double>(static_cast<float>(cosine.value));
    tree.children.push_back(std::move(cosine));
    if (tree.value >= -1 && tree.value <= 1) return tree;
    bool const above = tree.value > 1;
    explanation clamped;
    clamped.op = above ? operation::min : operation::max;
    clamped.label = "clamped";
    clamped.value = above ? 1 : -1;
    clamped.children.push_back(std::move(tree));
    clamped.children.push_back(above ? leaf("largest cosine", 1) : leaf("least cosine", -1));
    return clamped;
}

TRAWL_INLINE explanation explain_vector(
    vector_table const& table, query const& q, doc_id id, search_options const& options) {
    if (q.vector.empty()) return no_match("no match: the query has no vector");
    table.check_vector("explain", "the query's vector", q.vector);
    auto const row = table.documents().find(id);
    if (row == vector_table::no_row) return no_match("no match: the document has no vector here");
    if (!options.where.admits(id)) return no_match("no match: outside the filter");
    std::vector<float> vector(table.dim());
    table.copy_row(row, vector);
    auto const query = table.measured(q.vector);
    measured_vector const measured{vector.data(), table.inverse_lengths()[row]};
    if (!is_finite(table.similarity().score(query, measured)))
        return no_match("no match: the file of the vector is damaged");
    return explain_row(table.similarity(), query, measured);
}

TRAWL_INLINE std::vector<std::string> warnings_of(vector_table const& table, query const& q) {
    std::vector<std::string> found;
    if (q.vector.empty()) return found;
    if (table.not_unit() > 0 && table.how() == metric::dot_product) {
        found.push_back(join(table.index(), ": dot product, but ", table.not_unit(), " of ",
            table.documents().live(),
            " vectors do not have length 1: longer ones score higher; metric::cosine ignores the "
            "length"));
    }
    if (table.how() != metric::euclidean
        && std::all_of(q.vector.begin(), q.vector.end(), [](float v) { return v == 0; })) {
        found.push_back(join(table.index(), ": the query's vector is zero, and so is every score"));
    }
    return found;
}

TRAWL_INLINE void rescore(vector_table const& table, std::span<float const> query, ranking& hits,
    std::size_t candidates, std::size_t k) {
    auto const exact = (std::min)(candidates, hits.size());
    std::vector<std::uint32_t> rows;
    rows.reserve(exact);
    for (std::size_t i = 0; i < exact; ++i)
        rows.push_back(static_cast<std::uint32_t>(table.documents().find(hits[i].id)));
    ranking scored;
    scored.reserve(exact);
    row_scan(table).score(table.measured(query), rows, [&](std::size_t i, float score) {
        if (is_finite(score)) scored.push_back({hits[i].id, score});
    });
    keep_best(scored, scored.size());
    // Only a damaged file has fewer that are scored.
    hits.erase(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(exact - scored.size()));
    std::copy(scored.begin(), scored.end(), hits.begin());
    if (hits.size() > k) hits.resize(k);
    if (scored.size() < hits.size()) place_rest(hits, scored.size());
}

} // namespace detail
TRAWL_END_NAMESPACE
