// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of fusion/floored.hpp.

#include <trawl/fusion/floored.hpp>

#include <bit>
#include <cstdint>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/detail/formula.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE void check_floors(std::span<float const> floors, std::size_t arms) {
    if (floors.size() != arms) {
        fail(errc::invalid_argument,
            join("floored: ", floors.size(), " floors for ", arms, " arms"));
    }
    for (std::size_t a = 0; a < arms; ++a) {
        bool const none = std::bit_cast<std::uint32_t>(floors[a]) == 0xFF800000u; // -infinity
        if (!is_finite(floors[a]) && !none) {
            fail(errc::invalid_argument,
                join("floored: the floor of arm ", a, " is ", floors[a], ", must be a number"));
        }
    }
}

TRAWL_INLINE std::vector<ranking> above_floors(
    std::span<ranking const> arms, std::span<float const> floors) {
    std::vector<ranking> kept(arms.size());
    for (std::size_t a = 0; a < arms.size(); ++a) {
        for (auto const& h : arms[a]) {
            // The rule refuses what is not finite.
            if (h.score >= floors[a] || !is_finite(h.score)) kept[a].push_back(h);
        }
    }
    return kept;
}

TRAWL_INLINE void repeat_floors(std::vector<float>& floors, std::size_t times) {
    repeat(floors, times);
}

} // namespace detail
TRAWL_END_NAMESPACE
