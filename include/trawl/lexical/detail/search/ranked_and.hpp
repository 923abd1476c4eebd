// SPDX-License-Identifier: MIT
#pragma once

/// The best documents that hold each of several terms, in one segment.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <trawl/core/search_options.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/scoring/scored_list.hpp>
#include <trawl/lexical/detail/search/candidates.hpp>
#include <trawl/lexical/detail/search/topk_scores.hpp>
#include <trawl/lexical/detail/segments/index_snapshot.hpp>
#include <trawl/lexical/detail/sorting.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Ranked AND: reads the shortest list and looks its documents up in the longer ones. A document is
/// dropped as soon as its partial sum and the bounds of the lists not yet asked do not exceed the
/// threshold, so that the long lists of frequent terms are asked for few documents.
class ranked_and {
public:
    /// Borrows all that it is given.
    ranked_and(search_options const& options, topk_scores& best) noexcept
        : options_(options), best_(best) {}

    /// @param needed  lists that must contain a document, at least one.
    /// @param also  lists that add to the score of a document that they contain.
    /// @param positive  whether all postings contribute more than 0; if not, nothing is left out.
    /// @return false if it was stopped.
    bool search(live_segment const& segment, array_ref<scored_list> needed,
        array_ref<scored_list> also, bool positive) {
        order(needed, also);
        found_.reserve(block_size);
        auto& lead = *lists_.front();
        auto const& rows = *segment.rows;
        for (std::size_t block = 0; block < lead.blocks(); ++block) {
            if (block % 32 == 0 && options_.stopped()) return false;
            auto const first = lead.has_headers() ? lead.first_row(block) : 0;
            // damaged
            if (first >= rows.rows() || (block > 0 && lead.last_row(block) < first)) return true;
            auto const threshold = positive ? best_.threshold(rows.id(first))
                                            : (std::numeric_limits<std::int32_t>::min)();
            if (lead.bound(block) + rest_[0] <= threshold) continue;
            lead.score(block);
            found_.clear();
            for (std::size_t i = 0; i < lead.rows().size(); ++i) {
                auto const row = lead.rows()[i];
                auto const sum = lead.contributions()[i];
                if (sum + rest_[0] <= threshold || !segment.is_live(row)
                    || !options_.where.admits(rows.id(row)))
                    continue;
                found_.push(row, sum);
            }
            for (std::size_t i = 1; i < lists_.size() && !found_.empty(); ++i) {
                blocks_[i] =
                    found_.complete(*lists_[i], blocks_[i], rest_[i], threshold, i < needed.size());
            }
            found_.push_to(best_, rows, threshold);
        }
        return true;
    }

private:
    void order(array_ref<scored_list> needed, array_ref<scored_list> also) {
        buffer<std::uint64_t> order;
        for (std::size_t i = 0; i < needed.size(); ++i)
            order.push_back(sort_key(static_cast<std::uint32_t>(needed[i].df()), i));
        sort_ascending(order);
        lists_.clear();
        for (auto const key : order) lists_.push_back(&needed[place_of_key(key)]);
        order.clear();
        for (std::size_t i = 0; i < also.size(); ++i) {
            // Shifted so that a bound below 0 sorts behind the others.
            auto const bound =
                static_cast<std::uint32_t>(also[i].scoring().max_score()) ^ 0x80000000u;
            order.push_back(falling_sort_key(bound, i));
        }
        sort_ascending(order);
        for (auto const key : order) lists_.push_back(&also[place_of_key(key)]);
        auto const leading = lists_.front()->df();
        for (auto* const list : lists_) { // of a list that is asked for little, bounds are too dear
            if (2 * list->blocks() <= leading || list == lists_.front()) list->find_bounds();
        }
        rest_.assign(lists_.size(), 0);
        for (auto i = lists_.size() - 1; i-- > 0;)
            rest_[i] = rest_[i + 1] + lists_[i + 1]->max_score();
        blocks_.assign(lists_.size(), 0);
    }

    search_options const& options_;
    topk_scores& best_;
    buffer<scored_list*> lists_;      ///< in the order in which they are asked
    buffer<std::int32_t> rest_;       ///< sum of the bounds of the lists after each
    std::vector<std::size_t> blocks_; ///< of each list, the first that can hold the next row
    candidates found_;
};

} // namespace detail
TRAWL_END_NAMESPACE
