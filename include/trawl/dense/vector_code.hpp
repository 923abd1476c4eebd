// SPDX-License-Identifier: MIT
#pragma once

/// Short codes of vectors, from which scores can be estimated quickly: int8, and one bit a
/// dimension.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <trawl/dense/detail/rotation.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/simd/dispatch.hpp>
#include <trawl/detail/simd/scalar/codes.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// What a row's code adds to the estimate of a score: see estimate_line.
struct row_line {
    float slope = 0;
    float base = 0;
};

/// A question, coded. `constant` is what every score has in common and the estimates leave out.
struct coded_query {
    std::vector<std::int16_t> values = {};
    std::vector<std::uint8_t> tables = {};
    estimate_line line = {};
    double constant = 0;
};

/// Blocks of 64 rows that are estimated together, and which of their rows.
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

[[nodiscard]] inline double squared_length(measured_vector const& v) noexcept {
    return v.inverse_length == 0 ? 0 : rounded(1 / rounded(v.inverse_length * v.inverse_length));
}

} // namespace detail

/// One byte a dimension: value / (largest size of a value / 127), rounded. Estimates are integer
/// dot products, scaled.
class int8_code {
public:
    static constexpr char const* name = "int8";
    static constexpr std::size_t candidates = 100; ///< rescored, unless told otherwise
    static constexpr std::size_t sample = 0;       ///< rows to be seen before the first is coded
    static constexpr std::size_t streams = detail::block_group::most; ///< places read at once

    int8_code(std::size_t dim, metric how, std::uint64_t) : dim_(dim), how_(how) {}

    [[nodiscard]] std::size_t bytes(std::size_t rows) const noexcept { return rows * dim_; }
    void learn(std::span<detail::measured_vector const>) {}
    [[nodiscard]] std::span<float const> centre() const noexcept { return {}; }
    void centre(std::span<float const>) {}

    /// Writes the code of row number `row`.
    [[nodiscard]] detail::row_line encode(
        detail::measured_vector const& v, std::byte* codes, std::size_t row) const {
        auto* const out = codes + row * dim_;
        auto const step = quantise(v.values, [&](std::size_t i, int value) {
            out[i] = static_cast<std::byte>(static_cast<std::int8_t>(value));
        });
        switch (how_) {
        case metric::cosine:
            return {detail::narrowed(detail::rounded(step * v.inverse_length)), 0};
        case metric::dot_product:
            return {detail::narrowed(step), 0};
        case metric::euclidean:
            break;
        }
        return {detail::narrowed(2 * step), detail::narrowed(-detail::squared_length(v))};
    }

    [[nodiscard]] detail::coded_query encode(detail::measured_vector const& q) const {
        detail::coded_query out{.values = std::vector<std::int16_t>(dim_)};
        auto const step = quantise(q.values,
            [&](std::size_t i, int value) { out.values[i] = static_cast<std::int16_t>(value); });
        out.line.scale = detail::narrowed(
            how_ == metric::cosine ? detail::rounded(step * q.inverse_length) : step);
        if (how_ == metric::euclidean) out.constant = -detail::squared_length(q);
        return out;
    }

    void move(std::byte* codes, std::size_t from, std::size_t to) const noexcept {
        std::copy_n(codes + from * dim_, dim_, codes + to * dim_);
    }

    /// The sums of the rows whose bits are set: of bit i of block b, in out[64 * b + i].
    void sums(detail::kernels const& with, detail::coded_query const& q, std::byte const* codes,
        detail::block_group group, std::int32_t* out) const noexcept {
        std::byte const* rows[detail::block_group::most * 64];
        std::uint32_t places[detail::block_group::most * 64];
        std::int32_t found[detail::block_group::most * 64];
        std::size_t count = 0;
        for (bool any = true; any;) {
            any = false;
            // a row of each block: as many streams of memory
            for (std::size_t b = 0; b < group.count; ++b) {
                auto& bits = group.bits[b];
                if (bits == 0) continue;
                auto const i = static_cast<std::size_t>(std::countr_zero(bits));
                any |= (bits &= bits - 1) != 0;
                rows[count] = codes + (group.numbers[b] * 64 + i) * dim_;
                places[count++] = static_cast<std::uint32_t>(64 * b + i);
            }
        }
        with.dot_int8_rows(q.values.data(), rows, count, dim_, found);
        for (std::size_t i = 0; i < count; ++i) out[places[i]] = found[i];
    }

private:
    template <class Put>
    double quantise(float const* v, Put&& put) const noexcept {
        float largest = 0;
        for (std::size_t i = 0; i < dim_; ++i) largest = (std::max)(largest, std::fabs(v[i]));
        auto const step = detail::divided(static_cast<double>(largest), 127.0);
        for (std::size_t i = 0; i < dim_; ++i) {
            auto const value =
                largest == 0 ? 0.0 : detail::divided(static_cast<double>(v[i]), step);
            put(i, static_cast<int>(std::lround(value)));
        }
        return step;
    }

    std::size_t dim_;
    metric how_;
};

/// One bit a dimension and two factors: the signs of the vector's difference from a centre, rotated
/// at random, from which its dot product with a query is estimated without bias. The query is coded
/// with a sign and six bits a dimension. The centre is the mean of the first 256 rows.
///
/// The codes of 32 rows lie together, so that a kernel sums the weights of four bits of all of them
/// by looking them up in a register (detail/simd/scalar/codes.hpp).
/// @par Source Gao, Long, "RaBitQ: quantizing high-dimensional vectors with a theoretical error
/// bound for approximate nearest neighbor search", SIGMOD 2024; André, Kermarrec, Le Scouarnec,
/// "Cache locality is not enough: high-performance nearest neighbor search with product
/// quantization fast scan", VLDB 2015.
class one_bit_code {
public:
    static constexpr char const* name = "one_bit";
    static constexpr std::size_t candidates = 400;
    static constexpr std::size_t sample = 256;
    static constexpr std::size_t streams = 1; // four take a fifth longer

    one_bit_code(std::size_t dim, metric how, std::uint64_t seed)
        : dim_(dim), how_(how), rotate_((dim + 63) / 64 * 64, seed), centre_(dim) {}

    [[nodiscard]] std::size_t bytes(std::size_t rows) const noexcept {
        return (rows + interleaved - 1) / interleaved * interleaved * (rotate_.size() / 8);
    }

    /// Takes the mean of the rows, of unit length under cosine, as the centre.
    void learn(std::span<detail::measured_vector const> rows) {
        std::vector<double> mean(dim_);
        for (auto const& row : rows) {
            for (std::size_t i = 0; i < dim_; ++i)
                mean[i] = detail::rounded(mean[i] + value(row, i));
        }
        for (std::size_t i = 0; i < dim_; ++i)
            centre_[i] =
                detail::narrowed(detail::divided(mean[i], static_cast<double>(rows.size())));
    }

    [[nodiscard]] std::span<float const> centre() const noexcept { return centre_; }
    void centre(std::span<float const> values) { centre_.assign(values.begin(), values.end()); }

    [[nodiscard]] detail::row_line encode(
        detail::measured_vector const& v, std::byte* codes, std::size_t row) const {
        return encode(v, centre_, codes, row);
    }

    /// The same for a row that is coded from a centre [dim] of its own; its estimates lack
    /// constant(query, that centre).
    [[nodiscard]] detail::row_line encode(detail::measured_vector const& v,
        std::span<float const> from, std::byte* codes, std::size_t row) const {
        auto const parts = turned(v, from);
        auto* out = codes + bytes(row / interleaved * interleaved) + row % half;
        auto const shift = row % interleaved < half ? 0 : 4;
        double total = 0;
        for (std::size_t i = 0; i < rotate_.size(); i += 4, out += half) {
            unsigned bits = 0;
            for (std::size_t j = 0; j < 4; ++j) {
                auto const x = parts.rotated[i + j];
                if (x > 0) bits |= 1u << j;
                total = detail::rounded(total + static_cast<double>(std::fabs(x)));
            }
            *out = (*out & ~(std::byte{0x0F} << shift)) | (static_cast<std::byte>(bits) << shift);
        }
        auto const slope = total == 0 ? 0.0 : detail::divided(parts.squared, total);
        if (how_ != metric::euclidean)
            return {detail::narrowed(slope), detail::narrowed(parts.with_centre)};
        return {detail::narrowed(2 * slope),
            detail::narrowed(
                2 * detail::rounded(parts.with_centre - parts.with_from) - parts.squared)};
    }

    [[nodiscard]] detail::coded_query encode(detail::measured_vector const& q) const {
        auto const parts = turned(q, centre_);
        constexpr auto most = 63; // four of them fit a byte
        float largest = 0;
        for (auto const x : parts.rotated) largest = (std::max)(largest, std::fabs(x));
        auto const step = detail::divided(static_cast<double>(largest), static_cast<double>(most));
        detail::coded_query out{.tables = std::vector<std::uint8_t>(rotate_.size() * 4)};
        auto* table = out.tables.data();
        std::int64_t all = 0;
        for (std::size_t i = 0; i < rotate_.size(); i += 4, table += 16) {
            // Bits that differ in sign from the query's are weighed.
            for (std::size_t j = 0; j < 4; ++j) {
                auto const x = parts.rotated[i + j];
                auto const steps =
                    largest == 0 ? 0.0 : detail::divided(static_cast<double>(std::fabs(x)), step);
                // NOLINTNEXTLINE: to the nearest, of what is not below 0; lround is a call
                auto const weight = static_cast<int>(steps + 0.5);
                all += weight;
                for (std::size_t bits = 0; bits < std::size_t{1} << j; ++bits) {
                    auto const other = bits | std::size_t{1} << j;
                    table[other] = table[bits];
                    auto& differs = table[x > 0 ? bits : other];
                    differs = static_cast<std::uint8_t>(differs + weight);
                }
            }
        }
        // The sum of signed weights: all of them less twice those where the signs differ.
        out.line = {detail::narrowed(-2 * step),
            detail::narrowed(detail::rounded(step * static_cast<double>(all)))};
        out.constant = constant(q, centre_);
        return out;
    }

    /// What the estimates of all rows coded from this centre lack: the dot product of query and
    /// centre, or minus their squared distance.
    [[nodiscard]] double constant(
        detail::measured_vector const& q, std::span<float const> from) const {
        double sum = 0;
        for (std::size_t i = 0; i < dim_; ++i) {
            auto const c = static_cast<double>(from[i]);
            auto const difference = detail::rounded(value(q, i) - c);
            sum = detail::rounded(
                sum
                + detail::rounded(
                    how_ == metric::euclidean ? -difference * difference : value(q, i) * c));
        }
        return sum;
    }

    void move(std::byte* codes, std::size_t from, std::size_t to) const noexcept {
        auto* read = codes + bytes(from / interleaved * interleaved) + from % half;
        auto* write = codes + bytes(to / interleaved * interleaved) + to % half;
        auto const up = from % interleaved < half ? 0 : 4;
        auto const shift = to % interleaved < half ? 0 : 4;
        for (std::size_t i = 0; i < rotate_.size(); i += 4, read += half, write += half) {
            auto const bits = (*read >> up) & std::byte{0x0F};
            *write = (*write & ~(std::byte{0x0F} << shift)) | (bits << shift);
        }
    }

    /// The sums of the rows whose bits are set: of bit i of block b, in out[64 * b + i].
    void sums(detail::kernels const& with, detail::coded_query const& q, std::byte const* codes,
        detail::block_group const& group, std::int32_t* out) const noexcept {
        for (std::size_t b = 0; b < group.count; ++b) {
            bool const lower = (group.bits[b] & 0xFFFFFFFFu) != 0;
            bool const upper = group.bits[b] >> interleaved != 0;
            auto const first = lower ? 0 : interleaved;
            with.sum_tables(q.tables.data(), codes + bytes(group.numbers[b] * 64 + first),
                (lower ? 1u : 0u) + (upper ? 1u : 0u), rotate_.size() / 4, out + 64 * b + first);
        }
    }

private:
    static constexpr std::size_t interleaved = detail::interleaved_rows;
    static constexpr std::size_t half = interleaved / 2;

    struct turned_vector {
        std::vector<float> rotated;
        double squared = 0;     // length of the difference from `from`
        double with_centre = 0; // dot product of that difference and the centre
        double with_from = 0;   // of that difference and `from`
    };

    [[nodiscard]] double value(detail::measured_vector const& v, std::size_t i) const noexcept {
        auto const x = static_cast<double>(v.values[i]);
        return how_ == metric::cosine ? detail::rounded(x * v.inverse_length) : x;
    }

    [[nodiscard]] turned_vector turned(
        detail::measured_vector const& v, std::span<float const> from) const {
        turned_vector out{.rotated = std::vector<float>(rotate_.size())};
        for (std::size_t i = 0; i < dim_; ++i) {
            auto const c = static_cast<double>(from[i]);
            auto const difference = detail::rounded(value(v, i) - c);
            out.rotated[i] = detail::narrowed(difference);
            out.squared = detail::rounded(out.squared + detail::rounded(difference * difference));
            out.with_centre = detail::rounded(
                out.with_centre + detail::rounded(difference * static_cast<double>(centre_[i])));
            out.with_from = detail::rounded(out.with_from + detail::rounded(difference * c));
        }
        rotate_(out.rotated);
        return out;
    }

    std::size_t dim_;
    metric how_;
    detail::rotation rotate_;
    std::vector<float> centre_;
};

TRAWL_END_NAMESPACE
