// SPDX-License-Identifier: MIT
#pragma once

/// Half-sized numbers as floats with AVX2 and F16C, to the bits of scalar/widen.hpp.

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <cstddef>
#include <cstdint>

#include <immintrin.h>

#include <trawl/detail/simd/scalar/widen.hpp>

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
