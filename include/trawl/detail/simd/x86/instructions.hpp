// SPDX-License-Identifier: MIT
#pragma once

/// The vector types and instructions of x86-64 that the kernels use: Intel's names without the
/// leading underscore, immediate operands as template arguments.
///
/// <immintrin.h> declares some ten thousand functions, and costs GCC a quarter of what
/// nlohmann/json.hpp does. These are a hundred: over GCC's own builtins where they are known to be
/// the same, which is GCC 12, and over <immintrin.h> elsewhere. The machine code is the same.

#include <cstdint>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail::x86 {

using mask16 = std::uint16_t; ///< a bit for each of 16 lanes
using mask64 = std::uint64_t;

/// The immediate operand of a shuffle: which of four values goes to places 3, 2, 1 and 0.
[[nodiscard]] constexpr int places(int d, int c, int b, int a) noexcept {
    return d << 6 | c << 4 | b << 2 | a;
}

inline constexpr int greater_or_equal = 0x1D; ///< a comparison; false for NaN, without a signal

} // namespace detail::x86
TRAWL_END_NAMESPACE

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ == 12
#include <trawl/detail/simd/x86/builtins.hpp>
#else
#include <trawl/detail/simd/x86/intrinsics.hpp>
#endif
