// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of cost.hpp.

#include <trawl/eval/cost.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_INLINE double success_at_cost(
    std::span<query_cost const> queries, std::size_t calls) noexcept {
    if (queries.empty()) return 0;
    auto const count = std::count_if(queries.begin(), queries.end(),
        [&](query_cost const& q) { return q.answered && q.calls <= calls; });
    return static_cast<double>(count) / static_cast<double>(queries.size());
}

TRAWL_INLINE std::vector<std::size_t> pareto(std::span<quality_and_cost const> systems) {
    for (std::size_t i = 0; i < systems.size(); ++i) {
        if (detail::is_finite(systems[i].quality) && detail::is_finite(systems[i].cost)) continue;
        detail::fail(errc::not_finite, detail::join("pareto: quality and cost of system ", i,
                                           " are ", systems[i].quality, " and ", systems[i].cost));
    }
    std::vector<std::size_t> order(systems.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return systems[a].cost != systems[b].cost ? systems[a].cost < systems[b].cost
                                                  : systems[a].quality > systems[b].quality;
    });
    std::vector<std::size_t> out;
    for (auto const i : order) {
        if (out.empty() || systems[i].quality > systems[out.back()].quality) out.push_back(i);
    }
    return out;
}

TRAWL_END_NAMESPACE
