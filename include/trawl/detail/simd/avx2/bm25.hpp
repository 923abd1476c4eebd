// SPDX-License-Identifier: MIT
#pragma once

/// The kernels of BM25 for x86-64 with AVX2.

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <bit>
#include <cstddef>
#include <cstdint>

#include <trawl/detail/simd/avx2/vectors.hpp>
#include <trawl/detail/simd/scalar/bm25.hpp>
#include <trawl/detail/simd/x86/instructions.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail::avx2 {

using namespace x86;

/// Values 8 i to 8 i + 7 of a full block, two from each stream.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i packed_eight(
    unsigned char const* from, unsigned bits, std::size_t i, m256i mask) noexcept {
    auto const bit = 2 * static_cast<unsigned>(i) * bits;
    auto const* const first = reinterpret_cast<m128i const*>(from) + bit / 32;
    auto const* const second = reinterpret_cast<m128i const*>(from) + (bit + bits) / 32;
    auto const words = mm256_inserti128_si256<1>(
        mm256_castsi128_si256(mm_loadu_si128(first)), mm_loadu_si128(second));
    auto const next = mm256_inserti128_si256<1>(
        mm256_castsi128_si256(mm_loadu_si128(first + 1)), mm_loadu_si128(second + 1));
    auto const right = mm256_inserti128_si256<1>(mm256_set1_epi32(static_cast<int>(bit % 32)),
        mm_set1_epi32(static_cast<int>((bit + bits) % 32)));
    // A shift by 32 gives 0.
    auto const left = mm256_sub_epi32(mm256_set1_epi32(32), right);
    return mm256_and_si256(
        mm256_or_si256(mm256_srlv_epi32(words, right), mm256_sllv_epi32(next, left)), mask);
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i mask_of(unsigned bits) noexcept {
    return mm256_set1_epi32(bits == 0 ? 0 : static_cast<int>(0xFFFFFFFFu >> (32 - bits)));
}

TRAWL_TARGET("avx2,fma")
inline void unpack_rows(
    unsigned char const* from, unsigned bits, std::uint32_t before, std::uint32_t* out) noexcept {
    auto const mask = mask_of(bits);
    auto const ramp = mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8);
    auto const fourth = mm256_set1_epi32(3);
    auto const eighth = mm256_set1_epi32(7);
    auto last = mm256_set1_epi32(static_cast<int>(before));
    for (std::size_t i = 0; i < block_size / 8; ++i) {
        auto eight = packed_eight(from, bits, i, mask);
        eight = mm256_add_epi32(eight, mm256_slli_si256<4>(eight)); // within each half
        eight = mm256_add_epi32(eight, mm256_slli_si256<8>(eight));
        auto const half = mm256_permutevar8x32_epi32(eight, fourth);
        eight = mm256_add_epi32(eight, mm256_blend_epi32<0xF0>(mm256_setzero_si256(), half));
        eight = mm256_add_epi32(eight, ramp);
        auto const step = mm256_permutevar8x32_epi32(eight, eighth);
        mm256_storeu_si256(reinterpret_cast<m256i*>(out) + i, mm256_add_epi32(eight, last));
        last = mm256_add_epi32(last, step);
    }
}

TRAWL_TARGET("avx2,fma")
inline void unpack_counts(unsigned char const* from, unsigned bits, std::uint32_t* out) noexcept {
    auto const mask = mask_of(bits);
    auto const one = mm256_set1_epi32(1);
    for (std::size_t i = 0; i < block_size / 8; ++i) {
        mm256_storeu_si256(reinterpret_cast<m256i*>(out) + i,
            mm256_add_epi32(packed_eight(from, bits, i, mask), one));
    }
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256d rounded(m256d value) noexcept {
#if defined(__GNUC__) || defined(__clang__)
    asm("" : "+x"(value));
#endif
    return value;
}

// constant + slope * length of four documents, rounded to float.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128 norms(m128i lengths, m256d constant, m256d slope) noexcept {
    auto const scaled = rounded(mm256_mul_pd(slope, mm256_cvtepi32_pd(lengths)));
    return mm256_cvtpd_ps(rounded(mm256_add_pd(constant, scaled)));
}

/// The contributions of eight postings.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i contributions_of(
    m256i length, m256i tf, m256d constant, m256d slope, m256 weight, m256 steps) noexcept {
    auto const norm = mm256_set_m128(norms(mm256_extracti128_si256<1>(length), constant, slope),
        norms(mm256_castsi256_si128(length), constant, slope));
    auto const count = mm256_cvtepi32_ps(tf);
    auto const factor = quotient(count, avx2::rounded(mm256_add_ps(count, norm)));
    auto const contribution = avx2::rounded(mm256_mul_ps(weight, factor));
    // Exact, except for values far below half a step.
    return mm256_cvtps_epi32(avx2::rounded(mm256_mul_ps(contribution, steps)));
}

/// Lengths and counts are below 2^31, so that they convert as signed integers.
TRAWL_TARGET("avx2,fma")
inline void contributions(term_scoring const& term, std::uint32_t const* rows,
    std::uint32_t const* tf, std::size_t n, std::uint32_t const* lengths,
    std::int32_t* out) noexcept {
    auto const constant = mm256_set1_pd(term.constant);
    auto const slope = mm256_set1_pd(term.slope);
    auto const weight = mm256_set1_ps(term.weight);
    auto const steps = mm256_set1_ps(term.steps);
    auto const* const all = reinterpret_cast<int const*>(lengths);
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        auto const at = mm256_loadu_si256(rows + i);
        auto const count = mm256_loadu_si256(tf + i);
        auto const length = mm256_i32gather_epi32<4>(all, at);
        mm256_storeu_si256(
            out + i, contributions_of(length, count, constant, slope, weight, steps));
    }
    if (i == n) return;
    auto const lanes = first_lanes(n - i);
    auto const at = mm256_maskload_epi32(reinterpret_cast<int const*>(rows + i), lanes);
    auto const count = mm256_maskload_epi32(reinterpret_cast<int const*>(tf + i), lanes);
    auto const length = mm256_mask_i32gather_epi32<4>(mm256_setzero_si256(), all, at, lanes);
    mm256_maskstore_epi32(reinterpret_cast<int*>(out + i), lanes,
        contributions_of(length, count, constant, slope, weight, steps));
}

/// The five pairs of a block take eight lanes; the last pair is repeated four times.
TRAWL_TARGET("avx2,fma")
inline void bounds(term_scoring const& term, block_header const* headers, std::size_t n,
    std::int32_t* out) noexcept {
    auto const constant = mm256_set1_ps(static_cast<float>(term.constant));
    auto const slope = mm256_set1_ps(static_cast<float>(term.slope));
    auto const weight = mm256_set1_ps(term.weight);
    auto const steps = mm256_set1_ps(term.steps);
    auto const one = mm256_set1_ps(1);
    auto const raise = mm256_set1_ps(1 + 0x1p-20f);
    auto const mosts = mm_setr_epi8(6, 7, 8, 9, 10, 10, 10, 10, -1, -1, -1, -1, -1, -1, -1, -1);
    auto const leasts =
        mm_setr_epi8(11, 12, 13, 14, 15, 15, 15, 15, -1, -1, -1, -1, -1, -1, -1, -1);
    auto const fifteen = mm256_set1_epi32(15);
    for (std::size_t i = 0; i < n; ++i) {
        auto const* const from = reinterpret_cast<unsigned char const*>(headers + i) + 4;
        auto const bytes = mm_loadu_si128(from);
        auto const most = mm256_max_epi32(
            mm256_cvtepu8_epi32(mm_shuffle_epi8(bytes, mosts)), mm256_set1_epi32(1));
        auto const byte = mm256_cvtepu8_epi32(mm_shuffle_epi8(bytes, leasts));
        auto const first = mm256_and_si256(mm256_cmpgt_epi32(byte, fifteen), mm256_set1_epi32(16));
        auto const shift = mm256_max_epi32(
            mm256_sub_epi32(mm256_srli_epi32(byte, 4), mm256_set1_epi32(1)), mm256_setzero_si256());
        auto const least =
            mm256_sllv_epi32(mm256_or_si256(first, mm256_and_si256(byte, fifteen)), shift);
        auto const scaled_length = avx2::rounded(mm256_mul_ps(slope, mm256_cvtepi32_ps(least)));
        auto const norm = avx2::rounded(mm256_add_ps(constant, scaled_length));
        auto const count = mm256_cvtepi32_ps(most);
        auto const factor = quotient(count, avx2::rounded(mm256_add_ps(count, norm)));
        auto raised = mm256_min_ps(one, avx2::rounded(mm256_mul_ps(factor, raise)));
        auto const any = mm256_cmpeq_epi32(most, mm256_set1_epi32(255));
        raised = mm256_blendv_ps(raised, one, mm256_castsi256_ps(any));
        auto const scaled =
            avx2::rounded(mm256_mul_ps(avx2::rounded(mm256_mul_ps(weight, raised)), steps));
        auto const all = mm256_cvtps_epi32(scaled);
        auto bound = mm_max_epi32(mm256_castsi256_si128(all), mm256_extracti128_si256<1>(all));
        bound = mm_max_epi32(bound, mm_shuffle_epi32<0x4E>(bound));
        bound = mm_max_epi32(bound, mm_shuffle_epi32<0xB1>(bound));
        out[i] = mm_cvtsi128_si32(mm_max_epi32(bound, mm_setzero_si128()));
    }
}

/// rows_below for a length that is padded to a multiple of 8.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE std::size_t rows_below_in(
    std::uint32_t const* rows, std::size_t n, std::uint32_t row) noexcept {
    auto const wanted = mm256_set1_epi32(static_cast<int>(row));
    // in each lane, minus the number of rows that are not below
    auto others = mm256_setzero_si256();
    for (std::size_t i = 0; i < n; i += 8) {
        auto const eight = mm256_loadu_si256(rows + i);
        others = mm256_add_epi32(others, mm256_cmpeq_epi32(mm256_max_epu32(eight, wanted), eight));
    }
    auto sum = mm_add_epi32(mm256_castsi256_si128(others), mm256_extracti128_si256<1>(others));
    sum = mm_add_epi32(sum, mm_shuffle_epi32<0x4E>(sum));
    sum = mm_add_epi32(sum, mm_shuffle_epi32<0xB1>(sum));
    return (n + 7) / 8 * 8 - static_cast<std::size_t>(-mm_cvtsi128_si32(sum));
}

/// In a full block, finds the group of sixteen rows that holds the answer, then searches it.
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
    auto const least = mm256_set1_epi32(threshold);
    for (; groups != 0; groups &= groups - 1) {
        auto const first = static_cast<std::size_t>(std::countr_zero(groups)) * scalar::group_size;
        for (std::size_t i = first; i < first + scalar::group_size; i += quarter) {
            auto* const at = reinterpret_cast<m256i*>(sums + i);
            auto const low = mm256_cmpgt_epi32(mm256_loadu_si256(at), least);
            auto const high = mm256_cmpgt_epi32(mm256_loadu_si256(at + 1), least);
            if (auto const any = mm256_or_si256(low, high); mm256_testz_si256(any, any) == 0) {
                auto bits = static_cast<unsigned>(mm256_movemask_ps(mm256_castsi256_ps(low)))
                            | static_cast<unsigned>(mm256_movemask_ps(mm256_castsi256_ps(high)))
                                  << 8;
                for (; bits != 0; bits &= bits - 1) {
                    auto const place = i + static_cast<std::size_t>(std::countr_zero(bits));
                    rows[found] = first_row + static_cast<std::uint32_t>(place);
                    values[found++] = sums[place];
                }
            }
            mm256_storeu_si256(at, mm256_setzero_si256());
            mm256_storeu_si256(at + 1, mm256_setzero_si256());
        }
    }
    return found;
}

TRAWL_TARGET("avx2,fma")
inline void add_counts(term_scoring const& term, std::int32_t shift, std::uint8_t const* counts,
    std::uint32_t const* lengths, std::size_t n, std::int32_t* sums) noexcept {
    auto const constant = mm256_set1_pd(term.constant);
    auto const slope = mm256_set1_pd(term.slope);
    auto const weight = mm256_set1_ps(term.weight);
    auto const steps = mm256_set1_ps(term.steps);
    auto const more = mm256_set1_epi32(shift);
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        auto const bytes = mm_loadl_epi64(counts + i);
        auto const count = mm256_cvtepu8_epi32(bytes);
        auto const none = mm256_cmpeq_epi32(count, mm256_setzero_si256());
        auto const length = mm256_loadu_si256(lengths + i);
        auto const all =
            mm256_add_epi32(contributions_of(length, count, constant, slope, weight, steps), more);
        auto* const at = reinterpret_cast<m256i*>(sums + i);
        mm256_storeu_si256(
            at, mm256_add_epi32(mm256_loadu_si256(at), mm256_andnot_si256(none, all)));
    }
    scalar::add_counts(term, shift, counts + i, lengths + i, n - i, sums + i);
}

TRAWL_TARGET("avx2,fma")
inline void maxima(
    std::int32_t const* sums, std::size_t n, std::size_t deep, std::int32_t* out) noexcept {
    for (std::size_t i = 0; i < n; i += 8 * deep, out += 8) {
        auto const* const at = reinterpret_cast<m256i const*>(sums + i);
        auto most = mm256_loadu_si256(at);
        for (std::size_t j = 1; j < deep; ++j)
            most = mm256_max_epi32(most, mm256_loadu_si256(at + j));
        mm256_storeu_si256(out, most);
    }
}

} // namespace detail::avx2
TRAWL_END_NAMESPACE

#endif
