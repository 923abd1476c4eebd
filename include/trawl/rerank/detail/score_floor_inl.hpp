// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of rerank/score_floor.hpp.

#include <trawl/rerank/score_floor.hpp>

#include <algorithm>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE score_floor::score_floor(float floor) : floor_(floor) {
    if (detail::is_finite(floor)) return;
    detail::fail(errc::invalid_argument,
        detail::join("score_floor: the floor is ", floor, ", must be finite"));
}

TRAWL_INLINE ranking score_floor::operator()(
    query const&, ranking candidates, search_options const&, trace_ref trace) const {
    stage_trace unread;
    auto& log = trace.or_else(unread);
    log.name = "score_floor";
    log.left = log.given;
    if (log.given.stale) {
        if (!candidates.empty())
            log.notes.push_back("nothing dropped: the scores are those of an earlier stage");
        return candidates;
    }
    auto const own = detail::own_of(log.given, candidates.size());
    auto const first = candidates.begin();
    auto const end = std::partition_point(first, first + static_cast<std::ptrdiff_t>(own),
        [this](hit const& h) { return h.score >= floor_; });
    if (own < candidates.size())
        log.notes.push_back(detail::join(
            candidates.size() - own, " candidates dropped, they have no score of their own"));
    candidates.erase(end, candidates.end());
    log.left->own = score_origin::all;
    return candidates;
}

TRAWL_END_NAMESPACE
