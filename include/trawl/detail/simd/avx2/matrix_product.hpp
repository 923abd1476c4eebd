// SPDX-License-Identifier: MIT
#pragma once

/// Products of matrices with AVX2 and FMA. Twelve registers hold the outputs of up to 6 rows and a
/// panel; of bytes, eight those of 4 rows and half a panel. Bytes are multiplied as 16-bit
/// integers: AVX2's products of bytes saturate.

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include <trawl/detail/simd/avx2/vectors.hpp>
#include <trawl/detail/simd/scalar/matrix_product.hpp>
#include <trawl/detail/simd/x86/instructions.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail::avx2 {

using namespace x86;

template <std::size_t Rows>
struct float_sums {
    m256 x[Rows], y[Rows]; // of columns 0 to 7, and of 8 to 15
};

// The addresses of every third row; see avx512/matrix_product.hpp.
struct row_addresses {
    char const *a0, *a3;
    std::size_t stride;
};

TRAWL_ALWAYS_INLINE void advance(row_addresses& rows, std::size_t bytes) noexcept {
    rows.a0 += bytes;
    rows.a3 += bytes;
#if defined(__GNUC__) || defined(__clang__)
    asm("" : "+r"(rows.a0), "+r"(rows.a3));
#endif
}

template <std::size_t Row>
[[nodiscard]] TRAWL_ALWAYS_INLINE char const* address(row_addresses const& rows) noexcept {
    return (Row < 3 ? rows.a0 : rows.a3) + Row % 3 * rows.stride;
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void start_row(m256& x, m256& y, float const* from) noexcept {
    x = from != nullptr ? mm256_loadu_ps(from) : mm256_setzero_ps();
    y = from != nullptr ? mm256_loadu_ps(from + 8) : mm256_setzero_ps();
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void store_row(float* to, m256 x, m256 y) noexcept {
    mm256_storeu_ps(to, x);
    mm256_storeu_ps(to + 8, y);
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void multiply_row(
    m256& x, m256& y, char const* from, m256 first, m256 second) noexcept {
    auto const a = mm256_set1_ps(*reinterpret_cast<float const*>(from));
    x = mm256_fmadd_ps(a, first, x);
    y = mm256_fmadd_ps(a, second, y);
}

template <std::size_t... Row>
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void multiply_step(float_sums<sizeof...(Row)>& sums, row_addresses const& rows,
    std::size_t at, float const* b, std::index_sequence<Row...>) noexcept {
    auto const first = mm256_loadu_ps(b);
    auto const second = mm256_loadu_ps(b + 8);
    (multiply_row(sums.x[Row], sums.y[Row], address<Row>(rows) + at, first, second), ...);
}

template <std::size_t... Row>
TRAWL_TARGET("avx2,fma" TRAWL_UNTUNED)
inline void multiply_tile(float_product const& m, std::size_t row, std::size_t panel,
    std::index_sequence<Row...> all) noexcept {
    auto* const c = m.c + row * m.c_stride + panel * panel_width;
    auto const* const start = m.add               ? c
                              : m.bias != nullptr ? m.bias + panel * panel_width
                                                  : nullptr;
    auto const start_stride = m.add ? m.c_stride : 0; // the bias is the same for all rows
    float_sums<sizeof...(Row)> sums;
    (start_row(sums.x[Row], sums.y[Row], start != nullptr ? start + Row * start_stride : nullptr),
        ...);
    auto const* const first = reinterpret_cast<char const*>(m.a + row * m.a_stride);
    auto const stride = m.a_stride * sizeof(float);
    row_addresses rows{first, sizeof...(Row) > 3 ? first + 3 * stride : first, stride};
    auto const* b = m.b + panel * m.b_panel;
    auto const step = m.b_step;
    std::size_t i = 0;
    for (; i + 4 <= m.depth; i += 4, b += 4 * step) {
        multiply_step(sums, rows, 0, b, all);
        multiply_step(sums, rows, 4, b + step, all);
        multiply_step(sums, rows, 8, b + 2 * step, all);
        multiply_step(sums, rows, 12, b + 3 * step, all);
        advance(rows, 16);
    }
    for (; i < m.depth; ++i, b += step) {
        multiply_step(sums, rows, 0, b, all);
        advance(rows, 4);
    }
    (store_row(c + Row * m.c_stride, sums.x[Row], sums.y[Row]), ...);
}

// The sums of a row with 8 columns: of each, that of the even and that of the odd pairs of values.
template <std::size_t Rows>
struct integer_sums {
    m256i x[Rows], y[Rows]; // of columns 0 to 3, and of 4 to 7
};

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void multiply_row(
    m256i& x, m256i& y, std::int8_t const* from, m256i first, m256i second) noexcept {
    std::int32_t four = 0;
    std::memcpy(&four, from, sizeof four);
    auto const a = mm256_cvtepi8_epi16(mm_set1_epi32(four));
    x = mm256_add_epi32(x, mm256_madd_epi16(first, a));
    y = mm256_add_epi32(y, mm256_madd_epi16(second, a));
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void store_row(
    int8_product const& m, std::size_t row, std::size_t column, m256i x, m256i y) noexcept {
    // The columns come out in the order 0, 1, 4, 5, 2, 3, 6, 7.
    auto const sum = mm256_permutevar8x32_epi32(
        mm256_hadd_epi32(x, y), mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7));
    auto const whole = mm256_sub_epi32(sum, mm256_set1_epi32(128 * m.a_sums[row]));
    auto const scale =
        rounded(mm256_mul_ps(mm256_set1_ps(m.a_scales[row]), mm256_loadu_ps(m.b_scales + column)));
    mm256_storeu_ps(m.c + row * m.c_stride + column,
        mm256_fmadd_ps(mm256_cvtepi32_ps(whole), scale, mm256_loadu_ps(m.bias + column)));
}

// `half` is 0 or 1: columns 0 to 7 of the panel, or 8 to 15.
template <std::size_t... Row>
TRAWL_TARGET("avx2,fma" TRAWL_UNTUNED)
inline void multiply_tile(int8_product const& m, std::size_t row, std::size_t panel,
    std::size_t half, std::index_sequence<Row...>) noexcept {
    auto const zero = mm256_setzero_si256();
    integer_sums<sizeof...(Row)> sums;
    ((sums.x[Row] = zero, sums.y[Row] = zero), ...);
    auto const* a = m.a + row * m.a_stride;
    auto const* b = m.b + panel * m.b_panel + 32 * half;
    for (std::size_t i = 0; i < m.depth; i += 4, a += 4, b += 64) {
        auto const first = mm256_cvtepu8_epi16(mm_loadu_si128(b));
        auto const second = mm256_cvtepu8_epi16(mm_loadu_si128(b + 16));
        (multiply_row(sums.x[Row], sums.y[Row], a + Row * m.a_stride, first, second), ...);
    }
    (store_row(m, row + Row, panel * panel_width + 8 * half, sums.x[Row], sums.y[Row]), ...);
}

inline void multiply_rows(
    float_product const& m, std::size_t row, std::size_t panel, std::size_t rows) noexcept {
    switch (rows) {
    case 1:
        return multiply_tile(m, row, panel, std::make_index_sequence<1>());
    case 2:
        return multiply_tile(m, row, panel, std::make_index_sequence<2>());
    case 3:
        return multiply_tile(m, row, panel, std::make_index_sequence<3>());
    case 4:
        return multiply_tile(m, row, panel, std::make_index_sequence<4>());
    case 5:
        return multiply_tile(m, row, panel, std::make_index_sequence<5>());
    default:
        return multiply_tile(m, row, panel, std::make_index_sequence<6>());
    }
}

inline void multiply_rows(
    int8_product const& m, std::size_t row, std::size_t panel, std::size_t rows) noexcept {
    for (std::size_t half = 0; half < 2; ++half) {
        switch (rows) {
        case 1:
            multiply_tile(m, row, panel, half, std::make_index_sequence<1>());
            break;
        case 2:
            multiply_tile(m, row, panel, half, std::make_index_sequence<2>());
            break;
        case 3:
            multiply_tile(m, row, panel, half, std::make_index_sequence<3>());
            break;
        default:
            multiply_tile(m, row, panel, half, std::make_index_sequence<4>());
            break;
        }
    }
}

// Tiles of nearly equal height, since a low one waits for its own sums.
template <class Product>
TRAWL_ALWAYS_INLINE void multiply_all(Product const& m, std::size_t most) noexcept {
    auto const tiles = (m.rows + most - 1) / most;
    for (std::size_t panel = 0; panel < m.panels; ++panel) {
        for (std::size_t t = 0; t < tiles; ++t) {
            auto const row = t * m.rows / tiles;
            multiply_rows(m, row, panel, (t + 1) * m.rows / tiles - row);
        }
    }
}

inline void float_matrix_product(float_product const& m) noexcept { multiply_all(m, 6); }
inline void int8_matrix_product(int8_product const& m) noexcept { multiply_all(m, 4); }

} // namespace detail::avx2
TRAWL_END_NAMESPACE

#endif
