// SPDX-License-Identifier: MIT
#pragma once

/// The best k documents by sums of contributions, and the sum that another needs to be one of them.

#include <cstddef>
#include <cstdint>
#include <optional>

#include <trawl/core/top_k.hpp>
#include <trawl/core/words.hpp>
#include <trawl/lexical/score_scale.hpp>

namespace trawl::inline v0_1::detail {

class best_sums {
public:
    /// Borrows the scale.
    best_sums(score_scale const& scale, std::size_t k) noexcept : scale_(scale), best_(k) {}

    void push(doc_id id, std::int32_t sum) { best_.push({id, scale_.score(sum)}); }

    /// Sums up to this cannot enter any more, of documents from this id on: of documents that tie, the lower
    /// id is the better. At least 0.
    [[nodiscard]] std::int32_t floor(doc_id lowest) noexcept {
        auto const kth = best_.kth();
        if (!kth || kth->score < 0) return 0;
        if (known_ != kth) {
            known_ = kth;
            ties_enter_ = scale_.last_sum(kth->score, false);
            ties_do_not_ = scale_.last_sum(kth->score, true);
        }
        return lowest > kth->id ? ties_do_not_ : ties_enter_;
    }

    /// The same, where k documents are known to reach a sum.
    [[nodiscard]] std::int32_t floor_of(std::int32_t sum) const noexcept {
        return sum <= 0 ? 0 : scale_.last_sum(scale_.score(sum), false);
    }

    [[nodiscard]] ranking take() { return best_.take(); }

private:
    score_scale const& scale_;
    top_k best_;
    std::optional<hit> known_ = {}; ///< what the floors are of
    std::int32_t ties_enter_ = 0;
    std::int32_t ties_do_not_ = 0;
};

} // namespace trawl::inline v0_1::detail
