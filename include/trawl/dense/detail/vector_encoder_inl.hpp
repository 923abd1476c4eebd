// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of vector_encoder.hpp.

#include <trawl/dense/detail/vector_encoder.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/dense/detail/coded_query.hpp>
#include <trawl/dense/detail/rotation.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/dense/vector_code.hpp>
#include <trawl/detail/cosine.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>
#include <trawl/detail/simd/dispatch.hpp>
#include <trawl/detail/simd/scalar/codes.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE vector_encoder::vector_encoder(
    code_kind kind, std::size_t dim, metric how, std::uint64_t seed)
    : kind_(kind),
      how_(how),
      dim_(dim),
      rotate_(kind == code_kind::one_bit ? (dim + 63) / 64 * 64 : 0, seed),
      centre_(dim) {}

TRAWL_INLINE void vector_encoder::set_centre(std::span<float const> values) noexcept {
    std::copy(values.begin(), values.end(), centre_.begin());
}

TRAWL_INLINE std::size_t vector_encoder::bytes(std::size_t rows) const noexcept {
    if (kind_ == code_kind::int8) return rows * dim_;
    return (rows + interleaved_rows - 1) / interleaved_rows * interleaved_rows
           * (rotate_.size() / 8);
}

TRAWL_INLINE std::size_t vector_encoder::workspace() const noexcept {
    return kind_ == code_kind::int8 ? dim_ : rotate_.size();
}

TRAWL_INLINE double vector_encoder::value(measured_vector const& v, std::size_t i) const noexcept {
    auto const x = static_cast<double>(v.values[i]);
    return how_ == metric::cosine ? rounded(x * v.inverse_length) : x;
}

TRAWL_INLINE std::vector<float> vector_encoder::mean_of(
    std::size_t count, function_ref<measured_vector(std::size_t)> row) const {
    std::vector<double> sums(dim_);
    for (std::size_t r = 0; r < count; ++r) {
        auto const v = row(r);
        for (std::size_t i = 0; i < dim_; ++i) sums[i] = rounded(sums[i] + value(v, i));
    }
    std::vector<float> mean(dim_);
    for (std::size_t i = 0; i < dim_; ++i)
        mean[i] = narrowed(divided(sums[i], static_cast<double>(count)));
    return mean;
}

// Of v - from.
struct vector_encoder::difference {
    double squared = 0;     // its squared length
    double with_centre = 0; // its dot product with the encoder's centre
    double with_from = 0;   // and with `from`
};

TRAWL_INLINE vector_encoder::difference vector_encoder::subtract(
    measured_vector const& v, std::span<float const> from, std::span<float> out) const noexcept {
    difference made;
    for (std::size_t i = 0; i < dim_; ++i) {
        auto const c = static_cast<double>(from[i]);
        auto const d = rounded(value(v, i) - c);
        out[i] = narrowed(d);
        made.squared = rounded(made.squared + rounded(d * d));
        made.with_centre = rounded(made.with_centre + rounded(d * static_cast<double>(centre_[i])));
        made.with_from = rounded(made.with_from + rounded(d * c));
    }
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(dim_), out.end(), 0.0f);
    return made;
}

// The size of a step of `steps` up to the value of the largest size.
[[nodiscard]] inline double step_of(std::span<float const> values, double steps) noexcept {
    float largest = 0;
    for (auto const x : values) largest = (std::max)(largest, math::fabs(x));
    return divided(static_cast<double>(largest), steps);
}

[[nodiscard]] inline int steps_of(float value, double step) noexcept {
    return step == 0 ? 0
                     : static_cast<int>(math::lround(divided(static_cast<double>(value), step)));
}

TRAWL_INLINE row_line vector_encoder::encode(measured_vector const& v, std::span<float const> from,
    std::byte* codes, std::size_t row, std::span<float> space) const noexcept {
    auto const made = subtract(v, from, space);
    double slope = 0;
    if (kind_ == code_kind::int8) {
        slope = step_of(space, 127);
        auto* const out = codes + row * dim_;
        for (std::size_t i = 0; i < dim_; ++i)
            out[i] = static_cast<std::byte>(static_cast<std::int8_t>(steps_of(space[i], slope)));
    } else {
        constexpr auto half = interleaved_rows / 2;
        rotate_(space);
        auto* out = codes + bytes(row / interleaved_rows * interleaved_rows) + row % half;
        auto const shift = row % interleaved_rows < half ? 0 : 4;
        double total = 0;
        for (std::size_t i = 0; i < rotate_.size(); i += 4, out += half) {
            unsigned bits = 0;
            for (std::size_t j = 0; j < 4; ++j) {
                auto const x = space[i + j];
                if (x > 0) bits |= 1u << j;
                total = rounded(total + static_cast<double>(math::fabs(x)));
            }
            *out = (*out & ~(std::byte{0x0F} << shift)) | (static_cast<std::byte>(bits) << shift);
        }
        slope = total == 0 ? 0.0 : divided(made.squared, total);
    }
    if (how_ != metric::euclidean) return {narrowed(slope), narrowed(made.with_centre)};
    return {narrowed(2 * slope),
        narrowed(2 * rounded(made.with_centre - made.with_from) - made.squared)};
}

TRAWL_INLINE void vector_encoder::encode_int8(
    coded_query& out, std::span<float const> values) const {
    auto const step = step_of(values, 127);
    out.values.resize(dim_);
    for (std::size_t i = 0; i < dim_; ++i)
        out.values[i] = static_cast<std::int16_t>(steps_of(values[i], step));
    out.line.scale = narrowed(step);
}

TRAWL_INLINE void vector_encoder::encode_bits(
    coded_query& out, std::span<float const> rotated_values) const {
    auto const step = step_of(rotated_values, 63); // four weights of 63 fit a byte
    out.tables.resize(rotate_.size() * 4);
    auto* table = out.tables.data();
    std::int64_t all = 0;
    for (std::size_t i = 0; i < rotate_.size(); i += 4, table += 16) {
        // Bits that differ in sign from the query's are weighed.
        for (std::size_t j = 0; j < 4; ++j) {
            auto const x = rotated_values[i + j];
            auto const steps = step == 0 ? 0.0 : divided(static_cast<double>(math::fabs(x)), step);
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
    out.line = {narrowed(-2 * step), narrowed(rounded(step * static_cast<double>(all)))};
}

TRAWL_INLINE coded_query vector_encoder::encode(measured_vector const& q) const {
    std::vector<float> space(workspace());
    static_cast<void>(subtract(q, centre_, space));
    coded_query out;
    if (kind_ == code_kind::int8) {
        encode_int8(out, space);
    } else {
        rotate_(space);
        encode_bits(out, space);
    }
    out.constant = constant(q, centre_);
    return out;
}

TRAWL_INLINE double vector_encoder::constant(
    measured_vector const& q, std::span<float const> from) const noexcept {
    double sum = 0;
    for (std::size_t i = 0; i < dim_; ++i) {
        auto const c = static_cast<double>(from[i]);
        auto const d = rounded(value(q, i) - c);
        sum = rounded(sum + rounded(how_ == metric::euclidean ? -d * d : value(q, i) * c));
    }
    return sum;
}

TRAWL_INLINE void vector_encoder::move(
    std::byte* codes, std::size_t from, std::size_t to) const noexcept {
    if (from == to) return;
    if (kind_ == code_kind::int8) {
        std::copy_n(codes + from * dim_, dim_, codes + to * dim_);
        return;
    }
    constexpr auto half = interleaved_rows / 2;
    auto* read = codes + bytes(from / interleaved_rows * interleaved_rows) + from % half;
    auto* write = codes + bytes(to / interleaved_rows * interleaved_rows) + to % half;
    auto const up = from % interleaved_rows < half ? 0 : 4;
    auto const shift = to % interleaved_rows < half ? 0 : 4;
    for (std::size_t i = 0; i < rotate_.size(); i += 4, read += half, write += half) {
        auto const bits = (*read >> up) & std::byte{0x0F};
        *write = (*write & ~(std::byte{0x0F} << shift)) | (bits << shift);
    }
}

TRAWL_INLINE void vector_encoder::clear(std::byte* codes, std::size_t row) const noexcept {
    if (kind_ == code_kind::int8) {
        std::fill_n(codes + row * dim_, dim_, std::byte{0});
        return;
    }
    constexpr auto half = interleaved_rows / 2;
    auto* out = codes + bytes(row / interleaved_rows * interleaved_rows) + row % half;
    auto const kept = row % interleaved_rows < half ? std::byte{0xF0} : std::byte{0x0F};
    for (std::size_t i = 0; i < rotate_.size(); i += 4, out += half) *out &= kept;
}

TRAWL_INLINE void vector_encoder::int8_sums(kernels const& with, coded_query const& q,
    std::byte const* codes, block_group const& group, std::int32_t* out) const noexcept {
    constexpr auto most = block_group::most * 64;
    std::byte const* rows[most];
    rows[0] = codes; // GCC takes the rows of an empty group for uninitialised
    std::uint32_t places[most];
    std::int32_t found[most];
    std::uint64_t rest[block_group::most] = {};
    std::copy_n(group.bits, group.count, rest);
    std::size_t count = 0;
    for (bool any = true; any;) {
        any = false;
        // a row of each block: as many streams of memory
        for (std::size_t b = 0; b < group.count; ++b) {
            if (rest[b] == 0) continue;
            auto const i = static_cast<std::size_t>(std::countr_zero(rest[b]));
            any |= (rest[b] &= rest[b] - 1) != 0;
            rows[count] = codes + (group.numbers[b] * 64 + i) * dim_;
            places[count++] = static_cast<std::uint32_t>(64 * b + i);
        }
    }
    with.dot_int8_rows(q.values.data(), rows, count, dim_, found);
    for (std::size_t i = 0; i < count; ++i) out[places[i]] = found[i];
}

TRAWL_INLINE void vector_encoder::sums(kernels const& with, coded_query const& q,
    std::byte const* codes, block_group const& group, std::int32_t* out) const noexcept {
    if (kind_ == code_kind::int8) return int8_sums(with, q, codes, group, out);
    for (std::size_t b = 0; b < group.count; ++b) {
        bool const lower = (group.bits[b] & 0xFFFFFFFFu) != 0;
        bool const upper = group.bits[b] >> interleaved_rows != 0;
        auto const first = lower ? 0 : interleaved_rows;
        with.sum_tables(q.tables.data(), codes + bytes(group.numbers[b] * 64 + first),
            (lower ? 1u : 0u) + (upper ? 1u : 0u), rotate_.size() / 4, out + 64 * b + first);
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
