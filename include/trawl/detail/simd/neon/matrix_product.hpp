// SPDX-License-Identifier: MIT
#pragma once

/// Products of matrices for ARM64. 24 registers hold the outputs of up to 6 rows and a panel.

#include <trawl/config.hpp>

#if TRAWL_ARM64

#include <cstddef>
#include <utility>

#include <arm_neon.h>

#include <trawl/detail/simd/scalar/matrix_product.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail::neon {

template <std::size_t Rows>
struct float_sums {
    float32x4_t x[Rows], y[Rows], z[Rows], w[Rows];
};

template <std::size_t... Row>
inline void multiply_tile(float_product const& m, std::size_t row, std::size_t panel,
    std::index_sequence<Row...>) noexcept {
    auto* const c = m.c + row * m.c_stride + panel * panel_width;
    float const zero[panel_width] = {};
    auto const* const start = m.add ? c : m.bias != nullptr ? m.bias + panel * panel_width : zero;
    auto const start_stride = m.add ? m.c_stride : 0; // the bias is the same for all rows
    float_sums<sizeof...(Row)> sums;
    ((sums.x[Row] = vld1q_f32(start + Row * start_stride),
         sums.y[Row] = vld1q_f32(start + Row * start_stride + 4),
         sums.z[Row] = vld1q_f32(start + Row * start_stride + 8),
         sums.w[Row] = vld1q_f32(start + Row * start_stride + 12)),
        ...);
    auto const* a = m.a + row * m.a_stride;
    auto const* b = m.b + panel * m.b_panel;
    for (std::size_t i = 0; i < m.depth; ++i, ++a, b += m.b_step) {
        auto const b0 = vld1q_f32(b);
        auto const b1 = vld1q_f32(b + 4);
        auto const b2 = vld1q_f32(b + 8);
        auto const b3 = vld1q_f32(b + 12);
        ((sums.x[Row] = vfmaq_n_f32(sums.x[Row], b0, a[Row * m.a_stride]),
             sums.y[Row] = vfmaq_n_f32(sums.y[Row], b1, a[Row * m.a_stride]),
             sums.z[Row] = vfmaq_n_f32(sums.z[Row], b2, a[Row * m.a_stride]),
             sums.w[Row] = vfmaq_n_f32(sums.w[Row], b3, a[Row * m.a_stride])),
            ...);
    }
    ((vst1q_f32(c + Row * m.c_stride, sums.x[Row]),
         vst1q_f32(c + Row * m.c_stride + 4, sums.y[Row]),
         vst1q_f32(c + Row * m.c_stride + 8, sums.z[Row]),
         vst1q_f32(c + Row * m.c_stride + 12, sums.w[Row])),
        ...);
}

inline void float_matrix_product(float_product const& m) noexcept {
    auto const tiles = (m.rows + 5) / 6;
    for (std::size_t panel = 0; panel < m.panels; ++panel) {
        for (std::size_t t = 0; t < tiles; ++t) {
            auto const row = t * m.rows / tiles;
            switch ((t + 1) * m.rows / tiles - row) {
            case 1:
                multiply_tile(m, row, panel, std::make_index_sequence<1>());
                break;
            case 2:
                multiply_tile(m, row, panel, std::make_index_sequence<2>());
                break;
            case 3:
                multiply_tile(m, row, panel, std::make_index_sequence<3>());
                break;
            case 4:
                multiply_tile(m, row, panel, std::make_index_sequence<4>());
                break;
            case 5:
                multiply_tile(m, row, panel, std::make_index_sequence<5>());
                break;
            default:
                multiply_tile(m, row, panel, std::make_index_sequence<6>());
                break;
            }
        }
    }
}

} // namespace detail::neon
TRAWL_END_NAMESPACE

#endif
