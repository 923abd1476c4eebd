// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of transformer_kernels.hpp: which kernels each level has.

#include <trawl/detail/simd/transformer_kernels.hpp>

#include <string_view>

#include <trawl/detail/simd/avx2/matrix_product.hpp>
#include <trawl/detail/simd/avx2/transformer.hpp>
#include <trawl/detail/simd/avx512/matrix_product.hpp>
#include <trawl/detail/simd/avx512/transformer.hpp>
#include <trawl/detail/simd/neon/matrix_product.hpp>
#include <trawl/detail/simd/scalar/matrix_product.hpp>
#include <trawl/detail/simd/scalar/transformer.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// Plain C++, which every level falls back on for what it has no kernel of its own for.
[[nodiscard]] inline transformer_kernels scalar_transformer_kernels(
    std::string_view name) noexcept {
    return {.name = name,
        .float_matrix_product = scalar::float_matrix_product,
        .int8_matrix_product = scalar::int8_matrix_product,
        .gelu = scalar::gelu,
        .softmax_terms = scalar::softmax_terms,
        .layer_norm = scalar::layer_norm,
        .quantise = scalar::quantise,
        .add = scalar::add,
        .scale = scalar::scale,
        .interleave = scalar::interleave};
}

#if TRAWL_X86_64
[[nodiscard]] inline transformer_kernels avx2_transformer_kernels() noexcept {
    return {.name = "avx2",
        .float_matrix_product = avx2::float_matrix_product,
        .int8_matrix_product = avx2::int8_matrix_product,
        .gelu = avx2::gelu,
        .softmax_terms = avx2::softmax_terms,
        .layer_norm = avx2::layer_norm,
        .quantise = avx2::quantise,
        .add = avx2::add,
        .scale = avx2::scale,
        .interleave = avx2::interleave};
}
#endif

TRAWL_INLINE transformer_kernels transformer_kernels_named(
    std::string_view name, [[maybe_unused]] cpu_features const& cpu) noexcept {
#if TRAWL_X86_64
    if (name == "avx512" && cpu.level_avx512()) {
        auto made = avx2_transformer_kernels();
        made.name = "avx512";
        made.float_matrix_product = avx512::float_matrix_product;
        if (cpu.avx512bw && cpu.avx512vnni) made.int8_matrix_product = avx512::int8_matrix_product;
        made.gelu = avx512::gelu;
        made.softmax_terms = avx512::softmax_terms;
        made.layer_norm = avx512::layer_norm;
        made.quantise = avx512::quantise;
        return made;
    }
    if (name == "avx2" && cpu.level_avx2()) return avx2_transformer_kernels();
    if (name == "scalar" && cpu.fma) {
        auto made = scalar_transformer_kernels(name);
        made.float_matrix_product = scalar_fma::float_matrix_product;
        made.int8_matrix_product = scalar_fma::int8_matrix_product;
        made.gelu = scalar_fma::gelu;
        made.softmax_terms = scalar_fma::softmax_terms;
        made.layer_norm = scalar_fma::layer_norm;
        return made;
    }
#elif TRAWL_ARM64
    if (name == "neon") {
        auto made = scalar_transformer_kernels("neon");
        made.float_matrix_product = neon::float_matrix_product;
        return made;
    }
#endif
    if (name == "scalar" || name == "unfused") return scalar_transformer_kernels(name);
    return {};
}

TRAWL_INLINE transformer_kernels transformer_kernels_named(std::string_view name) noexcept {
    return transformer_kernels_named(name, detect_cpu());
}

TRAWL_INLINE transformer_kernels const& active_transformer_kernels() {
    static transformer_kernels const chosen = transformer_kernels_named(active_kernels().name);
    return chosen;
}

} // namespace detail
TRAWL_END_NAMESPACE
