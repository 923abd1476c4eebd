// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of core/top_k.hpp.

#include <trawl/core/top_k.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE ranking top_k::take() {
    if (hits_.size() > k_) select();
    full_ = false;
    auto best = std::exchange(hits_, {});
    keep_best(best, best.size());
    return best;
}

TRAWL_INLINE void top_k::select() {
    auto const kth = hits_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
    std::nth_element(hits_.begin(), kth, hits_.end(), by_rank{});
    hits_.resize(k_);
    worst_ = hits_.back();
    full_ = true;
}

TRAWL_INLINE void keep_best(ranking& hits, std::size_t k) {
    if (k < hits.size()) {
        auto const kth = hits.begin() + static_cast<std::ptrdiff_t>(k);
        std::partial_sort(hits.begin(), kth, hits.end(), by_rank{});
        hits.resize(k);
    } else {
        std::sort(hits.begin(), hits.end(), by_rank{});
    }
}

TRAWL_END_NAMESPACE
