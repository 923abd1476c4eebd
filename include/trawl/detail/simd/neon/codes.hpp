// SPDX-License-Identifier: MIT
#pragma once

/// The kernels of quantised vectors for ARM64.

#include <trawl/config.hpp>

#if TRAWL_ARM64

#include <cstddef>
#include <cstdint>

#include <arm_neon.h>

#include <trawl/detail/simd/neon/vectors.hpp>
#include <trawl/detail/simd/scalar/codes.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail::neon {

// The sum of two products of bytes, of -127 to 127 and -128 to 127, fits 16 bits.
TRAWL_ALWAYS_INLINE int32x4_t int8_products(
    int8x16_t query, std::byte const* row, int32x4_t sum) noexcept {
    auto const values = vld1q_s8(reinterpret_cast<std::int8_t const*>(row));
    return vpadalq_s16(sum, vmlal_s8(vmull_s8(vget_low_s8(query), vget_low_s8(values)),
                                vget_high_s8(query), vget_high_s8(values)));
}

// Four rows at once.
inline void dot_int8_rows(std::int16_t const* query, std::byte const* const* rows,
    std::size_t count, std::size_t dim, std::int32_t* out) noexcept {
    for (std::size_t r = 0; r < count; r += 4) {
        auto const rest = count - r;
        std::byte const* const at[4] = {rows[r], rows[r + (rest > 1 ? 1 : 0)],
            rows[r + (rest > 2 ? 2 : 0)], rows[r + (rest > 3 ? 3 : 0)]};
        auto a = vdupq_n_s32(0), b = a, c = a, d = a;
        std::size_t i = 0;
        for (; i + 16 <= dim; i += 16) {
            auto const q =
                vcombine_s8(vmovn_s16(vld1q_s16(query + i)), vmovn_s16(vld1q_s16(query + i + 8)));
            a = int8_products(q, at[0] + i, a);
            b = int8_products(q, at[1] + i, b);
            c = int8_products(q, at[2] + i, c);
            d = int8_products(q, at[3] + i, d);
        }
        std::int32_t const sums[4] = {vaddvq_s32(a), vaddvq_s32(b), vaddvq_s32(c), vaddvq_s32(d)};
        for (std::size_t j = 0; j < 4 && j < rest; ++j) {
            out[r + j] = sums[j];
            for (auto k = i; k < dim; ++k)
                out[r + j] +=
                    query[k] * static_cast<std::int32_t>(static_cast<std::int8_t>(at[j][k]));
        }
    }
}

// Sums of 16 rows, 16 bits each.
struct word_sums {
    uint16x8_t low, high;
};

TRAWL_ALWAYS_INLINE void add_bytes(word_sums& to, uint8x16_t bytes) noexcept {
    to.low = vaddw_u8(to.low, vget_low_u8(bytes));
    to.high = vaddw_u8(to.high, vget_high_u8(bytes));
}

TRAWL_ALWAYS_INLINE void add_sums(uint16x8_t sums, std::int32_t* out) noexcept {
    auto const low = vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(sums)));
    auto const high = vreinterpretq_s32_u32(vmovl_u16(vget_high_u16(sums)));
    vst1q_s32(out, vaddq_s32(vld1q_s32(out), low));
    vst1q_s32(out + 4, vaddq_s32(vld1q_s32(out + 4), high));
}

inline void sum_tables(std::uint8_t const* tables, std::byte const* rows, std::size_t count,
    std::size_t groups, std::int32_t* out) noexcept {
    constexpr std::size_t chunk = 256; // groups whose sums fit 16 bits
    auto const low = vdupq_n_u8(0x0F);
    auto const zero = vdupq_n_u16(0);
    for (std::size_t b = 0; b < count; ++b, rows += 16 * groups, out += interleaved_rows) {
        for (std::size_t r = 0; r < interleaved_rows; ++r) out[r] = 0;
        for (std::size_t first = 0; first < groups; first += chunk) {
            auto const last = groups - first < chunk ? groups : first + chunk;
            word_sums lower{zero, zero}, upper{zero, zero};
            for (auto g = first; g < last; ++g) {
                auto const bits = vld1q_u8(reinterpret_cast<std::uint8_t const*>(rows + 16 * g));
                auto const table = vld1q_u8(tables + 16 * g);
                add_bytes(lower, vqtbl1q_u8(table, vandq_u8(bits, low)));
                add_bytes(upper, vqtbl1q_u8(table, vshrq_n_u8(bits, 4)));
            }
            add_sums(lower.low, out);
            add_sums(lower.high, out + 8);
            add_sums(upper.low, out + 16);
            add_sums(upper.high, out + 24);
        }
    }
}

inline std::size_t select_estimates(std::int32_t const* sums, float const* slopes,
    float const* bases, std::size_t count, estimate_line line, float least, float* estimates,
    std::uint32_t* places) noexcept {
    auto const scale = vdupq_n_f32(line.scale);
    auto const offset = vdupq_n_f32(line.offset);
    auto const floor = vdupq_n_f32(least);
    std::size_t found = 0;
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        auto const sum = vcvtq_f32_s32(vld1q_s32(sums + i));
        auto const x = rounded(vaddq_f32(rounded(vmulq_f32(scale, sum)), offset));
        auto const estimate =
            rounded(vaddq_f32(rounded(vmulq_f32(x, vld1q_f32(slopes + i))), vld1q_f32(bases + i)));
        vst1q_f32(estimates + i, estimate);
        if (vmaxvq_u32(vcgeq_f32(estimate, floor)) == 0) continue;
        for (std::size_t j = i; j < i + 4; ++j) {
            if (estimates[j] >= least) places[found++] = static_cast<std::uint32_t>(j);
        }
    }
    auto const rest = scalar::select_estimates(
        sums + i, slopes + i, bases + i, count - i, line, least, estimates + i, places + found);
    for (auto const end = found + rest; found < end; ++found)
        places[found] += static_cast<std::uint32_t>(i);
    return found;
}

inline void add_and_subtract(float* a, float* b, std::size_t count) noexcept {
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        auto const x = vld1q_f32(a + i);
        auto const y = vld1q_f32(b + i);
        vst1q_f32(a + i, rounded(vaddq_f32(x, y)));
        vst1q_f32(b + i, rounded(vsubq_f32(x, y)));
    }
    scalar::add_and_subtract(a + i, b + i, count - i);
}

inline void multiply(float* v, float const* by, std::size_t count) noexcept {
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4)
        vst1q_f32(v + i, rounded(vmulq_f32(vld1q_f32(v + i), vld1q_f32(by + i))));
    scalar::multiply(v + i, by + i, count - i);
}

inline void hadamard(float* v, std::size_t count) noexcept {
    for (std::size_t width = count / 2; width > 0; width /= 2) {
        for (std::size_t i = 0; i < count; i += 2 * width)
            add_and_subtract(v + i, v + i + width, width);
    }
}

} // namespace detail::neon
TRAWL_END_NAMESPACE

#endif
