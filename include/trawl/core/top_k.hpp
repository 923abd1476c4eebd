// SPDX-License-Identifier: MIT
#pragma once

/// The best k of a stream of hits.

#include <cstddef>
#include <limits>
#include <optional>

#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

/// Keeps the k best hits in the order of by_rank, which is a total order, so the result does not
/// depend on the order of arrival. Each document may arrive once. Amortised O(1) a hit; memory for
/// at most 2k + 1 hits.
class top_k {
public:
    explicit top_k(std::size_t k) : k_(k) {}

    void push(hit h) {
        if (full_ && !by_rank{}(h, worst_)) return;
        if (k_ == 0) return;
        hits_.push_back(h);
        if (hits_.size() >= (full_ ? k_ + slack() : k_)) select();
    }

    /// The k-th best of the hits selected so far: no hit that ranks below it can enter any more.
    /// Nothing until k hits have been selected.
    [[nodiscard]] std::optional<hit> kth() const noexcept {
        return full_ ? std::optional(worst_) : std::nullopt;
    }

    /// The score of kth(): no hit with a lower score can enter any more, and one with this score
    /// only if its id is lower. -infinity until k hits have been selected.
    [[nodiscard]] float threshold() const noexcept {
        return full_ ? worst_.score : -std::numeric_limits<float>::infinity();
    }

    /// The best k in order. The collector is empty afterwards.
    [[nodiscard]] ranking take();

private:
    // How many more hits gather before the k best are selected again. With few, the threshold
    // should rise soon.
    [[nodiscard]] std::size_t slack() const noexcept { return k_ < 64 ? k_ / 4 + 1 : k_; }

    void select();

    std::size_t k_;
    ranking hits_;
    hit worst_ = {};
    bool full_ = false;
};

/// Sorts a ranking by by_rank and keeps its first k. O(n log k).
void keep_best(ranking& hits, std::size_t k);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/core/detail/top_k_inl.hpp>
#endif
