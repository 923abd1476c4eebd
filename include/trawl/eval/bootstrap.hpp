// SPDX-License-Identifier: MIT
#pragma once

/// Bootstrap confidence intervals: how far a mean over queries may differ for other queries.

#include <cstddef>
#include <cstdint>
#include <span>

#include <trawl/core/executor.hpp>

TRAWL_BEGIN_NAMESPACE

struct interval {
    double low = 0;
    double high = 0;

    /// Whether low <= value <= high.
    [[nodiscard]] bool contains(double value) const noexcept;
    friend bool operator==(interval const&, interval const&) = default;
};

enum class bootstrap_method : unsigned char {
    bca,        ///< bias-corrected and accelerated (Efron 1987), for skewed values too
    percentile, ///< quantiles of the resampled means
};

struct bootstrap_options {
    double confidence = 0.95;     ///< in (0, 1)
    std::size_t samples = 10'000; ///< at least 100
    std::uint64_t seed = 1;
    bootstrap_method method = bootstrap_method::bca;
    /// Null: the calling thread does the work. The results are the same.
    trawl::executor const* pool = nullptr;
};

/// The confidence interval of the mean of `values`, one value per query. If all values are equal,
/// both bounds are that value.
/// @throws trawl::error (invalid_argument) for no values, a confidence outside (0, 1) or fewer than
/// 100 samples; (not_finite) for a value that is not finite.
/// @par Complexity O(samples * (queries + log samples)).
[[nodiscard]] interval bootstrap_interval(
    std::span<double const> values, bootstrap_options const& options = {});

/// The confidence interval of the mean difference first - second of two systems on the same queries.
/// @throws trawl::error as bootstrap_interval, and (dimension_mismatch) if the numbers of values
/// differ.
[[nodiscard]] interval bootstrap_difference(std::span<double const> first,
    std::span<double const> second, bootstrap_options const& options = {});

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/bootstrap_inl.hpp>
#endif
