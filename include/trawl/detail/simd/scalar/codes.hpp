// SPDX-License-Identifier: MIT
#pragma once

/// The kernels of quantised vectors in plain C++: the specification of those of every instruction
/// set. Sums are integers, so that every order gives the same.

#include <cstddef>
#include <cstdint>

#include <trawl/config.hpp>
#include <trawl/detail/floating_point.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// whose one-bit codes lie together: see sum_tables
inline constexpr std::size_t interleaved_rows = 32;

/// How estimates follow from sums: (scale * sum + offset) * slope[i] + base[i], each step rounded
/// to float.
struct estimate_line {
    float scale = 0;
    float offset = 0;
};

} // namespace detail
TRAWL_END_NAMESPACE

TRAWL_BEGIN_NAMESPACE
namespace detail::scalar {

/// out[r] = sum of query[i] * rows[r][i]; values are in [-127, 127].
inline void dot_int8_rows(std::int16_t const* query, std::byte const* const* rows,
    std::size_t count, std::size_t dim, std::int32_t* out) noexcept {
    for (std::size_t r = 0; r < count; ++r) {
        std::int32_t sum = 0;
        for (std::size_t i = 0; i < dim; ++i)
            sum += query[i] * static_cast<std::int32_t>(static_cast<std::int8_t>(rows[r][i]));
        out[r] = sum;
    }
}

/// out[r] = sum over groups of four bits of the entry that row r's bits choose in the group's
/// table. tables: 16 entries a group, at most 252. Rows come 32 together, `count` times: for each
/// group in turn 16 bytes, of which byte j holds the bits of row j in its low half and those of row
/// j + 16 in its high half. groups is a multiple of 16.
inline void sum_tables(std::uint8_t const* tables, std::byte const* rows, std::size_t count,
    std::size_t groups, std::int32_t* out) noexcept {
    constexpr auto half = interleaved_rows / 2;
    for (std::size_t b = 0; b < count; ++b, out += interleaved_rows) {
        for (std::size_t r = 0; r < interleaved_rows; ++r) out[r] = 0;
        for (std::size_t g = 0; g < groups; ++g, rows += half) {
            for (std::size_t j = 0; j < half; ++j) {
                out[j] += tables[16 * g + std::to_integer<std::size_t>(rows[j] & std::byte{0x0F})];
                out[j + half] += tables[16 * g + std::to_integer<std::size_t>(rows[j] >> 4)];
            }
        }
    }
}

/// Writes the estimates, and the places, ascending, of those that are not below `least`; returns
/// how many these are. Sums are below 2^24 in size.
inline std::size_t select_estimates(std::int32_t const* sums, float const* slopes,
    float const* bases, std::size_t count, estimate_line line, float least, float* estimates,
    std::uint32_t* places) noexcept {
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
        auto const x = rounded(rounded(line.scale * static_cast<float>(sums[i])) + line.offset);
        estimates[i] = rounded(rounded(x * slopes[i]) + bases[i]);
        if (estimates[i] >= least) places[found++] = static_cast<std::uint32_t>(i);
    }
    return found;
}

/// a[i], b[i] become a[i] + b[i], a[i] - b[i].
inline void add_and_subtract(float* a, float* b, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        auto const sum = rounded(a[i] + b[i]);
        b[i] = rounded(a[i] - b[i]);
        a[i] = sum;
    }
}

/// v[i] becomes v[i] * by[i].
inline void multiply(float* v, float const* by, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) v[i] = rounded(v[i] * by[i]);
}

/// The Hadamard transform, not scaled; count is a power of two and at least 8. Values half of count
/// apart are added and subtracted first, neighbours last.
inline void hadamard(float* v, std::size_t count) noexcept {
    for (std::size_t width = count / 2; width > 0; width /= 2) {
        for (std::size_t i = 0; i < count; i += 2 * width)
            add_and_subtract(v + i, v + i + width, width);
    }
}

} // namespace detail::scalar
TRAWL_END_NAMESPACE
