// SPDX-License-Identifier: MIT
#pragma once

/// Products, sums and quotients of 512 bits that mean the same under any compiler flags.

#include <trawl/config.hpp>

#if TRAWL_X86_64

#include <trawl/detail/simd/x86/instructions.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail::avx512 {

using namespace x86;

// A barrier like detail::rounded: to the compiler, these instructions are plain + and *.
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 rounded(m512 value) noexcept {
#if defined(__GNUC__) || defined(__clang__)
    asm("" : "+v"(value));
#endif
    return value;
}

// Hidden from the compiler, because GCC multiplies by an approximate reciprocal under -ffast-math.
TRAWL_TARGET("avx512f,avx2,fma")
TRAWL_ALWAYS_INLINE m512 quotient(m512 a, m512 b) noexcept {
#if defined(__GNUC__) || defined(__clang__)
    m512 result;
    asm("vdivps %2, %1, %0" : "=v"(result) : "v"(a), "v"(b));
    return result;
#else
    return mm512_div_ps(a, b);
#endif
}

} // namespace detail::avx512
TRAWL_END_NAMESPACE

#endif
