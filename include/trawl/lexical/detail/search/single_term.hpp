// SPDX-License-Identifier: MIT
#pragma once

/// The best documents for one term, in one segment.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <trawl/core/search_options.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/scoring/scored_list.hpp>
#include <trawl/lexical/detail/search/topk_scores.hpp>
#include <trawl/lexical/detail/segments/index_snapshot.hpp>
#include <trawl/lexical/detail/sorting.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Reads blocks by falling bound until no other block's bound exceeds the threshold: of a frequent
/// term little but the bounds is read. Filters are left to block_max_maxscore.
class single_term_search {
public:
    /// Borrows all that it is given.
    single_term_search(search_options const& options, topk_scores& best) noexcept
        : options_(options), best_(best) {}

    /// @param list  whose postings all contribute more than 0.
    /// @return false if it was stopped.
    bool search(live_segment const& segment, scored_list& list) {
        list.find_bounds();
        auto const blocks = static_cast<std::uint32_t>(list.blocks());
        auto const together = std::clamp(blocks / 64, 1u, max_together);
        groups_.clear();
        for (std::uint32_t first = 0; first < blocks; first += together) {
            std::int32_t bound = 0;
            for (auto block = first; block < (std::min)(first + together, blocks); ++block) {
                bound = (std::max)(bound, list.bound(block));
            }
            groups_.push_back(falling_sort_key(static_cast<std::uint32_t>(bound), first));
        }
        sort_ascending(groups_);
        for (auto const group : groups_) {
            auto const bound = static_cast<std::int32_t>(~static_cast<std::uint32_t>(group >> 32));
            auto const first = static_cast<std::uint32_t>(group);
            if (options_.stopped()) return false;
            if (bound <= best_.threshold(0)) break;
            for (auto block = first; block < (std::min)(first + together, blocks); ++block) {
                read(segment, list, block);
            }
        }
        return true;
    }

private:
    static constexpr std::uint32_t max_together = 32; ///< blocks that are sorted as one

    void read(live_segment const& segment, scored_list& list, std::size_t block) {
        auto const& rows = *segment.rows;
        auto const first = list.has_headers() ? list.first_row(block) : 0;
        if (first >= rows.rows() || list.bound(block) <= best_.threshold(rows.id(first))) return;
        // a damaged file; so no row comes twice
        if (block > 0 && list.last_row(block) < first) return;
        list.score(block);
        auto threshold = best_.threshold(rows.id(first));
        for (std::size_t i = 0; i < list.rows().size(); ++i) {
            auto const sum = list.contributions()[i];
            if (sum <= threshold || !segment.is_live(list.rows()[i])) continue;
            best_.push(rows.id(list.rows()[i]), sum);
            threshold = best_.threshold(rows.id(first));
        }
    }

    search_options const& options_;
    topk_scores& best_;
    buffer<std::uint64_t> groups_; ///< sort keys: the bound, falling, and the first block
};

} // namespace detail
TRAWL_END_NAMESPACE
