// SPDX-License-Identifier: MIT
#pragma once

/// Corrections for several comparisons: of twenty comparisons of equal systems, one has p < .05.

#include <span>
#include <vector>

#include <trawl/core/matrix_view.hpp>

TRAWL_BEGIN_NAMESPACE

/// Holm's correction of p values. It bounds the probability of one or more false alarms.
/// @return The corrected p values, in the order given.
/// @throws trawl::error (invalid_argument) for a p value outside [0, 1].
/// @par Complexity O(n log n).
[[nodiscard]] std::vector<double> holm(std::span<double const> p);

enum class tukey_design : unsigned char {
    paired,      ///< all systems have the same queries; the mean of each query is removed first
    independent, ///< one-way, as scipy and ranx compute it
};

/// Tukey's honestly significant differences between all pairs of systems.
/// @param values  [n queries x m systems], n >= 2, m >= 2.
/// @return The p value of each pair, corrected for all pairs; [m x m], row-major, symmetric, 1 on
/// the diagonal. Without variance p is 1 for equal means and 0 for others.
/// @throws trawl::error (invalid_argument) for a smaller matrix, (not_finite) for a value that is not
/// finite.
/// @par Source Carterette, "Multiple testing in statistical analysis of systems-based information
/// retrieval experiments", ACM TOIS 30, 2012.
[[nodiscard]] std::vector<double> tukey_hsd(
    matrix_view<double const> values, tukey_design design = tukey_design::paired);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/multiple_comparisons_inl.hpp>
#endif
