// SPDX-License-Identifier: MIT
#pragma once

/// A linear layer, y = x W^T + b, its weights packed once for the kernels of detail/simd.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/detail/aligned_bytes.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/simd/transformer_kernels.hpp>

TRAWL_BEGIN_NAMESPACE
class safetensors;
enum class weight_type : unsigned char; // models/weight_type.hpp

namespace detail {

/// Rows of numbers, `stride` floats apart.
struct float_rows {
    float* values = nullptr;
    std::size_t stride = 0;
    std::size_t count = 0;

    [[nodiscard]] float* row(std::size_t i) const noexcept { return values + i * stride; }
    [[nodiscard]] float_rows from(std::size_t first, std::size_t rows) const noexcept {
        return {row(first), stride, rows};
    }
};

/// Rows as bytes, of which a layer with int8 weights computes; memory that is used again.
struct byte_rows {
    buffer<std::int8_t> values = {};
    buffer<float> scales = {};
    buffer<std::int32_t> sums = {};
};

/// The floats that a row of `width` values needs where a layer writes it, a multiple of 16; and 16
/// more, so that rows do not fall on the same lines of a cache.
[[nodiscard]] constexpr std::size_t padded_width(std::size_t width) noexcept {
    return (width + 15) / 16 * 16 + 16;
}

class linear_layer {
public:
    /// None.
    linear_layer() = default;

    /// Reads [out x in] weights NAME.weight and [out] biases NAME.bias for each of the names, whose
    /// outputs follow each other.
    /// @throws trawl::error (corrupt) naming the file, the tensor and both shapes.
    linear_layer(safetensors const& file, std::span<std::string_view const> names, std::size_t in,
        std::size_t out, weight_type type, bool with_bias = true);

    [[nodiscard]] std::size_t in() const noexcept { return in_; }
    [[nodiscard]] std::size_t out() const noexcept { return out_; }

    /// Writes x W^T + b to y, whose rows have room for padded_width(out()) floats.
    void apply(transformer_kernels const& run, float_rows x, float_rows y, byte_rows& bytes) const;

private:
    [[nodiscard]] std::size_t panels() const noexcept { return (out_ + 15) / 16; }
    void pack(transformer_kernels const& run, float const* sixteen, std::size_t panel);

    std::size_t in_ = 0;
    std::size_t out_ = 0;
    bool int8_ = false;
    aligned_bytes packed_;      // panels of 16 outputs
    buffer<float> scales_ = {}; // of the outputs, if weights are bytes
    buffer<float> biases_ = {};
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/linear_layer_inl.hpp>
#endif
