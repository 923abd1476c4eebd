// SPDX-License-Identifier: MIT
#pragma once

/// Saying nothing where there is nothing to say: a floor under the best score, and how well it
/// tells questions with an answer from those without.

#include <cstddef>
#include <optional>
#include <span>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// A question with known outcome.
struct answerable {
    std::optional<float> best_score = {}; ///< of the first hit; none if nothing was found
    bool has_answer = false;              ///< whether the collection holds one
};

/// What a floor does to a set of questions.
struct abstention {
    std::size_t answered = 0;  ///< questions with an answer that get one
    std::size_t silenced = 0;  ///< questions with an answer that get none: wrong
    std::size_t abstained = 0; ///< questions without an answer that get none
    std::size_t invented = 0;  ///< questions without an answer that get one: wrong

    /// Mean of the share answered of those with an answer and the share abstained of those without,
    /// in [0, 1]; what answers all or nothing has .5. A kind that has no questions does not count;
    /// 0 if there are none at all.
    [[nodiscard]] double balanced_accuracy() const noexcept;
};
/// Counts what happens where a question is answered if its best score is at least the floor; no
/// floor answers whatever found something. O(n).
[[nodiscard]] abstention judge_abstention(
    std::span<answerable const> questions, std::optional<float> floor) noexcept;

/// The floor of the highest balanced accuracy on these questions, the lowest of equals: a score of
/// one of them; none if no floor is better than none.
/// @throws trawl::error (not_finite) for a score that is not finite.
/// @par Complexity O(n log n).
[[nodiscard]] std::optional<float> calibrated_floor(std::span<answerable const> questions);

/// Each question judged by a floor that was calibrated on all the others: what to expect on new
/// ones.
/// @par Complexity O(n^2 log n).
[[nodiscard]] abstention leave_one_out_abstention(std::span<answerable const> questions);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/abstention_inl.hpp>
#endif
