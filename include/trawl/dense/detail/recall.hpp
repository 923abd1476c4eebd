// SPDX-License-Identifier: MIT
#pragma once

/// How much of what an exact search finds another search finds too.

#include <algorithm>
#include <cstddef>
#include <span>

#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The share of the best documents of each query that were found: the mean over the queries that have
/// any; 1 if none has.
[[nodiscard]] inline double recall_of(
    std::span<ranking const> best, std::span<ranking const> found) {
    double total = 0;
    std::size_t counted = 0;
    for (std::size_t i = 0; i < best.size(); ++i) {
        if (best[i].empty()) continue;
        auto const common = std::count_if(best[i].begin(), best[i].end(), [&](hit const& h) {
            return std::any_of(found[i].begin(), found[i].end(),
                [&](hit const& other) { return other.id == h.id; });
        });
        total += static_cast<double>(common) / static_cast<double>(best[i].size());
        ++counted;
    }
    return counted == 0 ? 1 : total / static_cast<double>(counted);
}

} // namespace detail
TRAWL_END_NAMESPACE
