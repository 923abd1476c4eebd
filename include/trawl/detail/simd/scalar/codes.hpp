// SPDX-License-Identifier: MIT
#pragma once

/// The kernels of quantised vectors in plain C++. They specify the results of the kernels of every
/// instruction set. Sums are integers, so that their order does not matter.

#include <cstddef>
#include <cstdint>

#include <trawl/config.hpp>
#include <trawl/detail/floating_point.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// whose one-bit codes lie together: see sum_tables
inline constexpr std::size_t interleaved_rows = 32;

/// An estimate is (scale * sum + offset) * slope[i] + base[i]; each operation rounds to float.
struct estimate_line {
    float scale = 0;
    float offset = 0;
};

} // namespace detail
TRAWL_END_NAMESPACE

TRAWL_BEGIN_NAMESPACE
namespace detail::scalar {

/// out[r] = the sum of query[i] * rows[r][i]. Values are in [-127, 127].
inline void dot_int8_rows(std::int16_t const* query, std::byte const* const* rows,
    std::size_t count, std::size_t dim, std::int32_t* out) noexcept {
    for (std::size_t r = 0; r < count; ++r) {
        std::int32_t sum = 0;
        for (std::size_t i = 0; i < dim; ++i)
            sum += query[i] * static_cast<std::int32_t>(static_cast<std::int8_t>(rows[r][i]));
        out[r] = sum;
    }
}

/// out[r] = the sum, over groups of four bits, of the table entry that row r's bits select.
/// `tables` has 16 entries for each group, each at most 252. Rows are stored in `count` sets of 32.
/// A set has 16 bytes for each group: the low half of byte j has the bits of row j, the high half
/// those of row j + 16. `groups` is a multiple of 16.
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

/// Writes all estimates, and the indexes, ascending, of those that are not below `least`. Returns
/// the number of indexes. The magnitude of a sum is below 2^24.
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

/// Replaces a[i] by a[i] + b[i] and b[i] by a[i] - b[i].
inline void add_and_subtract(float* a, float* b, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        auto const sum = rounded(a[i] + b[i]);
        b[i] = rounded(a[i] - b[i]);
        a[i] = sum;
    }
}

/// Multiplies v[i] by by[i].
inline void multiply(float* v, float const* by, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) v[i] = rounded(v[i] * by[i]);
}

/// The unscaled Hadamard transform, in place. `count` is a power of two, at least 8. The first
/// round combines values half of `count` apart, the last round neighbours.
inline void hadamard(float* v, std::size_t count) noexcept {
    for (std::size_t width = count / 2; width > 0; width /= 2) {
        for (std::size_t i = 0; i < count; i += 2 * width)
            add_and_subtract(v + i, v + i + width, width);
    }
}

} // namespace detail::scalar
TRAWL_END_NAMESPACE
