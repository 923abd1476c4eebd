// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of comparison.hpp.

#include <trawl/eval/comparison.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_INLINE std::size_t ranking_overlap::united() const noexcept {
    return shared.size() + only_first.size() + only_second.size();
}

TRAWL_INLINE double ranking_overlap::share() const noexcept {
    return united() == 0 ? 1 : static_cast<double>(shared.size()) / static_cast<double>(united());
}

TRAWL_INLINE ranking_overlap overlap(std::span<hit const> first, std::span<hit const> second) {
    auto const ids_of = [](std::span<hit const> hits) {
        std::vector<doc_id> ids;
        ids.reserve(hits.size());
        for (auto const& h : hits) ids.push_back(h.id);
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        return ids;
    };
    auto const a = ids_of(first);
    auto const b = ids_of(second);
    ranking_overlap out;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out.shared));
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out.only_first));
    std::set_difference(
        b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(out.only_second));
    return out;
}

TRAWL_END_NAMESPACE
