// SPDX-License-Identifier: MIT
#pragma once

/// How often the document at hand holds each term of a question.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/lexical/detail/search/phrase_matches.hpp>
#include <trawl/lexical/detail/segments/index_snapshot.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The number of a term that an index does not know.
inline constexpr index_snapshot::number no_number = 0xFFFFFFFFu;

/// A term of one field; of an index without fields, the field is 0.
struct question_term {
    std::size_t field = 0;
    index_snapshot::number number = no_number;
    std::uint32_t sixths = 6; ///< how much an occurrence counts
};

/// A bit for each row of a part.
using row_bits = std::vector<std::uint64_t>;

/// Moves through the documents of an index, by part and row. Borrows all.
/// @tparam Scorer  gives the index of each field: bm25_scorer, field_scorer.
template <class Scorer>
class boolean_document {
public:
    using number = index_snapshot::number;
    using location = index_snapshot::location;

    boolean_document(Scorer const& scorer, std::span<question_term const> terms)
        : tf(scorer.fields()), scorer_(scorer), terms_(terms) {}

    std::vector<float> tf;                ///< room for what is counted, one for each field
    std::vector<phrase_word> phrase = {}; ///< room for a phrase's words

    /// A part, or behind the last one the tail.
    void enter(std::size_t part) {
        at_.part = part;
        cursors_.clear();
        sixths_.clear();
        if (in_tail()) return;
        for (auto const& term : terms_) {
            auto const& rows = *(*index(term.field).parts)[part].rows;
            auto const list = rows.list_of(term.number);
            cursors_.push_back(
                list ? std::optional<list_cursors>(std::in_place, rows, *list) : std::nullopt);
        }
    }

    void move_to(number row) noexcept { at_.row = row; }

    [[nodiscard]] location at() const noexcept { return at_; }
    [[nodiscard]] doc_id id() const {
        return in_tail() ? index(0).tail->documents[at_.row].id : part().rows->id(at_.row);
    }

    [[nodiscard]] std::uint32_t count(std::size_t term) {
        if (in_tail()) {
            auto const& asked = terms_[term];
            return index_snapshot::count(index(asked.field).tail->documents[at_.row], asked.number);
        }
        return cursors_[term] ? cursors_[term]->postings.count_of(at_.row) : 0;
    }

    /// Where the document holds the term, if the index keeps that.
    [[nodiscard]] position_run positions(std::size_t term) {
        if (in_tail()) {
            auto const& asked = terms_[term];
            auto const& document = index(asked.field).tail->documents[at_.row];
            auto const at = document.place_of(asked.number);
            return at ? document.positions(*at) : position_run();
        }
        return cursors_[term] ? cursors_[term]->positions_of(at_.row) : position_run();
    }

    /// Of the part.
    [[nodiscard]] row_bits no_rows() const {
        return row_bits((std::size_t{part().rows->rows()} + 63) / 64);
    }

    /// Adds up what all rows of the part hold of many terms, so that sixths() need not look each
    /// up.
    void add_up(std::size_t first, std::size_t terms) {
        std::vector<std::uint64_t> all(part().rows->rows());
        for (auto term = first; term < first + terms; ++term) {
            if (!cursors_[term]) continue;
            auto& cursor = cursors_[term]->postings;
            for (std::size_t block = 0; block < cursor.blocks(); ++block) {
                cursor.decode(block);
                for (std::size_t i = 0; i < cursor.rows().size(); ++i) {
                    all[cursor.rows()[i]] +=
                        std::uint64_t{cursor.counts()[i]} * terms_[term].sixths;
                }
            }
        }
        sixths_.emplace_back(first, std::move(all));
    }

    /// How often the document holds any of the terms, each as much as it counts.
    [[nodiscard]] std::uint64_t sixths(std::size_t first, std::size_t terms) {
        for (auto const& [of, all] : sixths_) {
            if (of == first) return all[at_.row];
        }
        std::uint64_t total = 0;
        for (auto term = first; term < first + terms; ++term) {
            total += std::uint64_t{count(term)} * terms_[term].sixths;
        }
        return total;
    }

    /// How many rows of the part hold the term.
    [[nodiscard]] std::uint64_t rows_with(std::size_t term) const noexcept {
        return cursors_[term] ? cursors_[term]->postings.df() : 0;
    }

    /// Sets the bits of the rows that hold the term.
    void mark(std::size_t term, row_bits& bits) {
        if (!cursors_[term]) return;
        cursors_[term]->postings.for_each_row(
            [&](number row) { bits[row / 64] |= std::uint64_t{1} << row % 64; });
    }

private:
    struct list_cursors {
        list_cursors(segment const& rows, std::size_t list) noexcept
            : postings(rows.lists(), rows.lists()[list]),
              positions(rows.positions(), list, postings.blocks()) {}

        [[nodiscard]] position_run positions_of(number row) noexcept {
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
    [[nodiscard]] index_part const& part() const { return (*index(0).parts)[at_.part]; }
    [[nodiscard]] bool in_tail() const { return at_.part == index(0).parts->size(); }

    Scorer const& scorer_;
    std::span<question_term const> terms_;
    location at_ = {};
    std::vector<std::optional<list_cursors>> cursors_;
    std::vector<std::pair<std::size_t, std::vector<std::uint64_t>>> sixths_; ///< by first term
};

} // namespace detail
TRAWL_END_NAMESPACE
