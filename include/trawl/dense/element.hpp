// SPDX-License-Identifier: MIT
#pragma once

/// The types that vectors are stored in: float, and two of half its size.

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include <trawl/detail/simd/dispatch.hpp>
#include <trawl/detail/simd/scalar/widen.hpp>

TRAWL_BEGIN_NAMESPACE

/// The upper half of a float: its range, 8 bits of precision.
struct bfloat16 {
    std::uint16_t bits = 0;
    static constexpr char const* name = "bfloat16";
    static constexpr float largest = 0x1.FEp127f; ///< 3.39e38
};

/// IEEE 754 half precision: 11 bits of precision between 6.1e-5 and 65504.
struct float16 {
    std::uint16_t bits = 0;
    static constexpr char const* name = "float16";
    static constexpr float largest = 65504;
};

template <class T>
concept vector_element =
    std::same_as<T, float> || std::same_as<T, bfloat16> || std::same_as<T, float16>;

namespace detail {

/// A finite value to the nearest of the element type, ties to even; infinity if it is beyond the
/// largest.
template <vector_element T>
[[nodiscard]] inline T stored_as(float value) noexcept {
    if constexpr (std::same_as<T, float>) {
        return value;
    } else if constexpr (std::same_as<T, bfloat16>) {
        auto const bits = std::bit_cast<std::uint32_t>(value);
        return {static_cast<std::uint16_t>((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16)};
    } else {
        auto const bits = std::bit_cast<std::uint32_t>(value);
        auto const sign = (bits >> 16) & 0x8000u;
        auto const size = bits & 0x7FFFFFFFu;
        // 65520 and more
        if (size >= 0x477FF000u) return {static_cast<std::uint16_t>(sign | 0x7C00u)};
        if (size >= 0x38800000u) { // 2^-14: a normal number
            auto const rounded_up = size + 0xFFFu + (size >> 13 & 1u);
            return {static_cast<std::uint16_t>(sign | ((rounded_up - 0x38000000u) >> 13))};
        }
        // A multiple of 2^-24.
        auto const shift = 126 - (size >> 23);
        if (shift > 24) return {static_cast<std::uint16_t>(sign)};
        auto const mantissa = (size & 0x7FFFFFu) | 0x800000u;
        auto const kept = mantissa >> shift;
        auto const rest = mantissa & ((1u << shift) - 1);
        auto const half = 1u << (shift - 1);
        auto const up = rest > half || (rest == half && (kept & 1u) != 0) ? 1u : 0u;
        return {static_cast<std::uint16_t>(sign | (kept + up))};
    }
}

[[nodiscard]] inline float as_float(float value) noexcept { return value; }

[[nodiscard]] inline float as_float(bfloat16 value) noexcept {
    return scalar::bfloat16_as_float(value.bits);
}
[[nodiscard]] inline float as_float(float16 value) noexcept {
    return scalar::float16_as_float(value.bits);
}

inline void widen(
    kernels const& with, bfloat16 const* from, std::size_t count, float* to) noexcept {
    with.widen_bfloat16(&from->bits, count, to);
}
inline void widen(kernels const& with, float16 const* from, std::size_t count, float* to) noexcept {
    with.widen_float16(&from->bits, count, to);
}

} // namespace detail
TRAWL_END_NAMESPACE
