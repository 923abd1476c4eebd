// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of rerank/group_by_parent.hpp.

#include <trawl/rerank/group_by_parent.hpp>

#include <bit>
#include <cstdint>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE void check_best_of_group(std::size_t best) {
    if (best == 0) fail(errc::invalid_argument, "group_by_parent: best is 0, must be >= 1");
}

TRAWL_INLINE ranking keep_best_of_groups(ranking candidates, std::span<std::size_t const> hashes,
    function_ref<bool(std::size_t, std::size_t)> same, std::size_t best, trace_ref trace) {
    struct group {
        std::size_t first = 0; // a candidate of it
        std::size_t count = 0; // 0: a free slot
    };
    std::vector<group> table(std::bit_ceil(2 * candidates.size() + 1));
    auto const group_of = [&](std::size_t i) -> group& {
        // Fibonacci hashing: std::hash of an integer is the integer
        auto at = static_cast<std::size_t>((hashes[i] * 0x9E3779B97F4A7C15u) >> 32);
        for (;; ++at) {
            auto& there = table[at % table.size()];
            if (there.count == 0 || same(there.first, i)) return there;
        }
    };

    stage_trace unread;
    auto& log = trace.or_else(unread);
    log.name = "group_by_parent";
    log.left = log.given;
    auto const own = own_of(log.given, candidates.size());
    std::size_t kept = 0;
    std::size_t kept_own = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        auto& its = group_of(i);
        if (its.count == 0) its.first = i;
        if (++its.count > best) continue;
        kept_own += i < own ? 1u : 0u;
        candidates[kept++] = candidates[i];
    }
    if (kept < candidates.size()) {
        log.notes.push_back(join(candidates.size() - kept,
            " candidates dropped, their parents have ", best, " before them"));
    }
    if (own < candidates.size()) log.left->own = kept_own;
    candidates.resize(kept);
    return candidates;
}

} // namespace detail
TRAWL_END_NAMESPACE
