// SPDX-License-Identifier: MIT
#pragma once

/// Body of folding.hpp.

#include <trawl/text/folding.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#include <trawl/text/detail/fold.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE std::string folded(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    detail::folded_cluster cluster;
    for (std::size_t at = 0; at < text.size();) {
        auto const piece = detail::fold_at(text, at, cluster);
        out.append(piece.text);
        at += piece.bytes;
    }
    return out;
}

TRAWL_END_NAMESPACE
