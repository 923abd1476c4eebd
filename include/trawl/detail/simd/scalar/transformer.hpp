// SPDX-License-Identifier: MIT
#pragma once

/// The steps of a transformer between its matrix products, in plain C++. They specify the bits that
/// the kernels of every instruction set must give: sums have 16 lanes and the tree of
/// scalar/vectors.hpp, products are fused where fma is written and else rounded.

#include <bit>
#include <cstddef>
#include <cstdint>

#include <trawl/config.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A row of numbers as bytes: x[i] is about the byte * scale.
struct quantised_row {
    float scale = 0;
    std::int32_t sum = 0; ///< of the bytes
};

/// Coefficients that the kernels of all levels share.
struct transformer_constants {
    static constexpr float integer_shift = 12582912.0f; ///< 1.5 * 2^23: rounds to an integer

    // e^r for |r| <= ln 2 / 2, as the Cephes library's expf, within 2 units in the last place
    static constexpr float least_exponent = -87.0f; ///< below it, that of this is returned
    static constexpr float log2_e = 1.44269504088896341f;
    static constexpr float ln2_high = 0.693359375f;
    static constexpr float ln2_low = -2.12194440e-4f;
    static constexpr float exp_terms[6] = {1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f,
        4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f};

    // erf(z) = z p(z^2) / q(z^2) for |z| <= 4 within 1.9e-7, as Eigen's generic_fast_erf
    static constexpr float half_root = 0.70710678118654752f;
    static constexpr float erf_end = 4.0f;
    static constexpr float erf_p[7] = {-2.72614225801306e-10f, 2.77068142495902e-08f,
        -2.10102402082508e-06f, -5.69250639462346e-05f, -7.34990630326855e-04f,
        -2.95459980854025e-03f, -1.60960333262415e-02f};
    static constexpr float erf_q[5] = {-1.45660718464996e-05f, -2.13374055278905e-04f,
        -1.68282697438203e-03f, -7.37332916720468e-03f, -1.42647390514189e-02f};
};

} // namespace detail
TRAWL_END_NAMESPACE

TRAWL_BEGIN_NAMESPACE
namespace detail::scalar {

/// e^x, for x at most 88.
[[nodiscard]] TRAWL_ALWAYS_INLINE float exp_of(float x) noexcept {
    using c = transformer_constants;
    x = x > c::least_exponent ? x : c::least_exponent;
    auto const shifted = math::fma(x, c::log2_e, c::integer_shift);
    auto const whole = rounded(rounded(shifted) - c::integer_shift);
    auto const r = math::fma(whole, -c::ln2_low, math::fma(whole, -c::ln2_high, x));
    auto p = c::exp_terms[0];
    for (std::size_t i = 1; i < 6; ++i) p = math::fma(p, r, c::exp_terms[i]);
    auto const y = rounded(math::fma(p, rounded(r * r), r) + 1.0f);
    return std::bit_cast<float>(
        std::bit_cast<std::uint32_t>(y) + (std::bit_cast<std::uint32_t>(shifted) << 23));
}

/// x * Phi(x), Phi the distribution function of the normal distribution: within 2e-7 max(1, |x|).
[[nodiscard]] TRAWL_ALWAYS_INLINE float gelu_of(float x) noexcept {
    using c = transformer_constants;
    auto z = rounded(x * c::half_root);
    z = z > -c::erf_end ? z : -c::erf_end;
    z = z < c::erf_end ? z : c::erf_end;
    auto const square = rounded(z * z);
    auto p = c::erf_p[0];
    for (std::size_t i = 1; i < 7; ++i) p = math::fma(p, square, c::erf_p[i]);
    auto q = c::erf_q[0];
    for (std::size_t i = 1; i < 5; ++i) q = math::fma(q, square, c::erf_q[i]);
    auto erf = divided(rounded(p * z), q);
    erf = erf > -1.0f ? erf : -1.0f;
    erf = erf < 1.0f ? erf : 1.0f;
    auto const half = rounded(0.5f * x);
    return math::fma(half, erf, half);
}

/// Replaces each x by x * Phi(x).
TRAWL_ALWAYS_INLINE void gelu_all(float* x, std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i) x[i] = gelu_of(x[i]);
}

/// The sum of 16 lanes: l and l + 8, l and l + 4, l and l + 2, l and l + 1.
[[nodiscard]] TRAWL_ALWAYS_INLINE float sum_of_lanes(float* lane) noexcept {
    for (std::size_t half = 8; half > 0; half /= 2) {
        for (std::size_t l = 0; l < half; ++l) lane[l] = rounded(lane[l] + lane[l + half]);
    }
    return lane[0];
}

/// Replaces x[i] by e^(scale * (x[i] - the largest x)). Returns the sum of them, n >= 1. What is
/// behind them, up to a multiple of 16, may change.
[[nodiscard]] TRAWL_ALWAYS_INLINE float exponentials(
    float* x, std::size_t n, float scale) noexcept {
    auto largest = x[0];
    for (std::size_t i = 1; i < n; ++i) largest = x[i] > largest ? x[i] : largest;
    float lane[16] = {};
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = exp_of(rounded(rounded(x[i] - largest) * scale));
        lane[i % 16] = rounded(lane[i % 16] + x[i]);
    }
    return sum_of_lanes(lane);
}

/// 1 / sqrt(squares / count + epsilon).
[[nodiscard]] TRAWL_ALWAYS_INLINE float layer_scale(
    float squares, float count, float epsilon) noexcept {
    auto const variance = static_cast<double>(rounded(divided(squares, count) + epsilon));
    // Hidden from the compiler, which would make it a root of floats, and that an estimate.
    auto const root = rounded(math::sqrt(rounded(variance)));
    return divided(1.0f, static_cast<float>(root));
}

/// Adds `more` to x, unless it is null; then replaces x by (x - mean) / sqrt(variance + epsilon) *
/// weight + bias.
TRAWL_ALWAYS_INLINE void normalise_layer(float* x, float const* more, float const* weight,
    float const* bias, float epsilon, std::size_t n) noexcept {
    float lane[16] = {};
    for (std::size_t i = 0; i < n; ++i) {
        if (more != nullptr) x[i] = rounded(x[i] + more[i]);
        lane[i % 16] = rounded(lane[i % 16] + x[i]);
    }
    auto const count = static_cast<float>(n);
    auto const mean = divided(sum_of_lanes(lane), count);
    for (auto& l : lane) l = 0;
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = rounded(x[i] - mean);
        lane[i % 16] = math::fma(x[i], x[i], lane[i % 16]);
    }
    auto const scale = layer_scale(sum_of_lanes(lane), count, epsilon);
    for (std::size_t i = 0; i < n; ++i) x[i] = math::fma(rounded(x[i] * scale), weight[i], bias[i]);
}

/// The largest of `least` and all |x[i]|.
[[nodiscard]] TRAWL_ALWAYS_INLINE float largest_size(
    float const* x, std::size_t n, float least) noexcept {
    for (std::size_t i = 0; i < n; ++i) {
        auto const size = math::fabs(x[i]);
        least = size > least ? size : least;
    }
    return least;
}

struct byte_scale {
    float factor = 0; ///< of a number that becomes a byte
    float scale = 0;  ///< of a byte that becomes a number
};

[[nodiscard]] TRAWL_ALWAYS_INLINE byte_scale byte_scaling(float largest) noexcept {
    return {largest > 1e-30f ? divided(127.0f, largest) : 0.0f, divided(largest, 127.0f)};
}

/// Writes the bytes from place `first` on, and zeros up to a multiple of 4. Returns their sum.
[[nodiscard]] TRAWL_ALWAYS_INLINE std::int32_t quantise_rest(
    float const* x, std::size_t first, std::size_t n, float factor, std::int8_t* out) noexcept {
    std::int32_t sum = 0;
    for (auto i = first; i < n; ++i) {
        auto const shifted = rounded(rounded(x[i] * factor) + transformer_constants::integer_shift);
        out[i] = static_cast<std::int8_t>(std::bit_cast<std::uint32_t>(shifted) & 0xFFu);
        sum += out[i];
    }
    for (; n % 4 != 0; ++n) out[n] = 0;
    return sum;
}

/// x[i] += more[i]
TRAWL_ALWAYS_INLINE void add_all(float* x, float const* more, std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i) x[i] = rounded(x[i] + more[i]);
}

/// x[i] *= by
TRAWL_ALWAYS_INLINE void scale_all(float* x, float by, std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i) x[i] = rounded(x[i] * by);
}

/// Interleaves rows, sixteen by sixteen: word i of row r goes to place 16 (width * (r / 16) + i) +
/// r % 16. The last group is filled with rows of zeros. Rows are `stride` words apart.
inline void interleave(std::uint32_t const* from, std::size_t stride, std::size_t rows,
    std::size_t width, std::uint32_t* to) noexcept {
    for (std::size_t r = 0; r < (rows + 15) / 16 * 16; ++r) {
        auto* const at = to + r / 16 * 16 * width + r % 16;
        for (std::size_t i = 0; i < width; ++i) at[16 * i] = r < rows ? from[r * stride + i] : 0;
    }
}

inline void gelu(float* x, std::size_t n) noexcept { gelu_all(x, n); }
inline float softmax_terms(float* x, std::size_t n, float scale) noexcept {
    return exponentials(x, n, scale);
}
inline void layer_norm(float* x, float const* more, float const* weight, float const* bias,
    float epsilon, std::size_t n) noexcept {
    normalise_layer(x, more, weight, bias, epsilon, n);
}
/// Writes x[i] * 127 / the largest |x|, rounded to the nearest integer, ties to even; then zeros up
/// to a multiple of 4.
[[nodiscard]] inline quantised_row quantise(
    float const* x, std::size_t n, std::int8_t* out) noexcept {
    auto const scaling = byte_scaling(largest_size(x, n, 0));
    return {scaling.scale, quantise_rest(x, 0, n, scaling.factor, out)};
}
inline void add(float* x, float const* more, std::size_t n) noexcept { add_all(x, more, n); }
inline void scale(float* x, float by, std::size_t n) noexcept { scale_all(x, by, n); }

} // namespace detail::scalar
TRAWL_END_NAMESPACE

#if TRAWL_X86_64
TRAWL_BEGIN_NAMESPACE
namespace detail::scalar_fma {

// The same kernels, compiled for the FMA instruction of x86.
TRAWL_TARGET("fma")
inline void gelu(float* x, std::size_t n) noexcept { scalar::gelu_all(x, n); }
TRAWL_TARGET("fma")
inline float softmax_terms(float* x, std::size_t n, float scale) noexcept {
    return scalar::exponentials(x, n, scale);
}
TRAWL_TARGET("fma")
inline void layer_norm(float* x, float const* more, float const* weight, float const* bias,
    float epsilon, std::size_t n) noexcept {
    scalar::normalise_layer(x, more, weight, bias, epsilon, n);
}

} // namespace detail::scalar_fma
TRAWL_END_NAMESPACE
#endif
