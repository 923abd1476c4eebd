// SPDX-License-Identifier: MIT
#pragma once

/// Products of matrices with AVX-512F, and of bytes with VNNI. 28 registers hold the outputs of up
/// to 14 rows and two panels. An odd last panel is computed twice: tiles of one panel would be half
/// as much code again.

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include <trawl/detail/simd/avx512/floating_point.hpp>
#include <trawl/detail/simd/scalar/matrix_product.hpp>
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

inline constexpr std::size_t product_rows = 14; ///< of a tile, at most

template <std::size_t Rows>
using rows_of = std::make_index_sequence<Rows>;

// The outputs of a tile: x of the first panel, y of the second.
template <std::size_t Rows>
struct float_sums {
    m512 x[Rows], y[Rows];
};

template <std::size_t Rows>
struct integer_sums {
    m512i x[Rows], y[Rows];
};

// The addresses of every third row of the left matrix: the processor adds the stride, in bytes, once
// or twice by itself, so that five registers are enough.
struct row_addresses {
    char const *a0, *a3, *a6, *a9, *a12;
    std::size_t stride;
};

[[nodiscard]] TRAWL_ALWAYS_INLINE row_addresses addresses_of(
    void const* first, std::size_t stride, std::size_t rows) noexcept {
    auto const* const at = static_cast<char const*>(first);
    return {at, rows > 3 ? at + 3 * stride : at, rows > 6 ? at + 6 * stride : at,
        rows > 9 ? at + 9 * stride : at, rows > 12 ? at + 12 * stride : at, stride};
}

// Moves all rows. Hides how their addresses came about: a compiler that knows keeps an address for
// each row, and runs out of registers.
TRAWL_ALWAYS_INLINE void advance(row_addresses& rows, std::size_t bytes) noexcept {
    rows.a0 += bytes;
    rows.a3 += bytes;
    rows.a6 += bytes;
    rows.a9 += bytes;
    rows.a12 += bytes;
#if defined(__GNUC__) || defined(__clang__)
    asm("" : "+r"(rows.a0), "+r"(rows.a3), "+r"(rows.a6), "+r"(rows.a9), "+r"(rows.a12));
#endif
}

template <std::size_t Row>
[[nodiscard]] TRAWL_ALWAYS_INLINE char const* address(row_addresses const& rows) noexcept {
    auto const* const at = Row < 3    ? rows.a0
                           : Row < 6  ? rows.a3
                           : Row < 9  ? rows.a6
                           : Row < 12 ? rows.a9
                                      : rows.a12;
    return at + Row % 3 * rows.stride;
}

// `second` is where the second panel begins, 0 if there is one panel: then it is computed twice.
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE void start_row(
    m512& x, m512& y, float const* from, std::size_t second) noexcept {
    x = from != nullptr ? mm512_loadu_ps(from) : mm512_setzero_ps();
    y = from != nullptr ? mm512_loadu_ps(from + second) : mm512_setzero_ps();
}

TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE void store_row(float* to, m512 x, m512 y, std::size_t second) noexcept {
    mm512_storeu_ps(to + second, y);
    mm512_storeu_ps(to, x);
}

TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE
void multiply_row(m512& x, m512& y, char const* from, m512 first, m512 second) noexcept {
    auto const a = mm512_set1_ps(*reinterpret_cast<float const*>(from));
    x = mm512_fmadd_ps(a, first, x);
    y = mm512_fmadd_ps(a, second, y);
}

// The values `at` bytes behind the addresses of all rows, and a row of the right matrix.
template <std::size_t... Row>
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE void multiply_step(float_sums<sizeof...(Row)>& sums, row_addresses const& rows,
    std::size_t at, float const* b, std::size_t panel, std::index_sequence<Row...>) noexcept {
    auto const first = mm512_loadu_ps(b);
    auto const second = mm512_loadu_ps(b + panel);
    (multiply_row(sums.x[Row], sums.y[Row], address<Row>(rows) + at, first, second), ...);
}

template <std::size_t... Row>
TRAWL_TARGET("avx512f,avx2,fma" TRAWL_UNTUNED)
inline void multiply_tile(float_product const& m, std::size_t row, std::size_t panel,
    std::index_sequence<Row...> all) noexcept {
    auto const two = panel + 1 < m.panels;
    auto const second = two ? panel_width : 0;
    auto* const c = m.c + row * m.c_stride + panel * panel_width;
    auto const* const start = m.add               ? c
                              : m.bias != nullptr ? m.bias + panel * panel_width
                                                  : nullptr;
    auto const start_stride = m.add ? m.c_stride : 0; // the bias is the same for all rows
    float_sums<sizeof...(Row)> sums;
    (start_row(
         sums.x[Row], sums.y[Row], start != nullptr ? start + Row * start_stride : nullptr, second),
        ...);
    auto rows = addresses_of(m.a + row * m.a_stride, m.a_stride * sizeof(float), sizeof...(Row));
    auto const* b = m.b + panel * m.b_panel;
    auto const step = m.b_step;
    auto const other = two ? m.b_panel : 0;
    std::size_t i = 0;
    for (; i + 2 <= m.depth; i += 2, b += 2 * step) {
        multiply_step(sums, rows, 0, b, other, all);
        multiply_step(sums, rows, 4, b + step, other, all);
        advance(rows, 8);
    }
    for (; i < m.depth; ++i, b += step) {
        multiply_step(sums, rows, 0, b, other, all);
        advance(rows, 4);
    }
    (store_row(c + Row * m.c_stride, sums.x[Row], sums.y[Row], second), ...);
}

// mm512_dpbusd_epi32, in place: GCC 12 copies the sums at each use of its builtin, to the stack.
TRAWL_TARGET("avx512f,avx512bw,avx512vnni,avx2,fma")
TRAWL_ALWAYS_INLINE void add_products(m512i& sum, m512i bytes, m512i with) noexcept {
#if defined(__GNUC__) && !defined(__clang__)
    asm("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(bytes), "v"(with));
#else
    sum = mm512_dpbusd_epi32(sum, bytes, with);
#endif
}

TRAWL_TARGET("avx512f,avx512bw,avx512vnni,avx2,fma")
TRAWL_ALWAYS_INLINE
void multiply_row(m512i& x, m512i& y, char const* from, m512i first, m512i second) noexcept {
    std::int32_t four = 0;
    std::memcpy(&four, from, sizeof four);
    auto const a = mm512_set1_epi32(four);
    add_products(x, first, a);
    add_products(y, second, a);
}

template <std::size_t... Row>
TRAWL_TARGET("avx512f,avx512bw,avx512vnni,avx2,fma")
TRAWL_ALWAYS_INLINE void multiply_step(integer_sums<sizeof...(Row)>& sums,
    row_addresses const& rows, std::size_t at, std::uint8_t const* b, std::size_t panel,
    std::index_sequence<Row...>) noexcept {
    auto const first = mm512_loadu_si512(b);
    auto const second = mm512_loadu_si512(b + panel);
    (multiply_row(sums.x[Row], sums.y[Row], address<Row>(rows) + at, first, second), ...);
}

TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE void start_row(m512i& x, m512i& y, std::int32_t sum) noexcept {
    x = mm512_set1_epi32(-128 * sum);
    y = x;
}

TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE void store_scaled(
    float* to, m512i sum, m512 a_scale, float const* b_scales, float const* bias) noexcept {
    auto const scale = rounded(mm512_mul_ps(a_scale, mm512_loadu_ps(b_scales)));
    mm512_storeu_ps(to, mm512_fmadd_ps(mm512_cvtepi32_ps(sum), scale, mm512_loadu_ps(bias)));
}

TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE void store_row(int8_product const& m, std::size_t row, std::size_t panel,
    m512i x, m512i y, std::size_t second) noexcept {
    auto* const to = m.c + row * m.c_stride + panel * panel_width;
    auto const scale = mm512_set1_ps(m.a_scales[row]);
    auto const* const scales = m.b_scales + panel * panel_width;
    auto const* const bias = m.bias + panel * panel_width;
    store_scaled(to + second, y, scale, scales + second, bias + second);
    store_scaled(to, x, scale, scales, bias);
}

template <std::size_t... Row>
TRAWL_TARGET("avx512f,avx512bw,avx512vnni,avx2,fma" TRAWL_UNTUNED)
inline void multiply_tile(int8_product const& m, std::size_t row, std::size_t panel,
    std::index_sequence<Row...> all) noexcept {
    auto const two = panel + 1 < m.panels;
    integer_sums<sizeof...(Row)> sums;
    (start_row(sums.x[Row], sums.y[Row], m.a_sums[row + Row]), ...);
    auto rows = addresses_of(m.a + row * m.a_stride, m.a_stride, sizeof...(Row));
    auto const* b = m.b + panel * m.b_panel;
    auto const other = two ? m.b_panel : 0;
    std::size_t i = 0;
    for (; i + 8 <= m.depth; i += 8, b += 128) {
        multiply_step(sums, rows, 0, b, other, all);
        multiply_step(sums, rows, 4, b + 64, other, all);
        advance(rows, 8);
    }
    for (; i < m.depth; i += 4, b += 64) {
        multiply_step(sums, rows, 0, b, other, all);
        advance(rows, 4);
    }
    (store_row(m, row + Row, panel, sums.x[Row], sums.y[Row], two ? panel_width : 0), ...);
}

// A tile of 1 to 14 rows, and two panels or the last one.
template <class Product>
TRAWL_ALWAYS_INLINE void multiply_rows(
    Product const& m, std::size_t row, std::size_t panel, std::size_t rows) noexcept {
    switch (rows) {
    case 1:
        return multiply_tile(m, row, panel, rows_of<1>());
    case 2:
        return multiply_tile(m, row, panel, rows_of<2>());
    case 3:
        return multiply_tile(m, row, panel, rows_of<3>());
    case 4:
        return multiply_tile(m, row, panel, rows_of<4>());
    case 5:
        return multiply_tile(m, row, panel, rows_of<5>());
    case 6:
        return multiply_tile(m, row, panel, rows_of<6>());
    case 7:
        return multiply_tile(m, row, panel, rows_of<7>());
    case 8:
        return multiply_tile(m, row, panel, rows_of<8>());
    case 9:
        return multiply_tile(m, row, panel, rows_of<9>());
    case 10:
        return multiply_tile(m, row, panel, rows_of<10>());
    case 11:
        return multiply_tile(m, row, panel, rows_of<11>());
    case 12:
        return multiply_tile(m, row, panel, rows_of<12>());
    case 13:
        return multiply_tile(m, row, panel, rows_of<13>());
    default:
        return multiply_tile(m, row, panel, rows_of<14>());
    }
}

// Tiles of nearly equal height, since a low one waits for its own sums.
template <class Product>
TRAWL_ALWAYS_INLINE void multiply_all(Product const& m) noexcept {
    auto const tiles = (m.rows + product_rows - 1) / product_rows;
    for (std::size_t panel = 0; panel < m.panels; panel += 2) {
        for (std::size_t t = 0; t < tiles; ++t) {
            auto const row = t * m.rows / tiles;
            auto const rows = (t + 1) * m.rows / tiles - row;
            multiply_rows(m, row, panel, rows);
        }
    }
}

inline void float_matrix_product(float_product const& m) noexcept { multiply_all(m); }
inline void int8_matrix_product(int8_product const& m) noexcept { multiply_all(m); }

} // namespace detail::avx512
TRAWL_END_NAMESPACE

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
