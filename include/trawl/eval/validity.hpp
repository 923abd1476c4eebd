// SPDX-License-Identifier: MIT
#pragma once

/// Whether what was found may be used at all: relevance says nothing about that.

#include <algorithm>
#include <cstddef>
#include <span>

#include <trawl/core/filter.hpp>
#include <trawl/core/words.hpp>
#include <trawl/eval/assessment.hpp>

namespace trawl::inline v0_1 {

/// ineligible@k: the share of the first k hits that lie outside a filter (another version, another tenant,
/// what was withdrawn), in [0, 1]; 0 is right. A shorter ranking is measured over the hits that it has, an
/// empty one is 0.
/// @throws trawl::error (invalid_argument) if k is 0.
struct ineligible {
    std::size_t k = 5;

    [[nodiscard]] double operator()(std::span<hit const> hits, filter eligible) const {
        detail::check_cutoff("ineligible", k);
        auto const first = hits.first((std::min)(k, hits.size()));
        auto const outside =
            std::count_if(first.begin(), first.end(), [&](hit const& h) { return !eligible.admits(h.id); });
        return first.empty() ? 0 : static_cast<double>(outside) / static_cast<double>(first.size());
    }
};

} // namespace trawl::inline v0_1
