// SPDX-License-Identifier: MIT
#pragma once

/// Several queries at once on ARM64: 24 registers hold the sums of three queries with two rows.
/// avx2/vector_tile.hpp describes a tile kernel.

#include <trawl/config.hpp>

#if TRAWL_ARM64

#include <cstddef>

#include <arm_neon.h>

#include <trawl/detail/simd/neon/vectors.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail::neon {

inline constexpr std::size_t tile_queries = 3;

// The sixteen lanes of six sums. The letter is the row, the digit the query.
struct tile_sums {
    lane_sums a0, a1, a2, b0, b1, b2;
};

// Multiplies three queries, 16 floats apart, with four lanes of two rows.
TRAWL_ALWAYS_INLINE void meet(tile_sums& sums, float32x4_t lane_sums::*lanes, float const* queries,
    float32x4_t a, float32x4_t b, bool squared) noexcept {
#if defined(__GNUC__) || defined(__clang__)
    // GCC would load the queries of all four lanes first, and run out of registers.
    asm volatile("" ::: "memory");
#endif
    auto q = vld1q_f32(queries);
    sums.a0.*lanes = step(q, a, sums.a0.*lanes, squared);
    sums.b0.*lanes = step(q, b, sums.b0.*lanes, squared);
    q = vld1q_f32(queries + 16);
    sums.a1.*lanes = step(q, a, sums.a1.*lanes, squared);
    sums.b1.*lanes = step(q, b, sums.b1.*lanes, squared);
    q = vld1q_f32(queries + 32);
    sums.a2.*lanes = step(q, a, sums.a2.*lanes, squared);
    sums.b2.*lanes = step(q, b, sums.b2.*lanes, squared);
}

TRAWL_ALWAYS_INLINE void meet_group(
    tile_sums& sums, float const* queries, float const* a, float const* b, bool squared) noexcept {
    meet(sums, &lane_sums::s0, queries, vld1q_f32(a), vld1q_f32(b), squared);
    meet(sums, &lane_sums::s1, queries + 4, vld1q_f32(a + 4), vld1q_f32(b + 4), squared);
    meet(sums, &lane_sums::s2, queries + 8, vld1q_f32(a + 8), vld1q_f32(b + 8), squared);
    meet(sums, &lane_sums::s3, queries + 12, vld1q_f32(a + 12), vld1q_f32(b + 12), squared);
}

TRAWL_ALWAYS_INLINE void reduce_two(float const* queries, float const* a, float const* b,
    std::size_t dim, float* out, std::size_t stride, bool squared) noexcept {
    auto const zero = vdupq_n_f32(0);
    lane_sums const none{zero, zero, zero, zero};
    tile_sums sums{none, none, none, none, none, none};
    std::size_t i = 0;
    for (; i + 16 <= dim; i += 16, queries += 16 * tile_queries)
        meet_group(sums, queries, a + i, b + i, squared);
    if (i < dim) {
        float last_a[16] = {};
        float last_b[16] = {};
        for (std::size_t l = 0; l < dim - i; ++l) {
            last_a[l] = a[i + l];
            last_b[l] = b[i + l];
        }
        meet_group(sums, queries, last_a, last_b, squared);
    }
    out[0] = total(sums.a0);
    out[1] = total(sums.b0);
    out[stride] = total(sums.a1);
    out[stride + 1] = total(sums.b1);
    out[2 * stride] = total(sums.a2);
    out[2 * stride + 1] = total(sums.b2);
}

TRAWL_ALWAYS_INLINE void reduce_tile(float const* queries, float const* const* rows,
    std::size_t count, std::size_t dim, float* out, std::size_t stride, bool squared) noexcept {
    for (std::size_t r = 0; r < count; r += 2)
        reduce_two(
            queries, rows[r], rows[r + (r + 1 < count ? 1 : 0)], dim, out + r, stride, squared);
}

inline void dot_tile(float const* queries, float const* const* rows, std::size_t count,
    std::size_t dim, float* out, std::size_t stride) noexcept {
    reduce_tile(queries, rows, count, dim, out, stride, false);
}

inline void squared_distance_tile(float const* queries, float const* const* rows, std::size_t count,
    std::size_t dim, float* out, std::size_t stride) noexcept {
    reduce_tile(queries, rows, count, dim, out, stride, true);
}

} // namespace detail::neon
TRAWL_END_NAMESPACE

#endif
