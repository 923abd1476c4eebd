// SPDX-License-Identifier: MIT
#pragma once

/// The kernels of vectors for x86-64 with AVX2 and FMA. Two registers hold the 16 lanes of a row;
/// four rows are processed at once.

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <cstddef>
#include <cstdint>

#include <trawl/detail/simd/x86/instructions.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail::avx2 {

using namespace x86;

// A barrier like detail::rounded: to the compiler, these instructions are plain + and -.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 rounded(m256 value) noexcept {
#if defined(__GNUC__) || defined(__clang__)
    asm("" : "+x"(value));
#endif
    return value;
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128 rounded(m128 value) noexcept {
#if defined(__GNUC__) || defined(__clang__)
    asm("" : "+x"(value));
#endif
    return value;
}

// Hidden from the compiler, because GCC multiplies by an approximate reciprocal under -ffast-math.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 quotient(m256 a, m256 b) noexcept {
#if defined(__GNUC__) || defined(__clang__)
    m256 result;
    asm("vdivps %2, %1, %0" : "=x"(result) : "x"(a), "x"(b));
    return result;
#else
    return mm256_div_ps(a, b);
#endif
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 step(m256 q, m256 r, m256 sum, bool squared) noexcept {
    if (!squared) return mm256_fmadd_ps(q, r, sum);
    auto const difference = rounded(mm256_sub_ps(q, r));
    return mm256_fmadd_ps(difference, difference, sum);
}

// Adds lanes l and l + 8, l and l + 4.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128 fold(m256 low, m256 high) noexcept {
    auto const eight = rounded(mm256_add_ps(rounded(low), rounded(high)));
    return rounded(mm_add_ps(mm256_castps256_ps128(eight), mm256_extractf128_ps<1>(eight)));
}

// Adds lanes l and l + 2, l and l + 1 of four rows and stores the four sums.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void store_sums(m128 a, m128 b, m128 c, m128 d, float* out) noexcept {
    auto const ab = rounded(mm_add_ps(mm_movelh_ps(a, b), mm_movehl_ps(b, a)));
    auto const cd = rounded(mm_add_ps(mm_movelh_ps(c, d), mm_movehl_ps(d, c)));
    auto const even = mm_shuffle_ps<places(2, 0, 2, 0)>(ab, cd);
    auto const odd = mm_shuffle_ps<places(3, 1, 3, 1)>(ab, cd);
    mm_storeu_ps(out, rounded(mm_add_ps(even, odd)));
}

// The 8 words from tail_mask + 8 - n on select the first n lanes of a register.
inline constexpr std::int32_t tail_mask[16] = {-1, -1, -1, -1, -1, -1, -1, -1};

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i first_lanes(std::size_t n) noexcept {
    return mm256_loadu_si256(tail_mask + 8 - (n < 8 ? n : 8));
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void reduce_four(float const* query, float const* a, float const* b,
    float const* c, float const* d, std::size_t dim, float* out, bool squared) noexcept {
    auto a0 = mm256_setzero_ps(), a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0, d0 = a0, d1 = a0;
    std::size_t i = 0;
    for (; i + 16 <= dim; i += 16) {
        auto const q0 = mm256_loadu_ps(query + i);
        auto const q1 = mm256_loadu_ps(query + i + 8);
        a0 = step(q0, mm256_loadu_ps(a + i), a0, squared);
        a1 = step(q1, mm256_loadu_ps(a + i + 8), a1, squared);
        b0 = step(q0, mm256_loadu_ps(b + i), b0, squared);
        b1 = step(q1, mm256_loadu_ps(b + i + 8), b1, squared);
        c0 = step(q0, mm256_loadu_ps(c + i), c0, squared);
        c1 = step(q1, mm256_loadu_ps(c + i + 8), c1, squared);
        d0 = step(q0, mm256_loadu_ps(d + i), d0, squared);
        d1 = step(q1, mm256_loadu_ps(d + i + 8), d1, squared);
    }
    if (auto const rest = dim - i; rest > 0) {
        auto const m0 = first_lanes(rest);
        auto const q0 = mm256_maskload_ps(query + i, m0);
        a0 = step(q0, mm256_maskload_ps(a + i, m0), a0, squared);
        b0 = step(q0, mm256_maskload_ps(b + i, m0), b0, squared);
        c0 = step(q0, mm256_maskload_ps(c + i, m0), c0, squared);
        d0 = step(q0, mm256_maskload_ps(d + i, m0), d0, squared);
        if (rest > 8) {
            auto const m1 = first_lanes(rest - 8);
            auto const q1 = mm256_maskload_ps(query + i + 8, m1);
            a1 = step(q1, mm256_maskload_ps(a + i + 8, m1), a1, squared);
            b1 = step(q1, mm256_maskload_ps(b + i + 8, m1), b1, squared);
            c1 = step(q1, mm256_maskload_ps(c + i + 8, m1), c1, squared);
            d1 = step(q1, mm256_maskload_ps(d + i + 8, m1), d1, squared);
        }
    }
    store_sums(fold(a0, a1), fold(b0, b1), fold(c0, c1), fold(d0, d1), out);
}

TRAWL_TARGET("avx2,fma")
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

TRAWL_TARGET("avx2,fma")
inline void dot_rows(float const* query, float const* const* rows, std::size_t count,
    std::size_t dim, float* out) noexcept {
    reduce_rows(query, rows, count, dim, out, false);
}

TRAWL_TARGET("avx2,fma")
inline void squared_distance_rows(float const* query, float const* const* rows, std::size_t count,
    std::size_t dim, float* out) noexcept {
    reduce_rows(query, rows, count, dim, out, true);
}

} // namespace detail::avx2
TRAWL_END_NAMESPACE

#endif
