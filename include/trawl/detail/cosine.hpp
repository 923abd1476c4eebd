// SPDX-License-Identifier: MIT
#pragma once

/// Lengths, dot products and cosines of float vectors: the kernels' sums, and what has to be done
/// to them.
///
/// Cosine is float(dot * (1 / |a|) * (1 / |b|)), multiplied in double in this order, and clamped to
/// [-1, 1]. The squared lengths come from the same kernel as dot, so that a vector has cosine 1
/// with itself, exactly. Vectors so long or so short that a float sum of theirs could overflow or
/// lose digits (1e30, 1e-30) are multiplied in double instead.

#include <cstddef>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>
#include <trawl/detail/simd/dispatch.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A vector and 1 / its length, 0 for a zero vector.
struct measured_vector {
    float const* values = nullptr;
    double inverse_length = 0;
};

// Products of floats are exact in double; the sum goes from first to last.
[[nodiscard]] inline double dot_in_double(
    float const* a, float const* b, std::size_t dim) noexcept {
    double sum = 0;
    for (std::size_t i = 0; i < dim; ++i)
        sum = rounded(sum + rounded(static_cast<double>(a[i]) * static_cast<double>(b[i])));
    return sum;
}

// -0 becomes 0: the sign of a zero sum depends on how the compiler starts it. The barrier hides the
// 0 that is added from compilers that may ignore the sign of zeros.
[[nodiscard]] inline float without_negative_zero(float value) noexcept {
    return rounded(0.0f) + value;
}

/// 1 / |vector|, 0 for a zero vector. Never overflows.
[[nodiscard]] inline double inverse_length(
    kernels const& with, float const* vector, std::size_t dim) noexcept {
    float squared = 0;
    // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): the table is whole
    with.dot_rows(vector, &vector, 1, dim, &squared);
    auto const sum = is_finite(squared) && squared >= 0x1p-60f && squared <= 0x1p120f
                         ? static_cast<double>(squared)
                         : dot_in_double(vector, vector, dim);
    return sum == 0 ? 0.0 : divided(1.0, rounded(math::sqrt(sum)));
}

/// Whether float sums of vectors of such lengths neither overflow nor lose digits.
[[nodiscard]] inline bool is_ordinary(double inverse_length) noexcept {
    return inverse_length == 0 || (inverse_length >= 0x1p-60 && inverse_length <= 0x1p30);
}

/// The dot product; kernel_sum is what dot_rows gave.
[[nodiscard]] inline double dot_of(measured_vector const& a, measured_vector const& b,
    float kernel_sum, std::size_t dim) noexcept {
    return is_ordinary(a.inverse_length) && is_ordinary(b.inverse_length)
               ? static_cast<double>(without_negative_zero(kernel_sum))
               : dot_in_double(a.values, b.values, dim);
}

[[nodiscard]] inline double unrounded_cosine(
    double dot, measured_vector const& a, measured_vector const& b) noexcept {
    return rounded(rounded(dot * a.inverse_length) * b.inverse_length);
}

[[nodiscard]] inline float cosine_of(
    double dot, measured_vector const& a, measured_vector const& b) noexcept {
    auto const value = static_cast<float>(unrounded_cosine(dot, a, b));
    return value > 1 ? 1.0f : value < -1 ? -1.0f : value;
}

} // namespace detail
TRAWL_END_NAMESPACE
