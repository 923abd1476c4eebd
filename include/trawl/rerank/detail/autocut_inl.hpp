// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of rerank/autocut.hpp.

#include <trawl/rerank/autocut.hpp>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE autocut::autocut(std::size_t jumps) : jumps_(jumps) {
    if (jumps == 0) detail::fail(errc::invalid_argument, "autocut: jumps is 0, must be >= 1");
}

TRAWL_INLINE ranking autocut::operator()(
    query const&, ranking candidates, search_options const&, trace_ref trace) const {
    stage_trace unread;
    auto& log = trace.or_else(unread);
    log.name = "autocut";
    log.left = log.given;
    if (log.given.stale) {
        if (!candidates.empty())
            log.notes.push_back("nothing cut: the scores are those of an earlier stage");
        return candidates;
    }
    auto const own = detail::own_of(log.given, candidates.size());
    auto const end = first_dropped(candidates, own);
    if (end < own) {
        log.notes.push_back(detail::join("cut after ", end, " hits, at jump ", jumps_));
        candidates.resize(end);
    }
    return candidates;
}

// The first n hits have scores; n if there is no such jump.
TRAWL_INLINE std::size_t autocut::first_dropped(ranking const& hits, std::size_t n) const noexcept {
    if (n <= 1) return n;
    auto const score = [&](std::size_t i) { return static_cast<double>(hits[i].score); };
    auto const range = detail::rounded(score(0) - score(n - 1));
    if (!(range > 0)) return n;
    auto const below_line = [&](std::size_t i) {
        auto const dropped = detail::divided(detail::rounded(score(0) - score(i)), range);
        auto const along = detail::divided(static_cast<double>(i), static_cast<double>(n - 1));
        return detail::rounded(dropped - along);
    };
    std::size_t found = 0;
    for (std::size_t i = 1; i + 1 < n; ++i) {
        auto const here = below_line(i);
        if (here > below_line(i - 1) && here > below_line(i + 1) && ++found == jumps_) return i;
    }
    // Where the curve was above the line to the end, the last hit itself is the drop.
    if (n > 2 && below_line(n - 1) > below_line(n - 2) && below_line(n - 1) > below_line(n - 3)
        && ++found == jumps_)
        return n - 1;
    return n;
}

TRAWL_END_NAMESPACE
