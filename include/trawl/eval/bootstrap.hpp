// SPDX-License-Identifier: MIT
#pragma once

/// How far a mean over questions can be trusted, had other questions been asked.

#include <cstddef>
#include <cstdint>
#include <span>

#include <trawl/core/executor.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/detail/distributions.hpp>
#include <trawl/eval/significance.hpp>

TRAWL_BEGIN_NAMESPACE

struct interval {
    double low = 0;
    double high = 0;

    [[nodiscard]] bool contains(double value) const noexcept;
    friend bool operator==(interval const&, interval const&) = default;
};

enum class bootstrap_method : unsigned char {
    bca,        ///< bias-corrected and accelerated (Efron 1987): also for skewed values
    percentile, ///< quantiles of the resampled means
};
struct bootstrap_options {
    double confidence = 0.95; ///< in (0, 1)
    std::size_t samples = 10'000;
    std::uint64_t seed = 1;
    bootstrap_method method = bootstrap_method::bca;
    /// null: the calling thread alone; changes nothing else
    trawl::executor const* executor = nullptr;
};
/// The bootstrap confidence interval of the mean of `values`, one a question; for the difference of
/// two systems, of their differences. Values that are all the same have the interval of that value
/// alone.
/// @throws trawl::error (invalid_argument) for no values, a confidence outside (0, 1) or fewer than
/// 100 samples, (not_finite).
/// @par Complexity O(samples * (questions + log samples)).
[[nodiscard]] interval bootstrap_interval(
    std::span<double const> values, bootstrap_options const& options = {});

/// The same for the mean difference of two systems on the same questions.
/// @throws trawl::error also (dimension_mismatch).
[[nodiscard]] interval bootstrap_difference(std::span<double const> first,
    std::span<double const> second, bootstrap_options const& options = {});

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/bootstrap_inl.hpp>
#endif
