// SPDX-License-Identifier: MIT
#pragma once

/// What the kernels of BM25 compute: this is the specification, all others give the same integers.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <trawl/detail/floating_point.hpp>

namespace trawl::inline v0_1::detail {

/// Postings of a full block.
inline constexpr std::size_t block_size = 128;

/// How a term scores: contribution = nearest integer of weight * tf / (tf + constant + slope * length) *
/// steps.
struct term_scoring {
    double constant = 0;
    double slope = 0;
    float weight = 0;
    float steps = 1; ///< a power of two
};

namespace scalar {

/// Value i of a full block, packed in `bits` bits: 4 streams of 32-bit words side by side, value 4 i + s is
/// the i-th of stream s. Reads up to 16 bytes past the block.
[[nodiscard]] inline std::uint32_t packed_value(
    unsigned char const* from, unsigned bits, std::size_t i) noexcept {
    auto const bit = i / 4 * bits;
    std::uint32_t words[2];
    std::memcpy(&words[0], from + (bit / 32 * 4 + i % 4) * 4, 4);
    std::memcpy(&words[1], from + (bit / 32 * 4 + 4 + i % 4) * 4, 4);
    auto const both = std::uint64_t{words[1]} << 32 | words[0];
    return static_cast<std::uint32_t>((both >> bit % 32) & ((std::uint64_t{1} << bits) - 1));
}

/// Rows of a full block: packed are the differences, less 1; `before` is the row before the first.
inline void unpack_rows(
    unsigned char const* from, unsigned bits, std::uint32_t before, std::uint32_t* out) noexcept {
    for (std::size_t i = 0; i < block_size; ++i) out[i] = before = before + packed_value(from, bits, i) + 1;
}

/// Counts of a full block: packed less 1.
inline void unpack_counts(unsigned char const* from, unsigned bits, std::uint32_t* out) noexcept {
    for (std::size_t i = 0; i < block_size; ++i) out[i] = packed_value(from, bits, i) + 1;
}

/// The contributions of n postings.
inline void contributions(term_scoring const& term, std::uint32_t const* rows, std::uint32_t const* tf,
    std::size_t n, std::uint32_t const* lengths, std::int32_t* out) noexcept {
    for (std::size_t i = 0; i < n; ++i) {
        auto const norm =
            rounded(term.constant + rounded(term.slope * static_cast<double>(lengths[rows[i]])));
        auto const count = static_cast<float>(tf[i]);
        auto const part = rounded(count / rounded(count + static_cast<float>(norm)));
        constexpr double shift = 6755399441055744.0; // 1.5 * 2^52: rounds to an integer, ties to even
        auto const steps = static_cast<double>(rounded(term.weight * part)) * static_cast<double>(term.steps);
        out[i] = static_cast<std::int32_t>(rounded(rounded(steps + shift) - shift));
    }
}

/// Sums of one group.
inline constexpr std::size_t group_size = 64;

/// Takes the sums of the groups whose bit is set, and sets them to 0; writes the places, ascending, and the
/// values of those above the floor. @return how many.
inline std::size_t take_above(std::int32_t* sums, std::uint64_t groups, std::int32_t floor,
    std::uint32_t* places, std::int32_t* values) noexcept {
    std::size_t found = 0;
    for (; groups != 0; groups &= groups - 1) {
        auto const first = static_cast<std::size_t>(std::countr_zero(groups)) * group_size;
        for (std::size_t i = first; i < first + group_size; ++i) {
            if (sums[i] > floor) {
                places[found] = static_cast<std::uint32_t>(i);
                values[found++] = sums[i];
            }
            sums[i] = 0;
        }
    }
    return found;
}

} // namespace scalar
} // namespace trawl::inline v0_1::detail
