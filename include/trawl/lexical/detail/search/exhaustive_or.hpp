// SPDX-License-Identifier: MIT
#pragma once

/// The best documents in one segment where contributions may be 0 or less: every match counts,
/// nothing is left out.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <trawl/core/doc_set.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/scoring/scored_list.hpp>
#include <trawl/lexical/detail/search/admitted_rows.hpp>
#include <trawl/lexical/detail/search/topk_scores.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// @return false if it was stopped.
inline bool search_matches(live_segment const& segment, array_ref<scored_list> lists,
    search_options const& options, topk_scores& best) {
    auto const& rows = *segment.rows;
    admitted_rows admitted(segment, options.where);
    doc_set matched(window_rows);
    buffer<std::int32_t> sums(window_rows);
    std::vector<std::size_t> blocks(lists.size());
    for (std::uint32_t first = 0; first < rows.rows(); first += window_rows) {
        if (options.stopped()) return false;
        auto const last = (std::min)(rows.rows() - first, window_rows) - 1 + first;
        if (admitted.enter(first, last) == 0) continue;
        for (std::size_t l = 0; l < lists.size(); ++l) {
            auto& list = lists[l];
            blocks[l] = list.block_of(first, blocks[l]);
            for (auto block = blocks[l]; list.reaches(block, blocks[l], last); ++block) {
                list.score(block);
                for (std::size_t i = 0; i < list.rows().size(); ++i) {
                    auto const row = list.rows()[i];
                    if (row < first || row > last || !admitted.contains(row)) continue;
                    matched.insert(row - first);
                    sums[row - first] += list.contributions()[i];
                }
            }
        }
        matched.for_each([&](doc_id place) {
            best.push(rows.id(first + place), std::exchange(sums[place], 0));
        });
        matched &= doc_set(); // empty again, with its memory
    }
    return true;
}

} // namespace detail
TRAWL_END_NAMESPACE
