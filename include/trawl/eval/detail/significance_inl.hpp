// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of significance.hpp.

#include <trawl/eval/significance.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/detail/distributions.hpp>
#include <trawl/eval/detail/paired.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE test_result paired_t_test(
    std::span<double const> first, std::span<double const> second) {
    auto const d = detail::paired_differences("paired_t_test", first, second);
    auto const mean = detail::mean_of(d);
    if (d.size() < 2 || mean == 0) return {};
    auto const deviation = detail::standard_deviation(d);
    if (deviation == 0) return {std::copysign(std::numeric_limits<double>::infinity(), mean), 0};
    auto const n = static_cast<double>(d.size());
    auto const t = mean / (deviation / std::sqrt(n));
    return {t, detail::student_two_sided(t, n - 1)};
}

TRAWL_INLINE test_result wilcoxon_test(
    std::span<double const> first, std::span<double const> second) {
    auto d = detail::paired_differences("wilcoxon_test", first, second);
    d.erase(std::remove(d.begin(), d.end(), 0.0), d.end());
    std::sort(d.begin(), d.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    if (d.empty()) return {};
    // Twice the ranks: halves become whole.
    std::vector<std::size_t> ranks;
    double ties = 0;
    for (std::size_t i = 0; i < d.size();) {
        auto end = i + 1;
        while (end < d.size() && std::abs(d[end]) == std::abs(d[i])) ++end;
        auto const size = static_cast<double>(end - i);
        ties += size * size * size - size;
        ranks.resize(end, i + end + 1);
        i = end;
    }
    std::size_t above = 0;
    std::size_t total = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
        total += ranks[i];
        if (d[i] > 0) above += ranks[i];
    }
    auto const least = (std::min)(above, total - above);
    test_result out{static_cast<double>(least) / 2, 1};
    if (d.size() <= 50) {
        std::vector<double> ways(total + 1); // by rank sum
        ways[0] = 1;
        std::size_t reached = 0;
        for (auto const rank : ranks) {
            reached += rank;
            for (auto sum = reached; sum >= rank; --sum) ways[sum] += ways[sum - rank];
        }
        double below = 0;
        for (std::size_t sum = 0; sum <= least; ++sum) below += ways[sum];
        out.p = (std::min)(1.0, 2 * below / std::exp2(static_cast<double>(d.size())));
    } else {
        auto const n = static_cast<double>(d.size());
        auto const deviation = std::sqrt((n * (n + 1) * (2 * n + 1) - ties / 2) / 24);
        out.p = (std::min)(
            1.0, 2 * detail::normal_below((out.statistic - n * (n + 1) / 4) / deviation));
    }
    return out;
}

TRAWL_INLINE test_result randomisation_test(std::span<double const> first,
    std::span<double const> second, randomisation_options const& options) {
    if (options.samples == 0)
        detail::fail(errc::invalid_argument, "randomisation_test: samples must be >= 1, is 0");
    auto const d = detail::paired_differences("randomisation_test", first, second);
    test_result out{detail::mean_of(d), 1};
    double largest = 0;
    for (double const v : d) largest += std::abs(v);
    if (!(largest > 0)) return out;
    std::vector<std::int64_t> steps;
    for (double const v : d) {
        auto const step = static_cast<std::int64_t>(std::nearbyint(v / largest * 0x1p40));
        if (step != 0) steps.push_back(step); // a query without a difference changes no sum
    }
    std::int64_t total = 0;
    for (auto const step : steps) total += step;
    // A step is rounded by up to a half, so that equal sums may differ by one a query.
    auto const observed = (total < 0 ? -total : total) - static_cast<std::int64_t>(steps.size());

    // swapped[g][bits]: the sum of those of eight steps whose bit is set. A swap turns the sign of
    // a step.
    auto const groups = (steps.size() + 7) / 8;
    std::vector<std::array<std::int64_t, 256>> swapped(groups);
    for (std::size_t g = 0; g < groups; ++g) {
        for (std::size_t bits = 1; bits < 256; ++bits) {
            auto const low = bits & (0 - bits);
            std::size_t at = 8 * g;
            for (auto bit = low; bit > 1; bit /= 2) ++at;
            swapped[g][bits] = swapped[g][bits - low] + (at < steps.size() ? steps[at] : 0);
        }
    }
    auto const at_least = [&](std::int64_t turned) {
        auto const sum = total - 2 * turned;
        return (sum < 0 ? -sum : sum) >= observed;
    };
    if (steps.size() < 63 && (std::uint64_t{1} << steps.size()) <= options.samples) {
        std::uint64_t count = 0;
        for (std::uint64_t ways = 0; ways < std::uint64_t{1} << steps.size(); ++ways) {
            std::int64_t turned = 0;
            for (std::size_t g = 0; g < groups; ++g) turned += swapped[g][ways >> (8 * g) & 255];
            count += at_least(turned) ? 1u : 0u;
        }
        out.p = static_cast<double>(count) / std::exp2(static_cast<double>(steps.size()));
        return out;
    }
    constexpr std::size_t block = 1024;
    std::vector<std::uint64_t> counts((options.samples + block - 1) / block);
    run_tasks(options.pool, counts.size(), [&](std::size_t b) {
        auto random = detail::random_block(options.seed, b);
        std::uint64_t count = 0;
        for (auto i = b * block; i < (std::min)((b + 1) * block, options.samples); ++i) {
            std::int64_t turned = 0;
            std::uint64_t bits = 0;
            for (std::size_t g = 0; g < groups; ++g) {
                bits = g % 8 == 0 ? random.next() : bits >> 8;
                turned += swapped[g][bits & 255];
            }
            count += at_least(turned) ? 1u : 0u;
        }
        counts[b] = count;
    });
    std::uint64_t count = 0;
    for (auto const c : counts) count += c;
    out.p = static_cast<double>(count + 1) / static_cast<double>(options.samples + 1);
    return out;
}

TRAWL_INLINE double effect_size(std::span<double const> first, std::span<double const> second) {
    auto const d = detail::paired_differences("effect_size", first, second);
    auto const mean = detail::mean_of(d);
    auto const deviation = detail::standard_deviation(d);
    if (deviation > 0) return mean / deviation;
    return mean == 0 ? 0 : std::copysign(std::numeric_limits<double>::infinity(), mean);
}

TRAWL_INLINE win_tie_loss wins_of(
    std::span<double const> first, std::span<double const> second, double tolerance) {
    if (!(tolerance >= 0)) {
        detail::fail(errc::invalid_argument,
            detail::join("wins_of: tolerance must be >= 0, is ", tolerance));
    }
    win_tie_loss out;
    for (double const v : detail::paired_differences("wins_of", first, second)) {
        ++(v > tolerance ? out.wins : v < -tolerance ? out.losses : out.ties);
    }
    return out;
}

TRAWL_END_NAMESPACE
