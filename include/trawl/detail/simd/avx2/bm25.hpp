// SPDX-License-Identifier: MIT
#pragma once

/// The kernels of BM25 for x86-64 with AVX2.

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <bit>
#include <cstddef>
#include <cstdint>

#include <immintrin.h>

#include <trawl/detail/simd/avx2/vectors.hpp>
#include <trawl/detail/simd/scalar/bm25.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail::avx2 {

/// Values 8 i to 8 i + 7 of a full block: two of each stream.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE __m256i packed_eight(
    unsigned char const* from, unsigned bits, std::size_t i, __m256i mask) noexcept {
    auto const bit = 2 * static_cast<unsigned>(i) * bits;
    auto const* const first = reinterpret_cast<__m128i const*>(from) + bit / 32;
    auto const* const second = reinterpret_cast<__m128i const*>(from) + (bit + bits) / 32;
    auto const words = _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128(first)), _mm_loadu_si128(second), 1);
    auto const next = _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128(first + 1)), _mm_loadu_si128(second + 1), 1);
    auto const right = _mm256_inserti128_si256(_mm256_set1_epi32(static_cast<int>(bit % 32)),
        _mm_set1_epi32(static_cast<int>((bit + bits) % 32)), 1);
    // A shift by 32 gives 0.
    auto const left = _mm256_sub_epi32(_mm256_set1_epi32(32), right);
    return _mm256_and_si256(
        _mm256_or_si256(_mm256_srlv_epi32(words, right), _mm256_sllv_epi32(next, left)), mask);
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE __m256i mask_of(unsigned bits) noexcept {
    return _mm256_set1_epi32(bits == 0 ? 0 : static_cast<int>(0xFFFFFFFFu >> (32 - bits)));
}

TRAWL_TARGET("avx2,fma")
inline void unpack_rows(
    unsigned char const* from, unsigned bits, std::uint32_t before, std::uint32_t* out) noexcept {
    auto const mask = mask_of(bits);
    auto const ramp = _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8);
    auto const fourth = _mm256_set1_epi32(3);
    auto const eighth = _mm256_set1_epi32(7);
    auto last = _mm256_set1_epi32(static_cast<int>(before));
    for (std::size_t i = 0; i < block_size / 8; ++i) {
        auto eight = packed_eight(from, bits, i, mask);
        eight = _mm256_add_epi32(eight, _mm256_slli_si256(eight, 4)); // within each half
        eight = _mm256_add_epi32(eight, _mm256_slli_si256(eight, 8));
        auto const half = _mm256_permutevar8x32_epi32(eight, fourth);
        eight = _mm256_add_epi32(eight, _mm256_blend_epi32(_mm256_setzero_si256(), half, 0xF0));
        eight = _mm256_add_epi32(eight, ramp);
        auto const step = _mm256_permutevar8x32_epi32(eight, eighth);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out) + i, _mm256_add_epi32(eight, last));
        last = _mm256_add_epi32(last, step);
    }
}

TRAWL_TARGET("avx2,fma")
inline void unpack_counts(unsigned char const* from, unsigned bits, std::uint32_t* out) noexcept {
    auto const mask = mask_of(bits);
    auto const one = _mm256_set1_epi32(1);
    for (std::size_t i = 0; i < block_size / 8; ++i) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out) + i,
            _mm256_add_epi32(packed_eight(from, bits, i, mask), one));
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

/// Eight postings.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE __m256i contributions_of(__m256i length, __m256i tf, __m256d constant,
    __m256d slope, __m256 weight, __m256 steps) noexcept {
    auto const norm = _mm256_set_m128(norms(_mm256_extracti128_si256(length, 1), constant, slope),
        norms(_mm256_castsi256_si128(length), constant, slope));
    auto const count = _mm256_cvtepi32_ps(tf);
    auto const factor = quotient(count, avx2::rounded(_mm256_add_ps(count, norm)));
    auto const contribution = avx2::rounded(_mm256_mul_ps(weight, factor));
    // Exact, but for numbers far below half a step.
    return _mm256_cvtps_epi32(avx2::rounded(_mm256_mul_ps(contribution, steps)));
}

/// Lengths and counts are below 2^31.
TRAWL_TARGET("avx2,fma")
inline void contributions(term_scoring const& term, std::uint32_t const* rows,
    std::uint32_t const* tf, std::size_t n, std::uint32_t const* lengths,
    std::int32_t* out) noexcept {
    auto const constant = _mm256_set1_pd(term.constant);
    auto const slope = _mm256_set1_pd(term.slope);
    auto const weight = _mm256_set1_ps(term.weight);
    auto const steps = _mm256_set1_ps(term.steps);
    auto const* const all = reinterpret_cast<int const*>(lengths);
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        auto const at = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(rows + i));
        auto const count = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(tf + i));
        auto const length = _mm256_i32gather_epi32(all, at, 4);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i),
            contributions_of(length, count, constant, slope, weight, steps));
    }
    if (i == n) return;
    auto const lanes = first_lanes(n - i);
    auto const at = _mm256_maskload_epi32(reinterpret_cast<int const*>(rows + i), lanes);
    auto const count = _mm256_maskload_epi32(reinterpret_cast<int const*>(tf + i), lanes);
    auto const length = _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), all, at, lanes, 4);
    _mm256_maskstore_epi32(reinterpret_cast<int*>(out + i), lanes,
        contributions_of(length, count, constant, slope, weight, steps));
}

/// The pairs of a block in eight lanes, the last one four times.
TRAWL_TARGET("avx2,fma")
inline void bounds(term_scoring const& term, block_header const* headers, std::size_t n,
    std::int32_t* out) noexcept {
    auto const constant = _mm256_set1_ps(static_cast<float>(term.constant));
    auto const slope = _mm256_set1_ps(static_cast<float>(term.slope));
    auto const weight = _mm256_set1_ps(term.weight);
    auto const steps = _mm256_set1_ps(term.steps);
    auto const one = _mm256_set1_ps(1);
    auto const raise = _mm256_set1_ps(1 + 0x1p-20f);
    auto const mosts = _mm_setr_epi8(6, 7, 8, 9, 10, 10, 10, 10, -1, -1, -1, -1, -1, -1, -1, -1);
    auto const leasts =
        _mm_setr_epi8(11, 12, 13, 14, 15, 15, 15, 15, -1, -1, -1, -1, -1, -1, -1, -1);
    auto const fifteen = _mm256_set1_epi32(15);
    for (std::size_t i = 0; i < n; ++i) {
        auto const* const from = reinterpret_cast<unsigned char const*>(headers + i) + 4;
        auto const bytes = _mm_loadu_si128(reinterpret_cast<__m128i const*>(from));
        auto const most = _mm256_max_epi32(
            _mm256_cvtepu8_epi32(_mm_shuffle_epi8(bytes, mosts)), _mm256_set1_epi32(1));
        auto const byte = _mm256_cvtepu8_epi32(_mm_shuffle_epi8(bytes, leasts));
        auto const first =
            _mm256_and_si256(_mm256_cmpgt_epi32(byte, fifteen), _mm256_set1_epi32(16));
        auto const shift =
            _mm256_max_epi32(_mm256_sub_epi32(_mm256_srli_epi32(byte, 4), _mm256_set1_epi32(1)),
                _mm256_setzero_si256());
        auto const least =
            _mm256_sllv_epi32(_mm256_or_si256(first, _mm256_and_si256(byte, fifteen)), shift);
        auto const scaled_length = avx2::rounded(_mm256_mul_ps(slope, _mm256_cvtepi32_ps(least)));
        auto const norm = avx2::rounded(_mm256_add_ps(constant, scaled_length));
        auto const count = _mm256_cvtepi32_ps(most);
        auto const factor = quotient(count, avx2::rounded(_mm256_add_ps(count, norm)));
        auto raised = _mm256_min_ps(one, avx2::rounded(_mm256_mul_ps(factor, raise)));
        auto const any = _mm256_cmpeq_epi32(most, _mm256_set1_epi32(255));
        raised = _mm256_blendv_ps(raised, one, _mm256_castsi256_ps(any));
        auto const scaled =
            avx2::rounded(_mm256_mul_ps(avx2::rounded(_mm256_mul_ps(weight, raised)), steps));
        auto const all = _mm256_cvtps_epi32(scaled);
        auto bound = _mm_max_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
        bound = _mm_max_epi32(bound, _mm_shuffle_epi32(bound, 0x4E));
        bound = _mm_max_epi32(bound, _mm_shuffle_epi32(bound, 0xB1));
        out[i] = _mm_cvtsi128_si32(_mm_max_epi32(bound, _mm_setzero_si128()));
    }
}

/// Of 8 n rows at most; see below.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE std::size_t rows_below_in(
    std::uint32_t const* rows, std::size_t n, std::uint32_t row) noexcept {
    auto const wanted = _mm256_set1_epi32(static_cast<int>(row));
    // less the number of rows that are not below, in each lane
    auto others = _mm256_setzero_si256();
    for (std::size_t i = 0; i < n; i += 8) {
        auto const eight = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(rows + i));
        others =
            _mm256_add_epi32(others, _mm256_cmpeq_epi32(_mm256_max_epu32(eight, wanted), eight));
    }
    auto sum = _mm_add_epi32(_mm256_castsi256_si128(others), _mm256_extracti128_si256(others, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4E));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xB1));
    return (n + 7) / 8 * 8 - static_cast<std::size_t>(-_mm_cvtsi128_si32(sum));
}

/// Of a full block the sixteen rows are found first among which the answer is.
TRAWL_TARGET("avx2,fma")
inline std::size_t rows_below(
    std::uint32_t const* rows, std::size_t n, std::uint32_t row) noexcept {
    if (n != block_size) return rows_below_in(rows, n, row);
    std::size_t first = 0;
    for (std::size_t i = 15; i < block_size - 1; i += 16) first += rows[i] < row ? 16u : 0u;
    return first + rows_below_in(rows + first, 16, row);
}

TRAWL_TARGET("avx2,fma")
inline std::size_t take_above(std::int32_t* sums, std::uint64_t groups, std::int32_t threshold,
    std::uint32_t first_row, std::uint32_t* rows, std::int32_t* values) noexcept {
    constexpr std::size_t quarter = scalar::group_size / 4;
    std::size_t found = 0;
    auto const least = _mm256_set1_epi32(threshold);
    for (; groups != 0; groups &= groups - 1) {
        auto const first = static_cast<std::size_t>(std::countr_zero(groups)) * scalar::group_size;
        for (std::size_t i = first; i < first + scalar::group_size; i += quarter) {
            auto* const at = reinterpret_cast<__m256i*>(sums + i);
            auto const low = _mm256_cmpgt_epi32(_mm256_loadu_si256(at), least);
            auto const high = _mm256_cmpgt_epi32(_mm256_loadu_si256(at + 1), least);
            if (auto const any = _mm256_or_si256(low, high); _mm256_testz_si256(any, any) == 0) {
                auto bits = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(low)))
                            | static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(high)))
                                  << 8;
                for (; bits != 0; bits &= bits - 1) {
                    auto const place = i + static_cast<std::size_t>(std::countr_zero(bits));
                    rows[found] = first_row + static_cast<std::uint32_t>(place);
                    values[found++] = sums[place];
                }
            }
            _mm256_storeu_si256(at, _mm256_setzero_si256());
            _mm256_storeu_si256(at + 1, _mm256_setzero_si256());
        }
    }
    return found;
}

TRAWL_TARGET("avx2,fma")
inline void add_counts(term_scoring const& term, std::int32_t shift, std::uint8_t const* counts,
    std::uint32_t const* lengths, std::size_t n, std::int32_t* sums) noexcept {
    auto const constant = _mm256_set1_pd(term.constant);
    auto const slope = _mm256_set1_pd(term.slope);
    auto const weight = _mm256_set1_ps(term.weight);
    auto const steps = _mm256_set1_ps(term.steps);
    auto const more = _mm256_set1_epi32(shift);
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        auto const bytes = _mm_loadl_epi64(reinterpret_cast<__m128i const*>(counts + i));
        auto const count = _mm256_cvtepu8_epi32(bytes);
        auto const none = _mm256_cmpeq_epi32(count, _mm256_setzero_si256());
        auto const length = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(lengths + i));
        auto const all =
            _mm256_add_epi32(contributions_of(length, count, constant, slope, weight, steps), more);
        auto* const at = reinterpret_cast<__m256i*>(sums + i);
        _mm256_storeu_si256(
            at, _mm256_add_epi32(_mm256_loadu_si256(at), _mm256_andnot_si256(none, all)));
    }
    scalar::add_counts(term, shift, counts + i, lengths + i, n - i, sums + i);
}

TRAWL_TARGET("avx2,fma")
inline void maxima(
    std::int32_t const* sums, std::size_t n, std::size_t deep, std::int32_t* out) noexcept {
    for (std::size_t i = 0; i < n; i += 8 * deep, out += 8) {
        auto const* const at = reinterpret_cast<__m256i const*>(sums + i);
        auto most = _mm256_loadu_si256(at);
        for (std::size_t j = 1; j < deep; ++j)
            most = _mm256_max_epi32(most, _mm256_loadu_si256(at + j));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), most);
    }
}

} // namespace detail::avx2
TRAWL_END_NAMESPACE

#endif
