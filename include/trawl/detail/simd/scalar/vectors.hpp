// SPDX-License-Identifier: MIT
#pragma once

/// The kernels of the dense arm in plain C++: the specification that the kernels of every
/// instruction set obey bit for bit, and what runs where there is no other.
///
/// A kernel reads a query [dim] and the rows [dim] at count addresses, of any alignment, and writes
/// out[r] = sum of step(query[i], rows[r][i]). The sum has 16 lanes: element i goes to lane i mod
/// 16 by one fused multiply-add, the last group of 16 filled up with zeros; then lanes l and l + 8
/// are added, l and l + 4, l and l + 2, l and l + 1.

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

/// Dot products. Without an FMA instruction std::fma is a call: exact, and some fifty times slower.
inline void dot_rows(float const* query, float const* const* rows, std::size_t count,
    std::size_t dim, float* out) noexcept {
    reduce_rows(query, rows, count, dim, out, false, true);
}

/// Squared Euclidean distances, from the differences.
inline void squared_distance_rows(float const* query, float const* const* rows, std::size_t count,
    std::size_t dim, float* out) noexcept {
    reduce_rows(query, rows, count, dim, out, true, true);
}

/// Writes the places r, ascending, where sums[r] * factors[r] >= least, and returns how many they
/// are. No product may be NaN.
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

// The same with x86's FMA instruction.
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

// The same with the product rounded before it is added, for machines without FMA.
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
