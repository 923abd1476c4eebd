// SPDX-License-Identifier: MIT
#pragma once

/// The kernels of vectors for ARM64. Four registers hold the 16 lanes of a row; four rows are
/// processed at once.

#include <trawl/config.hpp>

#if TRAWL_ARM64

#include <cstddef>

#include <arm_neon.h>

TRAWL_BEGIN_NAMESPACE
namespace detail::neon {

// A barrier like detail::rounded: to the compiler, these intrinsics are plain + and -.
TRAWL_ALWAYS_INLINE float32x4_t rounded(float32x4_t value) noexcept {
#if defined(__GNUC__) || defined(__clang__)
    asm("" : "+w"(value));
#endif
    return value;
}

TRAWL_ALWAYS_INLINE float32x4_t step(
    float32x4_t q, float32x4_t r, float32x4_t sum, bool squared) noexcept {
    if (!squared) return vfmaq_f32(sum, q, r);
    auto const difference = rounded(vsubq_f32(q, r));
    return vfmaq_f32(sum, difference, difference);
}

// The 16 lanes of one row.
struct lane_sums {
    float32x4_t s0, s1, s2, s3;
};

TRAWL_ALWAYS_INLINE void add_group(
    lane_sums& sums, float const* query, float const* row, bool squared) noexcept {
    sums.s0 = step(vld1q_f32(query), vld1q_f32(row), sums.s0, squared);
    sums.s1 = step(vld1q_f32(query + 4), vld1q_f32(row + 4), sums.s1, squared);
    sums.s2 = step(vld1q_f32(query + 8), vld1q_f32(row + 8), sums.s2, squared);
    sums.s3 = step(vld1q_f32(query + 12), vld1q_f32(row + 12), sums.s3, squared);
}

// The last group, of fewer than 16 values, is padded with zeros.
TRAWL_ALWAYS_INLINE void add_rest(lane_sums& sums, float const* query, float const* row,
    std::size_t count, bool squared) noexcept {
    float q[16] = {};
    float r[16] = {};
    for (std::size_t l = 0; l < count; ++l) {
        q[l] = query[l];
        r[l] = row[l];
    }
    add_group(sums, q, r, squared);
}

// Adds lanes l and l + 8, l and l + 4, l and l + 2, l and l + 1.
TRAWL_ALWAYS_INLINE float total(lane_sums const& sums) noexcept {
    auto const low = rounded(vaddq_f32(rounded(sums.s0), rounded(sums.s2)));
    auto const high = rounded(vaddq_f32(rounded(sums.s1), rounded(sums.s3)));
    auto const four = rounded(vaddq_f32(low, high));
    auto const two = rounded(vaddq_f32(four, vextq_f32(four, four, 2)));
    return vgetq_lane_f32(rounded(vaddq_f32(two, vextq_f32(two, two, 1))), 0);
}

TRAWL_ALWAYS_INLINE void reduce_four(float const* query, float const* a, float const* b,
    float const* c, float const* d, std::size_t dim, float* out, bool squared) noexcept {
    auto const zero = vdupq_n_f32(0);
    lane_sums as{zero, zero, zero, zero}, bs = as, cs = as, ds = as;
    std::size_t i = 0;
    for (; i + 16 <= dim; i += 16) {
        add_group(as, query + i, a + i, squared);
        add_group(bs, query + i, b + i, squared);
        add_group(cs, query + i, c + i, squared);
        add_group(ds, query + i, d + i, squared);
    }
    if (i < dim) {
        add_rest(as, query + i, a + i, dim - i, squared);
        add_rest(bs, query + i, b + i, dim - i, squared);
        add_rest(cs, query + i, c + i, dim - i, squared);
        add_rest(ds, query + i, d + i, dim - i, squared);
    }
    out[0] = total(as);
    out[1] = total(bs);
    out[2] = total(cs);
    out[3] = total(ds);
}

TRAWL_ALWAYS_INLINE void reduce_rows(float const* query, float const* const* rows,
    std::size_t count, std::size_t dim, float* out, bool squared) noexcept {
    std::size_t r = 0;
    for (; r + 4 <= count; r += 4)
        reduce_four(query, rows[r], rows[r + 1], rows[r + 2], rows[r + 3], dim, out + r, squared);
    if (auto const rest = count - r; rest > 0) {
        float sums[4];
        reduce_four(query, rows[r], rows[r + (rest > 1 ? 1 : 0)], rows[r + (rest > 2 ? 2 : 0)],
            rows[r], dim, sums, squared);
        for (std::size_t i = 0; i < rest; ++i) out[r + i] = sums[i];
    }
}

inline void dot_rows(float const* query, float const* const* rows, std::size_t count,
    std::size_t dim, float* out) noexcept {
    reduce_rows(query, rows, count, dim, out, false);
}

inline void squared_distance_rows(float const* query, float const* const* rows, std::size_t count,
    std::size_t dim, float* out) noexcept {
    reduce_rows(query, rows, count, dim, out, true);
}

} // namespace detail::neon
TRAWL_END_NAMESPACE

#endif
