// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of convention.hpp.

#include <trawl/eval/convention.hpp>

#include <string_view>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_INLINE convention convention_named(std::string_view name) {
    for (auto const whose : {convention::trec_eval, convention::library, convention::ranx,
             convention::beir, convention::sbert}) {
        if (name_of(whose) == name) return whose;
    }
    detail::fail(errc::invalid_argument,
        detail::join("there is no convention '", name, "': trec_eval, library, ranx, beir, sbert"));
}

TRAWL_END_NAMESPACE
