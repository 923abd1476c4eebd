// SPDX-License-Identifier: MIT
#pragma once

/// The kernels of vectors for x86-64 with AVX-512F. One register holds the 16 lanes of a row; eight
/// rows are processed at once.

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <cstddef>

#include <trawl/detail/simd/avx2/vectors.hpp>
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

TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 step(m512 q, m512 r, m512 sum, bool squared) noexcept {
    if (!squared) return mm512_fmadd_ps(q, r, sum);
    auto const difference = mm512_sub_ps(q, r);
    return mm512_fmadd_ps(difference, difference, sum);
}

// Adds lanes l and l + 8, l and l + 4.
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m128 fold(m512 sum) noexcept {
    return avx2::fold(mm512_castps512_ps256(sum),
        mm256_castpd_ps(mm512_extractf64x4_pd<1>(mm512_castps_pd(sum))));
}

TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE void reduce_eight(float const* query, float const* const* rows, std::size_t dim,
    float* out, bool squared) noexcept {
    float const* const a = rows[0];
    float const* const b = rows[1];
    float const* const c = rows[2];
    float const* const d = rows[3];
    float const* const e = rows[4];
    float const* const f = rows[5];
    float const* const g = rows[6];
    float const* const h = rows[7];
    auto as = mm512_setzero_ps(), bs = as, cs = as, ds = as, es = as, fs = as, gs = as, hs = as;
    std::size_t i = 0;
    for (; i + 16 <= dim; i += 16) {
        auto const q = mm512_loadu_ps(query + i);
        as = step(q, mm512_loadu_ps(a + i), as, squared);
        bs = step(q, mm512_loadu_ps(b + i), bs, squared);
        cs = step(q, mm512_loadu_ps(c + i), cs, squared);
        ds = step(q, mm512_loadu_ps(d + i), ds, squared);
        es = step(q, mm512_loadu_ps(e + i), es, squared);
        fs = step(q, mm512_loadu_ps(f + i), fs, squared);
        gs = step(q, mm512_loadu_ps(g + i), gs, squared);
        hs = step(q, mm512_loadu_ps(h + i), hs, squared);
    }
    if (i < dim) {
        auto const m = static_cast<mask16>((1u << (dim - i)) - 1u);
        auto const q = mm512_maskz_loadu_ps(m, query + i);
        as = step(q, mm512_maskz_loadu_ps(m, a + i), as, squared);
        bs = step(q, mm512_maskz_loadu_ps(m, b + i), bs, squared);
        cs = step(q, mm512_maskz_loadu_ps(m, c + i), cs, squared);
        ds = step(q, mm512_maskz_loadu_ps(m, d + i), ds, squared);
        es = step(q, mm512_maskz_loadu_ps(m, e + i), es, squared);
        fs = step(q, mm512_maskz_loadu_ps(m, f + i), fs, squared);
        gs = step(q, mm512_maskz_loadu_ps(m, g + i), gs, squared);
        hs = step(q, mm512_maskz_loadu_ps(m, h + i), hs, squared);
    }
    avx2::store_sums(fold(as), fold(bs), fold(cs), fold(ds), out);
    avx2::store_sums(fold(es), fold(fs), fold(gs), fold(hs), out + 4);
}

TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE void reduce_rows(float const* query, float const* const* rows,
    std::size_t count, std::size_t dim, float* out, bool squared) noexcept {
    std::size_t r = 0;
    for (; r + 8 <= count; r += 8) reduce_eight(query, rows + r, dim, out + r, squared);
    if (auto const rest = count - r; rest > 0) {
        float const* last[8];
        float sums[8];
        for (std::size_t i = 0; i < 8; ++i) last[i] = rows[r + (i < rest ? i : 0)];
        reduce_eight(query, last, dim, sums, squared);
        for (std::size_t i = 0; i < rest; ++i) out[r + i] = sums[i];
    }
}

TRAWL_TARGET("avx512f,avx2,fma")
inline void dot_rows(float const* query, float const* const* rows, std::size_t count,
    std::size_t dim, float* out) noexcept {
    reduce_rows(query, rows, count, dim, out, false);
}

TRAWL_TARGET("avx512f,avx2,fma")
inline void squared_distance_rows(float const* query, float const* const* rows, std::size_t count,
    std::size_t dim, float* out) noexcept {
    reduce_rows(query, rows, count, dim, out, true);
}

} // namespace detail::avx512
TRAWL_END_NAMESPACE

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
