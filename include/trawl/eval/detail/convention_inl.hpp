// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of convention.hpp.

#include <trawl/eval/convention.hpp>

#include <cstddef>
#include <string_view>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_INLINE convention convention_named(std::string_view name) {
    for (std::size_t i = 0; i < enum_count<convention>; ++i) {
        if (name_of(static_cast<convention>(i)) == name) return static_cast<convention>(i);
    }
    detail::fail(errc::invalid_argument,
        detail::join("there is no convention '", name, "': trec_eval, library, ranx, beir, sbert"));
}

TRAWL_END_NAMESPACE
