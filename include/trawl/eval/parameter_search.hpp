// SPDX-License-Identifier: MIT
#pragma once

/// Where to look for good parameters: every way of sharing a weight, and the top of a hill.

#include <cstddef>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// All ways of giving `steps` equal shares to `arms` arms, each a vector of whole numbers of sum
/// `steps`; n / steps is a weight. Counted in whole numbers: none is lost to a sum that is not
/// quite 1. Ascending, arm by arm: C(steps + arms - 1, arms - 1) of them.
/// @throws trawl::error (invalid_argument) if arms or steps is 0, or there are more than a million.
[[nodiscard]] std::vector<std::vector<std::size_t>> simplex_grid(
    std::size_t arms, std::size_t steps);
struct golden_section_options {
    double tolerance = 1e-3; ///< width of the interval at which it ends, > 0
};
struct optimum {
    double at = 0;
    double value = 0;
};

/// The highest value seen of a function on [low, high], by golden-section search; the highest there
/// is if the function rises, then falls. Of equal values the first seen. The ends are looked at
/// too.
/// @throws trawl::error (invalid_argument) for bounds that are not finite or in order, or a
/// tolerance <= 0.
[[nodiscard]] optimum golden_section(double low, double high, function_ref<double(double)> f,
    golden_section_options const& options = {});

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/parameter_search_inl.hpp>
#endif
