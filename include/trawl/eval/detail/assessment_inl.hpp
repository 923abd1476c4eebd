// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of assessment.hpp.

#include <trawl/eval/assessment.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/detail/assess.hpp>
#include <trawl/eval/detail/sort_numbers.hpp>
#include <trawl/eval/judgements.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_INLINE bool assessment::is_relevant(judged_hit const& h) const noexcept {
    return h.grade >= 0 && h.grade >= level;
}

TRAWL_INLINE std::size_t assessment::found(std::size_t k) const noexcept {
    std::size_t n = 0;
    for (auto const& h : known) {
        if (h.rank > k) break;
        if (is_relevant(h)) ++n;
    }
    return n;
}

TRAWL_INLINE assessment assess(
    std::span<hit const> hits, judgements const& judged, assess_options const& options) {
    std::vector<std::uint64_t> ids;
    ids.reserve(hits.size());
    for (auto const& h : hits) ids.push_back(h.id);
    detail::sort_numbers(ids);
    for (std::size_t i = 1; i < ids.size(); ++i) {
        if (ids[i] != ids[i - 1]) continue;
        detail::fail(errc::invalid_argument,
            detail::join("assess: document ", ids[i], " is in the ranking twice"));
    }
    return detail::assess_by(
        hits.size(), judged, options, [&](std::size_t i) { return judged.grade(hits[i].id); });
}

TRAWL_END_NAMESPACE
