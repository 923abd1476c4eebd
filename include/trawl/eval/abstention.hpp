// SPDX-License-Identifier: MIT
#pragma once

/// Abstention: returning nothing if there is no answer. A floor under the best score separates
/// queries with an answer from those without.

#include <cstddef>
#include <optional>
#include <span>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// A query of which it is known whether the collection has an answer.
struct answerable {
    std::optional<float> best_score = {}; ///< of the first hit; none if nothing was found
    bool has_answer = false;
};

/// The effect of a floor on a set of queries.
struct abstention {
    std::size_t answered = 0;  ///< queries with an answer that get one
    std::size_t silenced = 0;  ///< queries with an answer that get none: wrong
    std::size_t abstained = 0; ///< queries without an answer that get none
    std::size_t invented = 0;  ///< queries without an answer that get one: wrong

    /// The mean of answered / queries with an answer and abstained / queries without, in [0, 1].
    /// Answering everything, or nothing, has .5. A kind without queries is left out; 0 for no
    /// queries.
    [[nodiscard]] double balanced_accuracy() const noexcept;
};

/// Counts the outcomes if a query is answered whenever its best score is at least the floor. Without
/// a floor every query that found something is answered. O(n).
[[nodiscard]] abstention judge_abstention(
    std::span<answerable const> queries, std::optional<float> floor) noexcept;

/// The floor with the highest balanced accuracy on these queries: the score of one of them; of equal
/// floors the lowest. None if no floor improves on answering everything.
/// @throws trawl::error (not_finite) for a score that is not finite.
/// @par Complexity O(n log n).
[[nodiscard]] std::optional<float> calibrated_floor(std::span<answerable const> queries);

/// Judges each query by the floor that was calibrated on all others: what to expect on new queries.
/// @throws trawl::error (not_finite) for a score that is not finite.
/// @par Complexity O(n log n).
[[nodiscard]] abstention leave_one_out_abstention(std::span<answerable const> queries);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/abstention_inl.hpp>
#endif
