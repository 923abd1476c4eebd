// SPDX-License-Identifier: MIT
#pragma once

/// A lexical index at one moment: what a search reads while the next moments are written.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/counted_ptr.hpp>
#include <trawl/lexical/detail/postings/count_table.hpp>
#include <trawl/lexical/detail/segments/segment.hpp>
#include <trawl/lexical/detail/segments/segment_builder.hpp>
#include <trawl/lexical/detail/segments/term_dictionary.hpp>
#include <trawl/lexical/detail/sorting.hpp>
#include <trawl/lexical/detail/surface_terms.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A segment and which of its documents are erased.
///
/// df counts live documents: the erased ones are subtracted from a list's. Erased rows gather in
/// `others` and are looked up in each list that is asked for. Once they are many, one pass through
/// all lists adds them to `counted`, the number of erased documents by term.
struct live_segment {
    counted_ptr<segment const> rows = {};
    std::shared_ptr<std::vector<std::uint64_t> const> live = {}; ///< null: all
    std::uint32_t dead = 0;
    counted_ptr<buffer<term_count> const> counted = {};   ///< by term; null: none
    counted_ptr<buffer<std::uint32_t> const> others = {}; ///< rows, ascending; null: none
    counted_ptr<count_table const> frequent = {};         ///< null: not frozen

    [[nodiscard]] bool is_live(std::uint32_t row) const noexcept {
        return segment::is_live(live.get(), row);
    }

    [[nodiscard]] std::uint32_t df(std::uint32_t term) const noexcept {
        auto const list = rows->lists().find(term);
        return list ? df(*list) : 0;
    }

    [[nodiscard]] std::uint32_t df(list_place const& list) const noexcept {
        auto documents = list.df;
        if (counted) {
            if (auto const* const erased = find_term(*counted, list.term))
                documents -= erased->count;
        }
        return others ? documents - rows->count_rows(list, *others) : documents;
    }

    /// Erases a live row.
    /// @par Complexity  O(rows / 64), and O(postings) each time the erased rows have grown by a
    /// quarter.
    void erase(std::uint32_t row) {
        auto bits =
            live ? *live : std::vector<std::uint64_t>((rows->rows() + 63) / 64, ~std::uint64_t{0});
        bits[row / 64] &= ~(std::uint64_t{1} << row % 64);
        live = std::make_shared<std::vector<std::uint64_t> const>(std::move(bits));
        ++dead;
        auto uncounted = others ? *others : buffer<std::uint32_t>();
        auto const place = place_in(uncounted, row); // the row is live, so not among them
        uncounted.insert(place, row);
        others = counted_ptr<buffer<std::uint32_t> const>::make(std::move(uncounted));
        if (others->size() > 64 && others->size() > dead / 4) count();
    }

    /// Erases all live rows that are not in `kept`.
    /// @param kept  a bit a row.
    /// @par Complexity  O(rows / 64 + erased), and O(postings) each time the erased rows have grown
    /// by a quarter, beyond 64 + rows / 256.
    void keep_only(std::shared_ptr<std::vector<std::uint64_t> const> kept) {
        auto uncounted = others ? *others : buffer<std::uint32_t>();
        auto const before = uncounted.size();
        for (std::uint32_t first = 0; first < rows->rows(); first += 64) {
            auto gone = ~(*kept)[first / 64] & (live ? (*live)[first / 64] : ~std::uint64_t{0});
            for (; gone != 0; gone &= gone - 1) {
                auto const row = first + static_cast<std::uint32_t>(std::countr_zero(gone));
                if (row < rows->rows()) uncounted.push_back(row);
            }
        }
        if (uncounted.size() == before) return;
        dead += static_cast<std::uint32_t>(uncounted.size() - before);
        std::sort(uncounted.begin(), uncounted.end());
        live = std::move(kept);
        others = counted_ptr<buffer<std::uint32_t> const>::make(std::move(uncounted));
        if (others->size() > 64 + rows->rows() / 256 && others->size() > dead / 4) count();
    }

private:
    void count() {
        buffer<term_count> terms;
        list_walk walk(rows->lists());
        for (std::size_t i = 0; i < rows->lists().size(); ++i) {
            std::uint32_t erased = 0;
            posting_cursor(rows->lists(), walk(i)).for_each_row([&](std::uint32_t row) {
                erased += is_live(row) ? 0u : 1u;
            });
            if (erased > 0) terms.push_back({rows->lists().term(i), erased});
        }
        counted = counted_ptr<buffer<term_count> const>::make(std::move(terms));
        others = nullptr;
    }
};

/// The newest documents, in the order of their addition. The writer fills only slots that no
/// snapshot counts yet.
struct index_tail {
    static constexpr std::size_t capacity = 64;
    std::array<counted_document, capacity> documents = {};
};

/// Immutable. Copies share all that is large.
struct index_snapshot {

    /// Where a document is: a segment and a row, or behind the last segment a slot of the tail.
    struct location {
        std::size_t segment;
        std::uint32_t row;
    };

    counted_ptr<buffer<live_segment> const> segments =
        counted_ptr<buffer<live_segment> const>::make();
    counted_ptr<index_tail> tail = {};
    std::size_t tail_size = 0;
    std::uint64_t tail_live = 0; ///< a bit for each slot
    std::size_t live = 0;
    std::uint64_t total_length = 0;
    doc_id next_id = 0;
    counted_ptr<term_dictionary> dictionary = counted_ptr<term_dictionary>::make();
    term_dictionary::slots slots = dictionary->current_slots();
    term_id terms = 0;

    [[nodiscard]] std::optional<term_id> find(std::string_view term) const {
        return dictionary->find(slots, terms, term);
    }

    /// Calls visit(document, slot) for each live document of the tail.
    template <class Visit>
    void for_each_in_tail(Visit&& visit) const {
        for (auto rest = tail_live; rest != 0; rest &= rest - 1) {
            auto const slot = static_cast<std::uint32_t>(std::countr_zero(rest));
            visit(tail->documents[slot], slot);
        }
    }

    /// The live documents of the tail by id; null if there is none.
    [[nodiscard]] counted_ptr<segment const> tail_segment() const {
        buffer<std::uint64_t> order; // the id above the slot
        for_each_in_tail([&](counted_document const& document, std::uint32_t slot) {
            order.push_back(std::uint64_t{document.id} << 32 | slot);
        });
        if (order.empty()) return nullptr;
        sort_ascending(order);
        segment_builder builder;
        for (auto const key : order) builder.add(tail->documents[static_cast<std::uint32_t>(key)]);
        return std::move(builder).take();
    }

    /// Where a live document is.
    [[nodiscard]] std::optional<location> locate(doc_id id) const noexcept {
        std::optional<location> found;
        for_each_in_tail([&](counted_document const& document, std::uint32_t slot) {
            if (document.id == id) found = {segments->size(), slot};
        });
        for (std::size_t segment = 0; segment < segments->size() && !found; ++segment) {
            auto const row = (*segments)[segment].rows->row_of(id);
            if (row && (*segments)[segment].is_live(*row)) found = {segment, *row};
        }
        return found;
    }

    [[nodiscard]] std::uint32_t length(location at) const noexcept {
        return at.segment == segments->size() ? tail->documents[at.row].length
                                              : (*segments)[at.segment].rows->length(at.row);
    }

    /// How often a document of the tail holds the term; 0 if not at all.
    [[nodiscard]] static std::uint32_t count(
        counted_document const& document, term_id term) noexcept {
        auto const* const found = find_term(document.counts, term);
        return found != nullptr ? found->count : 0;
    }

    /// How often a document holds the term; 0 if not at all.
    [[nodiscard]] std::uint32_t count(location at, term_id term) const noexcept {
        if (at.segment == segments->size()) return count(tail->documents[at.row], term);
        auto const& lists = (*segments)[at.segment].rows->lists();
        auto const list = lists.find(term);
        return list ? posting_cursor(lists, *list).count_of(at.row) : 0;
    }

    /// How many live documents hold the term.
    [[nodiscard]] std::uint64_t df(term_id term) const noexcept {
        std::uint64_t documents = 0;
        for (auto const& segment : *segments) documents += segment.df(term);
        for_each_in_tail([&](counted_document const& document, std::uint32_t) {
            documents += count(document, term) > 0 ? 1u : 0u;
        });
        return documents;
    }

    /// How many live documents that admits(id) hold the term.
    template <class Admits>
    [[nodiscard]] std::uint64_t df_where(term_id term, Admits&& admits) const {
        std::uint64_t documents = 0;
        for (auto const& segment : *segments) {
            auto const& lists = segment.rows->lists();
            auto const list = lists.find(term);
            if (!list) continue;
            posting_cursor(lists, *list).for_each_row([&](std::uint32_t row) {
                if (segment.is_live(row) && admits(segment.rows->id(row))) ++documents;
            });
        }
        for_each_in_tail([&](counted_document const& document, std::uint32_t) {
            if (admits(document.id) && count(document, term) > 0) ++documents;
        });
        return documents;
    }

    /// The df of every term among the live documents that admits(id), 0 where none holds it.
    /// O(postings).
    template <class Admits>
    [[nodiscard]] buffer<std::uint64_t> all_df_where(Admits&& admits) const {
        buffer<std::uint64_t> documents(terms);
        for (auto const& segment : *segments) {
            auto const& lists = segment.rows->lists();
            list_walk walk(lists);
            for (std::size_t i = 0; i < lists.size(); ++i) {
                auto const term = lists.term(i);
                if (term >= terms) continue;
                posting_cursor(lists, walk(i)).for_each_row([&](std::uint32_t row) {
                    if (segment.is_live(row) && admits(segment.rows->id(row))) ++documents[term];
                });
            }
        }
        for_each_in_tail([&](counted_document const& document, std::uint32_t) {
            if (!admits(document.id)) return;
            for (auto const& [term, count] : document.counts) ++documents[term];
        });
        forget_surfaces(documents);
        return documents;
    }

    /// The df of every term, 0 where no live document holds it. O(terms) where nothing is erased.
    [[nodiscard]] buffer<std::uint64_t> all_df() const {
        buffer<std::uint64_t> documents(terms);
        for (auto const& segment : *segments) {
            auto const& lists = segment.rows->lists();
            for (std::size_t i = 0; i < lists.size(); ++i) {
                if (lists.term(i) < terms) documents[lists.term(i)] += segment.df(lists[i]);
            }
        }
        for_each_in_tail([&](counted_document const& document, std::uint32_t) {
            for (auto const& [term, count] : document.counts) ++documents[term];
        });
        forget_surfaces(documents);
        return documents;
    }

private:
    /// Statistics do not count the entries of surfaces.
    void forget_surfaces(buffer<std::uint64_t>& documents) const {
        for (term_id term = 0; term < terms; ++term) {
            if (documents[term] > 0 && surface_entry_of(dictionary->term(term)))
                documents[term] = 0;
        }
    }
};

} // namespace detail
TRAWL_END_NAMESPACE
