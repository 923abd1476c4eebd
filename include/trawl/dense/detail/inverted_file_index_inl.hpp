// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of inverted_file_index.hpp.

#include <trawl/dense/inverted_file_index.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/matrix.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/placed.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/top_k.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/cluster_means.hpp>
#include <trawl/dense/detail/coded_query.hpp>
#include <trawl/dense/detail/flat_search.hpp>
#include <trawl/dense/detail/inverted_lists.hpp>
#include <trawl/dense/detail/recall.hpp>
#include <trawl/dense/detail/vector_encoder.hpp>
#include <trawl/dense/detail/vector_table.hpp>
#include <trawl/dense/vector_code.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline inverted_file_options const& checked(
    std::size_t dim, inverted_file_options const& options) {
    auto const most = vector_encoder::largest_dim(code_kind::one_bit);
    if (dim > most) {
        fail(errc::invalid_argument, join("inverted_file_index: ", dim,
                                         " dimensions cannot be coded, at most ", most, " can"));
    }
    if (options.probes == 0 || options.candidates == 0) {
        fail(
            errc::invalid_argument, join("inverted_file_index: probes is ", options.probes,
                                        ", candidates ", options.candidates, "; both must be > 0"));
    }
    if (!is_finite(options.margin) || options.margin < 0) {
        fail(errc::invalid_argument,
            join("inverted_file_index: margin is ", options.margin, ", must be finite and >= 0"));
    }
    return options;
}

} // namespace detail

TRAWL_INLINE inverted_file_index::inverted_file_index(
    std::size_t dim, inverted_file_options options)
    : options_(detail::checked(dim, options)),
      full_(dim, options.metric),
      lists_{.encoder = {detail::code_kind::one_bit, dim, options.metric, options.seed}} {
    table().rename("inverted_file_index");
}

TRAWL_INLINE void inverted_file_index::set_options(inverted_file_options const& options) {
    options_ = detail::checked(dim(), options);
}

TRAWL_INLINE void inverted_file_index::set_probes(std::size_t lists) {
    auto changed = options_;
    changed.probes = lists;
    set_options(changed);
}

TRAWL_INLINE void inverted_file_index::set_margin(double score) {
    auto changed = options_;
    changed.margin = score;
    set_options(changed);
}

TRAWL_INLINE void inverted_file_index::set_candidates(std::size_t documents) {
    auto changed = options_;
    changed.candidates = documents;
    set_options(changed);
}

TRAWL_INLINE void inverted_file_index::check(
    char const* caller, char const* what, std::span<float const> vector, std::size_t number) const {
    table().check_vector(caller, what, vector, number);
    detail::check_codable(table().index(), caller, table().measured(vector));
}

// Rows [v - centre, 1], v of unit length under cosine.
TRAWL_INLINE matrix<float> inverted_file_index::lifted(detail::vector_encoder const& encoder,
    std::size_t count, function_ref<detail::measured_vector(std::size_t)> vector) const {
    matrix<float> out{std::vector<float>(count * (dim() + 1)), count, dim() + 1};
    auto const centre = encoder.centre();
    for (std::size_t r = 0; r < count; ++r) {
        auto const v = vector(r);
        auto const scale = metric() == trawl::metric::cosine ? v.inverse_length : 1.0;
        auto const row = out.view().row(r);
        for (std::size_t i = 0; i < dim(); ++i) {
            row[i] = static_cast<float>(
                detail::rounded(detail::rounded(static_cast<double>(v.values[i]) * scale)
                                - static_cast<double>(centre[i])));
        }
        row[dim()] = 1;
    }
    return out;
}

// The list of the nearest mean of each vector.
TRAWL_INLINE std::vector<std::uint32_t> inverted_file_index::nearest_lists(
    detail::vector_encoder const& encoder, detail::cluster_means const& means, std::size_t count,
    function_ref<detail::measured_vector(std::size_t)> vector, executor const* pool) const {
    std::vector<std::uint32_t> nearest(count);
    run_tasks(pool, (count + detail::cluster_task - 1) / detail::cluster_task, [&](std::size_t t) {
        auto const first = t * detail::cluster_task;
        auto const size = (std::min)(count - first, detail::cluster_task);
        auto const rows = lifted(encoder, size, [&](std::size_t i) { return vector(first + i); });
        means.nearest(rows.view(), std::span(nearest).subspan(first, size));
    });
    return nearest;
}

TRAWL_INLINE void inverted_file_index::train(std::size_t lists, executor const* pool) {
    auto const rows = table().documents().live_rows();
    if (lists == 0)
        lists = static_cast<std::size_t>(detail::math::sqrt(static_cast<double>(rows.size())));
    lists = (std::min)(lists, rows.size());
    if (lists == 0) return;
    for (auto const row : rows) table().check_row("train", row);
    // k-means sees enough vectors of each list, drawn at random.
    constexpr std::size_t seen_by_list = 64;
    constexpr std::size_t iterations = 8;
    auto sample = rows;
    if (rows.size() / seen_by_list > lists) {
        detail::random from(options_.seed);
        for (std::size_t i = 0; i < lists * seen_by_list; ++i)
            std::swap(sample[i], sample[i + from.below(sample.size() - i)]);
        sample.resize(lists * seen_by_list);
    }
    auto const sampled = [&](std::size_t i) { return table().measured_row(sample[i]); };
    auto encoder = lists_.encoder;
    encoder.set_centre(encoder.mean_of(sample.size(), sampled));
    auto means = detail::k_means(
        lifted(encoder, sample.size(), sampled).view(), lists, iterations, options_.seed, pool);
    for (std::size_t i = 0; i < means.values.size(); ++i) {
        means.values[i] = static_cast<float>(static_cast<double>(means.values[i])
                                             + static_cast<double>(encoder.centre()[i % dim()]));
    }
    detail::cluster_means clusters(std::move(means), encoder.centre(), metric());
    auto const nearest = nearest_lists(
        encoder, clusters, rows.size(),
        [&](std::size_t i) { return table().measured_row(rows[i]); }, pool);
    lists_ = detail::divided(std::move(encoder), std::move(clusters), rows, nearest,
        table().documents().rows(), pool,
        [&](std::size_t row) { return table().measured_row(row); });
}

TRAWL_INLINE void inverted_file_index::append(
    doc_id first, matrix_view<float const> vectors, executor const* pool) {
    if (!trained()) return table().append(first, vectors, pool);
    auto const lengths = table().inverse_lengths_of(vectors, pool);
    auto const added = [&](std::size_t i) -> detail::measured_vector {
        return {vectors.row(i).data(), lengths[i]};
    };
    auto const nearest = nearest_lists(lists_.encoder, lists_.means, vectors.rows, added, pool);
    std::vector<float> space(lists_.encoder.workspace());
    lists_.reserve_more(nearest);
    table().reserve_more(vectors.rows);
    // From here on nothing can fail.
    auto const row = table().documents().rows();
    table().append_reserved(first, vectors, lengths);
    for (std::size_t i = 0; i < vectors.rows; ++i) {
        lists_.put(nearest[i], row + i, added(i), space);
        lists_.occupy(nearest[i]);
    }
}

TRAWL_INLINE doc_id inverted_file_index::add(doc_id id, std::span<float const> vector) {
    table().documents().check_new(table().index(), id, 1);
    check("add", "the vector", vector);
    append(id, {vector.data(), 1, vector.size()}, nullptr);
    return id;
}

TRAWL_INLINE doc_id inverted_file_index::add_all(
    matrix_view<float const> vectors, executor const* pool) {
    auto const first = next_id();
    if (vectors.empty()) return first;
    table().documents().check_new(table().index(), first, vectors.rows);
    for (std::size_t i = 0; i < vectors.rows; ++i) check("add_all", "row", vectors.row(i), i);
    append(first, vectors, pool);
    return first;
}

TRAWL_INLINE bool inverted_file_index::update(doc_id id, std::span<float const> vector) {
    check("update", "the vector", vector);
    auto const row = table().documents().find(id);
    if (row == detail::vector_table::no_row) return false;
    if (!trained()) return full_.update(id, vector);
    auto const measured = table().measured(vector);
    auto const list = nearest_lists(
        lists_.encoder, lists_.means, 1, [&](std::size_t) { return measured; }, nullptr)[0];
    std::vector<float> space(lists_.encoder.workspace());
    lists_.reserve_more(list, 1);
    table().update(row, vector);
    // From here on nothing can fail.
    lists_.take_out(row);
    lists_.put(list, row, measured, space);
    lists_.occupy(list);
    return true;
}

TRAWL_INLINE bool inverted_file_index::erase(doc_id id) noexcept {
    auto const row = table().documents().find(id);
    if (row == detail::vector_table::no_row) return false;
    if (trained()) lists_.take_out(row);
    table().erase(row);
    return true;
}

TRAWL_INLINE bool inverted_file_index::is_compact() const noexcept {
    auto const& documents = table().documents();
    std::size_t entries = 0;
    for (auto const& list : lists_.lists) entries += list.rows.size();
    return documents.rows() == documents.live() && lists_.vacant == 0
           && (!trained() || entries == documents.live());
}

TRAWL_INLINE void inverted_file_index::compact(executor const*) {
    table().prepare_compact();
    auto const live = table().documents().live_rows();
    std::vector<std::uint32_t> moved_to(table().documents().rows());
    for (std::size_t i = 0; i < live.size(); ++i) moved_to[live[i]] = static_cast<std::uint32_t>(i);
    // The mean of a list of one document is its vector: it goes with the document.
    lists_.drop_empty(metric());
    // From here on nothing can fail.
    lists_.compact(moved_to, trained() ? live.size() : 0);
    table().compact();
}

TRAWL_INLINE ranking inverted_file_index::search(
    query const& q, search_options const& options) const {
    if (q.vector.empty()) return {};
    if (!trained()) return full_.search(q, options);
    check("search", "the query's vector", q.vector);
    return probed(q.vector, options);
}

TRAWL_INLINE ranking inverted_file_index::search(
    std::span<float const> vector, std::size_t k, filter where) const {
    table().check_dim("search", "the query's vector", vector.size());
    return search(query{.vector = vector}, {.k = k, .where = std::move(where)});
}

TRAWL_INLINE std::vector<ranking> inverted_file_index::search(
    matrix_view<float const> queries, search_options const& options) const {
    if (!trained()) return full_.search(queries, options);
    for (std::size_t i = 0; i < queries.rows; ++i) check("search", "query", queries.row(i), i);
    std::vector<ranking> results(queries.rows);
    run_tasks(options.executor, queries.rows,
        [&](std::size_t i) { results[i] = probed(queries.row(i), options); });
    return results;
}

TRAWL_INLINE std::vector<ranking> inverted_file_index::search(
    std::span<query const> queries, search_options const& options) const {
    return detail::search_batch(table(), queries,
        [&](matrix_view<float const> vectors) { return search(vectors, options); });
}

// The search of the lists nearest to a query that has been checked.
TRAWL_INLINE ranking inverted_file_index::probed(
    std::span<float const> vector, search_options const& options) const {
    if (options.k == 0) return {};
    auto const measured = table().measured(vector);
    auto const coded = lists_.encoder.encode(measured);
    auto const from_centre = lifted(lists_.encoder, 1, [&](std::size_t) { return measured; });
    auto const q = std::span(from_centre.values).first(dim());
    // Dot products with means differ as those with their differences from the centre do.
    auto const asked = metric() == trawl::metric::dot_product ? vector : q;
    auto const among = lists_.vacant == 0 ? filter() : filter(lists_.occupied);
    auto const readable = lists_.size() - lists_.vacant;
    auto order = lists_.means.best(asked, options_.probes, among);
    if (order.empty()) return {};
    auto const least = static_cast<double>(order.front().score) - options_.margin;
    auto const wanted = static_cast<std::size_t>(std::count_if(order.begin(), order.end(),
        [&](hit const& mean) { return static_cast<double>(mean.score) >= least; }));
    std::size_t next = 0;
    auto const read_next = [&](top_k& best) {
        if (next == order.size()) order = lists_.means.best(asked, readable, among);
        auto const list = order[next++].id;
        return lists_.read(list, coded, lists_.means.constant(list, q), table().documents(),
            options.where, table().kernels(), best);
    };
    auto const more = [&] { return next < readable && !options.stopped(); };
    top_k best((std::max)(options.k, options_.candidates));
    for (std::size_t seen = 0; (next < wanted || seen < options_.candidates) && more();)
        seen += read_next(best);
    auto hits = best.take();
    detail::rescore(table(), vector, hits, options_.candidates, options.k);
    auto placed = hits.size();
    while (hits.size() < options.k && more()) {
        top_k further(options.k - hits.size());
        static_cast<void>(read_next(further));
        for (auto const& h : further.take()) hits.push_back(h);
        if (placed == 0) placed = hits.size();
    }
    place_rest(hits, placed);
    return hits;
}

TRAWL_INLINE double inverted_file_index::recall(
    matrix_view<float const> queries, std::size_t k) const {
    return detail::recall_of(full_.search(queries, {.k = k}), search(queries, {.k = k}));
}

TRAWL_END_NAMESPACE
