// SPDX-License-Identifier: MIT
#pragma once

/// The kernels of quantised vectors in plain C++: the specification of those of every instruction set. Sums
/// are integers, so that every order gives the same.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <trawl/config.hpp>
#include <trawl/detail/floating_point.hpp>

namespace trawl::inline v0_1::detail {

inline constexpr std::size_t weight_planes = 3;

/// How estimates follow from sums: (scale * sum + offset) * slope[i] + base[i], each step rounded to float.
struct estimate_line {
    float scale = 0;
    float offset = 0;
};

} // namespace trawl::inline v0_1::detail

namespace trawl::inline v0_1::detail::scalar {

/// out[r] = sum of query[i] * rows[r][i]; values are in [-127, 127].
inline void dot_int8_rows(std::int16_t const* query, std::byte const* const* rows, std::size_t count,
    std::size_t dim, std::int32_t* out) noexcept {
    for (std::size_t r = 0; r < count; ++r) {
        std::int32_t sum = 0;
        for (std::size_t i = 0; i < dim; ++i)
            sum += query[i] * static_cast<std::int32_t>(static_cast<std::int8_t>(rows[r][i]));
        out[r] = sum;
    }
}

/// out[r] = sum of the weights of the bits in which row r and the query differ. Query: signs [words], then
/// weight_planes planes [words each] of weights 1, 2, 4.
inline void weigh_mismatches(std::uint64_t const* query, std::byte const* const* rows, std::size_t count,
    std::size_t words, std::int32_t* out) noexcept {
    for (std::size_t r = 0; r < count; ++r) {
        std::int32_t sum = 0;
        for (std::size_t w = 0; w < words; ++w) {
            std::uint64_t row = 0;
            std::memcpy(&row, rows[r] + w * sizeof row, sizeof row);
            auto const differ = row ^ query[w];
            for (std::size_t p = 0; p < weight_planes; ++p)
                sum += std::popcount(differ & query[(p + 1) * words + w]) << p;
        }
        out[r] = sum;
    }
}

/// Writes the estimates, and the places, ascending, of those that are not below `least`; returns how many
/// these are. Sums are below 2^24 in size.
inline std::size_t select_estimates(std::int32_t const* sums, float const* slopes, float const* bases,
    std::size_t count, estimate_line line, float least, float* estimates, std::uint32_t* places) noexcept {
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

} // namespace trawl::inline v0_1::detail::scalar
