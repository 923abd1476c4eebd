// SPDX-License-Identifier: MIT
#pragma once

/// The types that vectors are stored in: float, and two of half its size.

#include <concepts>
#include <cstdint>

#include <trawl/config.hpp>

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

/// vector_element as a value. Files store the number.
enum class element_type : unsigned char { float32 = 0, bfloat16 = 1, float16 = 2 };

template <vector_element T>
inline constexpr element_type type_of = std::same_as<T, float>      ? element_type::float32
                                        : std::same_as<T, bfloat16> ? element_type::bfloat16
                                                                    : element_type::float16;

} // namespace detail
TRAWL_END_NAMESPACE
