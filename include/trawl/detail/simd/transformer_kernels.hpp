// SPDX-License-Identifier: MIT
#pragma once

/// The kernels of transformers, in a table of their own: programs without a model do not compile
/// them. The level is that of dispatch.hpp.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/detail/simd/dispatch.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct float_product; // scalar/matrix_product.hpp
struct int8_product;  // scalar/matrix_product.hpp
struct quantised_row; // scalar/transformer.hpp

/// The files of scalar/ specify each kernel.
struct transformer_kernels {
    std::string_view name = {}; ///< of the level

    void (*float_matrix_product)(float_product const& m) noexcept = nullptr;
    void (*int8_matrix_product)(int8_product const& m) noexcept = nullptr;
    void (*gelu)(float* x, std::size_t n) noexcept = nullptr;
    float (*softmax_terms)(float* x, std::size_t n, float scale) noexcept = nullptr;
    void (*layer_norm)(float* x, float const* more, float const* weight, float const* bias,
        float epsilon, std::size_t n) noexcept = nullptr;
    quantised_row (*quantise)(float const* x, std::size_t n, std::int8_t* out) noexcept = nullptr;
    void (*add)(float* x, float const* more, std::size_t n) noexcept = nullptr;
    void (*scale)(float* x, float by, std::size_t n) noexcept = nullptr;
    void (*interleave)(std::uint32_t const* from, std::size_t stride, std::size_t rows,
        std::size_t width, std::uint32_t* to) noexcept = nullptr;
};

/// As kernels_named(): the name of the result is empty if the machine lacks the level.
[[nodiscard]] transformer_kernels transformer_kernels_named(
    std::string_view name, cpu_features const& cpu) noexcept;
[[nodiscard]] transformer_kernels transformer_kernels_named(std::string_view name) noexcept;

/// Those of the level of active_kernels().
/// @throws trawl::error as active_kernels().
[[nodiscard]] transformer_kernels const& active_transformer_kernels();

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/detail/simd/transformer_kernels_inl.hpp>
#endif
