// SPDX-License-Identifier: MIT
#pragma once

/// Compares systems with a baseline on the same queries: the differences, their intervals and their
/// significance.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/eval/bootstrap.hpp>
#include <trawl/eval/evaluate.hpp>
#include <trawl/eval/significance.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE

struct comparison_options {
    double confidence = 0.95; ///< of the intervals, in (0, 1); p < 1 - confidence is significant
    std::size_t randomisations = 100'000;
    std::size_t resamples = 10'000; ///< of the bootstrap, at least 100
    std::uint64_t seed = 1;
    /// Null: the calling thread does the work. The results are the same.
    trawl::executor const* pool = nullptr;
};

/// One system compared with the baseline by one measure. Differences are system minus baseline.
struct compared_system {
    std::string name = {};
    std::string measure = {};
    double baseline = 0;       ///< mean of the baseline
    double mean = 0;           ///< mean of the system
    interval difference = {};  ///< bootstrap interval of the mean difference
    double effect = 0;         ///< Cohen's d of paired values
    win_tie_loss queries = {}; ///< on which the system has a higher, an equal, a lower value
    double p_t = 1;            ///< paired t test
    double p_wilcoxon = 1;
    double p = 1;       ///< Fisher's randomisation test
    double p_holm = 1;  ///< p, corrected for all comparisons
    double p_tukey = 1; ///< corrected for all pairs of systems on this measure
    bool lower_is_better = false;
};

/// A system's name and its evaluation.
struct measured_system {
    std::string name = {};
    evaluation const* result = nullptr; ///< borrowed during the call
};

/// Compares every system with the first one by every measure.
/// @return By measure, then system.
/// @throws trawl::error (invalid_argument) for fewer than two systems or no queries, or if the
/// systems were measured on different queries or by different measures or rules; what the tests
/// throw.
[[nodiscard]] std::vector<compared_system> compare(
    std::span<measured_system const> systems, comparison_options const& options = {});

/// A table of the comparisons, with a sentence for each.
[[nodiscard]] table to_table(std::span<compared_system const> rows, std::string_view baseline,
    comparison_options const& options = {});

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/system_comparison_inl.hpp>
#endif
