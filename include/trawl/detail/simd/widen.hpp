// SPDX-License-Identifier: MIT
#pragma once

/// Half-sized numbers as floats, which is exact: bfloat16 and IEEE half precision, given by their
/// bits.

#include <bit>
#include <cstddef>
#include <cstdint>

#include <trawl/config.hpp>

#if TRAWL_X86_64
#include <immintrin.h>
#endif

TRAWL_BEGIN_NAMESPACE
namespace detail::scalar {

[[nodiscard]] inline float bfloat16_as_float(std::uint16_t bits) noexcept {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

[[nodiscard]] inline float float16_as_float(std::uint16_t bits) noexcept {
    auto const sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    auto const size = static_cast<std::uint32_t>(bits & 0x7FFFu);
    if (size >= 0x400u) return std::bit_cast<float>(sign | ((size << 13) + 0x38000000u));
    return std::bit_cast<float>(
        sign | std::bit_cast<std::uint32_t>(static_cast<float>(size) * 0x1p-24f));
}

inline void widen_bfloat16(std::uint16_t const* from, std::size_t count, float* to) noexcept {
    for (std::size_t i = 0; i < count; ++i) to[i] = bfloat16_as_float(from[i]);
}

inline void widen_float16(std::uint16_t const* from, std::size_t count, float* to) noexcept {
    for (std::size_t i = 0; i < count; ++i) to[i] = float16_as_float(from[i]);
}

} // namespace detail::scalar
TRAWL_END_NAMESPACE

#if TRAWL_X86_64
TRAWL_BEGIN_NAMESPACE
namespace detail::avx2 {

TRAWL_TARGET("avx2,fma")
inline void widen_bfloat16(std::uint16_t const* from, std::size_t count, float* to) noexcept {
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        auto const eight =
            _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<__m128i const*>(from + i)));
        _mm256_storeu_ps(to + i, _mm256_castsi256_ps(_mm256_slli_epi32(eight, 16)));
    }
    scalar::widen_bfloat16(from + i, count - i, to + i);
}

// Every processor with AVX2 has F16C.
TRAWL_TARGET("avx2,fma,f16c")
inline void widen_float16(std::uint16_t const* from, std::size_t count, float* to) noexcept {
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8)
        _mm256_storeu_ps(
            to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<__m128i const*>(from + i))));
    scalar::widen_float16(from + i, count - i, to + i);
}

} // namespace detail::avx2
TRAWL_END_NAMESPACE
#endif
