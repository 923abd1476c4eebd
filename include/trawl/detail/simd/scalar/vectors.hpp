// SPDX-License-Identifier: MIT
#pragma once

/// The kernels of vectors in plain C++. They specify the bits that the kernels of every instruction
/// set must give, and run where no other level does.
///
/// A row kernel takes a query [dim] and the addresses of `count` rows [dim], of any alignment. It
/// writes out[r] = the sum of step(query[i], rows[r][i]). The sum has 16 lanes: element i is added
/// to lane i mod 16 by one fused multiply-add, and the last group of 16 is padded with zeros. Then
/// lane l + 8 is added to lane l, l + 4 to l, l + 2 to l, and l + 1 to l.

#include <cstddef>
#include <cstdint>

#include <trawl/config.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail::scalar {

inline constexpr std::size_t lanes = 16;

TRAWL_ALWAYS_INLINE float multiply_add(float a, float b, float sum, bool fused) noexcept {
    return fused ? math::fma(a, b, sum) : rounded(rounded(a * b) + sum);
}

TRAWL_ALWAYS_INLINE float step(float q, float r, float sum, bool squared, bool fused) noexcept {
    if (!squared) return multiply_add(q, r, sum, fused);
    auto const difference = rounded(q - r);
    return multiply_add(difference, difference, sum, fused);
}

TRAWL_ALWAYS_INLINE void reduce_rows(float const* query, float const* const* rows,
    std::size_t count, std::size_t dim, float* out, bool squared, bool fused) noexcept {
    for (std::size_t r = 0; r < count; ++r) {
        float const* const row = rows[r];
        float sum[lanes] = {};
        std::size_t i = 0;
        for (; i + lanes <= dim; i += lanes) {
            for (std::size_t l = 0; l < lanes; ++l)
                sum[l] = step(query[i + l], row[i + l], sum[l], squared, fused);
        }
        if (i < dim) {
            for (std::size_t l = 0; l < lanes; ++l) {
                auto const inside = i + l < dim;
                sum[l] = step(inside ? query[i + l] : 0.0f, inside ? row[i + l] : 0.0f, sum[l],
                    squared, fused);
            }
        }
        for (std::size_t half = lanes / 2; half > 0; half /= 2) {
            for (std::size_t l = 0; l < half; ++l)
                sum[l] = rounded(rounded(sum[l]) + rounded(sum[l + half]));
        }
        out[r] = sum[0];
    }
}

/// Dot products. On a machine without an FMA instruction, fma is a function call: exact, and some
/// fifty times slower.
inline void dot_rows(float const* query, float const* const* rows, std::size_t count,
    std::size_t dim, float* out) noexcept {
    reduce_rows(query, rows, count, dim, out, false, true);
}

/// Squared Euclidean distances, summed from the squared differences.
inline void squared_distance_rows(float const* query, float const* const* rows, std::size_t count,
    std::size_t dim, float* out) noexcept {
    reduce_rows(query, rows, count, dim, out, true, true);
}

/// Writes every index r with sums[r] * factors[r] >= least to `places`, ascending. Returns their
/// number. No product may be NaN.
inline std::size_t select_scaled(float const* sums, float const* factors, std::size_t count,
    float least, std::uint32_t* places) noexcept {
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (rounded(sums[i] * factors[i]) >= least) places[found++] = static_cast<std::uint32_t>(i);
    }
    return found;
}

} // namespace detail::scalar
TRAWL_END_NAMESPACE

#if TRAWL_X86_64
TRAWL_BEGIN_NAMESPACE
namespace detail::scalar_fma {

// The same kernels, compiled for the FMA instruction of x86.
TRAWL_TARGET("fma")
inline void dot_rows(float const* query, float const* const* rows, std::size_t count,
    std::size_t dim, float* out) noexcept {
    scalar::reduce_rows(query, rows, count, dim, out, false, true);
}

TRAWL_TARGET("fma")
inline void squared_distance_rows(float const* query, float const* const* rows, std::size_t count,
    std::size_t dim, float* out) noexcept {
    scalar::reduce_rows(query, rows, count, dim, out, true, true);
}

} // namespace detail::scalar_fma
TRAWL_END_NAMESPACE
#endif

TRAWL_BEGIN_NAMESPACE
namespace detail::unfused {

// The same kernels for machines without FMA: each product is rounded before it is added.
inline void dot_rows(float const* query, float const* const* rows, std::size_t count,
    std::size_t dim, float* out) noexcept {
    scalar::reduce_rows(query, rows, count, dim, out, false, false);
}

inline void squared_distance_rows(float const* query, float const* const* rows, std::size_t count,
    std::size_t dim, float* out) noexcept {
    scalar::reduce_rows(query, rows, count, dim, out, true, false);
}

} // namespace detail::unfused
TRAWL_END_NAMESPACE
