// SPDX-License-Identifier: MIT
#pragma once

/// Products of matrices in plain C++. They specify the bits that the kernels of every instruction
/// set must give.
///
/// The right matrix lies in panels of 16 columns. An output is computed by one chain of operations
/// in ascending order of the inner dimension, so that its bits depend neither on how many rows and
/// columns are computed together nor on the width of registers.

#include <bit>
#include <cstddef>
#include <cstdint>

#include <trawl/config.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

inline constexpr std::size_t panel_width = 16; ///< columns of the right matrix that lie together

/// c[r][j] = start + the sum of a[r][i] * b[i][j] over i in [0, depth), ascending, each step one
/// fused multiply-add. The start is what c holds if `add` is set, else bias[j] or, without a bias, 0.
struct float_product {
    float const* a = nullptr; ///< [rows x depth], rows a_stride floats apart
    std::size_t a_stride = 0;
    /// Columns 16 p to 16 p + 15 of row i begin at b + p * b_panel + i * b_step.
    float const* b = nullptr;
    std::size_t b_step = panel_width;
    std::size_t b_panel = 0;
    float* c = nullptr; ///< [rows x 16 panels], rows c_stride floats apart
    std::size_t c_stride = 0;
    float const* bias = nullptr; ///< [16 panels], or null
    std::size_t rows = 0;
    std::size_t panels = 0;
    std::size_t depth = 0;
    bool add = false;
};

/// c[r][j] = bias[j] + sum * (a_scales[r] * b_scales[j]), where the sum is that of a[r][i] *
/// (b[i][j] - 128) over i in [0, depth): an integer, exact, made float; the scales' product is
/// rounded, then follows one fused multiply-add.
struct int8_product {
    std::int8_t const* a = nullptr; ///< [rows x depth], in [-127, 127], rows a_stride bytes apart
    std::size_t a_stride = 0;
    float const* a_scales = nullptr;      ///< [rows]
    std::int32_t const* a_sums = nullptr; ///< [rows], of the values of a row
    /// Byte 4 j + s of 64 bytes at b + p * b_panel + 16 i is row i + s of column 16 p + j, for i a
    /// multiple of 4.
    std::uint8_t const* b = nullptr;
    std::size_t b_panel = 0;
    float const* b_scales = nullptr; ///< [16 panels]
    float const* bias = nullptr;     ///< [16 panels]
    float* c = nullptr;
    std::size_t c_stride = 0;
    std::size_t rows = 0;
    std::size_t panels = 0;
    std::size_t depth = 0; ///< a multiple of 4, at most 66,000: sums stay below 2^31
};

} // namespace detail
TRAWL_END_NAMESPACE

TRAWL_BEGIN_NAMESPACE
namespace detail::scalar {

TRAWL_ALWAYS_INLINE void multiply_floats(float_product const& m) noexcept {
    for (std::size_t p = 0; p < m.panels; ++p) {
        for (std::size_t r = 0; r < m.rows; ++r) {
            float* const c = m.c + r * m.c_stride + p * panel_width;
            float sum[panel_width];
            for (std::size_t j = 0; j < panel_width; ++j)
                sum[j] = m.add ? c[j] : m.bias != nullptr ? m.bias[p * panel_width + j] : 0.0f;
            float const* const a = m.a + r * m.a_stride;
            float const* b = m.b + p * m.b_panel;
            for (std::size_t i = 0; i < m.depth; ++i, b += m.b_step) {
                for (std::size_t j = 0; j < panel_width; ++j)
                    sum[j] = math::fma(a[i], b[j], sum[j]);
            }
            for (std::size_t j = 0; j < panel_width; ++j) c[j] = sum[j];
        }
    }
}

TRAWL_ALWAYS_INLINE void multiply_bytes(int8_product const& m) noexcept {
    for (std::size_t p = 0; p < m.panels; ++p) {
        for (std::size_t r = 0; r < m.rows; ++r) {
            std::int32_t sum[panel_width];
            for (std::size_t j = 0; j < panel_width; ++j) sum[j] = -128 * m.a_sums[r];
            std::int8_t const* const a = m.a + r * m.a_stride;
            std::uint8_t const* b = m.b + p * m.b_panel;
            for (std::size_t i = 0; i < m.depth; i += 4, b += 64) {
                for (std::size_t j = 0; j < panel_width; ++j) {
                    for (std::size_t s = 0; s < 4; ++s) sum[j] += a[i + s] * b[4 * j + s];
                }
            }
            float* const c = m.c + r * m.c_stride + p * panel_width;
            for (std::size_t j = 0; j < panel_width; ++j) {
                auto const column = p * panel_width + j;
                c[j] = math::fma(static_cast<float>(sum[j]),
                    rounded(m.a_scales[r] * m.b_scales[column]), m.bias[column]);
            }
        }
    }
}

inline void float_matrix_product(float_product const& m) noexcept { multiply_floats(m); }
inline void int8_matrix_product(int8_product const& m) noexcept { multiply_bytes(m); }

} // namespace detail::scalar
TRAWL_END_NAMESPACE

#if TRAWL_X86_64
TRAWL_BEGIN_NAMESPACE
namespace detail::scalar_fma {

// The same kernels, compiled for the FMA instruction of x86.
TRAWL_TARGET("fma")
inline void float_matrix_product(float_product const& m) noexcept { scalar::multiply_floats(m); }
TRAWL_TARGET("fma")
inline void int8_matrix_product(int8_product const& m) noexcept { scalar::multiply_bytes(m); }

} // namespace detail::scalar_fma
TRAWL_END_NAMESPACE
#endif
