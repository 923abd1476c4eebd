// SPDX-License-Identifier: MIT
#pragma once

/// Cosines between the vectors of candidates, the same bits on every machine and under any flags.

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <trawl/core/matrix_view.hpp>
#include <trawl/detail/floating_point.hpp>

namespace trawl::inline v0_1::detail {

// In double, where a product of two floats is exact, so that fusing it changes nothing: 8 lanes, element i in
// lane i mod 8, then a fixed tree.
[[nodiscard]] inline double dot_product(std::span<float const> a, std::span<float const> b) noexcept {
    constexpr std::size_t lanes = 8;
    std::array<double, lanes> sums = {};
    auto const whole = a.size() - a.size() % lanes;
    auto const product = [&](std::size_t i) { return static_cast<double>(a[i]) * static_cast<double>(b[i]); };
    for (std::size_t i = 0; i < whole; i += lanes) {
        for (std::size_t l = 0; l < lanes; ++l) sums[l] = rounded(sums[l] + product(i + l));
    }
    for (std::size_t i = whole; i < a.size(); ++i) sums[i - whole] = rounded(sums[i - whole] + product(i));
    for (std::size_t half = lanes / 2; half > 0; half /= 2) {
        for (std::size_t l = 0; l < half; ++l) sums[l] = rounded(sums[l] + sums[l + half]);
    }
    return sums[0];
}

[[nodiscard]] inline double length_of(std::span<float const> vector) noexcept {
    return rounded(std::sqrt(dot_product(vector, vector)));
}

/// Cosines with the rows of a borrowed matrix, whose lengths it keeps. A zero vector has cosine 0.
class cosines {
public:
    explicit cosines(matrix_view<float const> rows) : rows_(rows) {
        lengths_.reserve(rows.rows);
        for (std::size_t i = 0; i < rows.rows; ++i) lengths_.push_back(length_of(rows.row(i)));
    }

    /// Of rows i and j.
    [[nodiscard]] double between(std::size_t i, std::size_t j) const noexcept {
        return quotient(dot_product(rows_.row(i), rows_.row(j)), lengths_[i], lengths_[j]);
    }

    /// Of row i and a vector of the same size.
    [[nodiscard]] double between(std::size_t i, std::span<float const> vector, double length) const noexcept {
        return quotient(dot_product(rows_.row(i), vector), lengths_[i], length);
    }

private:
    [[nodiscard]] static double quotient(double dot, double a, double b) noexcept {
        auto const both = rounded(a * b);
        return both > 0 ? divided(dot, both) : 0.0;
    }

    matrix_view<float const> rows_;
    std::vector<double> lengths_;
};

} // namespace trawl::inline v0_1::detail
