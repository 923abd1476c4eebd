// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of fusion/spread.hpp.

#include <trawl/fusion/spread.hpp>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE void detail::check_spread_alike(std::span<double const> variant_weights) {
    for (double const weight : variant_weights) {
        if (weight != 1) {
            fail(errc::weight_count, join("variants: one has the weight ", weight,
                                         ", but the fusion rule takes no weights"));
        }
    }
}

TRAWL_END_NAMESPACE
