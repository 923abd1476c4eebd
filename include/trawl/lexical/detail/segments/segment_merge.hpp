// SPDX-License-Identifier: MIT
#pragma once

/// Makes one segment of several.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/counted_ptr.hpp>
#include <trawl/lexical/detail/postings/list_packer.hpp>
#include <trawl/lexical/detail/postings/posting_cursor.hpp>
#include <trawl/lexical/detail/segments/segment.hpp>
#include <trawl/lexical/detail/sorting.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The live documents of several segments. The same bytes on any number of threads.
class segment_merge {
public:
    struct input {
        segment const* from;
        std::vector<std::uint64_t> const* live; ///< null: all rows
    };

    /// Borrows the inputs.
    explicit segment_merge(array_ref<input const> inputs) : inputs_(inputs), moved_(inputs.size()) {
        buffer<std::uint64_t> order; // sort keys: the id, and the place among the rows of all
        std::size_t rows = 0;
        for (std::size_t source = 0; source < inputs.size(); ++source) {
            auto const& from = *inputs[source].from;
            moved_[source].resize(from.rows(), no_row);
            for (std::uint32_t row = 0; row < from.rows(); ++row, ++rows) {
                if (!segment::is_live(inputs[source].live, row)) continue;
                order.push_back(sort_key(from.id(row), rows));
                apart_ = apart_ && (order.size() == 1 || order[order.size() - 2] < order.back());
            }
        }
        if (!apart_) sort_ascending(order);
        for (auto const key : order) {
            auto row = place_of_key(key);
            std::size_t source = 0;
            for (; row >= moved_[source].size(); ++source) row -= moved_[source].size();
            moved_[source][row] = static_cast<std::uint32_t>(rows_.lengths.size());
            rows_.add(static_cast<doc_id>(key >> 32),
                inputs[source].from->length(static_cast<std::uint32_t>(row)));
        }
    }

    /// Each task merges the lists of a range of terms. Leaves the merge empty.
    [[nodiscard]] counted_ptr<segment const> run(executor const* pool = nullptr) {
        auto const bounds = ranges(pool == nullptr ? 1 : 4 * pool->concurrency());
        buffer<range> made(bounds.size() - 1);
        run_tasks(
            pool, made.size(), [&](std::size_t i) { made[i] = merged(bounds[i], bounds[i + 1]); });
        auto& [lists, positions] = made[0];
        for (std::size_t i = 1; i < made.size(); ++i) {
            lists.append(std::exchange(made[i].lists, {}));
            positions.append(std::exchange(made[i].positions, {}));
        }
        return counted_ptr<segment const>::make(
            std::move(rows_), std::move(lists), std::move(positions));
    }

private:
    static constexpr std::uint32_t no_row = 0xFFFFFFFFu;
    static constexpr std::uint64_t no_term = std::uint64_t{1} << 32;

    struct range {
        packed_arrays lists = {};
        position_arrays positions = {};
    };

    /// One list.
    struct postings {
        buffer<std::uint32_t> rows = {};
        buffer<std::uint32_t> counts = {};
        buffer<std::uint32_t> gaps = {}; ///< none: positions are not kept

        void clear() noexcept {
            rows.clear();
            counts.clear();
            gaps.clear();
        }
    };

    /// Splits the terms into ranges with about the same number of bytes in the largest input.
    [[nodiscard]] buffer<std::uint64_t> ranges(std::size_t count) const {
        buffer<std::uint64_t> bounds;
        bounds.push_back(0);
        segment const* largest = nullptr;
        for (auto const& in : inputs_) {
            if (largest == nullptr || in.from->lists().bytes.size() > largest->lists().bytes.size())
                largest = in.from;
        }
        std::uint64_t next_bound = 0; // bytes before the range that begins
        for (std::size_t i = 0; count > 1 && i < largest->lists().size(); ++i) {
            auto const begin = largest->lists().begins[i];
            if (begin >= next_bound && i > 0) bounds.push_back(largest->lists().term(i));
            while (begin >= next_bound) next_bound += largest->lists().bytes.size() / count + 1;
        }
        bounds.push_back(no_term);
        return bounds;
    }

    /// The lists of terms in [first, last).
    [[nodiscard]] range merged(std::uint64_t first, std::uint64_t last) const {
        list_packer packer(rows_.lengths);
        position_packer placer;
        std::vector<std::size_t> next;
        buffer<list_walk> walks;
        for (auto const& in : inputs_) {
            next.push_back(in.from->lists().first_from(first));
            walks.push_back(list_walk(in.from->lists()));
        }
        postings all;
        for (;;) {
            auto term = no_term;
            for (std::size_t source = 0; source < inputs_.size(); ++source) {
                auto const& lists = inputs_[source].from->lists();
                if (next[source] < lists.size())
                    term = (std::min)(term, std::uint64_t{lists.term(next[source])});
            }
            if (term >= last) return {packer.take(), placer.take()};
            all.clear();
            for (std::size_t source = 0; source < inputs_.size(); ++source) {
                auto const& lists = inputs_[source].from->lists();
                if (next[source] == lists.size() || lists.term(next[source]) != term) continue;
                append(*inputs_[source].from, next[source], walks[source](next[source]),
                    moved_[source], all);
                ++next[source];
            }
            if (all.rows.empty()) continue;
            if (!apart_) sort(all);
            packer.add(static_cast<std::uint32_t>(term), all.rows, all.counts);
            if (!all.gaps.empty()) placer.add(all.counts, all.gaps);
        }
    }

    static void append(segment const& from, std::size_t list, list_place const& place,
        buffer<std::uint32_t> const& moved, postings& to) {
        posting_cursor cursor(from.lists(), place);
        position_cursor places(from.positions(), list, cursor.blocks());
        for (std::size_t block = 0; block < cursor.blocks(); ++block) {
            cursor.decode(block);
            for (std::size_t i = 0; i < cursor.rows().size(); ++i) {
                auto const row = moved[cursor.rows()[i]];
                if (row == no_row) continue;
                to.rows.push_back(row);
                to.counts.push_back(cursor.counts()[i]);
                if (from.has_positions()) append(places.of(block, cursor.counts(), i), to);
            }
        }
    }

    /// Adds the gaps of the last posting. If a damaged file lacks them, a single gap of 0.
    static void append(position_run run, postings& to) {
        std::uint32_t before = 0;
        to.counts.back() = (std::max)(run.left(), 1u);
        if (run.left() == 0) to.gaps.push_back(0);
        while (run.left() > 0) {
            auto const position = run.next();
            to.gaps.push_back(position - std::exchange(before, position));
        }
    }

    /// Sorts postings by row, where the inputs' ranges of ids overlap.
    static void sort(postings& all) {
        buffer<std::uint64_t> order;
        std::vector<std::size_t> begins; // of the gaps of each
        std::size_t before = 0;
        for (std::size_t i = 0; i < all.rows.size(); before += all.counts[i++]) {
            order.push_back(sort_key(all.rows[i], i));
            begins.push_back(before);
        }
        sort_ascending(order);
        auto const counts = all.counts;
        auto const gaps = std::exchange(all.gaps, {});
        for (std::size_t i = 0; i < order.size(); ++i) {
            auto const from = place_of_key(order[i]);
            all.rows[i] = static_cast<std::uint32_t>(order[i] >> 32);
            all.counts[i] = counts[from];
            if (gaps.empty()) continue;
            for (std::size_t gap = 0; gap < counts[from]; ++gap)
                all.gaps.push_back(gaps[begins[from] + gap]);
        }
    }

    array_ref<input const> inputs_;
    bool apart_ = true;                   ///< the inputs' ranges of ids do not overlap
    buffer<buffer<std::uint32_t>> moved_; ///< new row of each input's rows, or no_row
    row_table rows_;
};

} // namespace detail
TRAWL_END_NAMESPACE
