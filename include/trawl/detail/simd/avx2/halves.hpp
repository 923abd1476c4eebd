// SPDX-License-Identifier: MIT
#pragma once

/// A float query against rows of bfloat16 or half precision, with AVX2, FMA and F16C. Values are
/// widened in registers, four rows at once; the result has the bits that dot_rows and
/// squared_distance_rows give for widened rows.

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <cstddef>
#include <cstdint>

#include <trawl/detail/simd/avx2/vectors.hpp>
#include <trawl/detail/simd/scalar/widen.hpp>
#include <trawl/detail/simd/x86/instructions.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail::avx2 {

using namespace x86;

TRAWL_TARGET("avx2,fma,f16c")
TRAWL_ALWAYS_INLINE m256 load_halves(std::uint16_t const* from, bool brain) noexcept {
    auto const eight = mm_loadu_si128(from);
    if (!brain) return mm256_cvtph_ps(eight);
    return mm256_castsi256_ps(mm256_slli_epi32(mm256_cvtepu16_epi32(eight), 16));
}

// The sixteen lanes of the sum of one row.
struct row_sum {
    m256 low, high;
};

TRAWL_TARGET("avx2,fma,f16c")
TRAWL_ALWAYS_INLINE void meet_halves(
    row_sum& sum, m256 q0, m256 q1, std::uint16_t const* row, bool squared, bool brain) noexcept {
    sum.low = step(q0, load_halves(row, brain), sum.low, squared);
    sum.high = step(q1, load_halves(row + 8, brain), sum.high, squared);
}

TRAWL_TARGET("avx2,fma,f16c")
TRAWL_ALWAYS_INLINE void meet_last_halves(row_sum& sum, float const* query,
    std::uint16_t const* row, std::size_t count, bool squared, bool brain) noexcept {
    float q[16] = {};
    std::uint16_t r[16] = {};
    for (std::size_t i = 0; i < count; ++i) {
        q[i] = query[i];
        r[i] = row[i];
    }
    meet_halves(sum, mm256_loadu_ps(q), mm256_loadu_ps(q + 8), r, squared, brain);
}

TRAWL_TARGET("avx2,fma,f16c")
TRAWL_ALWAYS_INLINE void reduce_half_rows(float const* query, std::uint16_t const* const* rows,
    std::size_t count, std::size_t dim, float* out, bool squared, bool brain) noexcept {
    for (std::size_t r = 0; r < count; r += 4) {
        auto const rest = count - r;
        auto const* const a = rows[r];
        auto const* const b = rows[r + (rest > 1 ? 1 : 0)];
        auto const* const c = rows[r + (rest > 2 ? 2 : 0)];
        auto const* const d = rows[r + (rest > 3 ? 3 : 0)];
        auto const zero = mm256_setzero_ps();
        row_sum as{zero, zero}, bs = as, cs = as, ds = as;
        std::size_t i = 0;
        for (; i + 16 <= dim; i += 16) {
            auto const q0 = mm256_loadu_ps(query + i);
            auto const q1 = mm256_loadu_ps(query + i + 8);
            meet_halves(as, q0, q1, a + i, squared, brain);
            meet_halves(bs, q0, q1, b + i, squared, brain);
            meet_halves(cs, q0, q1, c + i, squared, brain);
            meet_halves(ds, q0, q1, d + i, squared, brain);
        }
        if (i < dim) {
            meet_last_halves(as, query + i, a + i, dim - i, squared, brain);
            meet_last_halves(bs, query + i, b + i, dim - i, squared, brain);
            meet_last_halves(cs, query + i, c + i, dim - i, squared, brain);
            meet_last_halves(ds, query + i, d + i, dim - i, squared, brain);
        }
        float sums[4];
        store_sums(fold(as.low, as.high), fold(bs.low, bs.high), fold(cs.low, cs.high),
            fold(ds.low, ds.high), sums);
        for (std::size_t j = 0; j < 4 && j < rest; ++j) out[r + j] = sums[j];
    }
}

TRAWL_TARGET("avx2,fma,f16c")
inline void dot_bfloat16_rows(float const* query, std::uint16_t const* const* rows,
    std::size_t count, std::size_t dim, float* out) noexcept {
    reduce_half_rows(query, rows, count, dim, out, false, true);
}

TRAWL_TARGET("avx2,fma,f16c")
inline void squared_distance_bfloat16_rows(float const* query, std::uint16_t const* const* rows,
    std::size_t count, std::size_t dim, float* out) noexcept {
    reduce_half_rows(query, rows, count, dim, out, true, true);
}

TRAWL_TARGET("avx2,fma,f16c")
inline void dot_float16_rows(float const* query, std::uint16_t const* const* rows,
    std::size_t count, std::size_t dim, float* out) noexcept {
    reduce_half_rows(query, rows, count, dim, out, false, false);
}

TRAWL_TARGET("avx2,fma,f16c")
inline void squared_distance_float16_rows(float const* query, std::uint16_t const* const* rows,
    std::size_t count, std::size_t dim, float* out) noexcept {
    reduce_half_rows(query, rows, count, dim, out, true, false);
}

} // namespace detail::avx2
TRAWL_END_NAMESPACE

#endif
