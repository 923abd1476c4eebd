// SPDX-License-Identifier: MIT
#pragma once

/// Floating point that means the same under any compiler flags: barriers against contraction and
/// reassociation, and tests on bit patterns, which -ffast-math cannot fold away.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include <trawl/config.hpp>
#include <trawl/detail/buffer.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The value itself, rounded to its type here and now: the compiler can neither fuse the product or
/// sum that made it with what follows, nor reorder them.
template <class T>
[[nodiscard]] inline T rounded(T value) noexcept {
#if defined(__GNUC__) || defined(__clang__)
#if TRAWL_X86_64
    asm("" : "+x"(value));
#elif TRAWL_ARM64
    asm("" : "+w"(value));
#else
    asm("" : "+m"(value));
#endif
    return value;
#else
    T volatile kept = value;
    return kept;
#endif
}

/// a / b, by a division: -ffast-math would multiply by a reciprocal where b stays the same in a
/// loop, and a plain barrier leaves the loop with b.
template <class T>
[[nodiscard]] inline T divided(T a, T b) noexcept {
#if defined(__GNUC__) || defined(__clang__)
#if TRAWL_X86_64
    asm volatile("" : "+x"(b));
#elif TRAWL_ARM64
    asm volatile("" : "+w"(b));
#else
    asm volatile("" : "+m"(b));
#endif
#endif
    return rounded(a / b);
}

/// The nearest integer, ties to even, under any rounding mode and compiler flag. |value| < 2^51.
[[nodiscard]] inline double nearest_integer(double value) noexcept {
    constexpr double shift = 6755399441055744.0; // 1.5 * 2^52
    return rounded(rounded(value + shift) - shift);
}

/// The sum, first to last, from 0; 0 and not -0 if all are -0, even where -ffast-math ignores the
/// sign.
[[nodiscard]] inline double sum_of(std::span<double const> values) noexcept {
    double total = rounded(0.0);
    for (double const value : values) total = rounded(total + value);
    return total;
}

[[nodiscard]] inline bool is_finite(float value) noexcept {
    return (std::bit_cast<std::uint32_t>(value) & 0x7F800000u) != 0x7F800000u;
}

[[nodiscard]] inline bool is_finite(double value) noexcept {
    return (std::bit_cast<std::uint64_t>(value) & 0x7FF0000000000000u) != 0x7FF0000000000000u;
}

/// Index of the first NaN or infinity, or values.size().
[[nodiscard]] inline std::size_t first_not_finite(array_ref<float const> values) noexcept {
    std::size_t i = 0;
    while (i < values.size() && is_finite(values[i])) ++i;
    return i;
}

/// The next float towards minus infinity; -infinity stays. Both zeros step to the smallest negative
/// number.
[[nodiscard]] inline float next_below(float value) noexcept {
    auto const bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7FFFFFFFu) == 0) return std::bit_cast<float>(0x80000001u);
    if (bits == 0xFF800000u) return value;
    return std::bit_cast<float>((bits & 0x80000000u) != 0 ? bits + 1 : bits - 1);
}

} // namespace detail
TRAWL_END_NAMESPACE
