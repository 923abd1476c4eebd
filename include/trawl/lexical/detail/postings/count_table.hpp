// SPDX-License-Identifier: MIT
#pragma once

/// The lists of a segment's frequent terms, unpacked: a byte for each row.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <trawl/core/executor.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/postings/posting_cursor.hpp>
#include <trawl/lexical/detail/segments/segment.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// For each term in at least an eighth of the rows, its frequency in every row, a byte each. Terms
/// with a frequency above 255 are left out.
class count_table {
public:
    /// @param pool  whose threads help; null: the calling thread alone.
    /// @par Complexity  O(postings of these terms).
    count_table(segment const& rows, executor const* pool) : rows_(rows.rows()) {
        auto const& lists = rows.lists();
        buffer<list_place> frequent;
        list_walk walk(lists);
        for (std::size_t i = 0; i < lists.size(); ++i) {
            auto const list = walk(i);
            if (list.df > 0 && list.df >= rows_ / 8) frequent.push_back(list);
        }
        buffer<buffer<std::uint8_t>> counts(frequent.size());
        run_tasks(pool, frequent.size(),
            [&](std::size_t i) { counts[i] = unpacked(lists, frequent[i]); });
        for (std::size_t i = 0; i < frequent.size(); ++i) {
            if (counts[i].empty()) continue;
            terms_.push_back(frequent[i].term);
            counts_.push_back(std::move(counts[i]));
        }
    }

    /// The term's frequency in each row; null if the table lacks the term.
    [[nodiscard]] std::uint8_t const* find(std::uint32_t term) const noexcept {
        auto const at = place_in(terms_, term);
        return at < terms_.size() && terms_[at] == term ? counts_[at].data() : nullptr;
    }

private:
    /// Empty if a count exceeds 255.
    [[nodiscard]] buffer<std::uint8_t> unpacked(
        packed_lists const& lists, list_place const& list) const {
        buffer<std::uint8_t> made(rows_);
        posting_cursor cursor(lists, list);
        for (std::size_t block = 0; block < cursor.blocks(); ++block) {
            cursor.decode(block);
            for (std::size_t i = 0; i < cursor.rows().size(); ++i) {
                if (cursor.counts()[i] > 255) return {};
                made[cursor.rows()[i]] = static_cast<std::uint8_t>(cursor.counts()[i]);
            }
        }
        return made;
    }

    std::uint32_t rows_;
    buffer<std::uint32_t> terms_ = {}; ///< ascending
    buffer<buffer<std::uint8_t>> counts_ = {};
};

} // namespace detail
TRAWL_END_NAMESPACE
