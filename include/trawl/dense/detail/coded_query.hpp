// SPDX-License-Identifier: MIT
#pragma once

/// What a vector_encoder makes of a row and of a query, and the blocks of rows that it sums.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <trawl/detail/cosine.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/simd/scalar/codes.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// What a row's code adds to the estimate of a score: see estimate_line.
struct row_line {
    float slope = 0;
    float base = 0;
};

/// A query, coded. `constant` is what every score has in common; estimates leave it out.
struct coded_query {
    std::vector<std::int16_t> values = {}; // int8
    std::vector<std::uint8_t> tables = {}; // one bit
    estimate_line line = {};
    double constant = 0;
};

/// Up to four blocks of 64 rows that are estimated together, and a bit for each row that is asked
/// for.
struct block_group {
    static constexpr std::size_t most = 4;
    std::size_t count = 0;
    std::size_t numbers[most] = {};
    std::uint64_t bits[most] = {};
};

// As a float, never infinite: the vectors that a code takes have lengths up to 2^60.
[[nodiscard]] inline float narrowed(double value) noexcept {
    constexpr auto most = static_cast<double>((std::numeric_limits<float>::max)());
    return static_cast<float>(std::clamp(value, -most, most));
}

/// @throws trawl::error (invalid_argument) for a vector so long or so short that estimates would
/// overflow.
inline void check_codable(char const* index, char const* caller, measured_vector const& v) {
    if (is_ordinary(v.inverse_length)) return;
    fail(errc::invalid_argument,
        join(index, "::", caller, ": a vector of length ", 1 / v.inverse_length,
            " cannot be coded; lengths go from 2^-30 to 2^60"));
}

} // namespace detail
TRAWL_END_NAMESPACE
