// SPDX-License-Identifier: MIT
#pragma once

/// Quality compared with cost.

#include <cstddef>
#include <span>
#include <vector>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// The outcome of one query, and how many expensive calls (of a reranker, a rewriter …) it took.
struct query_cost {
    bool answered = false;
    std::size_t calls = 0;
};

/// Success at cost n: the share of queries that were answered with at most n expensive calls, in
/// [0, 1]; 0 for no queries.
[[nodiscard]] double success_at_cost(
    std::span<query_cost const> queries, std::size_t calls) noexcept;

struct quality_and_cost {
    double quality = 0; ///< higher is better
    double cost = 0;    ///< lower is better
};

/// The Pareto front: the systems for which no other is at least as good and cheaper, or better and
/// no more expensive.
/// @return Indices, by ascending cost; of systems equal in both, the first.
/// @throws trawl::error (not_finite) for a quality or cost that is not finite.
/// @par Complexity O(n log n).
[[nodiscard]] std::vector<std::size_t> pareto(std::span<quality_and_cost const> systems);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/cost_inl.hpp>
#endif
