// SPDX-License-Identifier: MIT
#pragma once

/// Many queries at once with AVX2 and FMA: four queries meet three rows in twelve registers, first in lanes 0
/// to 7, then in lanes 8 to 15, so that a value loaded is used three or four times.
///
/// A tile kernel reads `tile_queries` queries, packed: for each 16 dimensions (the last of them filled up
/// with zeros) 16 values of each query in turn. out[q * stride + r] has the bits that dot_rows or
/// squared_distance_rows gives query q and row r. It may write up to 3 values past out[q * stride + count -
/// 1].

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <bit>
#include <cstddef>
#include <cstdint>

#include <immintrin.h>

#include <trawl/detail/simd/avx2.hpp>

namespace trawl::inline v0_1::detail::avx2 {

inline constexpr std::size_t tile_queries = 4;

// The eight lanes of twelve sums; a, b, c are the rows, the number is the query's.
struct tile_sums {
    __m256 a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3;
};

// Four queries, 16 floats apart, meet eight lanes of three rows.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void meet(
    tile_sums& sums, float const* queries, __m256 a, __m256 b, __m256 c, bool squared) noexcept {
    auto q = _mm256_loadu_ps(queries);
    sums.a0 = step(q, a, sums.a0, squared);
    sums.b0 = step(q, b, sums.b0, squared);
    sums.c0 = step(q, c, sums.c0, squared);
    q = _mm256_loadu_ps(queries + 16);
    sums.a1 = step(q, a, sums.a1, squared);
    sums.b1 = step(q, b, sums.b1, squared);
    sums.c1 = step(q, c, sums.c1, squared);
    q = _mm256_loadu_ps(queries + 32);
    sums.a2 = step(q, a, sums.a2, squared);
    sums.b2 = step(q, b, sums.b2, squared);
    sums.c2 = step(q, c, sums.c2, squared);
    q = _mm256_loadu_ps(queries + 48);
    sums.a3 = step(q, a, sums.a3, squared);
    sums.b3 = step(q, b, sums.b3, squared);
    sums.c3 = step(q, c, sums.c3, squared);
}

// queries: 64 floats for each 16 dimensions. All pointers are already at the half's first lane.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void add_half(tile_sums& sums, float const* queries, float const* a, float const* b,
    float const* c, std::size_t groups, std::size_t rest, bool squared) noexcept {
    auto at_hand = sums; // in registers
    for (; groups > 0; --groups, queries += 64, a += 16, b += 16, c += 16)
        meet(at_hand, queries, _mm256_loadu_ps(a), _mm256_loadu_ps(b), _mm256_loadu_ps(c), squared);
    if (rest > 0) {
        auto const lanes = first_lanes(rest);
        meet(at_hand, queries, _mm256_maskload_ps(a, lanes), _mm256_maskload_ps(b, lanes),
            _mm256_maskload_ps(c, lanes), squared);
    }
    sums = at_hand;
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void reduce_three(float const* queries, float const* a, float const* b, float const* c,
    std::size_t dim, float* out, std::size_t stride, bool squared) noexcept {
    constexpr std::size_t chunk = 32; // groups of 16 whose queries and rows stay in the first cache
    auto const zero = _mm256_setzero_ps();
    tile_sums low{zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero};
    tile_sums high = low;
    auto const groups = dim / 16;
    auto const rest = dim % 16;
    std::size_t first = 0;
    do {
        auto const n = groups - first < chunk ? groups - first : chunk;
        auto const last = first + n == groups ? rest : 0;
        auto const at = first * 16;
        add_half(low, queries + 4 * at, a + at, b + at, c + at, n, last, squared);
        add_half(high, queries + 4 * at + 8, a + at + 8, b + at + 8, c + at + 8, n, last > 8 ? last - 8 : 0,
            squared);
        first += n;
    } while (first < groups);
    // The fourth sum repeats the third; the next tile overwrites it.
    auto const c0 = fold(low.c0, high.c0), c1 = fold(low.c1, high.c1);
    auto const c2 = fold(low.c2, high.c2), c3 = fold(low.c3, high.c3);
    store_sums(fold(low.a0, high.a0), fold(low.b0, high.b0), c0, c0, out);
    store_sums(fold(low.a1, high.a1), fold(low.b1, high.b1), c1, c1, out + stride);
    store_sums(fold(low.a2, high.a2), fold(low.b2, high.b2), c2, c2, out + 2 * stride);
    store_sums(fold(low.a3, high.a3), fold(low.b3, high.b3), c3, c3, out + 3 * stride);
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void reduce_tile(float const* queries, float const* const* rows, std::size_t count,
    std::size_t dim, float* out, std::size_t stride, bool squared) noexcept {
    for (std::size_t r = 0; r < count; r += 3) {
        auto const rest = count - r;
        reduce_three(queries, rows[r], rows[r + (rest > 1 ? 1 : 0)], rows[r + (rest > 2 ? 2 : 0)], dim,
            out + r, stride, squared);
    }
}

TRAWL_TARGET("avx2,fma")
inline void dot_tile(float const* queries, float const* const* rows, std::size_t count, std::size_t dim,
    float* out, std::size_t stride) noexcept {
    reduce_tile(queries, rows, count, dim, out, stride, false);
}

TRAWL_TARGET("avx2,fma")
inline void squared_distance_tile(float const* queries, float const* const* rows, std::size_t count,
    std::size_t dim, float* out, std::size_t stride) noexcept {
    reduce_tile(queries, rows, count, dim, out, stride, true);
}

TRAWL_TARGET("avx2,fma")
inline std::size_t select_scaled(
    float const* sums, float const* factors, std::size_t count, float least, std::uint32_t* places) noexcept {
    auto const floor = _mm256_set1_ps(least);
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; i += 8) {
        auto const lanes = first_lanes(count - i);
        auto const scaled = rounded(
            _mm256_mul_ps(_mm256_maskload_ps(sums + i, lanes), _mm256_maskload_ps(factors + i, lanes)));
        auto const above =
            _mm256_and_ps(_mm256_cmp_ps(scaled, floor, _CMP_GE_OQ), _mm256_castsi256_ps(lanes));
        for (auto bits = static_cast<unsigned>(_mm256_movemask_ps(above)); bits != 0; bits &= bits - 1)
            places[found++] =
                static_cast<std::uint32_t>(i + static_cast<std::size_t>(std::countr_zero(bits)));
    }
    return found;
}

} // namespace trawl::inline v0_1::detail::avx2

#endif
