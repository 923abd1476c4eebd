// SPDX-License-Identifier: MIT
#pragma once

/// The steps of a transformer between its matrix products, with AVX-512F.
/// scalar/transformer.hpp says what they compute.

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <cstddef>
#include <cstdint>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>
#include <trawl/detail/simd/avx512/floating_point.hpp>
#include <trawl/detail/simd/scalar/transformer.hpp>
#include <trawl/detail/simd/x86/instructions.hpp>

// Intrinsics of GCC start from registers that they leave uninitialised on purpose.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

TRAWL_BEGIN_NAMESPACE
namespace detail::avx512 {

using namespace x86;

TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 polynomial(m512 sum, m512 x, float const* terms, std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i) sum = mm512_fmadd_ps(sum, x, mm512_set1_ps(terms[i]));
    return sum;
}

TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 exp_of(m512 x) noexcept {
    using c = transformer_constants;
    auto const shift = mm512_set1_ps(c::integer_shift);
    x = mm512_max_ps(x, mm512_set1_ps(c::least_exponent));
    auto const shifted = rounded(mm512_fmadd_ps(x, mm512_set1_ps(c::log2_e), shift));
    auto const whole = rounded(mm512_sub_ps(shifted, shift));
    auto const r = mm512_fmadd_ps(
        whole, mm512_set1_ps(-c::ln2_low), mm512_fmadd_ps(whole, mm512_set1_ps(-c::ln2_high), x));
    auto const p = polynomial(mm512_set1_ps(c::exp_terms[0]), r, c::exp_terms + 1, 5);
    auto const y = rounded(
        mm512_add_ps(mm512_fmadd_ps(p, rounded(mm512_mul_ps(r, r)), r), mm512_set1_ps(1.0f)));
    return mm512_castsi512_ps(
        mm512_add_epi32(mm512_castps_si512(y), mm512_slli_epi32<23>(mm512_castps_si512(shifted))));
}

TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 gelu_of(m512 x) noexcept {
    using c = transformer_constants;
    auto z = rounded(mm512_mul_ps(x, mm512_set1_ps(c::half_root)));
    z = mm512_max_ps(z, mm512_set1_ps(-c::erf_end));
    z = mm512_min_ps(z, mm512_set1_ps(c::erf_end));
    auto const square = rounded(mm512_mul_ps(z, z));
    auto const p = polynomial(mm512_set1_ps(c::erf_p[0]), square, c::erf_p + 1, 6);
    auto const q = polynomial(mm512_set1_ps(c::erf_q[0]), square, c::erf_q + 1, 4);
    auto erf = quotient(rounded(mm512_mul_ps(p, z)), q);
    erf = mm512_max_ps(erf, mm512_set1_ps(-1.0f));
    erf = mm512_min_ps(erf, mm512_set1_ps(1.0f));
    auto const half = rounded(mm512_mul_ps(mm512_set1_ps(0.5f), x));
    return mm512_fmadd_ps(half, erf, half);
}

TRAWL_TARGET("avx512f,avx2,fma")
inline void gelu(float* x, std::size_t n) noexcept {
    std::size_t i = 0;
    for (; i + 16 <= n; i += 16) mm512_storeu_ps(x + i, gelu_of(mm512_loadu_ps(x + i)));
    scalar::gelu_all(x + i, n - i);
}

TRAWL_TARGET("avx512f,avx2,fma")
inline float softmax_terms(float* x, std::size_t n, float scale) noexcept {
    for (std::size_t i = n; i % 16 != 0; ++i) x[i] = x[0];
    auto most = mm512_loadu_ps(x);
    for (std::size_t i = 16; i < n; i += 16) most = mm512_max_ps(mm512_loadu_ps(x + i), most);
    float lane[16];
    mm512_storeu_ps(lane, most);
    auto largest = lane[0];
    for (auto const value : lane) largest = value > largest ? value : largest;
    auto const top = mm512_set1_ps(largest);
    auto const by = mm512_set1_ps(scale);
    auto sums = mm512_setzero_ps();
    for (std::size_t i = 0; i < n; i += 16) {
        auto const below = rounded(mm512_sub_ps(mm512_loadu_ps(x + i), top));
        auto value = exp_of(rounded(mm512_mul_ps(below, by)));
        mm512_storeu_ps(x + i, value);
        if (n - i < 16)
            value = mm512_maskz_loadu_ps(static_cast<mask16>((1u << (n - i)) - 1u), x + i);
        sums = rounded(mm512_add_ps(sums, value));
    }
    mm512_storeu_ps(lane, sums);
    return scalar::sum_of_lanes(lane);
}

TRAWL_TARGET("avx512f,avx2,fma")
inline void layer_norm(float* x, float const* more, float const* weight, float const* bias,
    float epsilon, std::size_t n) noexcept {
    auto const whole = n / 16 * 16;
    float lane[16];
    auto sums = mm512_setzero_ps();
    for (std::size_t i = 0; i < whole; i += 16) {
        auto a = mm512_loadu_ps(x + i);
        if (more != nullptr) {
            a = rounded(mm512_add_ps(a, mm512_loadu_ps(more + i)));
            mm512_storeu_ps(x + i, a);
        }
        sums = rounded(mm512_add_ps(sums, a));
    }
    mm512_storeu_ps(lane, sums);
    for (std::size_t i = whole; i < n; ++i) {
        if (more != nullptr) x[i] = detail::rounded(x[i] + more[i]);
        lane[i - whole] = detail::rounded(lane[i - whole] + x[i]);
    }
    auto const count = static_cast<float>(n);
    auto const mean = divided(scalar::sum_of_lanes(lane), count);
    auto const means = mm512_set1_ps(mean);
    sums = mm512_setzero_ps();
    for (std::size_t i = 0; i < whole; i += 16) {
        auto const a = rounded(mm512_sub_ps(mm512_loadu_ps(x + i), means));
        mm512_storeu_ps(x + i, a);
        sums = mm512_fmadd_ps(a, a, sums);
    }
    mm512_storeu_ps(lane, sums);
    for (std::size_t i = whole; i < n; ++i) {
        x[i] = detail::rounded(x[i] - mean);
        lane[i - whole] = math::fma(x[i], x[i], lane[i - whole]);
    }
    auto const scale = scalar::layer_scale(scalar::sum_of_lanes(lane), count, epsilon);
    auto const scales = mm512_set1_ps(scale);
    for (std::size_t i = 0; i < whole; i += 16) {
        auto const value = rounded(mm512_mul_ps(mm512_loadu_ps(x + i), scales));
        mm512_storeu_ps(
            x + i, mm512_fmadd_ps(value, mm512_loadu_ps(weight + i), mm512_loadu_ps(bias + i)));
    }
    for (std::size_t i = whole; i < n; ++i)
        x[i] = math::fma(detail::rounded(x[i] * scale), weight[i], bias[i]);
}

TRAWL_TARGET("avx512f,avx2,fma")
inline quantised_row quantise(float const* x, std::size_t n, std::int8_t* out) noexcept {
    auto const size = mm512_set1_epi32(0x7FFFFFFF);
    auto const whole = n / 16 * 16;
    auto most = mm512_setzero_ps();
    for (std::size_t i = 0; i < whole; i += 16)
        most = mm512_max_ps(
            mm512_castsi512_ps(mm512_and_si512(mm512_castps_si512(mm512_loadu_ps(x + i)), size)),
            most);
    float lane[16];
    mm512_storeu_ps(lane, most);
    auto const scaling = scalar::byte_scaling(
        scalar::largest_size(x + whole, n - whole, scalar::largest_size(lane, 16, 0)));
    auto const factor = mm512_set1_ps(scaling.factor);
    auto const shift = mm512_set1_ps(transformer_constants::integer_shift);
    auto const zero = mm512_castps_si512(shift);
    auto sums = mm512_setzero_si512();
    for (std::size_t i = 0; i < whole; i += 16) {
        auto const scaled = rounded(mm512_mul_ps(mm512_loadu_ps(x + i), factor));
        auto const words = mm512_castps_si512(rounded(mm512_add_ps(scaled, shift)));
        sums = mm512_add_epi32(sums, mm512_sub_epi32(words, zero));
        mm_storeu_si128(out + i, mm512_cvtepi32_epi8(words));
    }
    std::int32_t integers[16];
    mm512_storeu_ps(reinterpret_cast<float*>(integers), mm512_castsi512_ps(sums));
    quantised_row row{scaling.scale, scalar::quantise_rest(x, whole, n, scaling.factor, out)};
    for (auto const sum : integers) row.sum += sum;
    return row;
}

} // namespace detail::avx512
TRAWL_END_NAMESPACE

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
