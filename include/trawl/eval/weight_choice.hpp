// SPDX-License-Identifier: MIT
#pragma once

/// Whether a second arm helps a search, and how much weight it should have.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/eval/bootstrap.hpp>
#include <trawl/eval/tuning.hpp>

TRAWL_BEGIN_NAMESPACE

/// What a second arm does to a search by the first one.
enum class arm_effect : unsigned char {
    helps,     ///< some weight is better than none, outside the confidence interval
    may_help,  ///< some weight is better than none by more than one standard error
    uncertain, ///< the intervals say nothing: the first arm alone, for it is the simpler
    harms,     ///< no weight helps, and equal weights are worse, outside the confidence interval
};

struct weight_choice_options {
    std::size_t steps = 20; ///< the weights 0, 1 / steps, …, 1 are tried; even, at least 2
    std::size_t folds = 5;  ///< as tune_options
    std::uint64_t seed = 1;
    double confidence = 0.95; ///< of the intervals
    /// The group of each query, such as what it was cut out of: weight_choice::groups tells the outcome
    /// of each apart. Empty, or one for each query.
    std::vector<std::string> groups = {};
};

/// What a choice is worth for some of the queries that made it.
struct query_group {
    std::string name;
    std::size_t queries = 0;
    double usual = 0;  ///< mean without the choice; of a weight: of the first arm alone
    double chosen = 0; ///< mean with it
};

/// The means of each group.
/// @param groups  of each query. `usual` and `chosen` are the values of the same queries.
/// @return In the order of their first query.
/// @throws trawl::error (invalid_argument) if there are not as many values as queries.
/// @par Complexity  O(queries * groups).
[[nodiscard]] std::vector<query_group> means_of_groups(std::span<std::string const> groups,
    std::span<double const> usual, std::span<double const> chosen);

struct weight_choice {
    double weight = 0; ///< of the second arm; the first has 1 - weight
    arm_effect effect = arm_effect::uncertain;
    /// Of the weights that the folds of the cross-validation chose, each on queries that did not choose
    /// it, over the first arm alone.
    interval gain = {};
    interval equal_weights = {};          ///< the gain of equal weights over the first arm alone
    tuning tried = {};                    ///< every weight, ascending, with its values
    std::vector<query_group> groups = {}; ///< in the order of their first query

    /// The effect and its intervals in a sentence.
    /// @param first, second  what the arms are called.
    [[nodiscard]] std::string summary(std::string_view first, std::string_view second) const;
};

/// Chooses the smallest weight whose mean is at most one standard error below the best one's: `tune`
/// with weight 0 as the usual setting. The best of many weights is also the luckiest; docs/tuning.md
/// compares both on eight collections.
/// @param measured  The values of a measure for a weight in [0, 1] of the second arm, on the same
/// queries in the same order every time.
/// @throws trawl::error as tune; (invalid_argument) if steps is odd or 0, or there are groups, but not
/// one for each query.
/// @par Complexity  steps + 1 calls of `measured`, then O((folds + bootstrap samples) * queries).
[[nodiscard]] weight_choice choose_weight(
    function_ref<std::vector<double>(double)> measured, weight_choice_options const& options = {});

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/weight_choice_inl.hpp>
#endif
