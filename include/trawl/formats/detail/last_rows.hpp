// SPDX-License-Identifier: MIT
#pragma once

/// Repeated rows of a run, as Python's dictionaries treat them.

#include <algorithm>
#include <cstddef>
#include <vector>

#include <trawl/eval/run.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Of several rows with the same query and key the last one stays. The others keep their order.
/// O(n log n).
inline void keep_last_rows(std::vector<run_row>& rows) {
    std::vector<std::size_t> order(rows.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (rows[a].query != rows[b].query) return rows[a].query < rows[b].query;
        return rows[a].key != rows[b].key ? rows[a].key < rows[b].key : a < b;
    });
    std::vector<bool> stays(rows.size(), true);
    for (std::size_t i = 1; i < order.size(); ++i) {
        auto const& before = rows[order[i - 1]];
        auto const& here = rows[order[i]];
        if (before.query == here.query && before.key == here.key) stays[order[i - 1]] = false;
    }
    std::size_t end = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (stays[i]) rows[end++] = rows[i];
    }
    rows.resize(end);
}

} // namespace detail
TRAWL_END_NAMESPACE
