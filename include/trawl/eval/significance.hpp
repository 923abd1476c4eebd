// SPDX-License-Identifier: MIT
#pragma once

/// Significance tests for the difference between two systems on the same queries. All tests are
/// paired and two-sided: value i of both systems is that of query i. They throw trawl::error
/// (dimension_mismatch) if the numbers of values differ, (not_finite) for a value that is not finite.

#include <cstddef>
#include <cstdint>
#include <span>

#include <trawl/core/executor.hpp>

TRAWL_BEGIN_NAMESPACE

struct test_result {
    double statistic = 0;
    /// The probability of a difference at least this large if the systems are equally good, in
    /// [0, 1].
    double p = 1;
};

/// Student's paired t test. The statistic is t. p is 1 if all differences are 0 or there are fewer
/// than two queries; it is 0, and t infinite, if all differences are equal and not 0.
[[nodiscard]] test_result paired_t_test(
    std::span<double const> first, std::span<double const> second);

/// Wilcoxon's signed-rank test. Queries without a difference are ignored; equal differences share a
/// rank. The statistic is the smaller of the two rank sums. p is exact for up to 50 differences, ties
/// included; for more it is the normal approximation, its variance corrected for ties.
[[nodiscard]] test_result wilcoxon_test(
    std::span<double const> first, std::span<double const> second);

struct randomisation_options {
    std::size_t samples = 100'000; ///< at least 1
    std::uint64_t seed = 1;
    /// Null: the calling thread does the work. The results are the same.
    trawl::executor const* pool = nullptr;
};

/// Fisher's randomisation test of the mean difference, which is the statistic. The two values of a
/// query are swapped at random; p is the share of assignments whose mean difference is at least as
/// large as the observed one: (c + 1) / (n + 1) for c of n samples, never 0. If 2^queries is not
/// above the number of samples, all assignments are counted and p = c / 2^queries is exact.
///
/// Differences are rounded to multiples of 2^-40 of the largest possible sum and added as integers,
/// so that p does not depend on order or threads. Sums that differ by at most one such step per
/// query are equal.
/// @throws trawl::error also (invalid_argument) if samples is 0.
/// @par Complexity O(queries / 8) per sample.
/// @par Source Smucker, Allan, Carterette, CIKM 2007; Phipson, Smyth, "Permutation p-values should
/// never be zero", 2010.
[[nodiscard]] test_result randomisation_test(std::span<double const> first,
    std::span<double const> second, randomisation_options const& options = {});

/// Cohen's d of paired values: the mean difference divided by the standard deviation of the
/// differences. Rule of thumb: .2 is small, .5 medium, .8 large. 0 if all differences are 0; infinite
/// if all are equal and not 0.
[[nodiscard]] double effect_size(std::span<double const> first, std::span<double const> second);

/// The numbers of queries on which the first system is better, equal and worse.
struct win_tie_loss {
    std::size_t wins = 0;
    std::size_t ties = 0;
    std::size_t losses = 0;
    friend bool operator==(win_tie_loss const&, win_tie_loss const&) = default;
};

/// @param tolerance  Differences up to this one count as ties; at least 0.
/// @throws trawl::error also (invalid_argument) if the tolerance is negative.
[[nodiscard]] win_tie_loss wins_of(
    std::span<double const> first, std::span<double const> second, double tolerance = 1e-12);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/significance_inl.hpp>
#endif
