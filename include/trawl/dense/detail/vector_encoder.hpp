// SPDX-License-Identifier: MIT
#pragma once

/// Short codes of vectors, int8 or one bit a dimension, from which scores are estimated quickly.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/dense/detail/rotation.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/dense/vector_code.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct block_group;
struct coded_query;
struct measured_vector;
struct row_line;

/// Codes differences from a centre, so that what all vectors have in common costs no precision.
/// Under cosine, a vector counts at length 1.
///
/// One-bit codes of 32 rows lie together, so that a kernel sums the weights of four bits of all of
/// them by looking them up in a register (detail/simd/scalar/codes.hpp).
class vector_encoder {
public:
    static constexpr std::size_t sample = 256; ///< rows from which the first centre is learnt

    /// @param dim  Dimensions that are coded, the first ones.
    vector_encoder(code_kind kind, std::size_t dim, metric how, std::uint64_t seed);

    /// Dimensions above this would overflow the 32-bit sums of the kernels.
    [[nodiscard]] static std::size_t largest_dim(code_kind kind) noexcept {
        return kind == code_kind::int8 ? 0x7FFFFFFFu / (127 * 127) : 0x7FFFFFFFu / 63;
    }

    [[nodiscard]] code_kind kind() const noexcept { return kind_; }
    [[nodiscard]] std::size_t dim() const noexcept { return dim_; }
    [[nodiscard]] std::span<float const> centre() const noexcept { return centre_; }
    void set_centre(std::span<float const> values) noexcept;
    [[nodiscard]] std::size_t bytes(std::size_t rows) const noexcept;
    /// Floats that encode() needs to work in.
    [[nodiscard]] std::size_t workspace() const noexcept;

    /// The mean of `count` vectors: row(i) for i < count.
    [[nodiscard]] std::vector<float> mean_of(
        std::size_t count, function_ref<measured_vector(std::size_t)> row) const;

    /// Writes the code of a row, as its difference from `from` [dim]: centre(), or a centre of its
    /// own. Its estimates lack constant(query, from).
    /// @param space  [workspace()]
    [[nodiscard]] row_line encode(measured_vector const& v, std::span<float const> from,
        std::byte* codes, std::size_t row, std::span<float> space) const noexcept;

    [[nodiscard]] coded_query encode(measured_vector const& q) const;

    /// The constant that the estimates of all rows coded from this centre lack: the dot product of
    /// query and centre, or minus their squared distance.
    [[nodiscard]] double constant(
        measured_vector const& q, std::span<float const> from) const noexcept;

    /// Copies the code of a row.
    void move(std::byte* codes, std::size_t from, std::size_t to) const noexcept;

    /// Sets the bits of a row's code to 0.
    void clear(std::byte* codes, std::size_t row) const noexcept;

    /// Integer sums of the rows whose bits are set: of bit i of block b, in out[64 * b + i].
    void sums(kernels const& with, coded_query const& q, std::byte const* codes,
        block_group const& group, std::int32_t* out) const noexcept;

private:
    struct difference;

    [[nodiscard]] double value(measured_vector const& v, std::size_t i) const noexcept;
    [[nodiscard]] difference subtract(
        measured_vector const& v, std::span<float const> from, std::span<float> out) const noexcept;
    void encode_int8(coded_query& out, std::span<float const> values) const;
    void encode_bits(coded_query& out, std::span<float const> rotated) const;
    void int8_sums(kernels const& with, coded_query const& q, std::byte const* codes,
        block_group const& group, std::int32_t* out) const noexcept;

    code_kind kind_;
    metric how_;
    std::size_t dim_;
    rotation rotate_;
    std::vector<float> centre_;
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/dense/detail/vector_encoder_inl.hpp>
#endif
