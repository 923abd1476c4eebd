// SPDX-License-Identifier: MIT
#pragma once

/// Search of a vector_table by the codes of its rows: the codes are scanned, the most promising rows
/// are scored exactly.

#include <cstddef>
#include <span>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/detail/coded_rows.hpp>
#include <trawl/dense/detail/vector_encoder.hpp>
#include <trawl/dense/detail/vector_table.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The dimensions of a vector that are coded, and 1 / their length.
[[nodiscard]] measured_vector coded_part(
    vector_encoder const& encoder, kernels const& with, float const* vector) noexcept;

/// Codes rows [first, first + count), for which there is room: vector(i) is the one of row first + i.
void encode_rows(coded_rows& codes, vector_encoder const& encoder, kernels const& with,
    std::size_t first, std::size_t count, function_ref<float const*(std::size_t)> vector,
    executor const* pool);

/// The score that an estimate stands for: with the constant of the query's estimates, clamped to the
/// range of the metric.
[[nodiscard]] float whole_estimate(metric how, coded_query const& q, float estimate) noexcept;

/// One ranking for each query that a row of the matrix is; queries are checked and can be coded. The
/// `candidates` documents of the best estimates, then lowest ids, are scored exactly where the table
/// has its values; those behind them follow in the order of their estimates.
/// @param codes  of all rows of the table.
[[nodiscard]] std::vector<ranking> search_codes(vector_table const& table,
    vector_encoder const& encoder, coded_view const& codes, matrix_view<float const> queries,
    std::size_t candidates, search_options const& options);

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/dense/detail/coded_search_inl.hpp>
#endif
