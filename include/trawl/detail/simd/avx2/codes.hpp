// SPDX-License-Identifier: MIT
#pragma once

/// The kernels of quantised vectors for x86-64 with AVX2.

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <bit>
#include <cstddef>
#include <cstdint>

#include <immintrin.h>

#include <trawl/detail/simd/avx2/vectors.hpp>
#include <trawl/detail/simd/scalar/codes.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail::avx2 {

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE __m256i int8_products(
    __m256i query, std::byte const* row, __m256i sum) noexcept {
    auto const values =
        _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<__m128i const*>(row)));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(values, query));
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE __m128i fold_integers(__m256i sum) noexcept {
    return _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
}

// Four rows at once.
TRAWL_TARGET("avx2,fma")
inline void dot_int8_rows(std::int16_t const* query, std::byte const* const* rows,
    std::size_t count, std::size_t dim, std::int32_t* out) noexcept {
    for (std::size_t r = 0; r < count; r += 4) {
        auto const rest = count - r;
        std::byte const* const at[4] = {rows[r], rows[r + (rest > 1 ? 1 : 0)],
            rows[r + (rest > 2 ? 2 : 0)], rows[r + (rest > 3 ? 3 : 0)]};
        auto a = _mm256_setzero_si256(), b = a, c = a, d = a;
        std::size_t i = 0;
        for (; i + 16 <= dim; i += 16) {
            auto const q = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(query + i));
            a = int8_products(q, at[0] + i, a);
            b = int8_products(q, at[1] + i, b);
            c = int8_products(q, at[2] + i, c);
            d = int8_products(q, at[3] + i, d);
        }
        auto const ab = _mm_hadd_epi32(fold_integers(a), fold_integers(b));
        auto const cd = _mm_hadd_epi32(fold_integers(c), fold_integers(d));
        std::int32_t sums[4];
        _mm_storeu_si128(reinterpret_cast<__m128i*>(sums), _mm_hadd_epi32(ab, cd));
        for (std::size_t j = 0; j < 4 && j < rest; ++j) {
            out[r + j] = sums[j];
            for (auto k = i; k < dim; ++k)
                out[r + j] +=
                    query[k] * static_cast<std::int32_t>(static_cast<std::int8_t>(at[j][k]));
        }
    }
}

// Sums of bytes at even and odd places, 16 bits each; the even ones contain 256 times the odd ones,
// modulo 2^16.
struct byte_sums {
    __m256i even, odd;
};

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void add_bytes(byte_sums& to, __m256i bytes) noexcept {
    to.even = _mm256_add_epi16(to.even, bytes);
    to.odd = _mm256_add_epi16(to.odd, _mm256_srli_epi16(bytes, 8));
}

// Adds both halves' sums of 16 rows to out.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void add_sums(byte_sums const& sums, std::int32_t* out) noexcept {
    auto const evens = _mm256_sub_epi16(sums.even, _mm256_slli_epi16(sums.odd, 8));
    auto const even =
        _mm_add_epi16(_mm256_castsi256_si128(evens), _mm256_extracti128_si256(evens, 1));
    auto const odd =
        _mm_add_epi16(_mm256_castsi256_si128(sums.odd), _mm256_extracti128_si256(sums.odd, 1));
    auto* const to = reinterpret_cast<__m256i*>(out);
    auto const first = _mm256_cvtepu16_epi32(_mm_unpacklo_epi16(even, odd));
    auto const second = _mm256_cvtepu16_epi32(_mm_unpackhi_epi16(even, odd));
    _mm256_storeu_si256(to, _mm256_add_epi32(_mm256_loadu_si256(to), first));
    _mm256_storeu_si256(to + 1, _mm256_add_epi32(_mm256_loadu_si256(to + 1), second));
}

TRAWL_TARGET("avx2,fma")
inline void sum_tables(std::uint8_t const* tables, std::byte const* rows, std::size_t count,
    std::size_t groups, std::int32_t* out) noexcept {
    constexpr std::size_t chunk = 256; // groups whose sums fit 16 bits
    auto const low = _mm256_set1_epi8(0x0F);
    auto const zero = _mm256_setzero_si256();
    for (std::size_t b = 0; b < count; ++b, rows += 16 * groups, out += interleaved_rows) {
        for (std::size_t r = 0; r < interleaved_rows; ++r) out[r] = 0;
        for (std::size_t first = 0; first < groups; first += chunk) {
            auto const last = groups - first < chunk ? groups : first + chunk;
            byte_sums lower{zero, zero}, upper{zero, zero};
            for (auto g = first; g < last; g += 2) { // two groups in a register
                auto const bits =
                    _mm256_loadu_si256(reinterpret_cast<__m256i const*>(rows + 16 * g));
                auto const table =
                    _mm256_loadu_si256(reinterpret_cast<__m256i const*>(tables + 16 * g));
                add_bytes(lower, _mm256_shuffle_epi8(table, _mm256_and_si256(bits, low)));
                add_bytes(upper,
                    _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(bits, 4), low)));
            }
            add_sums(lower, out);
            add_sums(upper, out + interleaved_rows / 2);
        }
    }
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE __m256 estimated(
    __m256i sums, __m256 slopes, __m256 bases, estimate_line line) noexcept {
    auto const sum = _mm256_cvtepi32_ps(sums);
    auto const x = rounded(_mm256_add_ps(
        rounded(_mm256_mul_ps(_mm256_set1_ps(line.scale), sum)), _mm256_set1_ps(line.offset)));
    return rounded(_mm256_add_ps(rounded(_mm256_mul_ps(x, slopes)), bases));
}

// Adds the places of the lanes that are not below `least`, and selected; returns how many places
// there are.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE std::size_t add_places(__m256 estimates, float least, unsigned lanes,
    std::size_t first, std::uint32_t* places, std::size_t found) noexcept {
    auto const above = _mm256_cmp_ps(estimates, _mm256_set1_ps(least), _CMP_GE_OQ);
    for (auto bits = static_cast<unsigned>(_mm256_movemask_ps(above)) & lanes; bits != 0;
         bits &= bits - 1)
        places[found++] =
            static_cast<std::uint32_t>(first + static_cast<std::size_t>(std::countr_zero(bits)));
    return found;
}

TRAWL_TARGET("avx2,fma")
inline std::size_t select_estimates(std::int32_t const* sums, float const* slopes,
    float const* bases, std::size_t count, estimate_line line, float least, float* estimates,
    std::uint32_t* places) noexcept {
    std::size_t found = 0;
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        auto const eight = estimated(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(sums + i)),
            _mm256_loadu_ps(slopes + i), _mm256_loadu_ps(bases + i), line);
        _mm256_storeu_ps(estimates + i, eight);
        found = add_places(eight, least, 0xFF, i, places, found);
    }
    if (i < count) { // masked, which AMD's processors store slowly
        auto const lanes = first_lanes(count - i);
        auto const rest = estimated(_mm256_maskload_epi32(sums + i, lanes),
            _mm256_maskload_ps(slopes + i, lanes), _mm256_maskload_ps(bases + i, lanes), line);
        _mm256_maskstore_ps(estimates + i, lanes, rest);
        found = add_places(rest, least, (1u << (count - i)) - 1, i, places, found);
    }
    return found;
}

TRAWL_TARGET("avx2,fma")
inline void add_and_subtract(float* a, float* b, std::size_t count) noexcept {
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        auto const x = _mm256_loadu_ps(a + i);
        auto const y = _mm256_loadu_ps(b + i);
        _mm256_storeu_ps(a + i, rounded(_mm256_add_ps(x, y)));
        _mm256_storeu_ps(b + i, rounded(_mm256_sub_ps(x, y)));
    }
    scalar::add_and_subtract(a + i, b + i, count - i);
}

TRAWL_TARGET("avx2,fma")
inline void multiply(float* v, float const* by, std::size_t count) noexcept {
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8)
        _mm256_storeu_ps(
            v + i, rounded(_mm256_mul_ps(_mm256_loadu_ps(v + i), _mm256_loadu_ps(by + i))));
    scalar::multiply(v + i, by + i, count - i);
}

TRAWL_TARGET("avx2,fma")
inline void hadamard(float* v, std::size_t count) noexcept {
    for (std::size_t width = count / 2; width >= 8; width /= 2) {
        for (std::size_t i = 0; i < count; i += 2 * width)
            add_and_subtract(v + i, v + i + width, width);
    }
    for (std::size_t i = 0; i < count; i += 8) { // the last three rounds in a register
        auto x = _mm256_loadu_ps(v + i);
        auto other = _mm256_permute2f128_ps(x, x, 1);
        x = rounded(_mm256_blend_ps(_mm256_add_ps(x, other), _mm256_sub_ps(other, x), 0xF0));
        other = _mm256_permute_ps(x, 0x4E);
        x = rounded(_mm256_blend_ps(_mm256_add_ps(x, other), _mm256_sub_ps(other, x), 0xCC));
        other = _mm256_permute_ps(x, 0xB1);
        x = rounded(_mm256_blend_ps(_mm256_add_ps(x, other), _mm256_sub_ps(other, x), 0xAA));
        _mm256_storeu_ps(v + i, x);
    }
}

} // namespace detail::avx2
TRAWL_END_NAMESPACE

#endif
