// SPDX-License-Identifier: MIT
#pragma once

/// Is the difference between two systems on the same questions more than chance? All tests are
/// paired and two-sided: value i of both is that of question i.

#include <cstddef>
#include <cstdint>
#include <span>

#include <trawl/core/executor.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/detail/distributions.hpp>

TRAWL_BEGIN_NAMESPACE

/// What a test says: how improbable a difference at least this large is if the systems are alike.
struct test_result {
    double statistic = 0;
    double p = 1; ///< in [0, 1]
};
/// Student's paired t test. The statistic is t; p is 1 where all differences are 0 or there are
/// fewer than two questions, 0 (and t infinite) where all are the same and not 0.
/// @throws trawl::error (dimension_mismatch, not_finite), as all tests here.
[[nodiscard]] test_result paired_t_test(
    std::span<double const> first, std::span<double const> second);

/// Wilcoxon's signed-rank test. Questions without a difference are left out, equal differences
/// share a rank. The statistic is the smaller of the two rank sums. Up to 50 differences p is
/// exact, ties or not; above, by the normal approximation with the variance corrected for ties.
[[nodiscard]] test_result wilcoxon_test(
    std::span<double const> first, std::span<double const> second);
struct randomisation_options {
    std::size_t samples = 100'000;
    std::uint64_t seed = 1;
    /// null: the calling thread alone; changes nothing else
    trawl::executor const* executor = nullptr;
};

/// Fisher's randomisation test of the mean: in how many ways of swapping the two systems' values,
/// question by question, is the mean difference at least as large? With c of n random ways p = (c +
/// 1) / (n + 1), never
/// 0. Where all ways are no more than the samples (2^questions), all are taken and p = c /
///    2^questions, exact. The statistic is the mean difference. Differences count in steps of 2^-40
///    of the largest sum that they can have, and are added as integers: neither order nor threads
///    matter. Sums that differ by a step a question are equal.
/// @throws trawl::error (invalid_argument) if samples is 0.
/// @par Complexity O(questions / 8) a sample.
/// @par Source Smucker, Allan, Carterette, CIKM 2007; Phipson, Smyth, "Permutation p-values should
/// never be zero", 2010.
[[nodiscard]] test_result randomisation_test(std::span<double const> first,
    std::span<double const> second, randomisation_options const& options = {});

/// Cohen's d of paired values: mean difference over the differences' standard deviation. By his
/// rule of thumb .2 is small, .5 medium, .8 large. 0 where all differences are 0, infinite where
/// all are the same otherwise.
[[nodiscard]] double effect_size(std::span<double const> first, std::span<double const> second);

/// On how many questions the first is better, equal, worse.
struct win_tie_loss {
    std::size_t wins = 0;
    std::size_t ties = 0;
    std::size_t losses = 0;
    friend bool operator==(win_tie_loss const&, win_tie_loss const&) = default;
};

/// @param tolerance  Differences up to this count as equal, >= 0.
[[nodiscard]] win_tie_loss wins_of(
    std::span<double const> first, std::span<double const> second, double tolerance = 1e-12);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/significance_inl.hpp>
#endif
