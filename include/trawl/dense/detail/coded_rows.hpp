// SPDX-License-Identifier: MIT
#pragma once

/// Codes of rows, and the estimates that they give.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/dense/detail/vector_encoder.hpp>
#include <trawl/detail/aligned_bytes.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Codes of rows that lie somewhere, and two factors of each row's estimate.
struct coded_view {
    static constexpr std::size_t block = 64; ///< rows that are estimated together

    std::byte const* codes = nullptr;
    std::span<float const> slopes = {};
    std::span<float const> bases = {};

    /// Calls take(row, estimate) for the rows of a group whose estimates are not below `least`.
    void estimate(vector_encoder const& encoder, kernels const& with, coded_query const& q,
        block_group const& group, float least, function_ref<void(std::size_t, float)> take) const;
};

/// A code for each row, and two factors of its estimate.
struct coded_rows {
    static constexpr std::size_t block = coded_view::block;

    aligned_bytes codes = {};
    std::vector<float> slopes = {};
    std::vector<float> bases = {};

    [[nodiscard]] std::size_t size() const noexcept { return slopes.size(); }
    [[nodiscard]] coded_view view() const noexcept { return {codes.data(), slopes, bases}; }

    /// Makes room for `count` rows. If memory runs out, nothing changes.
    void reserve_more(vector_encoder const& encoder, std::size_t count);

    /// Appends rows that there is room for, to be encoded.
    void append(vector_encoder const& encoder, std::size_t count) noexcept;

    /// Codes a row as its difference from `from`.
    void encode(vector_encoder const& encoder, measured_vector const& v,
        std::span<float const> from, std::size_t row, std::span<float> space) noexcept;

    void move(vector_encoder const& encoder, std::size_t from, std::size_t to) noexcept;

    /// Drops the rows from `rows` on and gives back their memory.
    void cut(vector_encoder const& encoder, std::size_t rows) noexcept;
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/dense/detail/coded_rows_inl.hpp>
#endif
