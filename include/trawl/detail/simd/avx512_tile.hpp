// SPDX-License-Identifier: MIT
#pragma once

/// Many queries at once with AVX-512F: eight queries meet three rows in 24 registers. avx2_tile.hpp says what
/// a tile kernel does.

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <cstddef>

#include <immintrin.h>

#include <trawl/detail/simd/avx512.hpp>

// GCC 12's own AVX-512 intrinsics start from registers that they leave uninitialised on purpose.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace trawl::inline v0_1::detail::avx512 {

inline constexpr std::size_t tile_queries = 8;

TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE void store_three(__m512 a, __m512 b, __m512 c, float* out) noexcept {
    // The fourth sum repeats the third; the next tile overwrites it.
    auto const third = fold(c);
    avx2::store_sums(fold(a), fold(b), third, third, out);
}

TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE void reduce_three(float const* queries, float const* a, float const* b, float const* c,
    std::size_t dim, float* out, std::size_t stride, bool squared) noexcept {
    auto a0 = _mm512_setzero_ps(), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0;
    auto b0 = a0, b1 = a0, b2 = a0, b3 = a0, b4 = a0, b5 = a0, b6 = a0, b7 = a0;
    auto c0 = a0, c1 = a0, c2 = a0, c3 = a0, c4 = a0, c5 = a0, c6 = a0, c7 = a0;
    std::size_t i = 0;
    for (; i + 16 <= dim; i += 16, queries += 128) {
        auto const ra = _mm512_loadu_ps(a + i);
        auto const rb = _mm512_loadu_ps(b + i);
        auto const rc = _mm512_loadu_ps(c + i);
        auto q = _mm512_loadu_ps(queries);
        a0 = step(q, ra, a0, squared);
        b0 = step(q, rb, b0, squared);
        c0 = step(q, rc, c0, squared);
        q = _mm512_loadu_ps(queries + 16);
        a1 = step(q, ra, a1, squared);
        b1 = step(q, rb, b1, squared);
        c1 = step(q, rc, c1, squared);
        q = _mm512_loadu_ps(queries + 32);
        a2 = step(q, ra, a2, squared);
        b2 = step(q, rb, b2, squared);
        c2 = step(q, rc, c2, squared);
        q = _mm512_loadu_ps(queries + 48);
        a3 = step(q, ra, a3, squared);
        b3 = step(q, rb, b3, squared);
        c3 = step(q, rc, c3, squared);
        q = _mm512_loadu_ps(queries + 64);
        a4 = step(q, ra, a4, squared);
        b4 = step(q, rb, b4, squared);
        c4 = step(q, rc, c4, squared);
        q = _mm512_loadu_ps(queries + 80);
        a5 = step(q, ra, a5, squared);
        b5 = step(q, rb, b5, squared);
        c5 = step(q, rc, c5, squared);
        q = _mm512_loadu_ps(queries + 96);
        a6 = step(q, ra, a6, squared);
        b6 = step(q, rb, b6, squared);
        c6 = step(q, rc, c6, squared);
        q = _mm512_loadu_ps(queries + 112);
        a7 = step(q, ra, a7, squared);
        b7 = step(q, rb, b7, squared);
        c7 = step(q, rc, c7, squared);
    }
    if (i < dim) {
        auto const m = static_cast<__mmask16>((1u << (dim - i)) - 1u);
        auto const ra = _mm512_maskz_loadu_ps(m, a + i);
        auto const rb = _mm512_maskz_loadu_ps(m, b + i);
        auto const rc = _mm512_maskz_loadu_ps(m, c + i);
        auto q = _mm512_loadu_ps(queries);
        a0 = step(q, ra, a0, squared);
        b0 = step(q, rb, b0, squared);
        c0 = step(q, rc, c0, squared);
        q = _mm512_loadu_ps(queries + 16);
        a1 = step(q, ra, a1, squared);
        b1 = step(q, rb, b1, squared);
        c1 = step(q, rc, c1, squared);
        q = _mm512_loadu_ps(queries + 32);
        a2 = step(q, ra, a2, squared);
        b2 = step(q, rb, b2, squared);
        c2 = step(q, rc, c2, squared);
        q = _mm512_loadu_ps(queries + 48);
        a3 = step(q, ra, a3, squared);
        b3 = step(q, rb, b3, squared);
        c3 = step(q, rc, c3, squared);
        q = _mm512_loadu_ps(queries + 64);
        a4 = step(q, ra, a4, squared);
        b4 = step(q, rb, b4, squared);
        c4 = step(q, rc, c4, squared);
        q = _mm512_loadu_ps(queries + 80);
        a5 = step(q, ra, a5, squared);
        b5 = step(q, rb, b5, squared);
        c5 = step(q, rc, c5, squared);
        q = _mm512_loadu_ps(queries + 96);
        a6 = step(q, ra, a6, squared);
        b6 = step(q, rb, b6, squared);
        c6 = step(q, rc, c6, squared);
        q = _mm512_loadu_ps(queries + 112);
        a7 = step(q, ra, a7, squared);
        b7 = step(q, rb, b7, squared);
        c7 = step(q, rc, c7, squared);
    }
    store_three(a0, b0, c0, out);
    store_three(a1, b1, c1, out + stride);
    store_three(a2, b2, c2, out + 2 * stride);
    store_three(a3, b3, c3, out + 3 * stride);
    store_three(a4, b4, c4, out + 4 * stride);
    store_three(a5, b5, c5, out + 5 * stride);
    store_three(a6, b6, c6, out + 6 * stride);
    store_three(a7, b7, c7, out + 7 * stride);
}

TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE void reduce_tile(float const* queries, float const* const* rows, std::size_t count,
    std::size_t dim, float* out, std::size_t stride, bool squared) noexcept {
    for (std::size_t r = 0; r < count; r += 3) {
        auto const rest = count - r;
        reduce_three(queries, rows[r], rows[r + (rest > 1 ? 1 : 0)], rows[r + (rest > 2 ? 2 : 0)], dim,
            out + r, stride, squared);
    }
}

TRAWL_TARGET("avx512f,avx2,fma")
inline void dot_tile(float const* queries, float const* const* rows, std::size_t count, std::size_t dim,
    float* out, std::size_t stride) noexcept {
    reduce_tile(queries, rows, count, dim, out, stride, false);
}

TRAWL_TARGET("avx512f,avx2,fma")
inline void squared_distance_tile(float const* queries, float const* const* rows, std::size_t count,
    std::size_t dim, float* out, std::size_t stride) noexcept {
    reduce_tile(queries, rows, count, dim, out, stride, true);
}

} // namespace trawl::inline v0_1::detail::avx512

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
