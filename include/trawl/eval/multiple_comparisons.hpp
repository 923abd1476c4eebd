// SPDX-License-Identifier: MIT
#pragma once

/// Several comparisons at once: of twenty that mean nothing, one has p < .05.

#include <span>
#include <vector>

#include <trawl/core/matrix_view.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/detail/distributions.hpp>

TRAWL_BEGIN_NAMESPACE

/// Holm's correction: p values adjusted so that the chance of even one false alarm among all is
/// kept. In the order given.
/// @throws trawl::error (invalid_argument) for a p outside [0, 1].
[[nodiscard]] std::vector<double> holm(std::span<double const> p);

enum class tukey_design : unsigned char {
    /// all systems answer the same questions: what makes a question hard is taken out first
    paired,
    independent, ///< one-way, as scipy and ranx compute it
};

/// Tukey's honestly significant differences between all pairs of systems.
/// @param values  [n questions x m systems], n >= 2, m >= 2.
/// @return [m x m], row-major, symmetric: the p value of each pair, corrected for all pairs; 1 on
/// the diagonal. Where no variance is left, 1 for equal means and 0 for others.
/// @throws trawl::error (invalid_argument) for a smaller matrix, (not_finite).
/// @par Source Carterette, "Multiple testing in statistical analysis of systems-based information
/// retrieval experiments", ACM TOIS 30, 2012.
[[nodiscard]] std::vector<double> tukey_hsd(
    matrix_view<double const> values, tukey_design design = tukey_design::paired);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/multiple_comparisons_inl.hpp>
#endif
