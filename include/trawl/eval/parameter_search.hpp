// SPDX-License-Identifier: MIT
#pragma once

/// Where to look for good parameters: a grid of weights, and golden-section search.

#include <cstddef>
#include <vector>

#include <trawl/core/function_ref.hpp>

TRAWL_BEGIN_NAMESPACE

/// All ways to give `steps` equal shares to `arms` arms. Each point is a vector of whole numbers
/// with sum `steps`; n / steps is a weight. Whole numbers avoid sums that are not quite 1.
/// @return C(steps + arms - 1, arms - 1) points in lexicographic order.
/// @throws trawl::error (invalid_argument) if arms or steps is 0, or there are more than a million
/// points.
[[nodiscard]] std::vector<std::vector<std::size_t>> simplex_grid(
    std::size_t arms, std::size_t steps);

struct golden_section_options {
    double tolerance = 1e-3; ///< stops at an interval of this width, > 0
};

struct optimum {
    double at = 0;
    double value = 0;
};

/// Maximises a function on [low, high] by golden-section search. Finds the maximum if the function
/// rises and then falls; otherwise the highest value that it has seen, ends included. Of equal
/// values the first one seen wins.
/// @throws trawl::error (invalid_argument) if low or high is not finite, low > high, or the
/// tolerance is not above 0.
[[nodiscard]] optimum golden_section(double low, double high, function_ref<double(double)> f,
    golden_section_options const& options = {});

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/parameter_search_inl.hpp>
#endif
