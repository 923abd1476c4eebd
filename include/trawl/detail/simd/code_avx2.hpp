// SPDX-License-Identifier: MIT
#pragma once

/// The kernels of quantised vectors for x86-64 with AVX2.

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <bit>
#include <cstddef>
#include <cstdint>

#include <immintrin.h>

#include <trawl/detail/simd/avx2.hpp>
#include <trawl/detail/simd/code_scalar.hpp>

namespace trawl::inline v0_1::detail::avx2 {

// The four sums of 64 bits as one.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE std::int32_t total_of_quads(__m256i sums) noexcept {
    auto const two = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    return _mm_cvtsi128_si32(two) + _mm_extract_epi32(two, 2);
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE __m256i int8_products(
    std::int16_t const* query, std::byte const* row, __m256i sum) noexcept {
    auto const values = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<__m128i const*>(row)));
    auto const q = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(query));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(values, q));
}

TRAWL_TARGET("avx2,fma")
inline void dot_int8_rows(std::int16_t const* query, std::byte const* const* rows, std::size_t count,
    std::size_t dim, std::int32_t* out) noexcept {
    for (std::size_t r = 0; r < count; ++r) {
        auto const* const row = rows[r];
        auto a = _mm256_setzero_si256(), b = a;
        std::size_t i = 0;
        for (; i + 32 <= dim; i += 32) {
            a = int8_products(query + i, row + i, a);
            b = int8_products(query + i + 16, row + i + 16, b);
        }
        if (i + 16 <= dim) {
            a = int8_products(query + i, row + i, a);
            i += 16;
        }
        a = _mm256_add_epi32(a, b);
        auto four = _mm_add_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
        four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
        four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0xB1));
        std::int32_t rest = 0;
        for (; i < dim; ++i) rest += query[i] * static_cast<std::int32_t>(static_cast<std::int8_t>(row[i]));
        out[r] = _mm_cvtsi128_si32(four) + rest;
    }
}

// Adds the weights of differing bits, byte by byte, at most 56 to each.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE __m256i mismatches(
    __m256i row, __m256i signs, __m256i ones, __m256i twos, __m256i fours, __m256i sum) noexcept {
    auto const count1 = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    auto const count2 = _mm256_add_epi8(count1, count1);
    auto const count4 = _mm256_add_epi8(count2, count2);
    auto const low = _mm256_set1_epi8(0x0F);
    auto const differ = _mm256_xor_si256(row, signs);
    auto x = _mm256_and_si256(differ, ones);
    sum = _mm256_add_epi8(sum, _mm256_shuffle_epi8(count1, _mm256_and_si256(x, low)));
    sum = _mm256_add_epi8(sum, _mm256_shuffle_epi8(count1, _mm256_and_si256(_mm256_srli_epi16(x, 4), low)));
    x = _mm256_and_si256(differ, twos);
    sum = _mm256_add_epi8(sum, _mm256_shuffle_epi8(count2, _mm256_and_si256(x, low)));
    sum = _mm256_add_epi8(sum, _mm256_shuffle_epi8(count2, _mm256_and_si256(_mm256_srli_epi16(x, 4), low)));
    x = _mm256_and_si256(differ, fours);
    sum = _mm256_add_epi8(sum, _mm256_shuffle_epi8(count4, _mm256_and_si256(x, low)));
    return _mm256_add_epi8(sum, _mm256_shuffle_epi8(count4, _mm256_and_si256(_mm256_srli_epi16(x, 4), low)));
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE __m256i words_at(void const* from, __m256i lanes) noexcept {
    return _mm256_maskload_epi64(static_cast<long long const*>(from), lanes);
}

TRAWL_TARGET("avx2,fma")
inline void weigh_mismatches(std::uint64_t const* query, std::byte const* const* rows, std::size_t count,
    std::size_t words, std::int32_t* out) noexcept {
    auto const all = _mm256_set1_epi64x(-1);
    auto const zero = _mm256_setzero_si256();
    for (std::size_t r = 0; r < count; ++r) {
        auto total = zero;
        auto sum = zero;
        std::size_t steps = 0;
        for (std::size_t w = 0; w < words; w += 4) {
            auto const lanes = words - w >= 4 ? all : first_lanes(2 * (words - w));
            sum = mismatches(words_at(rows[r] + w * 8, lanes), words_at(query + w, lanes),
                words_at(query + words + w, lanes), words_at(query + 2 * words + w, lanes),
                words_at(query + 3 * words + w, lanes), sum);
            if (++steps < 4) continue;
            total = _mm256_add_epi64(total, _mm256_sad_epu8(sum, zero));
            sum = zero;
            steps = 0;
        }
        out[r] = total_of_quads(_mm256_add_epi64(total, _mm256_sad_epu8(sum, zero)));
    }
}

TRAWL_TARGET("avx2,fma")
inline std::size_t select_estimates(std::int32_t const* sums, float const* slopes, float const* bases,
    std::size_t count, estimate_line line, float least, float* estimates, std::uint32_t* places) noexcept {
    auto const scale = _mm256_set1_ps(line.scale);
    auto const offset = _mm256_set1_ps(line.offset);
    auto const floor = _mm256_set1_ps(least);
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; i += 8) {
        auto const lanes = first_lanes(count - i);
        auto const sum = _mm256_cvtepi32_ps(_mm256_maskload_epi32(sums + i, lanes));
        auto const x = rounded(_mm256_add_ps(rounded(_mm256_mul_ps(scale, sum)), offset));
        auto const estimate =
            rounded(_mm256_add_ps(rounded(_mm256_mul_ps(x, _mm256_maskload_ps(slopes + i, lanes))),
                _mm256_maskload_ps(bases + i, lanes)));
        _mm256_maskstore_ps(estimates + i, lanes, estimate);
        auto const above =
            _mm256_and_ps(_mm256_cmp_ps(estimate, floor, _CMP_GE_OQ), _mm256_castsi256_ps(lanes));
        for (auto bits = static_cast<unsigned>(_mm256_movemask_ps(above)); bits != 0; bits &= bits - 1)
            places[found++] =
                static_cast<std::uint32_t>(i + static_cast<std::size_t>(std::countr_zero(bits)));
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

} // namespace trawl::inline v0_1::detail::avx2

#endif
