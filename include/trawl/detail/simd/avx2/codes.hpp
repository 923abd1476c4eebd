// SPDX-License-Identifier: MIT
#pragma once

/// The kernels of quantised vectors for x86-64 with AVX2.

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <bit>
#include <cstddef>
#include <cstdint>

#include <trawl/detail/simd/avx2/vectors.hpp>
#include <trawl/detail/simd/scalar/codes.hpp>
#include <trawl/detail/simd/x86/instructions.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail::avx2 {

using namespace x86;

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256i int8_products(m256i query, std::byte const* row, m256i sum) noexcept {
    auto const values = mm256_cvtepi8_epi16(mm_loadu_si128(row));
    return mm256_add_epi32(sum, mm256_madd_epi16(values, query));
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m128i fold_integers(m256i sum) noexcept {
    return mm_add_epi32(mm256_castsi256_si128(sum), mm256_extracti128_si256<1>(sum));
}

// Four rows at once.
TRAWL_TARGET("avx2,fma")
inline void dot_int8_rows(std::int16_t const* query, std::byte const* const* rows,
    std::size_t count, std::size_t dim, std::int32_t* out) noexcept {
    for (std::size_t r = 0; r < count; r += 4) {
        auto const rest = count - r;
        std::byte const* const at[4] = {rows[r], rows[r + (rest > 1 ? 1 : 0)],
            rows[r + (rest > 2 ? 2 : 0)], rows[r + (rest > 3 ? 3 : 0)]};
        auto a = mm256_setzero_si256(), b = a, c = a, d = a;
        std::size_t i = 0;
        for (; i + 16 <= dim; i += 16) {
            auto const q = mm256_loadu_si256(query + i);
            a = int8_products(q, at[0] + i, a);
            b = int8_products(q, at[1] + i, b);
            c = int8_products(q, at[2] + i, c);
            d = int8_products(q, at[3] + i, d);
        }
        auto const ab = mm_hadd_epi32(fold_integers(a), fold_integers(b));
        auto const cd = mm_hadd_epi32(fold_integers(c), fold_integers(d));
        std::int32_t sums[4];
        mm_storeu_si128(sums, mm_hadd_epi32(ab, cd));
        for (std::size_t j = 0; j < 4 && j < rest; ++j) {
            out[r + j] = sums[j];
            for (auto k = i; k < dim; ++k)
                out[r + j] +=
                    query[k] * static_cast<std::int32_t>(static_cast<std::int8_t>(at[j][k]));
        }
    }
}

// The 16-bit sums of the bytes at even and at odd places. The even sums include 256 times the odd
// ones, modulo 2^16.
struct byte_sums {
    m256i even, odd;
};

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void add_bytes(byte_sums& to, m256i bytes) noexcept {
    to.even = mm256_add_epi16(to.even, bytes);
    to.odd = mm256_add_epi16(to.odd, mm256_srli_epi16(bytes, 8));
}

// Adds the sums of 16 rows, of both halves, to out.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void add_sums(byte_sums const& sums, std::int32_t* out) noexcept {
    auto const evens = mm256_sub_epi16(sums.even, mm256_slli_epi16(sums.odd, 8));
    auto const even = mm_add_epi16(mm256_castsi256_si128(evens), mm256_extracti128_si256<1>(evens));
    auto const odd =
        mm_add_epi16(mm256_castsi256_si128(sums.odd), mm256_extracti128_si256<1>(sums.odd));
    auto* const to = reinterpret_cast<m256i*>(out);
    auto const first = mm256_cvtepu16_epi32(mm_unpacklo_epi16(even, odd));
    auto const second = mm256_cvtepu16_epi32(mm_unpackhi_epi16(even, odd));
    mm256_storeu_si256(to, mm256_add_epi32(mm256_loadu_si256(to), first));
    mm256_storeu_si256(to + 1, mm256_add_epi32(mm256_loadu_si256(to + 1), second));
}

TRAWL_TARGET("avx2,fma")
inline void sum_tables(std::uint8_t const* tables, std::byte const* rows, std::size_t count,
    std::size_t groups, std::int32_t* out) noexcept {
    constexpr std::size_t chunk = 256; // groups whose sums fit 16 bits
    auto const low = mm256_set1_epi8(0x0F);
    auto const zero = mm256_setzero_si256();
    for (std::size_t b = 0; b < count; ++b, rows += 16 * groups, out += interleaved_rows) {
        for (std::size_t r = 0; r < interleaved_rows; ++r) out[r] = 0;
        for (std::size_t first = 0; first < groups; first += chunk) {
            auto const last = groups - first < chunk ? groups : first + chunk;
            byte_sums lower{zero, zero}, upper{zero, zero};
            for (auto g = first; g < last; g += 2) { // two groups in a register
                auto const bits = mm256_loadu_si256(rows + 16 * g);
                auto const table = mm256_loadu_si256(tables + 16 * g);
                add_bytes(lower, mm256_shuffle_epi8(table, mm256_and_si256(bits, low)));
                add_bytes(upper,
                    mm256_shuffle_epi8(table, mm256_and_si256(mm256_srli_epi16(bits, 4), low)));
            }
            add_sums(lower, out);
            add_sums(upper, out + interleaved_rows / 2);
        }
    }
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 estimated(
    m256i sums, m256 slopes, m256 bases, estimate_line line) noexcept {
    auto const sum = mm256_cvtepi32_ps(sums);
    auto const x = rounded(mm256_add_ps(
        rounded(mm256_mul_ps(mm256_set1_ps(line.scale), sum)), mm256_set1_ps(line.offset)));
    return rounded(mm256_add_ps(rounded(mm256_mul_ps(x, slopes)), bases));
}

// Appends the index of each selected lane that is not below `least`. Returns the new number of
// indexes.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE std::size_t add_places(m256 estimates, float least, unsigned lanes,
    std::size_t first, std::uint32_t* places, std::size_t found) noexcept {
    auto const above = mm256_cmp_ps<greater_or_equal>(estimates, mm256_set1_ps(least));
    for (auto bits = static_cast<unsigned>(mm256_movemask_ps(above)) & lanes; bits != 0;
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
        auto const eight = estimated(mm256_loadu_si256(sums + i), mm256_loadu_ps(slopes + i),
            mm256_loadu_ps(bases + i), line);
        mm256_storeu_ps(estimates + i, eight);
        found = add_places(eight, least, 0xFF, i, places, found);
    }
    if (i < count) { // masked, which AMD's processors store slowly
        auto const lanes = first_lanes(count - i);
        auto const rest = estimated(mm256_maskload_epi32(sums + i, lanes),
            mm256_maskload_ps(slopes + i, lanes), mm256_maskload_ps(bases + i, lanes), line);
        mm256_maskstore_ps(estimates + i, lanes, rest);
        found = add_places(rest, least, (1u << (count - i)) - 1, i, places, found);
    }
    return found;
}

TRAWL_TARGET("avx2,fma")
inline void add_and_subtract(float* a, float* b, std::size_t count) noexcept {
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        auto const x = mm256_loadu_ps(a + i);
        auto const y = mm256_loadu_ps(b + i);
        mm256_storeu_ps(a + i, rounded(mm256_add_ps(x, y)));
        mm256_storeu_ps(b + i, rounded(mm256_sub_ps(x, y)));
    }
    scalar::add_and_subtract(a + i, b + i, count - i);
}

TRAWL_TARGET("avx2,fma")
inline void multiply(float* v, float const* by, std::size_t count) noexcept {
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8)
        mm256_storeu_ps(
            v + i, rounded(mm256_mul_ps(mm256_loadu_ps(v + i), mm256_loadu_ps(by + i))));
    scalar::multiply(v + i, by + i, count - i);
}

TRAWL_TARGET("avx2,fma")
inline void hadamard(float* v, std::size_t count) noexcept {
    for (std::size_t width = count / 2; width >= 8; width /= 2) {
        for (std::size_t i = 0; i < count; i += 2 * width)
            add_and_subtract(v + i, v + i + width, width);
    }
    for (std::size_t i = 0; i < count; i += 8) { // the last three rounds in a register
        auto x = mm256_loadu_ps(v + i);
        auto other = mm256_permute2f128_ps<1>(x, x);
        x = rounded(mm256_blend_ps<0xF0>(mm256_add_ps(x, other), mm256_sub_ps(other, x)));
        other = mm256_permute_ps<0x4E>(x);
        x = rounded(mm256_blend_ps<0xCC>(mm256_add_ps(x, other), mm256_sub_ps(other, x)));
        other = mm256_permute_ps<0xB1>(x);
        x = rounded(mm256_blend_ps<0xAA>(mm256_add_ps(x, other), mm256_sub_ps(other, x)));
        mm256_storeu_ps(v + i, x);
    }
}

} // namespace detail::avx2
TRAWL_END_NAMESPACE

#endif
