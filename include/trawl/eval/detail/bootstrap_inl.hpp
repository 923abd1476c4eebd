// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of bootstrap.hpp.

#include <trawl/eval/bootstrap.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/detail/distributions.hpp>
#include <trawl/eval/detail/paired.hpp>
#include <trawl/eval/significance.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_INLINE bool interval::contains(double value) const noexcept {
    return low <= value && value <= high;
}

namespace detail {

// The quantile of ascending values between its neighbours, as numpy's default.
[[nodiscard]] inline double quantile(std::span<double const> ascending, double p) noexcept {
    auto const at = p * static_cast<double>(ascending.size() - 1);
    auto const below = (std::min)(static_cast<std::size_t>(at), ascending.size() - 1);
    auto const above = (std::min)(below + 1, ascending.size() - 1);
    return ascending[below]
           + (at - static_cast<double>(below)) * (ascending[above] - ascending[below]);
}

// The means of so many random samples with replacement, ascending.
[[nodiscard]] inline std::vector<double> resampled_means(
    std::span<double const> values, bootstrap_options const& options) {
    constexpr std::size_t block = 256;
    std::vector<double> means(options.samples);
    run_tasks(options.pool, (means.size() + block - 1) / block, [&](std::size_t b) {
        auto random = random_block(options.seed, b);
        for (auto i = b * block; i < (std::min)((b + 1) * block, means.size()); ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < values.size(); ++j)
                sum += values[random.below(values.size())];
            means[i] = sum / static_cast<double>(values.size());
        }
    });
    std::sort(means.begin(), means.end());
    return means;
}

// Efron's correction of the two probabilities at which quantiles are read.
[[nodiscard]] inline interval bca_probabilities(
    std::span<double const> values, std::span<double const> means, double tail) {
    auto const mean = mean_of(values);
    double squares = 0;
    double cubes = 0;
    for (double const v : values) {
        squares += (v - mean) * (v - mean);
        cubes += (v - mean) * (v - mean) * (v - mean);
    }
    auto const acceleration = cubes / (6 * std::pow(squares, 1.5));
    auto const [first, last] = std::equal_range(means.begin(), means.end(), mean);
    auto const below = static_cast<double>((first - means.begin()) + (last - means.begin())) / 2;
    auto const n = static_cast<double>(means.size());
    auto const bias = normal_quantile((std::clamp)(below / n, 0.5 / n, 1 - 0.5 / n));
    auto const corrected = [&](double p) {
        auto const z = bias + normal_quantile(p);
        return normal_below(bias + z / (1 - acceleration * z));
    };
    return {corrected(tail), corrected(1 - tail)};
}

} // namespace detail

TRAWL_INLINE interval bootstrap_interval(
    std::span<double const> values, bootstrap_options const& options) {
    if (values.empty())
        detail::fail(errc::invalid_argument, "bootstrap_interval: there are no values");
    if (!(options.confidence > 0 && options.confidence < 1)) {
        detail::fail(errc::invalid_argument,
            detail::join(
                "bootstrap_interval: confidence must be in (0, 1), is ", options.confidence));
    }
    if (options.samples < 100) {
        detail::fail(errc::invalid_argument,
            detail::join("bootstrap_interval: samples must be >= 100, is ", options.samples));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (detail::is_finite(values[i])) continue;
        detail::fail(
            errc::not_finite, detail::join("bootstrap_interval: value ", i, " is ", values[i]));
    }
    if (detail::all_same(values)) return {values[0], values[0]};
    auto const means = detail::resampled_means(values, options);
    auto const tail = (1 - options.confidence) / 2;
    auto const at = options.method == bootstrap_method::bca
                        ? detail::bca_probabilities(values, means, tail)
                        : interval{tail, 1 - tail};
    return {detail::quantile(means, at.low), detail::quantile(means, at.high)};
}

TRAWL_INLINE interval bootstrap_difference(std::span<double const> first,
    std::span<double const> second, bootstrap_options const& options) {
    return bootstrap_interval(
        detail::paired_differences("bootstrap_difference", first, second), options);
}

TRAWL_END_NAMESPACE
