// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of rerank/listwise.hpp.

#include <trawl/rerank/listwise.hpp>

#include <trawl/detail/buffer.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE void check_list(std::size_t candidates, std::size_t scores) {
    if (candidates == scores) return;
    fail(errc::dimension_mismatch,
        join("listwise: ", candidates, " candidates, room for ", scores, " scores"));
}

TRAWL_INLINE void score_by_place(
    std::span<std::size_t const> order, std::span<float> out, std::vector<std::string>& notes) {
    buffer<char> placed(out.size());
    std::size_t place = 0;
    auto const put = [&](std::size_t i) {
        placed[i] = 1;
        out[i] = -static_cast<float>(place++);
    };
    std::size_t outside = 0;
    std::size_t repeated = 0;
    for (auto const at : order) {
        if (at >= out.size()) {
            ++outside;
        } else if (placed[at] != 0) {
            ++repeated;
        } else {
            put(at);
        }
    }
    auto const missing = out.size() - place;
    for (std::size_t i = 0; i < out.size(); ++i)
        if (placed[i] == 0) put(i);
    if (outside + repeated + missing > 0) {
        notes.push_back(join("listwise: the order of ", out.size(), " was repaired: ", outside,
            " outside, ", repeated, " repeated, ", missing, " missing"));
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
