// SPDX-License-Identifier: MIT
#pragma once

/// Makes one segment of several.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/lexical/detail/postings/list_packer.hpp>
#include <trawl/lexical/detail/postings/posting_cursor.hpp>
#include <trawl/lexical/detail/segments/segment.hpp>

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
    explicit segment_merge(std::span<input const> inputs) : inputs_(inputs), moved_(inputs.size()) {
        struct source {
            doc_id id;
            std::uint32_t part, row;
        };
        std::vector<source> order;
        for (std::uint32_t part = 0; part < inputs.size(); ++part) {
            auto const& from = *inputs[part].from;
            moved_[part].resize(from.rows(), no_row);
            for (std::uint32_t row = 0; row < from.rows(); ++row) {
                if (segment::is_live(inputs[part].live, row))
                    order.push_back({from.id(row), part, row});
            }
        }
        auto const by_id = [](source const& a, source const& b) { return a.id < b.id; };
        apart_ = std::is_sorted(order.begin(), order.end(), by_id);
        if (!apart_) std::sort(order.begin(), order.end(), by_id);
        for (auto const& [id, part, row] : order) {
            moved_[part][row] = static_cast<std::uint32_t>(rows_.lengths.size());
            rows_.add(id, inputs[part].from->length(row));
        }
    }

    /// Each task merges the lists of a range of terms. Leaves the merge empty.
    [[nodiscard]] std::shared_ptr<segment const> run(executor const* where = nullptr) {
        auto const bounds = ranges(where == nullptr ? 1 : 4 * where->concurrency());
        std::vector<range> made(bounds.size() - 1);
        run_tasks(
            where, made.size(), [&](std::size_t i) { made[i] = merged(bounds[i], bounds[i + 1]); });
        auto& [lists, positions] = made[0];
        for (std::size_t i = 1; i < made.size(); ++i) {
            lists.append(std::exchange(made[i].lists, {}));
            positions.append(std::exchange(made[i].positions, {}));
        }
        return std::make_shared<segment const>(
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
        std::vector<std::uint32_t> rows = {};
        std::vector<std::uint32_t> counts = {};
        std::vector<std::uint32_t> gaps = {}; ///< none: positions are not kept

        void clear() noexcept {
            rows.clear();
            counts.clear();
            gaps.clear();
        }
    };

    /// Bounds of ranges of terms that have some equal share of the bytes of the largest input.
    [[nodiscard]] std::vector<std::uint64_t> ranges(std::size_t count) const {
        std::vector<std::uint64_t> bounds{0};
        segment const* largest = nullptr;
        for (auto const& in : inputs_) {
            if (largest == nullptr || in.from->lists().bytes.size() > largest->lists().bytes.size())
                largest = in.from;
        }
        std::uint64_t most = 0; // bytes before the range that begins
        for (std::size_t i = 0; count > 1 && i < largest->lists().size(); ++i) {
            auto const begin = largest->lists().begins[i];
            if (begin >= most && i > 0) bounds.push_back(largest->lists().term(i));
            while (begin >= most) most += largest->lists().bytes.size() / count + 1;
        }
        bounds.push_back(no_term);
        return bounds;
    }

    /// The lists of terms in [first, last).
    [[nodiscard]] range merged(std::uint64_t first, std::uint64_t last) const {
        list_packer packer(rows_.lengths);
        position_packer placer;
        std::vector<std::size_t> next;
        for (auto const& in : inputs_) next.push_back(in.from->lists().first_from(first));
        postings all;
        for (;;) {
            auto term = no_term;
            for (std::size_t part = 0; part < inputs_.size(); ++part) {
                auto const& lists = inputs_[part].from->lists();
                if (next[part] < lists.size())
                    term = (std::min)(term, std::uint64_t{lists.term(next[part])});
            }
            if (term >= last) return {packer.take(), placer.take()};
            all.clear();
            for (std::size_t part = 0; part < inputs_.size(); ++part) {
                auto const& lists = inputs_[part].from->lists();
                if (next[part] == lists.size() || lists.term(next[part]) != term) continue;
                append(*inputs_[part].from, next[part]++, moved_[part], all);
            }
            if (all.rows.empty()) continue;
            if (!apart_) sort(all);
            packer.add(static_cast<std::uint32_t>(term), all.rows, all.counts);
            if (!all.gaps.empty()) placer.add(all.counts, all.gaps);
        }
    }

    static void append(segment const& from, std::size_t list,
        std::vector<std::uint32_t> const& moved, postings& to) {
        posting_cursor cursor(from.lists(), from.lists()[list]);
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

    /// Adds the gaps of the last posting; where a damaged file lacks them, they are as good as any
    /// others.
    static void append(position_run run, postings& to) {
        std::uint32_t before = 0;
        to.counts.back() = (std::max)(run.left(), 1u);
        if (run.left() == 0) to.gaps.push_back(0);
        while (run.left() > 0) {
            auto const position = run.next();
            to.gaps.push_back(position - std::exchange(before, position));
        }
    }

    /// Where ids of one input lie between those of another.
    static void sort(postings& all) {
        struct posting {
            std::uint32_t row, count;
            std::size_t gaps; ///< where its own begin
        };
        std::vector<posting> order;
        std::size_t before = 0;
        for (std::size_t i = 0; i < all.rows.size(); before += all.counts[i++]) {
            order.push_back({all.rows[i], all.counts[i], before});
        }
        std::sort(order.begin(), order.end(),
            [](posting const& a, posting const& b) { return a.row < b.row; });
        auto const gaps = std::exchange(all.gaps, {});
        for (std::size_t i = 0; i < order.size(); ++i) {
            auto const& [row, count, first] = order[i];
            all.rows[i] = row;
            all.counts[i] = count;
            if (gaps.empty()) continue;
            auto const own = std::span(gaps).subspan(first, count);
            all.gaps.insert(all.gaps.end(), own.begin(), own.end());
        }
    }

    std::span<input const> inputs_;
    bool apart_ = true; ///< no input reaches into another
    std::vector<std::vector<std::uint32_t>> moved_;
    row_table rows_;
};

} // namespace detail
TRAWL_END_NAMESPACE
