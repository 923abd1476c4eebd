// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of multiple_comparisons.hpp.

#include <trawl/eval/multiple_comparisons.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include <trawl/core/matrix_view.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/detail/distributions.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_INLINE std::vector<double> holm(std::span<double const> p) {
    for (std::size_t i = 0; i < p.size(); ++i) {
        if (p[i] >= 0 && p[i] <= 1) continue;
        detail::fail(errc::invalid_argument,
            detail::join("holm: p value ", i, " must be in [0, 1], is ", p[i]));
    }
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(
        order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
    std::vector<double> out(p.size());
    double highest = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        highest =
            (std::max)(highest, (std::min)(1.0, static_cast<double>(p.size() - i) * p[order[i]]));
        out[order[i]] = highest;
    }
    return out;
}

TRAWL_INLINE std::vector<double> tukey_hsd(matrix_view<double const> values, tukey_design design) {
    auto const n = values.rows;
    auto const m = values.cols;
    if (n < 2 || m < 2) {
        detail::fail(errc::invalid_argument,
            detail::join("tukey_hsd: needs 2 queries and 2 systems, has ", n, " and ", m));
    }
    std::vector<double> systems(m);
    std::vector<double> queries(n);
    double all = 0;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < m; ++j) {
            auto const v = values.row(i)[j];
            if (!detail::is_finite(v)) {
                detail::fail(errc::not_finite,
                    detail::join("tukey_hsd: the value of query ", i, ", system ", j, " is ", v));
            }
            systems[j] += v / static_cast<double>(n);
            queries[i] += v / static_cast<double>(m);
            all += v / static_cast<double>(n * m);
        }
    }
    double squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < m; ++j) {
            auto const level =
                design == tukey_design::paired ? systems[j] + queries[i] - all : systems[j];
            auto const rest = values.row(i)[j] - level;
            squares += rest * rest;
        }
    }
    auto const df =
        static_cast<double>(design == tukey_design::paired ? (n - 1) * (m - 1) : (n - 1) * m);
    auto const error = std::sqrt(squares / df / static_cast<double>(n));
    std::vector<double> out(m * m, 1);
    for (std::size_t a = 0; a < m; ++a) {
        for (std::size_t b = a + 1; b < m; ++b) {
            auto const difference = std::abs(systems[a] - systems[b]);
            auto p = 1.0;
            if (error > 1e-14 * (std::abs(all) + difference)) {
                p = detail::studentised_range_above(difference / error, m, df);
            } else if (difference > 1e-12) {
                p = 0;
            }
            out[a * m + b] = out[b * m + a] = p;
        }
    }
    return out;
}

TRAWL_END_NAMESPACE
