// SPDX-License-Identifier: MIT
#pragma once

/// The distributions that tests of significance need. Absolute errors are below 1e-10.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// ln Gamma(x), x > 0. std::lgamma writes a global.
/// @par Source  Lanczos' approximation, g = 7, n = 9 (Godfrey's coefficients).
[[nodiscard]] inline double log_gamma(double x) noexcept {
    constexpr double coefficients[] = {0.99999999999980993, 676.5203681218851, -1259.1392167224028,
        771.32342877765313, -176.61502916214059, 12.507343278686905, -0.13857109526572012,
        9.9843695780195716e-6, 1.5056327351493116e-7};
    if (x < 0.5)
        return std::log(3.141592653589793 / std::sin(3.141592653589793 * x)) - log_gamma(1 - x);
    double sum = coefficients[0];
    for (int i = 1; i < 9; ++i) sum += coefficients[i] / (x - 1 + i);
    auto const t = x + 6.5;
    return 0.9189385332046727 + (x - 0.5) * std::log(t) - t + std::log(sum);
}

/// The regularised incomplete beta function I_x(a, b), by Lentz' continued fraction; a, b > 0.
[[nodiscard]] inline double incomplete_beta(double a, double b, double x) noexcept {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);
    auto const front = std::exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x)
                                + b * std::log1p(-x))
                       / a;
    constexpr double tiny = 1e-300;
    double c = 1;
    double d = 1 / (std::max)(1 - (a + b) * x / (a + 1), tiny);
    double fraction = d;
    for (int i = 1; i < 10000; ++i) {
        double const m = i;
        auto const step = [&](double numerator) {
            d = 1 + numerator * d;
            if (std::abs(d) < tiny) d = tiny;
            d = 1 / d;
            c = 1 + numerator / c;
            if (std::abs(c) < tiny) c = tiny;
            fraction *= c * d;
            return std::abs(c * d - 1);
        };
        step(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
        if (step(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))) < 1e-16) break;
    }
    return front * fraction;
}

/// P(|T| >= |t|) of Student's t with `df` degrees of freedom, df > 0.
[[nodiscard]] inline double student_two_sided(double t, double df) noexcept {
    return incomplete_beta(df / 2, 0.5, df / (df + t * t));
}

/// P(Z <= z) of the standard normal.
[[nodiscard]] inline double normal_below(double z) noexcept {
    return 0.5 * std::erfc(-z * 0.7071067811865476);
}

/// The z with P(Z <= z) = p, p in (0, 1).
/// @par Source  Acklam's rational approximation and one step of Halley.
[[nodiscard]] inline double normal_quantile(double p) noexcept {
    constexpr double a[] = {-3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02,
        1.383577518672690e+02, -3.066479806614716e+01, 2.506628277459239e+00};
    constexpr double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
        6.680131188771972e+01, -1.328068155288572e+01};
    constexpr double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
        -2.549732539343734e+00, 4.374664141464968e+00, 2.938163982698783e+00};
    constexpr double d[] = {
        7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00};
    auto const tail = [&](double q) {
        return (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5])
               / ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
    };
    double z = 0;
    if (p < 0.02425) {
        z = tail(std::sqrt(-2 * std::log(p)));
    } else if (p > 1 - 0.02425) {
        z = -tail(std::sqrt(-2 * std::log1p(-p)));
    } else {
        auto const q = p - 0.5;
        auto const r = q * q;
        z = (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q
            / (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
    }
    auto const u = (normal_below(z) - p) * 2.5066282746310002 * std::exp(z * z / 2);
    return z - u / (1 + z * u / 2);
}

/// The integral of f over [low, high], by Gauss and Legendre with 8 points in each of `panels`
/// parts.
template <class F>
[[nodiscard]] double integral(double low, double high, int panels, F&& f) {
    constexpr double at[] = {
        0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
    constexpr double weight[] = {
        0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
    auto const half = (high - low) / panels / 2;
    double sum = 0;
    for (int p = 0; p < panels; ++p) {
        auto const middle = low + half * (2 * p + 1);
        for (int i = 0; i < 4; ++i)
            sum += weight[i] * (f(middle - half * at[i]) + f(middle + half * at[i]));
    }
    return sum * half;
}

/// P(Q >= q) of the studentised range of `groups` >= 2 means with `df` > 0 degrees of freedom.
[[nodiscard]] inline double studentised_range_above(double q, std::size_t groups, double df) {
    if (!(q > 0)) return 1;
    auto const k = static_cast<double>(groups);
    // The range of k standard normals is at most w.
    auto const range_below = [&](double w) {
        return k * integral(-8.5, 8.5, 20, [&](double z) {
            auto const inside = normal_below(z) - normal_below(z - w);
            return 0.3989422804014327 * std::exp(-z * z / 2) * std::pow(inside, k - 1);
        });
    };
    if (df > 1e6) return (std::max)(0.0, 1 - range_below(q));
    // Over the estimated deviation s: df s^2 has the chi-squared distribution.
    auto const log_front = std::log(2.0) + df / 2 * std::log(df / 2) - log_gamma(df / 2);
    auto const reach = 10 / std::sqrt(2 * df);
    auto const below = integral((std::max)(0.0, 1 - reach), 1 + reach, 32, [&](double s) {
        auto const density = std::exp(log_front + (df - 1) * std::log(s) - df * s * s / 2);
        return density < 1e-18 ? 0 : density * range_below(q * s);
    });
    return (std::clamp)(1 - below, 0.0, 1.0);
}

} // namespace detail
TRAWL_END_NAMESPACE
