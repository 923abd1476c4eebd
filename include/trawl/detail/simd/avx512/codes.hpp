// SPDX-License-Identifier: MIT
#pragma once

/// The kernels of quantised vectors for AVX-512 BW (byte shuffles of 512 bits) and VNNI (sums of
/// four byte products), which not every processor with AVX-512F has. VPOPCNT would not help: it
/// needs a one-bit query, which finds less.

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <cstddef>
#include <cstdint>

#include <trawl/detail/simd/avx2/codes.hpp>
#include <trawl/detail/simd/scalar/codes.hpp>
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

// The first `count` bytes at `from`, at most 64; the other bytes are 0.
TRAWL_TARGET("avx512f,avx512bw,avx2,fma")
TRAWL_ALWAYS_INLINE m512i load_bytes(void const* from, std::size_t count) noexcept {
    auto const m = count < 64 ? (std::uint64_t{1} << count) - 1 : ~std::uint64_t{0};
    return mm512_maskz_loadu_epi8(m, from);
}

TRAWL_TARGET("avx512f,avx512bw,avx512vnni,avx2,fma")
TRAWL_ALWAYS_INLINE m128i fold_difference(m512i sum, m512i less) noexcept {
    auto const whole = mm512_sub_epi32(sum, less);
    return avx2::fold_integers(
        mm256_add_epi32(mm512_castsi512_si256(whole), mm512_extracti64x4_epi64<1>(whole)));
}

// vpdpbusd multiplies unsigned by signed bytes. 128 is added to the values of a row, and 128 times
// the sum of the query is subtracted again. Sums are modulo 2^32, and exact because the result fits
// 32 bits.
TRAWL_TARGET("avx512f,avx512bw,avx512vnni,avx2,fma")
inline void dot_int8_rows(std::int16_t const* query, std::byte const* const* rows,
    std::size_t count, std::size_t dim, std::int32_t* out) noexcept {
    constexpr std::size_t chunk = 1024; // values of the query that are made bytes at once
    auto const offset = mm512_set1_epi8(-128);
    for (std::size_t r = 0; r < count; ++r) out[r] = 0;
    for (std::size_t first = 0; first < dim; first += chunk) {
        auto const size = dim - first < chunk ? dim - first : chunk;
        std::int8_t q[chunk];
        for (std::size_t i = 0; i < size; ++i) q[i] = static_cast<std::int8_t>(query[first + i]);
        auto const zero = mm512_setzero_si512();
        auto less = zero;
        for (std::size_t i = 0; i < size; i += 64)
            less = mm512_dpbusd_epi32(less, offset, load_bytes(q + i, size - i));
        for (std::size_t r = 0; r < count; r += 4) { // four rows at once
            auto const rest = count - r;
            std::byte const* const at[4] = {rows[r] + first, rows[r + (rest > 1 ? 1 : 0)] + first,
                rows[r + (rest > 2 ? 2 : 0)] + first, rows[r + (rest > 3 ? 3 : 0)] + first};
            auto a = zero, b = zero, c = zero, d = zero;
            for (std::size_t i = 0; i < size; i += 64) {
                auto const with = load_bytes(q + i, size - i);
                a = mm512_dpbusd_epi32(
                    a, mm512_xor_si512(load_bytes(at[0] + i, size - i), offset), with);
                b = mm512_dpbusd_epi32(
                    b, mm512_xor_si512(load_bytes(at[1] + i, size - i), offset), with);
                c = mm512_dpbusd_epi32(
                    c, mm512_xor_si512(load_bytes(at[2] + i, size - i), offset), with);
                d = mm512_dpbusd_epi32(
                    d, mm512_xor_si512(load_bytes(at[3] + i, size - i), offset), with);
            }
            auto const ab = mm_hadd_epi32(fold_difference(a, less), fold_difference(b, less));
            auto const cd = mm_hadd_epi32(fold_difference(c, less), fold_difference(d, less));
            std::int32_t sums[4];
            mm_storeu_si128(sums, mm_hadd_epi32(ab, cd));
            for (std::size_t j = 0; j < 4 && j < rest; ++j) out[r + j] += sums[j];
        }
    }
}

// As avx2::byte_sums, for four groups at once.
struct byte_sums {
    m512i even, odd;
};

TRAWL_TARGET("avx512f,avx512bw,avx2,fma")
TRAWL_ALWAYS_INLINE void add_bytes(byte_sums& to, m512i bytes) noexcept {
    to.even = mm512_add_epi16(to.even, bytes);
    to.odd = mm512_add_epi16(to.odd, mm512_srli_epi16<8>(bytes));
}

TRAWL_TARGET("avx512f,avx512bw,avx2,fma")
TRAWL_ALWAYS_INLINE m256i fold_words(m512i sums) noexcept {
    return mm256_add_epi16(mm512_castsi512_si256(sums), mm512_extracti64x4_epi64<1>(sums));
}

TRAWL_TARGET("avx512f,avx512bw,avx2,fma")
inline void sum_tables(std::uint8_t const* tables, std::byte const* rows, std::size_t count,
    std::size_t groups, std::int32_t* out) noexcept {
    constexpr std::size_t chunk = 256; // groups whose sums fit 16 bits
    auto const low = mm512_set1_epi8(0x0F);
    auto const zero = mm512_setzero_si512();
    for (std::size_t b = 0; b < count; ++b, rows += 16 * groups, out += interleaved_rows) {
        for (std::size_t r = 0; r < interleaved_rows; ++r) out[r] = 0;
        for (std::size_t first = 0; first < groups; first += chunk) {
            auto const last = groups - first < chunk ? groups : first + chunk;
            byte_sums lower{zero, zero}, upper{zero, zero};
            for (auto g = first; g < last; g += 4) { // four groups in a register
                auto const bits = mm512_loadu_si512(rows + 16 * g);
                auto const table = mm512_loadu_si512(tables + 16 * g);
                add_bytes(lower, mm512_shuffle_epi8(table, mm512_and_si512(bits, low)));
                add_bytes(upper,
                    mm512_shuffle_epi8(table, mm512_and_si512(mm512_srli_epi16<4>(bits), low)));
            }
            avx2::add_sums({fold_words(lower.even), fold_words(lower.odd)}, out);
            avx2::add_sums(
                {fold_words(upper.even), fold_words(upper.odd)}, out + interleaved_rows / 2);
        }
    }
}

} // namespace detail::avx512
TRAWL_END_NAMESPACE

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
