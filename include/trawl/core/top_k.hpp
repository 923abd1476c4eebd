// SPDX-License-Identifier: MIT
#pragma once

/// The best k of a stream of hits.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

/// Keeps the k best hits in the order of by_rank, a total order: the result does not depend on the
/// order of arrival. Selects when the first k are there and then when its buffer is full, which
/// holds the more the larger k is, at most 2k + 1: amortised O(1) a hit, O(min(n, 2k)) memory. Each
/// document may arrive once.
class top_k {
public:
    explicit top_k(std::size_t k) : k_(k) {}

    void push(hit h) {
        if (full_ && !by_rank{}(h, worst_)) return;
        if (k_ == 0) return;
        hits_.push_back(h);
        if (hits_.size() >= (full_ ? k_ + slack() : k_)) shrink();
    }

    /// The k-th hit of those that have been selected: none behind it can enter. Nothing before
    /// there are k.
    [[nodiscard]] std::optional<hit> kth() const noexcept {
        return full_ ? std::optional(worst_) : std::nullopt;
    }

    /// A score below which no hit can enter any more; -infinity until k hits have been selected. A
    /// hit with just this score enters only if its id is lower than that of the k-th.
    [[nodiscard]] float threshold() const noexcept {
        return full_ ? worst_.score : -std::numeric_limits<float>::infinity();
    }

    /// The best k, in order; leaves the collector empty.
    [[nodiscard]] ranking take() {
        if (hits_.size() > k_) shrink();
        std::sort(hits_.begin(), hits_.end(), by_rank{});
        full_ = false;
        return std::exchange(hits_, {});
    }

private:
    /// How many hits gather before the k best are selected again. Of few, the k-th is worth knowing
    /// soon.
    [[nodiscard]] std::size_t slack() const noexcept { return k_ < 64 ? k_ / 4 + 1 : k_; }

    void shrink() {
        auto const kth = hits_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
        std::nth_element(hits_.begin(), kth, hits_.end(), by_rank{});
        hits_.resize(k_);
        worst_ = hits_.back();
        full_ = true;
    }

    std::size_t k_;
    ranking hits_;
    hit worst_ = {};
    bool full_ = false;
};

/// Sorts a ranking by by_rank and keeps its first k.
inline void keep_best(ranking& hits, std::size_t k) {
    if (k < hits.size()) {
        auto const kth = hits.begin() + static_cast<std::ptrdiff_t>(k);
        std::partial_sort(hits.begin(), kth, hits.end(), by_rank{});
        hits.resize(k);
    } else {
        std::sort(hits.begin(), hits.end(), by_rank{});
    }
}

TRAWL_END_NAMESPACE
