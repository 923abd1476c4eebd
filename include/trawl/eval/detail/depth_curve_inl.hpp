// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of depth_curve.hpp.

#include <trawl/eval/depth_curve.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
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
TRAWL_INLINE std::vector<depth_point> depth_curve(
    run const& candidates, qrels const& judged, std::span<std::size_t const> depths) {
    std::vector<measure> measures;
    for (auto const depth : depths) {
        measures.push_back({.name = "recall", .value = recall{.k = depth}});
        measures.push_back({.name = "hit", .value = hit_rate{.k = depth}});
    }
    auto const e =
        evaluate(candidates, judged, std::move(measures), {.convention = convention::library});
    std::vector<depth_point> out;
    for (std::size_t i = 0; i < depths.size(); ++i) {
        out.push_back(
            {.depth = depths[i], .recall = e.summaries[2 * i], .hit = e.summaries[2 * i + 1]});
    }
    return out;
}

TRAWL_INLINE std::vector<depth_point> depth_curve(run const& candidates, qrels const& judged,
    std::span<std::size_t const> depths, function_ref<depth_outcome(std::size_t)> search_with) {
    auto out = depth_curve(candidates, judged, depths);
    for (auto& point : out) {
        auto const outcome = search_with(point.depth);
        point.metric = outcome.metric;
        point.cost = outcome.cost;
    }
    return out;
}

TRAWL_INLINE std::vector<std::optional<std::size_t>> first_ranks(
    run const& candidates, qrels const& judged, int level) {
    measure const rank{.name = "rank", .value = [](assessment const& a) {
                           for (auto const& h : a.known) {
                               if (a.is_relevant(h)) return static_cast<double>(h.rank);
                           }
                           return 0.0;
                       }};
    auto const e = evaluate(candidates, judged, {rank},
        {.convention = convention::library, .assess = {.level = level}});
    std::vector<std::optional<std::size_t>> out;
    for (double const value : e.values) {
        out.push_back(value > 0 ? std::optional(static_cast<std::size_t>(value)) : std::nullopt);
    }
    return out;
}

TRAWL_INLINE table to_table(std::span<depth_point const> points) {
    table out{.title = "Depth", .columns = {"depth", "recall", "hit", "metric", "cost"}};
    for (auto const& p : points) {
        out.add({p.depth, p.recall, p.hit, p.metric, p.cost});
    }
    return out;
}

TRAWL_END_NAMESPACE
