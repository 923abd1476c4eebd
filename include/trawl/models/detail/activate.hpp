// SPDX-License-Identifier: MIT
#pragma once

/// The activation functions but GELU, which has a kernel. They have the same bits on every machine.

#include <cstddef>

#include <trawl/config.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>
#include <trawl/detail/simd/scalar/transformer.hpp>
#include <trawl/detail/simd/transformer_kernels.hpp>
#include <trawl/models/model_folder.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Within 2e-7.
[[nodiscard]] inline float tanh_of(float x) noexcept {
    auto const size = math::fabs(x);
    auto const power = scalar::exp_of(rounded(2.0f * (size < 10 ? size : 10.0f)));
    auto const value = rounded(1.0f - divided(2.0f, rounded(power + 1.0f)));
    return x < 0 ? -value : value;
}

/// x / (1 + e^-x)
[[nodiscard]] inline float silu_of(float x) noexcept {
    auto const power = scalar::exp_of(x < -80 ? 80.0f : -x);
    return divided(x, rounded(1.0f + power));
}

[[nodiscard]] inline float gelu_tanh_of(float x) noexcept {
    constexpr float root = 0.79788456080286536f; // sqrt(2 / pi)
    auto const cube = rounded(rounded(x * x) * x);
    auto const inner = rounded(root * rounded(x + rounded(0.044715f * cube)));
    auto const half = rounded(0.5f * x);
    return math::fma(half, tanh_of(inner), half);
}

/// Replaces n values by what the function makes of them.
inline void activate(
    transformer_kernels const& run, activation function, float* x, std::size_t n) noexcept {
    auto const each = [&](auto const& of) {
        for (std::size_t i = 0; i < n; ++i) x[i] = of(x[i]);
    };
    switch (function) {
    case activation::gelu:
        return run.gelu(x, n);
    case activation::gelu_tanh:
        return each(gelu_tanh_of);
    case activation::relu:
        return each([](float v) { return v > 0 ? v : 0.0f; });
    case activation::silu:
        return each(silu_of);
    case activation::tanh:
        return each(tanh_of);
    case activation::identity:
        return;
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
