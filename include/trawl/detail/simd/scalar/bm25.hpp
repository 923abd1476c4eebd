// SPDX-License-Identifier: MIT
#pragma once

/// The kernels of BM25 in plain C++. They specify the integers that the kernels of every
/// instruction set must give.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <trawl/detail/floating_point.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The number of postings in a full block.
inline constexpr std::size_t block_size = 128;

/// The largest document length and term count.
inline constexpr std::uint32_t max_count = 0x7FFFFFFFu;

inline constexpr std::size_t block_pairs = 5;

/// What bounds the scores of a block of postings without reading it: (count, length) pairs such
/// that every posting has at most the count and at least the length of one pair. A count of 255
/// stands for any larger one. Lengths are coded by length_byte().
struct block_header {
    std::uint32_t last_row = 0;
    std::uint32_t at = 0; ///< byte offset from the list's first block
    std::uint8_t row_bits = 0;
    /// lower 5 bits: bits of a count; upper 3: how many patches follow them
    std::uint8_t counts = 0;
    std::array<std::uint8_t, block_pairs> max_counts = {};
    std::array<std::uint8_t, block_pairs> least = {};

    [[nodiscard]] unsigned count_bits() const noexcept { return counts & 31u; }
    [[nodiscard]] unsigned patches() const noexcept { return counts >> 5; }
};
static_assert(sizeof(block_header) == 20);

/// The length that a byte stands for. Bytes below 32 are lengths; a larger byte has four bits
/// behind the leading one.
[[nodiscard]] inline std::uint32_t length_of_byte(std::uint8_t byte) noexcept {
    return byte < 32 ? byte : (16u | (byte & 15u)) << ((byte >> 4) - 1);
}

/// The byte of the largest representable length that is not above this one.
[[nodiscard]] inline std::uint8_t length_byte(std::uint32_t length) noexcept {
    if (length < 32) return static_cast<std::uint8_t>(length);
    auto const bits = static_cast<unsigned>(std::bit_width(length)) - 5;
    auto const byte = (bits + 1) << 4 | (length >> bits & 15u);
    return static_cast<std::uint8_t>((std::min)(byte, 255u));
}

/// The score of a posting: contribution = weight * tf / (tf + constant + slope * length) * steps,
/// rounded to the nearest integer.
struct term_scoring {
    double constant = 0;
    double slope = 0;
    float weight = 0;
    float steps = 1; ///< a power of two
};

namespace scalar {

/// Value i of a full block whose values take `bits` bits each. A block is 4 interleaved streams of
/// 32-bit words; value 4 i + s is value i of stream s. Reads up to 16 bytes past the block.
[[nodiscard]] inline std::uint32_t packed_value(
    unsigned char const* from, unsigned bits, std::size_t i) noexcept {
    auto const bit = i / 4 * bits;
    std::uint32_t words[2];
    std::memcpy(&words[0], from + (bit / 32 * 4 + i % 4) * 4, 4);
    std::memcpy(&words[1], from + (bit / 32 * 4 + 4 + i % 4) * 4, 4);
    auto const both = std::uint64_t{words[1]} << 32 | words[0];
    return static_cast<std::uint32_t>((both >> bit % 32) & ((std::uint64_t{1} << bits) - 1));
}

/// Unpacks the rows of a full block. What is packed is each difference to the row before, less 1;
/// `before` is the row before the first.
inline void unpack_rows(
    unsigned char const* from, unsigned bits, std::uint32_t before, std::uint32_t* out) noexcept {
    for (std::size_t i = 0; i < block_size; ++i)
        out[i] = before = before + packed_value(from, bits, i) + 1;
}

/// Unpacks the counts of a full block, which are packed less 1.
inline void unpack_counts(unsigned char const* from, unsigned bits, std::uint32_t* out) noexcept {
    for (std::size_t i = 0; i < block_size; ++i) out[i] = packed_value(from, bits, i) + 1;
}

/// The tf factor: tf / (tf + constant + slope * length).
[[nodiscard]] inline float tf_factor(
    term_scoring const& term, std::uint32_t tf, std::uint32_t length) noexcept {
    auto const norm = rounded(term.constant + rounded(term.slope * static_cast<double>(length)));
    auto const count = static_cast<float>(tf);
    return rounded(count / rounded(count + static_cast<float>(norm)));
}

[[nodiscard]] inline std::int32_t in_steps(term_scoring const& term, float factor) noexcept {
    constexpr double shift = 6755399441055744.0; // 1.5 * 2^52: rounds to an integer, ties to even
    auto const steps =
        static_cast<double>(rounded(term.weight * factor)) * static_cast<double>(term.steps);
    return static_cast<std::int32_t>(rounded(rounded(steps + shift) - shift));
}

/// Writes the contributions of n postings to `out`.
inline void contributions(term_scoring const& term, std::uint32_t const* rows,
    std::uint32_t const* tf, std::size_t n, std::uint32_t const* lengths,
    std::int32_t* out) noexcept {
    for (std::size_t i = 0; i < n; ++i)
        out[i] = in_steps(term, tf_factor(term, tf[i], lengths[rows[i]]));
}

/// Writes an upper bound of the contributions of each of n blocks, at least 0. All arithmetic is in
/// float: the roundings here (five) and in a posting's own factor (three) amount to at most 2^-21
/// of the value, so the bound is raised by 2^-20.
inline void bounds(term_scoring const& term, block_header const* headers, std::size_t n,
    std::int32_t* out) noexcept {
    auto const constant = static_cast<float>(term.constant);
    auto const slope = static_cast<float>(term.slope);
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = 0;
        for (std::size_t pair = 0; pair < block_pairs; ++pair) {
            // 0 in a damaged file
            auto const max_count_of_pair = (std::max)(headers[i].max_counts[pair], std::uint8_t{1});
            auto const length = static_cast<float>(length_of_byte(headers[i].least[pair]));
            auto const count = static_cast<float>(max_count_of_pair);
            auto const norm = rounded(constant + rounded(slope * length));
            auto const factor = rounded(rounded(count / rounded(count + norm)) * (1 + 0x1p-20f));
            out[i] = (std::max)(
                out[i], in_steps(term, max_count_of_pair == 255 ? 1.0f : (std::min)(1.0f, factor)));
        }
    }
}

/// The number of rows below `row` among n ascending ones. Entries from n up to the next multiple of
/// 8 must not be below it.
[[nodiscard]] inline std::size_t rows_below(
    std::uint32_t const* rows, std::size_t n, std::uint32_t row) noexcept {
    return static_cast<std::size_t>(std::lower_bound(rows, rows + n, row) - rows);
}

/// The number of sums in one group.
inline constexpr std::size_t group_size = 64;

/// Visits the groups of sums whose bits are set: writes the rows, ascending, and the values of the
/// sums above the threshold, and resets every sum of these groups to 0. Row `first_row` belongs to
/// the first sum. Returns how many it wrote.
inline std::size_t take_above(std::int32_t* sums, std::uint64_t groups, std::int32_t threshold,
    std::uint32_t first_row, std::uint32_t* rows, std::int32_t* values) noexcept {
    std::size_t found = 0;
    for (; groups != 0; groups &= groups - 1) {
        auto const first = static_cast<std::size_t>(std::countr_zero(groups)) * group_size;
        for (std::size_t i = first; i < first + group_size; ++i) {
            if (sums[i] > threshold) {
                rows[found] = first_row + static_cast<std::uint32_t>(i);
                values[found++] = sums[i];
            }
            sums[i] = 0;
        }
    }
    return found;
}

/// For each of n rows whose count, a byte, is not 0: adds the contribution of that count, plus the
/// shift, to the row's sum.
inline void add_counts(term_scoring const& term, std::int32_t shift, std::uint8_t const* counts,
    std::uint32_t const* lengths, std::size_t n, std::int32_t* sums) noexcept {
    for (std::size_t i = 0; i < n; ++i) {
        if (counts[i] != 0)
            sums[i] += in_steps(term, tf_factor(term, counts[i], lengths[i])) + shift;
    }
}

/// The number of sums whose maxima are computed side by side.
inline constexpr std::size_t maxima_width = 8;

/// Writes the maximum of each of n / deep groups of `deep` sums. The sums of a group lie eight
/// apart. n is a multiple of 8 deep.
inline void maxima(
    std::int32_t const* sums, std::size_t n, std::size_t deep, std::int32_t* out) noexcept {
    for (std::size_t i = 0; i < n; i += maxima_width * deep, out += maxima_width) {
        std::copy_n(sums + i, maxima_width, out);
        for (std::size_t j = maxima_width; j < maxima_width * deep; ++j) {
            out[j % maxima_width] = (std::max)(out[j % maxima_width], sums[i + j]);
        }
    }
}

} // namespace scalar
} // namespace detail
TRAWL_END_NAMESPACE
