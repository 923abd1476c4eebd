// SPDX-License-Identifier: MIT
#pragma once

/// A float query against rows of bfloat16 or half precision, with AVX-512F. Values are widened in
/// registers, eight rows at once; the result has the bits of avx2/halves.hpp.
///
/// vdpbf16ps of AVX512_BF16 is not used. It rounds the query to bfloat16, adds two products without
/// rounding between them and flushes denormal numbers, so that its sums would differ from those of
/// every other level. A shift widens bfloat16 exactly.

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <cstddef>
#include <cstdint>

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

TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 load_halves(std::uint16_t const* from, bool brain) noexcept {
    auto const sixteen = mm256_loadu_si256(from);
    if (!brain) return mm512_cvtph_ps(sixteen);
    return mm512_castsi512_ps(mm512_slli_epi32<16>(mm512_cvtepu16_epi32(sixteen)));
}

// The sixteen lanes of the sums of eight rows.
struct eight_sums {
    m512 a, b, c, d, e, f, g, h;
};

// Sixteen values of each row, from rows[r] + at.
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE void meet_halves(eight_sums& sums, m512 q, std::uint16_t const* const* rows,
    std::size_t at, bool squared, bool brain) noexcept {
    sums.a = step(q, load_halves(rows[0] + at, brain), sums.a, squared);
    sums.b = step(q, load_halves(rows[1] + at, brain), sums.b, squared);
    sums.c = step(q, load_halves(rows[2] + at, brain), sums.c, squared);
    sums.d = step(q, load_halves(rows[3] + at, brain), sums.d, squared);
    sums.e = step(q, load_halves(rows[4] + at, brain), sums.e, squared);
    sums.f = step(q, load_halves(rows[5] + at, brain), sums.f, squared);
    sums.g = step(q, load_halves(rows[6] + at, brain), sums.g, squared);
    sums.h = step(q, load_halves(rows[7] + at, brain), sums.h, squared);
}

TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE void reduce_half_rows(float const* query, std::uint16_t const* const* rows,
    std::size_t count, std::size_t dim, float* out, bool squared, bool brain) noexcept {
    for (std::size_t r = 0; r < count; r += 8) {
        auto const rest = count - r < 8 ? count - r : 8;
        std::uint16_t const* at[8];
        for (std::size_t j = 0; j < 8; ++j) at[j] = rows[r + (j < rest ? j : 0)];
        auto const zero = mm512_setzero_ps();
        eight_sums sums{zero, zero, zero, zero, zero, zero, zero, zero};
        std::size_t i = 0;
        for (; i + 16 <= dim; i += 16)
            meet_halves(sums, mm512_loadu_ps(query + i), at, i, squared, brain);
        if (i < dim) {
            std::uint16_t last[8][16] = {};
            for (std::size_t j = 0; j < 8; ++j) {
                for (auto k = i; k < dim; ++k) last[j][k - i] = at[j][k];
                at[j] = last[j];
            }
            auto const m = static_cast<mask16>((1u << (dim - i)) - 1u);
            meet_halves(sums, mm512_maskz_loadu_ps(m, query + i), at, 0, squared, brain);
        }
        float eight[8];
        avx2::store_sums(fold(sums.a), fold(sums.b), fold(sums.c), fold(sums.d), eight);
        avx2::store_sums(fold(sums.e), fold(sums.f), fold(sums.g), fold(sums.h), eight + 4);
        for (std::size_t j = 0; j < rest; ++j) out[r + j] = eight[j];
    }
}

TRAWL_TARGET("avx512f,avx2,fma")
inline void dot_bfloat16_rows(float const* query, std::uint16_t const* const* rows,
    std::size_t count, std::size_t dim, float* out) noexcept {
    reduce_half_rows(query, rows, count, dim, out, false, true);
}

TRAWL_TARGET("avx512f,avx2,fma")
inline void squared_distance_bfloat16_rows(float const* query, std::uint16_t const* const* rows,
    std::size_t count, std::size_t dim, float* out) noexcept {
    reduce_half_rows(query, rows, count, dim, out, true, true);
}

TRAWL_TARGET("avx512f,avx2,fma")
inline void dot_float16_rows(float const* query, std::uint16_t const* const* rows,
    std::size_t count, std::size_t dim, float* out) noexcept {
    reduce_half_rows(query, rows, count, dim, out, false, false);
}

TRAWL_TARGET("avx512f,avx2,fma")
inline void squared_distance_float16_rows(float const* query, std::uint16_t const* const* rows,
    std::size_t count, std::size_t dim, float* out) noexcept {
    reduce_half_rows(query, rows, count, dim, out, true, false);
}

} // namespace detail::avx512
TRAWL_END_NAMESPACE

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
