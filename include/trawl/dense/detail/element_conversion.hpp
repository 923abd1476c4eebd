// SPDX-License-Identifier: MIT
#pragma once

/// Floats to elements and back.

#include <bit>
#include <concepts>
#include <cstdint>

#include <trawl/config.hpp>
#include <trawl/dense/element.hpp>
#include <trawl/detail/simd/scalar/widen.hpp>

TRAWL_BEGIN_NAMESPACE
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

} // namespace detail
TRAWL_END_NAMESPACE
