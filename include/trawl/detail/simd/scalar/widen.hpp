// SPDX-License-Identifier: MIT
#pragma once

/// Converts bfloat16 and IEEE half precision, given by their bits, to float. The conversion is
/// exact.

#include <bit>
#include <cstddef>
#include <cstdint>

#include <trawl/config.hpp>

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
