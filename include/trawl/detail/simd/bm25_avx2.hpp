// SPDX-License-Identifier: MIT
#pragma once

/// The kernels of BM25 for x86-64 with AVX2.

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <bit>
#include <cstddef>
#include <cstdint>

#include <immintrin.h>

#include <trawl/detail/simd/avx2.hpp>
#include <trawl/detail/simd/bm25_scalar.hpp>

namespace trawl::inline v0_1::detail::avx2 {

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE __m128i packed_four(
    unsigned char const* from, unsigned bits, std::size_t i, __m128i mask) noexcept {
    auto const bit = static_cast<unsigned>(i) * bits;
    auto const* const word = reinterpret_cast<__m128i const*>(from) + bit / 32;
    auto const low = _mm_srl_epi32(_mm_loadu_si128(word), _mm_cvtsi32_si128(static_cast<int>(bit % 32)));
    // A shift by 32 gives 0.
    auto const high =
        _mm_sll_epi32(_mm_loadu_si128(word + 1), _mm_cvtsi32_si128(static_cast<int>(32 - bit % 32)));
    return _mm_and_si128(_mm_or_si128(low, high), mask);
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE __m128i mask_of(unsigned bits) noexcept {
    return _mm_set1_epi32(bits == 0 ? 0 : static_cast<int>(0xFFFFFFFFu >> (32 - bits)));
}

TRAWL_TARGET("avx2,fma")
inline void unpack_rows(
    unsigned char const* from, unsigned bits, std::uint32_t before, std::uint32_t* out) noexcept {
    auto const mask = mask_of(bits);
    auto const ramp = _mm_setr_epi32(1, 2, 3, 4);
    auto last = _mm_set1_epi32(static_cast<int>(before));
    for (std::size_t i = 0; i < block_size / 4; ++i) {
        auto four = packed_four(from, bits, i, mask);
        four = _mm_add_epi32(four, _mm_slli_si128(four, 4));
        four = _mm_add_epi32(four, _mm_slli_si128(four, 8));
        four = _mm_add_epi32(_mm_add_epi32(four, ramp), last);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out) + i, four);
        last = _mm_shuffle_epi32(four, 0xFF);
    }
}

TRAWL_TARGET("avx2,fma")
inline void unpack_counts(unsigned char const* from, unsigned bits, std::uint32_t* out) noexcept {
    auto const mask = mask_of(bits);
    auto const one = _mm_set1_epi32(1);
    for (std::size_t i = 0; i < block_size / 4; ++i) {
        _mm_storeu_si128(
            reinterpret_cast<__m128i*>(out) + i, _mm_add_epi32(packed_four(from, bits, i, mask), one));
    }
}

// Behind a compiler's back: with -ffast-math GCC would multiply by an approximate reciprocal.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE __m256 quotient(__m256 a, __m256 b) noexcept {
#if defined(__GNUC__) || defined(__clang__)
    __m256 result;
    asm("vdivps %2, %1, %0" : "=x"(result) : "x"(a), "x"(b));
    return result;
#else
    return _mm256_div_ps(a, b);
#endif
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE __m256d rounded(__m256d value) noexcept {
#if defined(__GNUC__) || defined(__clang__)
    asm("" : "+x"(value));
#endif
    return value;
}

// constant + slope * length of four documents, as floats.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE __m128 norms(__m128i lengths, __m256d constant, __m256d slope) noexcept {
    auto const scaled = rounded(_mm256_mul_pd(slope, _mm256_cvtepi32_pd(lengths)));
    return _mm256_cvtpd_ps(rounded(_mm256_add_pd(constant, scaled)));
}

/// Lengths and counts are below 2^31.
TRAWL_TARGET("avx2,fma")
inline void contributions(term_scoring const& term, std::uint32_t const* rows, std::uint32_t const* tf,
    std::size_t n, std::uint32_t const* lengths, std::int32_t* out) noexcept {
    auto const constant = _mm256_set1_pd(term.constant);
    auto const slope = _mm256_set1_pd(term.slope);
    auto const weight = _mm256_set1_ps(term.weight);
    auto const steps = _mm256_set1_ps(term.steps);
    for (std::size_t i = 0; i < n; i += 8) {
        auto const lanes = first_lanes(n - i);
        auto const at = _mm256_maskload_epi32(reinterpret_cast<int const*>(rows + i), lanes);
        auto const length = _mm256_mask_i32gather_epi32(
            _mm256_setzero_si256(), reinterpret_cast<int const*>(lengths), at, lanes, 4);
        auto const norm = _mm256_set_m128(norms(_mm256_extracti128_si256(length, 1), constant, slope),
            norms(_mm256_castsi256_si128(length), constant, slope));
        auto const count =
            _mm256_cvtepi32_ps(_mm256_maskload_epi32(reinterpret_cast<int const*>(tf + i), lanes));
        auto const part = quotient(count, avx2::rounded(_mm256_add_ps(count, norm)));
        auto const contribution = avx2::rounded(_mm256_mul_ps(weight, part));
        // Exact, but for numbers far below half a step.
        auto const scaled = avx2::rounded(_mm256_mul_ps(contribution, steps));
        _mm256_maskstore_epi32(reinterpret_cast<int*>(out + i), lanes, _mm256_cvtps_epi32(scaled));
    }
}

TRAWL_TARGET("avx2,fma")
inline std::size_t take_above(std::int32_t* sums, std::uint64_t groups, std::int32_t floor,
    std::uint32_t* places, std::int32_t* values) noexcept {
    std::size_t found = 0;
    auto const least = _mm256_set1_epi32(floor);
    for (; groups != 0; groups &= groups - 1) {
        auto const first = static_cast<std::size_t>(std::countr_zero(groups)) * scalar::group_size;
        for (std::size_t i = first; i < first + scalar::group_size; i += 8) {
            auto* const at = reinterpret_cast<__m256i*>(sums + i);
            auto const higher = _mm256_cmpgt_epi32(_mm256_loadu_si256(at), least);
            auto bits = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(higher)));
            for (; bits != 0; bits &= bits - 1) {
                auto const place = i + static_cast<std::size_t>(std::countr_zero(bits));
                places[found] = static_cast<std::uint32_t>(place);
                values[found++] = sums[place];
            }
            _mm256_storeu_si256(at, _mm256_setzero_si256());
        }
    }
    return found;
}

} // namespace trawl::inline v0_1::detail::avx2

#endif
