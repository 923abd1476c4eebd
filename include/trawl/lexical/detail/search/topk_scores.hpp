// SPDX-License-Identifier: MIT
#pragma once

/// The best k documents by sum of contributions, and the threshold that others must exceed.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <trawl/core/sort_by_rank.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/scoring/score_quantizer.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// As top_k, but a hit is one integer (rank_key), so that comparing two takes no branch.
class topk_scores {
public:
    /// Borrows the quantiser.
    topk_scores(score_quantizer const& quantizer, std::size_t k) noexcept
        : quantizer_(quantizer), k_(k) {}

    void push(doc_id id, std::int32_t sum) {
        auto const key = rank_key({id, quantizer_.score(sum)});
        if (k_ == 0 || (kth_ && key >= *kth_)) return;
        keys_.push_back(key);
        if (keys_.size() >= (kth_ ? k_ + slack() : k_)) select();
    }

    /// Whether k documents have been selected, so that others need more than 0.
    [[nodiscard]] bool full() const noexcept { return kth_.has_value(); }

    /// The threshold for documents whose ids are at least `lowest`: a sum up to it cannot enter. It
    /// depends on the id because the lower id wins a tie. At least 0.
    [[nodiscard]] std::int32_t threshold(doc_id lowest) noexcept {
        if (!kth_) return 0;
        if (known_ != kth_) {
            known_ = kth_;
            auto const score = hit_of(*kth_).score;
            ties_enter_ = score < 0 ? 0 : quantizer_.last_sum(score, false);
            ties_do_not_ = score < 0 ? 0 : quantizer_.last_sum(score, true);
        }
        return lowest > hit_of(*kth_).id ? ties_do_not_ : ties_enter_;
    }

    /// The threshold if k documents are known to reach this sum.
    [[nodiscard]] std::int32_t threshold_of(std::int32_t sum) const noexcept {
        return sum <= 0 ? 0 : quantizer_.last_sum(quantizer_.score(sum), false);
    }

    /// Removes and returns the best k, best first.
    [[nodiscard]] ranking take() {
        if (keys_.size() > k_) select();
        sort_rank_keys(keys_);
        ranking best(keys_.size());
        std::transform(keys_.begin(), keys_.end(), best.begin(), hit_of);
        keys_.clear();
        kth_.reset();
        return best;
    }

private:
    /// How many more hits are collected before the best k are selected again. For small k the
    /// threshold should rise soon.
    [[nodiscard]] std::size_t slack() const noexcept { return k_ < 64 ? k_ / 4 + 1 : k_; }

    void select() {
        auto const kth = keys_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
        std::nth_element(keys_.begin(), kth, keys_.end());
        keys_.resize(k_);
        kth_ = keys_.back();
    }

    score_quantizer const& quantizer_;
    std::size_t k_;
    std::vector<std::uint64_t> keys_ = {};
    std::optional<std::uint64_t> kth_ = {};
    std::optional<std::uint64_t> known_ = {}; ///< what the thresholds are of
    std::int32_t ties_enter_ = 0;
    std::int32_t ties_do_not_ = 0;
};

} // namespace detail
TRAWL_END_NAMESPACE
