// SPDX-License-Identifier: MIT
#pragma once

/// Systems against a baseline on the same questions: by how much they differ, and whether that
/// means anything.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/bootstrap.hpp>
#include <trawl/eval/evaluate.hpp>
#include <trawl/eval/multiple_comparisons.hpp>
#include <trawl/eval/significance.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE

struct comparison_options {
    /// of the intervals, in (0, 1); 1 - confidence is what p must be below
    double confidence = 0.95;
    std::size_t randomisations = 100'000;
    std::size_t resamples = 10'000;
    std::uint64_t seed = 1;
    /// null: the calling thread alone; changes nothing else
    trawl::executor const* executor = nullptr;
};

/// One system and one measure beside the baseline. Differences are system minus baseline.
struct compared_system {
    std::string name = {};
    std::string measure = {};
    double baseline = 0;      ///< its mean
    double mean = 0;          ///< the system's mean
    interval difference = {}; ///< bootstrap interval of the mean difference
    double effect = 0;        ///< Cohen's d of paired values
    win_tie_loss questions = {};
    double p_t = 1;
    double p_wilcoxon = 1;
    double p = 1;       ///< Fisher's randomisation
    double p_holm = 1;  ///< p, corrected for all comparisons made
    double p_tukey = 1; ///< Tukey's, corrected for all pairs of systems on this measure
    bool lower_is_better = false;
};

/// A system's name and what it measured.
struct measured_system {
    std::string name = {};
    evaluation const* result = nullptr; ///< borrowed during the call
};
/// Compares every system with the first, by every measure; rows by measure, then system.
/// @throws trawl::error (invalid_argument) for fewer than two systems, or if they were not measured
/// on the same questions, by the same measures and rules; what the tests throw.
[[nodiscard]] std::vector<compared_system> compare(
    std::span<measured_system const> systems, comparison_options const& options = {});

/// The comparison as people read it, with a sentence for each row.
[[nodiscard]] table to_table(std::span<compared_system const> rows, std::string_view baseline,
    comparison_options const& options = {});

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/system_comparison_inl.hpp>
#endif
