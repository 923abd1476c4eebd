// SPDX-License-Identifier: MIT
#pragma once

/// How many candidates to hand to a later stage: what a depth can find at best, what it does find,
/// what it costs.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/cutoff_measures.hpp>
#include <trawl/eval/evaluate.hpp>
#include <trawl/eval/qrels.hpp>
#include <trawl/eval/run.hpp>
#include <trawl/eval/significance.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE

struct depth_point {
    std::size_t depth = 0;
    /// R@depth of the candidates, mean: no later stage can pass it
    double recall = 0;
    /// share of questions with a right answer among the first `depth`
    double hit = 0;
    std::optional<double> metric = {}; ///< of the whole search with this depth, mean
    std::optional<double> cost = {};   ///< a question, in the caller's unit: calls, seconds
};

/// What a whole search with a depth measured.
struct depth_outcome {
    double metric = 0;
    double cost = 0;
};

/// The curve behind the choice of a depth. Every judged question counts.
/// @param candidates  What the later stage is given.
/// @param depths      Each >= 1, in the order wanted.
/// @throws trawl::error (invalid_argument) if a depth is 0.
[[nodiscard]] std::vector<depth_point> depth_curve(
    run const& candidates, qrels const& judged, std::span<std::size_t const> depths);

/// The same, with what the whole search does at each depth.
[[nodiscard]] std::vector<depth_point> depth_curve(run const& candidates, qrels const& judged,
    std::span<std::size_t const> depths, function_ref<depth_outcome(std::size_t)> search_with);

/// For each judged question in the order of its key: the rank of its first relevant document, none
/// if it is not found. What smallest_depth takes.
[[nodiscard]] std::vector<std::optional<std::size_t>> first_ranks(
    run const& candidates, qrels const& judged, int level = 1);
[[nodiscard]] table to_table(std::span<depth_point const> points);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/depth_curve_inl.hpp>
#endif
