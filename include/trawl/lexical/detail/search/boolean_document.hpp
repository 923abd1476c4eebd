// SPDX-License-Identifier: MIT
#pragma once

/// How often the current document contains each term of a query.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/search/admitted_rows.hpp>
#include <trawl/lexical/detail/search/phrase_matches.hpp>
#include <trawl/lexical/detail/search/query_tree.hpp>
#include <trawl/lexical/detail/segments/index_snapshot.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A bit for each row of a segment.
using row_bits = buffer<std::uint64_t>;

/// Moves through the documents of an index, by segment and row. Borrows all.
/// @tparam Scorer  gives the index of each field: bm25_scorer, field_scorer.
template <class Scorer>
class boolean_document {
public:
    using location = index_snapshot::location;

    boolean_document(Scorer const& scorer, std::span<query_term const> terms)
        : tf(scorer.fields()), scorer_(scorer), terms_(terms), has_cursor_(terms.size(), 1) {}

    /// What the optional leaves of a node add to the rows of a window.
    struct score_table {
        buffer<std::int32_t> sums = {};
        row_bits matched = {}; ///< the rows that match any of the leaves
    };

    std::vector<float> tf;                ///< room for what is counted, one for each field
    std::vector<phrase_word> phrase = {}; ///< room for a phrase's words
    std::vector<score_table> tables = {}; ///< of the nodes that have one; none outside of a window

    /// Keeps no cursors, some 2 KB each, for these terms: their lists are read whole, or seldom.
    void drop_cursors(std::size_t first, std::size_t terms) {
        std::fill_n(has_cursor_.begin() + static_cast<std::ptrdiff_t>(first), terms, char{0});
    }

    /// Enters a segment, or behind the last one the tail.
    void enter(std::size_t segment) {
        at_.segment = segment;
        lists_.clear();
        cursors_.clear();
        sums_.clear();
        tables.clear();
        if (in_tail()) return;
        sum_of_.assign(terms_.size(), none);
        cursor_of_.assign(terms_.size(), none);
        cursors_.reserve(
            static_cast<std::size_t>(std::count(has_cursor_.begin(), has_cursor_.end(), char{1})));
        for (std::size_t term = 0; term < terms_.size(); ++term) {
            auto const& rows = segment_of(term);
            lists_.push_back(rows.list_of(terms_[term].id));
            if (!lists_.back() || has_cursor_[term] == 0) continue;
            cursor_of_[term] = cursors_.size();
            cursors_.emplace_back(rows, *lists_.back());
        }
    }

    void move_to(std::uint32_t row) noexcept { at_.row = row; }

    [[nodiscard]] location at() const noexcept { return at_; }
    [[nodiscard]] doc_id id() const {
        return in_tail() ? index(0).tail->documents[at_.row].id
                         : current_segment().rows->id(at_.row);
    }

    [[nodiscard]] std::uint32_t count(std::size_t term) {
        if (in_tail()) {
            auto const& asked = terms_[term];
            return index_snapshot::count(index(asked.field).tail->documents[at_.row], asked.id);
        }
        if (auto* const cursors = cursors_of(term)) return cursors->postings.count_of(at_.row);
        return lists_[term] ? postings_of(term).count_of(at_.row) : 0;
    }

    /// Where the document contains the term, if the index keeps positions.
    [[nodiscard]] position_run positions(std::size_t term) {
        if (in_tail()) {
            auto const& asked = terms_[term];
            auto const& document = index(asked.field).tail->documents[at_.row];
            auto const at = document.place_of(asked.id);
            return at ? document.positions(*at) : position_run();
        }
        auto* const cursors = cursors_of(term);
        return cursors != nullptr ? cursors->positions_of(at_.row) : position_run();
    }

    /// No row of the segment.
    [[nodiscard]] row_bits no_rows() const {
        return row_bits((std::size_t{current_segment().rows->rows()} + 63) / 64);
    }

    /// Begins the window of rows [first, first + window_rows) of the segment.
    void enter_window(std::uint32_t first) {
        first_ = first;
        std::fill(sum_of_.begin(), sum_of_.end(), none);
        used_sums_ = 0;
    }

    /// Sums up what the rows of the window contain of many terms, so that sixths(first, terms) need
    /// not look each of them up.
    void add_up(std::size_t first, std::size_t terms) {
        if (used_sums_ == sums_.size()) sums_.emplace_back();
        auto& sums = sums_[used_sums_];
        sum_of_[first] = used_sums_++;
        sums.assign(window_rows, 0);
        for_each_in_window(first, terms,
            [&](std::uint32_t row, std::int64_t sixths) { sums[row - first_] += sixths; });
    }

    /// Adds up the terms of one leaf and calls visit(row) for each row of the window that contains
    /// any of them, its frequencies in tf. The order is that of the postings.
    template <class Groups, class Visit>
    void add_up_leaf(Groups const& groups, Visit&& visit) {
        leaf_sums_.resize(tf.size() * window_rows);
        touched_.clear();
        for (auto const& group : groups) {
            auto* const sums = leaf_sums_.data() + terms_[group.first].field * window_rows;
            for_each_in_window(
                group.first, group.terms, [&](std::uint32_t row, std::int64_t sixths) {
                    touched_.push_back(row - first_);
                    sums[row - first_] += sixths;
                });
        }
        for (auto const at : touched_) {
            bool any = false;
            for (std::size_t field = 0; field < tf.size(); ++field) {
                auto const sixths = std::exchange(leaf_sums_[field * window_rows + at], 0);
                tf[field] = tf_of(sixths);
                any = any || tf[field] > 0;
            }
            if (any) visit(first_ + at); // not when it is touched again
        }
    }

    /// The tf of so many sixths of occurrences.
    [[nodiscard]] static float tf_of(std::int64_t sixths) noexcept {
        return static_cast<float>(rounded(static_cast<double>(sixths) / 6));
    }

    /// The current row, counted from the first of the window.
    [[nodiscard]] std::uint32_t row_in_window() const noexcept { return at_.row - first_; }

    /// How often the document contains any of the terms, in sixths.
    [[nodiscard]] std::int64_t sixths(std::size_t first, std::size_t terms) {
        if (!in_tail() && sum_of_[first] != none) return sums_[sum_of_[first]][at_.row - first_];
        std::int64_t total = 0;
        for (auto term = first; term < first + terms; ++term)
            total += std::int64_t{count(term)} * terms_[term].sixths;
        return total;
    }

    /// How many rows of the segment contain the term, erased ones included.
    [[nodiscard]] std::uint64_t rows_with(std::size_t term) const noexcept {
        return lists_[term] ? segment_of(term).lists()[*lists_[term]].df : 0;
    }

    /// Sets the bits of the rows that contain the term.
    void mark(std::size_t term, row_bits& bits) const {
        if (!lists_[term]) return;
        postings_of(term).for_each_row(
            [&](std::uint32_t row) { bits[row / 64] |= std::uint64_t{1} << row % 64; });
    }

private:
    static constexpr auto none = static_cast<std::size_t>(-1);

    struct list_cursors {
        list_cursors(segment const& rows, std::size_t list) noexcept
            : postings(rows.lists(), rows.lists()[list]),
              positions(rows.positions(), list, postings.blocks()) {}

        [[nodiscard]] position_run positions_of(std::uint32_t row) noexcept {
            auto const block = postings.block_of(row);
            if (block == postings.blocks()) return {};
            postings.decode(block);
            auto const rows = postings.rows();
            auto const at = std::lower_bound(rows.begin(), rows.end(), row);
            if (at == rows.end() || *at != row) return {};
            return positions.of(
                block, postings.counts(), static_cast<std::size_t>(at - rows.begin()));
        }

        posting_cursor postings;
        position_cursor positions;
    };

    /// Calls visit(row, sixths) for each posting of the terms in the window.
    template <class Visit>
    void for_each_in_window(std::size_t first, std::size_t terms, Visit&& visit) const {
        auto const last = first_ + (window_rows - 1);
        for (auto term = first; term < first + terms; ++term) {
            if (!lists_[term]) continue;
            auto cursor = postings_of(term);
            for (auto block = cursor.block_of(first_); block < cursor.blocks(); ++block) {
                cursor.decode(block);
                auto const rows = cursor.rows();
                for (std::size_t i = 0; i < rows.size(); ++i) {
                    if (rows[i] < first_ || rows[i] > last) continue;
                    visit(rows[i], std::int64_t{cursor.counts()[i]} * terms_[term].sixths);
                }
                if (rows.empty() || rows.back() >= last) break;
            }
        }
    }

    /// Null if the segment lacks the term, or no cursor is kept for it.
    [[nodiscard]] list_cursors* cursors_of(std::size_t term) noexcept {
        return cursor_of_[term] == none ? nullptr : &cursors_[cursor_of_[term]];
    }

    [[nodiscard]] index_snapshot const& index(std::size_t field) const {
        return scorer_.index(field);
    }
    [[nodiscard]] live_segment const& current_segment() const {
        return (*index(0).segments)[at_.segment];
    }
    [[nodiscard]] bool in_tail() const { return at_.segment == index(0).segments->size(); }

    /// The current segment of the term's field.
    [[nodiscard]] segment const& segment_of(std::size_t term) const {
        return *(*index(terms_[term].field).segments)[at_.segment].rows;
    }
    [[nodiscard]] posting_cursor postings_of(std::size_t term) const {
        auto const& lists = segment_of(term).lists();
        return {lists, lists[*lists_[term]]};
    }

    Scorer const& scorer_;
    std::span<query_term const> terms_;
    buffer<char> has_cursor_;
    location at_ = {};
    std::vector<std::optional<std::size_t>> lists_; ///< of the terms in the segment
    std::vector<list_cursors> cursors_;
    std::vector<std::size_t> cursor_of_; ///< of each term; none: see cursors_of
    std::uint32_t first_ = 0;            ///< of the window
    std::vector<std::vector<std::int64_t>> sums_;
    std::size_t used_sums_ = 0;
    std::vector<std::size_t> sum_of_;     ///< by first term; none: looked up
    std::vector<std::int64_t> leaf_sums_; ///< [fields x window_rows], 0 between calls
    buffer<std::uint32_t> touched_;       ///< rows of the leaf that is added up
};

} // namespace detail
TRAWL_END_NAMESPACE
