// SPDX-License-Identifier: MIT
#pragma once

/// The steps of a transformer between its matrix products, with AVX2 and FMA.
/// scalar/transformer.hpp says what they compute.

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <cstddef>
#include <cstdint>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>
#include <trawl/detail/simd/avx2/vectors.hpp>
#include <trawl/detail/simd/scalar/transformer.hpp>
#include <trawl/detail/simd/x86/instructions.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail::avx2 {

using namespace x86;

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 polynomial(m256 sum, m256 x, float const* terms, std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i) sum = mm256_fmadd_ps(sum, x, mm256_set1_ps(terms[i]));
    return sum;
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 exp_of(m256 x) noexcept {
    using c = transformer_constants;
    auto const shift = mm256_set1_ps(c::integer_shift);
    x = mm256_max_ps(x, mm256_set1_ps(c::least_exponent));
    auto const shifted = rounded(mm256_fmadd_ps(x, mm256_set1_ps(c::log2_e), shift));
    auto const whole = rounded(mm256_sub_ps(shifted, shift));
    auto const r = mm256_fmadd_ps(
        whole, mm256_set1_ps(-c::ln2_low), mm256_fmadd_ps(whole, mm256_set1_ps(-c::ln2_high), x));
    auto const p = polynomial(mm256_set1_ps(c::exp_terms[0]), r, c::exp_terms + 1, 5);
    auto const y = rounded(
        mm256_add_ps(mm256_fmadd_ps(p, rounded(mm256_mul_ps(r, r)), r), mm256_set1_ps(1.0f)));
    return mm256_castsi256_ps(
        mm256_add_epi32(mm256_castps_si256(y), mm256_slli_epi32(mm256_castps_si256(shifted), 23)));
}

TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE m256 gelu_of(m256 x) noexcept {
    using c = transformer_constants;
    auto z = rounded(mm256_mul_ps(x, mm256_set1_ps(c::half_root)));
    z = mm256_max_ps(z, mm256_set1_ps(-c::erf_end));
    z = mm256_min_ps(z, mm256_set1_ps(c::erf_end));
    auto const square = rounded(mm256_mul_ps(z, z));
    auto const p = polynomial(mm256_set1_ps(c::erf_p[0]), square, c::erf_p + 1, 6);
    auto const q = polynomial(mm256_set1_ps(c::erf_q[0]), square, c::erf_q + 1, 4);
    auto erf = quotient(rounded(mm256_mul_ps(p, z)), q);
    erf = mm256_max_ps(erf, mm256_set1_ps(-1.0f));
    erf = mm256_min_ps(erf, mm256_set1_ps(1.0f));
    auto const half = rounded(mm256_mul_ps(mm256_set1_ps(0.5f), x));
    return mm256_fmadd_ps(half, erf, half);
}

TRAWL_TARGET("avx2,fma")
inline void gelu(float* x, std::size_t n) noexcept {
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) mm256_storeu_ps(x + i, gelu_of(mm256_loadu_ps(x + i)));
    scalar::gelu_all(x + i, n - i);
}

// Sixteen lanes, and the values that a row has beyond a multiple of 16.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void store_lanes(float* lane, m256 low, m256 high) noexcept {
    mm256_storeu_ps(lane, low);
    mm256_storeu_ps(lane + 8, high);
}

TRAWL_TARGET("avx2,fma")
inline float softmax_terms(float* x, std::size_t n, float scale) noexcept {
    for (std::size_t i = n; i % 16 != 0; ++i) x[i] = x[0];
    auto most = mm256_loadu_ps(x);
    for (std::size_t i = 8; i < (n + 7) / 8 * 8; i += 8)
        most = mm256_max_ps(mm256_loadu_ps(x + i), most);
    float eight[8];
    mm256_storeu_ps(eight, most);
    auto largest = eight[0];
    for (auto const value : eight) largest = value > largest ? value : largest;
    auto const top = mm256_set1_ps(largest);
    auto const by = mm256_set1_ps(scale);
    auto sums = mm256_setzero_ps(), other = sums; // of even and of odd groups of 8
    for (std::size_t i = 0; i < n; i += 8) {
        auto const below = rounded(mm256_sub_ps(mm256_loadu_ps(x + i), top));
        auto value = exp_of(rounded(mm256_mul_ps(below, by)));
        mm256_storeu_ps(x + i, value);
        if (n - i < 8) value = mm256_maskload_ps(x + i, first_lanes(n - i));
        auto const sum = rounded(mm256_add_ps(sums, value));
        sums = other;
        other = sum;
    }
    float lane[16];
    if ((n + 7) / 8 % 2 == 0) {
        store_lanes(lane, sums, other);
    } else {
        store_lanes(lane, other, sums);
    }
    return scalar::sum_of_lanes(lane);
}

TRAWL_TARGET("avx2,fma")
inline void layer_norm(float* x, float const* more, float const* weight, float const* bias,
    float epsilon, std::size_t n) noexcept {
    auto const whole = n / 16 * 16;
    float lane[16];
    auto low = mm256_setzero_ps(), high = low;
    for (std::size_t i = 0; i < whole; i += 16) {
        auto a = mm256_loadu_ps(x + i);
        auto b = mm256_loadu_ps(x + i + 8);
        if (more != nullptr) {
            a = rounded(mm256_add_ps(a, mm256_loadu_ps(more + i)));
            b = rounded(mm256_add_ps(b, mm256_loadu_ps(more + i + 8)));
            mm256_storeu_ps(x + i, a);
            mm256_storeu_ps(x + i + 8, b);
        }
        low = rounded(mm256_add_ps(low, a));
        high = rounded(mm256_add_ps(high, b));
    }
    store_lanes(lane, low, high);
    for (std::size_t i = whole; i < n; ++i) {
        if (more != nullptr) x[i] = detail::rounded(x[i] + more[i]);
        lane[i - whole] = detail::rounded(lane[i - whole] + x[i]);
    }
    auto const count = static_cast<float>(n);
    auto const mean = divided(scalar::sum_of_lanes(lane), count);
    auto const means = mm256_set1_ps(mean);
    low = high = mm256_setzero_ps();
    for (std::size_t i = 0; i < whole; i += 16) {
        auto const a = rounded(mm256_sub_ps(mm256_loadu_ps(x + i), means));
        auto const b = rounded(mm256_sub_ps(mm256_loadu_ps(x + i + 8), means));
        mm256_storeu_ps(x + i, a);
        mm256_storeu_ps(x + i + 8, b);
        low = mm256_fmadd_ps(a, a, low);
        high = mm256_fmadd_ps(b, b, high);
    }
    store_lanes(lane, low, high);
    for (std::size_t i = whole; i < n; ++i) {
        x[i] = detail::rounded(x[i] - mean);
        lane[i - whole] = math::fma(x[i], x[i], lane[i - whole]);
    }
    auto const scale = scalar::layer_scale(scalar::sum_of_lanes(lane), count, epsilon);
    auto const scales = mm256_set1_ps(scale);
    for (std::size_t i = 0; i < whole; i += 8) {
        auto const value = rounded(mm256_mul_ps(mm256_loadu_ps(x + i), scales));
        mm256_storeu_ps(
            x + i, mm256_fmadd_ps(value, mm256_loadu_ps(weight + i), mm256_loadu_ps(bias + i)));
    }
    for (std::size_t i = whole; i < n; ++i)
        x[i] = math::fma(detail::rounded(x[i] * scale), weight[i], bias[i]);
}

TRAWL_TARGET("avx2,fma")
inline void add(float* x, float const* more, std::size_t n) noexcept {
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8)
        mm256_storeu_ps(
            x + i, rounded(mm256_add_ps(mm256_loadu_ps(x + i), mm256_loadu_ps(more + i))));
    scalar::add_all(x + i, more + i, n - i);
}

TRAWL_TARGET("avx2,fma")
inline void scale(float* x, float by, std::size_t n) noexcept {
    auto const factor = mm256_set1_ps(by);
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8)
        mm256_storeu_ps(x + i, rounded(mm256_mul_ps(mm256_loadu_ps(x + i), factor)));
    scalar::scale_all(x + i, by, n - i);
}

TRAWL_TARGET("avx2,fma")
inline quantised_row quantise(float const* x, std::size_t n, std::int8_t* out) noexcept {
    auto const size = mm256_castsi256_ps(mm256_set1_epi32(0x7FFFFFFF));
    auto const whole = n / 8 * 8;
    auto most = mm256_setzero_ps();
    for (std::size_t i = 0; i < whole; i += 8)
        most = mm256_max_ps(mm256_and_ps(mm256_loadu_ps(x + i), size), most);
    float eight[8];
    mm256_storeu_ps(eight, most);
    auto const scaling = scalar::byte_scaling(
        scalar::largest_size(x + whole, n - whole, scalar::largest_size(eight, 8, 0)));
    auto const factor = mm256_set1_ps(scaling.factor);
    auto const shift = mm256_set1_ps(transformer_constants::integer_shift);
    // The low bytes of eight words, in each half of a register.
    auto const bytes = mm256_setr_epi32(0x0C080400, -1, -1, -1, 0x0C080400, -1, -1, -1);
    auto const spread = mm256_setr_epi32(0, 4, 0, 0, 0, 0, 0, 0);
    auto const zero = mm256_castps_si256(shift);
    auto sums = mm256_setzero_si256();
    for (std::size_t i = 0; i < whole; i += 8) {
        auto const scaled = rounded(mm256_mul_ps(mm256_loadu_ps(x + i), factor));
        auto const words = mm256_castps_si256(rounded(mm256_add_ps(scaled, shift)));
        sums = mm256_add_epi32(sums, mm256_sub_epi32(words, zero));
        auto const packed = mm256_permutevar8x32_epi32(mm256_shuffle_epi8(words, bytes), spread);
        mm_storel_epi64(out + i, mm256_castsi256_si128(packed));
    }
    std::int32_t lane[8];
    mm256_storeu_si256(lane, sums);
    quantised_row row{scaling.scale, scalar::quantise_rest(x, whole, n, scaling.factor, out)};
    for (auto const sum : lane) row.sum += sum;
    return row;
}

// Eight words of eight rows.
TRAWL_TARGET("avx2,fma")
TRAWL_ALWAYS_INLINE void interleave_eight(
    float const* from, std::size_t stride, float* to) noexcept {
    auto const a = mm256_loadu_ps(from), b = mm256_loadu_ps(from + stride);
    auto const c = mm256_loadu_ps(from + 2 * stride), d = mm256_loadu_ps(from + 3 * stride);
    auto const e = mm256_loadu_ps(from + 4 * stride), f = mm256_loadu_ps(from + 5 * stride);
    auto const g = mm256_loadu_ps(from + 6 * stride), h = mm256_loadu_ps(from + 7 * stride);
    auto const ab = mm256_unpacklo_ps(a, b), ab2 = mm256_unpackhi_ps(a, b);
    auto const cd = mm256_unpacklo_ps(c, d), cd2 = mm256_unpackhi_ps(c, d);
    auto const ef = mm256_unpacklo_ps(e, f), ef2 = mm256_unpackhi_ps(e, f);
    auto const gh = mm256_unpacklo_ps(g, h), gh2 = mm256_unpackhi_ps(g, h);
    auto const a0 = mm256_shuffle_ps<places(1, 0, 1, 0)>(ab, cd);
    auto const a1 = mm256_shuffle_ps<places(3, 2, 3, 2)>(ab, cd);
    auto const a2 = mm256_shuffle_ps<places(1, 0, 1, 0)>(ab2, cd2);
    auto const a3 = mm256_shuffle_ps<places(3, 2, 3, 2)>(ab2, cd2);
    auto const e0 = mm256_shuffle_ps<places(1, 0, 1, 0)>(ef, gh);
    auto const e1 = mm256_shuffle_ps<places(3, 2, 3, 2)>(ef, gh);
    auto const e2 = mm256_shuffle_ps<places(1, 0, 1, 0)>(ef2, gh2);
    auto const e3 = mm256_shuffle_ps<places(3, 2, 3, 2)>(ef2, gh2);
    mm256_storeu_ps(to, mm256_permute2f128_ps<0x20>(a0, e0));
    mm256_storeu_ps(to + 16, mm256_permute2f128_ps<0x20>(a1, e1));
    mm256_storeu_ps(to + 32, mm256_permute2f128_ps<0x20>(a2, e2));
    mm256_storeu_ps(to + 48, mm256_permute2f128_ps<0x20>(a3, e3));
    mm256_storeu_ps(to + 64, mm256_permute2f128_ps<0x31>(a0, e0));
    mm256_storeu_ps(to + 80, mm256_permute2f128_ps<0x31>(a1, e1));
    mm256_storeu_ps(to + 96, mm256_permute2f128_ps<0x31>(a2, e2));
    mm256_storeu_ps(to + 112, mm256_permute2f128_ps<0x31>(a3, e3));
}

TRAWL_TARGET("avx2,fma")
inline void interleave(std::uint32_t const* from, std::size_t stride, std::size_t rows,
    std::size_t width, std::uint32_t* to) noexcept {
    std::size_t r = 0;
    for (; r + 16 <= rows; r += 16, to += 16 * width) {
        std::size_t i = 0;
        for (; i + 8 <= width; i += 8) {
            for (std::size_t half = 0; half < 16; half += 8)
                interleave_eight(reinterpret_cast<float const*>(from + (r + half) * stride + i),
                    stride, reinterpret_cast<float*>(to + 16 * i + half));
        }
        for (; i < width; ++i) {
            for (std::size_t j = 0; j < 16; ++j) to[16 * i + j] = from[(r + j) * stride + i];
        }
    }
    scalar::interleave(from + r * stride, stride, rows - r, width, to);
}

} // namespace detail::avx2
TRAWL_END_NAMESPACE

#endif
