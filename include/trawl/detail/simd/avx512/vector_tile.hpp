// SPDX-License-Identifier: MIT
#pragma once

/// Several queries at once with AVX-512F: 24 registers hold the sums of eight queries with three
/// rows. avx2/vector_tile.hpp describes a tile kernel.

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <cstddef>

#include <trawl/detail/simd/avx512/vectors.hpp>
#include <trawl/detail/simd/x86/instructions.hpp>

// Intrinsics of GCC start from registers that they leave uninitialised on purpose.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

TRAWL_BEGIN_NAMESPACE
namespace detail::avx512 {

using namespace x86;

inline constexpr std::size_t tile_queries = 8;

TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE void store_three(m512 a, m512 b, m512 c, float* out) noexcept {
    // The fourth value stored repeats the third; the next tile overwrites it.
    auto const third = fold(c);
    avx2::store_sums(fold(a), fold(b), third, third, out);
}

// The sixteen lanes of 24 sums. The letter is the row, the digit the query.
struct tile_sums {
    m512 a0, a1, a2, a3, a4, a5, a6, a7;
    m512 b0, b1, b2, b3, b4, b5, b6, b7;
    m512 c0, c1, c2, c3, c4, c5, c6, c7;
};

// Multiplies eight queries, 16 floats apart, with sixteen lanes of three rows.
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE void meet(
    tile_sums& sums, float const* queries, m512 a, m512 b, m512 c, bool squared) noexcept {
    auto q = mm512_loadu_ps(queries);
    sums.a0 = step(q, a, sums.a0, squared);
    sums.b0 = step(q, b, sums.b0, squared);
    sums.c0 = step(q, c, sums.c0, squared);
    q = mm512_loadu_ps(queries + 16);
    sums.a1 = step(q, a, sums.a1, squared);
    sums.b1 = step(q, b, sums.b1, squared);
    sums.c1 = step(q, c, sums.c1, squared);
    q = mm512_loadu_ps(queries + 32);
    sums.a2 = step(q, a, sums.a2, squared);
    sums.b2 = step(q, b, sums.b2, squared);
    sums.c2 = step(q, c, sums.c2, squared);
    q = mm512_loadu_ps(queries + 48);
    sums.a3 = step(q, a, sums.a3, squared);
    sums.b3 = step(q, b, sums.b3, squared);
    sums.c3 = step(q, c, sums.c3, squared);
    q = mm512_loadu_ps(queries + 64);
    sums.a4 = step(q, a, sums.a4, squared);
    sums.b4 = step(q, b, sums.b4, squared);
    sums.c4 = step(q, c, sums.c4, squared);
    q = mm512_loadu_ps(queries + 80);
    sums.a5 = step(q, a, sums.a5, squared);
    sums.b5 = step(q, b, sums.b5, squared);
    sums.c5 = step(q, c, sums.c5, squared);
    q = mm512_loadu_ps(queries + 96);
    sums.a6 = step(q, a, sums.a6, squared);
    sums.b6 = step(q, b, sums.b6, squared);
    sums.c6 = step(q, c, sums.c6, squared);
    q = mm512_loadu_ps(queries + 112);
    sums.a7 = step(q, a, sums.a7, squared);
    sums.b7 = step(q, b, sums.b7, squared);
    sums.c7 = step(q, c, sums.c7, squared);
}

TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE void reduce_three(float const* queries, float const* a, float const* b,
    float const* c, std::size_t dim, float* out, std::size_t stride, bool squared) noexcept {
    auto const zero = mm512_setzero_ps();
    tile_sums sums{zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero,
        zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero};
    std::size_t i = 0;
    for (; i + 16 <= dim; i += 16, queries += 128)
        meet(sums, queries, mm512_loadu_ps(a + i), mm512_loadu_ps(b + i), mm512_loadu_ps(c + i),
            squared);
    if (i < dim) {
        auto const m = static_cast<mask16>((1u << (dim - i)) - 1u);
        meet(sums, queries, mm512_maskz_loadu_ps(m, a + i), mm512_maskz_loadu_ps(m, b + i),
            mm512_maskz_loadu_ps(m, c + i), squared);
    }
    store_three(sums.a0, sums.b0, sums.c0, out);
    store_three(sums.a1, sums.b1, sums.c1, out + stride);
    store_three(sums.a2, sums.b2, sums.c2, out + 2 * stride);
    store_three(sums.a3, sums.b3, sums.c3, out + 3 * stride);
    store_three(sums.a4, sums.b4, sums.c4, out + 4 * stride);
    store_three(sums.a5, sums.b5, sums.c5, out + 5 * stride);
    store_three(sums.a6, sums.b6, sums.c6, out + 6 * stride);
    store_three(sums.a7, sums.b7, sums.c7, out + 7 * stride);
}

TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE void reduce_tile(float const* queries, float const* const* rows,
    std::size_t count, std::size_t dim, float* out, std::size_t stride, bool squared) noexcept {
    for (std::size_t r = 0; r < count; r += 3) {
        auto const rest = count - r;
        reduce_three(queries, rows[r], rows[r + (rest > 1 ? 1 : 0)], rows[r + (rest > 2 ? 2 : 0)],
            dim, out + r, stride, squared);
    }
}

TRAWL_TARGET("avx512f,avx2,fma")
inline void dot_tile(float const* queries, float const* const* rows, std::size_t count,
    std::size_t dim, float* out, std::size_t stride) noexcept {
    reduce_tile(queries, rows, count, dim, out, stride, false);
}

TRAWL_TARGET("avx512f,avx2,fma")
inline void squared_distance_tile(float const* queries, float const* const* rows, std::size_t count,
    std::size_t dim, float* out, std::size_t stride) noexcept {
    reduce_tile(queries, rows, count, dim, out, stride, true);
}

} // namespace detail::avx512
TRAWL_END_NAMESPACE

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
