// SPDX-License-Identifier: MIT
#pragma once

/// Several comparisons at once: of twenty that mean nothing, one has p < .05.

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

/// Holm's correction: p values adjusted so that the chance of even one false alarm among all is
/// kept. In the order given.
/// @throws trawl::error (invalid_argument) for a p outside [0, 1].
[[nodiscard]] inline std::vector<double> holm(std::span<double const> p) {
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
[[nodiscard]] inline std::vector<double> tukey_hsd(
    matrix_view<double const> values, tukey_design design = tukey_design::paired) {
    auto const n = values.rows;
    auto const m = values.cols;
    if (n < 2 || m < 2) {
        detail::fail(errc::invalid_argument,
            detail::join("tukey_hsd: needs 2 questions and 2 systems, has ", n, " and ", m));
    }
    std::vector<double> systems(m);
    std::vector<double> questions(n);
    double all = 0;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < m; ++j) {
            auto const v = values.row(i)[j];
            if (!detail::is_finite(v)) {
                detail::fail(errc::not_finite, detail::join("tukey_hsd: the value of question ", i,
                                                   ", system ", j, " is ", v));
            }
            systems[j] += v / static_cast<double>(n);
            questions[i] += v / static_cast<double>(m);
            all += v / static_cast<double>(n * m);
        }
    }
    double squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < m; ++j) {
            auto const level =
                design == tukey_design::paired ? systems[j] + questions[i] - all : systems[j];
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
