// SPDX-License-Identifier: MIT
#pragma once

/// How many candidates a later stage should get: the best value that is possible at a depth, the
/// measured one, and the cost.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/eval/qrels.hpp>
#include <trawl/eval/run.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE

struct depth_point {
    std::size_t depth = 0;
    double recall = 0; ///< mean R@depth of the candidates; no later stage can exceed it
    double hit = 0;    ///< share of queries with a relevant document among the first `depth`
    std::optional<double> metric = {}; ///< mean of the whole search with this depth
    std::optional<double> cost = {};   ///< per query, in the caller's unit: calls, seconds
};

/// What a whole search measured at one depth.
struct depth_outcome {
    double metric = 0; ///< mean over queries
    double cost = 0;   ///< per query
};

/// Recall and hit rate of the candidates at several depths, over all judged queries.
/// @param candidates  The input of the later stage.
/// @param depths  Each at least 1.
/// @return In the order of `depths`.
/// @throws trawl::error (invalid_argument) if a depth is 0.
[[nodiscard]] std::vector<depth_point> depth_curve(
    run const& candidates, qrels const& judged, std::span<std::size_t const> depths);

/// The same, with the outcome of the whole search at each depth.
[[nodiscard]] std::vector<depth_point> depth_curve(run const& candidates, qrels const& judged,
    std::span<std::size_t const> depths, function_ref<depth_outcome(std::size_t)> search_with);

/// The rank of the first relevant document of each judged query, in the order of query keys; none
/// if it is not found. The input of smallest_depth.
[[nodiscard]] std::vector<std::optional<std::size_t>> first_ranks(
    run const& candidates, qrels const& judged, int level = 1);

[[nodiscard]] table to_table(std::span<depth_point const> points);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/depth_curve_inl.hpp>
#endif
