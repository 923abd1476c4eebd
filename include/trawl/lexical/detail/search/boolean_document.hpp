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
#include <trawl/lexical/detail/search/admitted_rows.hpp>
#include <trawl/lexical/detail/search/phrase_matches.hpp>
#include <trawl/lexical/detail/search/query_tree.hpp>
#include <trawl/lexical/detail/segments/index_snapshot.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A bit for each row of a segment.
using row_bits = std::vector<std::uint64_t>;

/// Moves through the documents of an index, by segment and row. Borrows all.
/// @tparam Scorer  gives the index of each field: bm25_scorer, field_scorer.
template <class Scorer>
class boolean_document {
public:
    using location = index_snapshot::location;

    boolean_document(Scorer const& scorer, std::span<query_term const> terms)
        : tf(scorer.fields()), scorer_(scorer), terms_(terms), has_cursor_(terms.size(), 1) {}

    std::vector<float> tf;                ///< room for what is counted, one for each field
    std::vector<phrase_word> phrase = {}; ///< room for a phrase's words

    /// Keeps no cursor, some 2 KB, for these terms: they are read list by list, or seldom.
    void drop_cursors(std::size_t first, std::size_t terms) {
        std::fill_n(has_cursor_.begin() + static_cast<std::ptrdiff_t>(first), terms, char{0});
    }

    /// Enters a segment, or behind the last one the tail.
    void enter(std::size_t segment) {
        at_.segment = segment;
        lists_.clear();
        cursors_.clear();
        sums_.clear();
        if (in_tail()) return;
        sum_of_.assign(terms_.size(), none);
        for (std::size_t term = 0; term < terms_.size(); ++term) {
            auto const& rows = segment_of(term);
            lists_.push_back(rows.list_of(terms_[term].id));
            cursors_.emplace_back();
            if (lists_.back() && has_cursor_[term] != 0)
                cursors_.back().emplace(rows, *lists_.back());
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
        if (cursors_[term]) return cursors_[term]->postings.count_of(at_.row);
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
        return cursors_[term] ? cursors_[term]->positions_of(at_.row) : position_run();
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
        auto const last = first_ + (window_rows - 1);
        for (auto term = first; term < first + terms; ++term) {
            if (!lists_[term]) continue;
            auto cursor = postings_of(term);
            for (auto block = cursor.block_of(first_); block < cursor.blocks(); ++block) {
                cursor.decode(block);
                auto const rows = cursor.rows();
                for (std::size_t i = 0; i < rows.size(); ++i) {
                    if (rows[i] < first_ || rows[i] > last) continue;
                    sums[rows[i] - first_] +=
                        std::int64_t{cursor.counts()[i]} * terms_[term].sixths;
                }
                if (rows.empty() || rows.back() >= last) break;
            }
        }
    }

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
    std::vector<char> has_cursor_;
    location at_ = {};
    std::vector<std::optional<std::size_t>> lists_; ///< of the terms in the segment
    std::vector<std::optional<list_cursors>> cursors_;
    std::uint32_t first_ = 0; ///< of the window
    std::vector<std::vector<std::int64_t>> sums_;
    std::size_t used_sums_ = 0;
    std::vector<std::size_t> sum_of_; ///< by first term; none: looked up
};

} // namespace detail
TRAWL_END_NAMESPACE
