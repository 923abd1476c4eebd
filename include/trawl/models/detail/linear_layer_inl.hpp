// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of linear_layer.hpp.

#include <trawl/models/detail/linear_layer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include <trawl/detail/simd/scalar/matrix_product.hpp>
#include <trawl/detail/simd/scalar/transformer.hpp>
#include <trawl/error.hpp>
#include <trawl/models/safetensors.hpp>
#include <trawl/models/weight_type.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// The bytes of a row whose values are padded to a multiple of 4.
[[nodiscard]] constexpr std::size_t whole_words(std::size_t width) noexcept {
    return (width + 3) / 4 * 4;
}

TRAWL_INLINE linear_layer::linear_layer(safetensors const& file,
    std::span<std::string_view const> names, std::size_t in, std::size_t out, weight_type type,
    bool with_bias)
    : in_(in), out_(out * names.size()), int8_(type == weight_type::int8) {
    auto const& run = active_transformer_kernels();
    std::size_t const weight_shape[] = {out, in};
    std::size_t const bias_shape[] = {out};
    // All shapes first: a size that no tensor has must not be allocated.
    for (auto const name : names)
        static_cast<void>(file.tensor(std::string(name) + ".weight", weight_shape));
    constexpr std::size_t most_int8 = 66'000; // whose sums of products stay below 2^31
    if (int8_ && in > most_int8)
        fail(errc::invalid_argument, join(file.path(), ": a layer has ", in,
                                         " inputs, int8 weights allow at most ", most_int8));
    auto const panel = panel_width * (int8_ ? whole_words(in) : in * sizeof(float));
    packed_.reserve_more(panels() * panel);
    packed_.append(panels() * panel);
    biases_.resize(panels() * panel_width, 0.0f);
    if (int8_) scales_.resize(panels() * panel_width, 0.0f);

    buffer<float> sixteen(panel_width * in);
    std::size_t row = 0;
    for (auto const name : names) {
        auto const weights = file.floats(std::string(name) + ".weight", weight_shape);
        if (with_bias)
            copy_floats(
                file.floats(std::string(name) + ".bias", bias_shape), {biases_.data() + row, out});
        auto const row_bytes = weights.bytes.size() / out;
        for (std::size_t r = 0; r < out;) {
            auto const count = (std::min)(out - r, panel_width - row % panel_width);
            std::size_t const shape[] = {count, in};
            copy_floats(
                {weights.type, shape, weights.bytes.subspan(r * row_bytes, count * row_bytes)},
                {sixteen.data() + row % panel_width * in, count * in});
            r += count;
            row += count;
            if (row % panel_width == 0) pack(run, sixteen.data(), row / panel_width - 1);
        }
    }
    if (auto const rest = row % panel_width; rest != 0) {
        std::fill(sixteen.data() + rest * in, sixteen.end(), 0.0f);
        pack(run, sixteen.data(), row / panel_width);
    }
}

TRAWL_INLINE void linear_layer::pack(
    transformer_kernels const& run, float const* sixteen, std::size_t panel) {
    if (!int8_) {
        run.interleave(reinterpret_cast<std::uint32_t const*>(sixteen), in_, panel_width, in_,
            reinterpret_cast<std::uint32_t*>(packed_.data()) + panel * panel_width * in_);
        return;
    }
    auto const width = whole_words(in_);
    buffer<std::uint32_t> words(panel_width * width / 4);
    for (std::size_t r = 0; r < panel_width; ++r) {
        auto* const bytes = reinterpret_cast<std::int8_t*>(words.data()) + r * width;
        scales_[panel * panel_width + r] = run.quantise(sixteen + r * in_, in_, bytes).scale;
    }
    for (auto& word : words) word ^= 0x80808080u; // 128 more, modulo 256
    run.interleave(words.data(), width / 4, panel_width, width / 4,
        reinterpret_cast<std::uint32_t*>(packed_.data()) + panel * panel_width * width / 4);
}

TRAWL_INLINE void linear_layer::apply(
    transformer_kernels const& run, float_rows x, float_rows y, byte_rows& bytes) const {
    // Blocks of rows and of the inner dimension that stay in a processor's second cache.
    constexpr std::size_t most_rows = 256;
    constexpr std::size_t most_depth = 512;
    if (int8_) {
        auto const width = whole_words(in_);
        auto const stride = width + 64;
        auto const room = (std::min)(most_rows, x.count);
        if (bytes.values.size() < room * stride) bytes.values.resize(room * stride);
        if (bytes.scales.size() < room) {
            bytes.scales.resize(room);
            bytes.sums.resize(room);
        }
        for (std::size_t r = 0; r < x.count; r += most_rows) {
            auto const rows = (std::min)(most_rows, x.count - r);
            for (std::size_t i = 0; i < rows; ++i) {
                auto const row = run.quantise(x.row(r + i), in_, bytes.values.data() + i * stride);
                bytes.scales[i] = row.scale;
                bytes.sums[i] = row.sum;
            }
            run.int8_matrix_product({.a = bytes.values.data(),
                .a_stride = stride,
                .a_scales = bytes.scales.data(),
                .a_sums = bytes.sums.data(),
                .b = reinterpret_cast<std::uint8_t const*>(packed_.data()),
                .b_panel = panel_width * width,
                .b_scales = scales_.data(),
                .bias = biases_.data(),
                .c = y.row(r),
                .c_stride = y.stride,
                .rows = rows,
                .panels = panels(),
                .depth = width});
        }
        return;
    }
    auto const blocks = (in_ + most_depth - 1) / most_depth;
    for (std::size_t r = 0; r < x.count; r += most_rows) {
        for (std::size_t b = 0; b < blocks; ++b) {
            auto const first = b * in_ / blocks;
            run.float_matrix_product({.a = x.row(r) + first,
                .a_stride = x.stride,
                .b = reinterpret_cast<float const*>(packed_.data()) + first * panel_width,
                .b_panel = panel_width * in_,
                .c = y.row(r),
                .c_stride = y.stride,
                .bias = biases_.data(),
                .rows = (std::min)(most_rows, x.count - r),
                .panels = panels(),
                .depth = (b + 1) * in_ / blocks - first,
                .add = b > 0});
        }
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
