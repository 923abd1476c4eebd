// SPDX-License-Identifier: MIT
#pragma once

/// Converts bfloat16 and half precision to float with AVX2 and F16C; the bits are those of
/// scalar/widen.hpp.

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <cstddef>
#include <cstdint>

#include <trawl/detail/simd/scalar/widen.hpp>
#include <trawl/detail/simd/x86/instructions.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail::avx2 {

using namespace x86;

TRAWL_TARGET("avx2,fma")
inline void widen_bfloat16(std::uint16_t const* from, std::size_t count, float* to) noexcept {
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        auto const eight = mm256_cvtepu16_epi32(mm_loadu_si128(from + i));
        mm256_storeu_ps(to + i, mm256_castsi256_ps(mm256_slli_epi32(eight, 16)));
    }
    scalar::widen_bfloat16(from + i, count - i, to + i);
}

// Every processor with AVX2 has F16C.
TRAWL_TARGET("avx2,fma,f16c")
inline void widen_float16(std::uint16_t const* from, std::size_t count, float* to) noexcept {
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8)
        mm256_storeu_ps(to + i, mm256_cvtph_ps(mm_loadu_si128(from + i)));
    scalar::widen_float16(from + i, count - i, to + i);
}

} // namespace detail::avx2
TRAWL_END_NAMESPACE

#endif
