// SPDX-License-Identifier: MIT
#pragma once

/// Exact search of a vector_table: what flat_index does, for every element type.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/vector_table.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Adds vectors under the ids from `first` on, all or none. @throws as flat_index::add.
doc_id add_vectors(vector_table& table, doc_id first, matrix_view<float const> vectors,
    executor const* pool = nullptr);
/// The same for one vector.
doc_id add_vector(vector_table& table, doc_id id, std::span<float const> vector);
bool update_vector(vector_table& table, doc_id id, std::span<float const> vector);
bool erase_vector(vector_table& table, doc_id id) noexcept;
void compact_vectors(vector_table& table);
bool copy_vector(vector_table const& table, doc_id id, std::span<float> out);

/// One ranking for each query that the rows of a matrix are.
[[nodiscard]] std::vector<ranking> search_vectors(
    vector_table const& table, matrix_view<float const> queries, search_options const& options);
/// One ranking for each query, empty for a query without a vector.
[[nodiscard]] std::vector<ranking> search_vectors(
    vector_table const& table, std::span<query const> queries, search_options const& options);
[[nodiscard]] ranking search_vectors(
    vector_table const& table, std::span<float const> vector, std::size_t k, filter where);
/// Every document whose score is at least `least`.
[[nodiscard]] ranking vectors_above(
    vector_table const& table, query const& q, float least, search_options const& options);
[[nodiscard]] std::vector<hit> score_vectors(vector_table const& table, query const& q,
    std::span<doc_id const> ids, search_options const& options);
[[nodiscard]] explanation explain_vector(
    vector_table const& table, query const& q, doc_id id, search_options const& options);
[[nodiscard]] std::vector<std::string> warnings_of(vector_table const& table, query const& q);

/// Replaces the estimates of the first `candidates` hits by exact scores and sorts them; the hits
/// behind keep their order, each one float step below the one before. Keeps the first k.
void rescore(vector_table const& table, std::span<float const> query, ranking& hits,
    std::size_t candidates, std::size_t k);

/// One ranking for each query: search(matrix of the queries that have a vector), empty for the
/// others.
/// @throws trawl::error of check_vector, naming the query's number.
[[nodiscard]] std::vector<ranking> search_batch(vector_table const& table,
    std::span<query const> queries,
    function_ref<std::vector<ranking>(matrix_view<float const>)> search);

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/dense/detail/flat_search_inl.hpp>
#endif
