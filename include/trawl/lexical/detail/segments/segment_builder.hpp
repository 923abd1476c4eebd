// SPDX-License-Identifier: MIT
#pragma once

/// Makes segments of documents.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/counted_ptr.hpp>
#include <trawl/lexical/detail/postings/list_packer.hpp>
#include <trawl/lexical/detail/segments/segment.hpp>
#include <trawl/lexical/detail/sorting.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct term_count {
    std::uint32_t term = 0;
    std::uint32_t count = 0;

    [[nodiscard]] bool operator<(std::uint32_t other) const noexcept { return term < other; }
};

/// The count of a term, null if it is not among them.
/// @param counts  by term, ascending.
[[nodiscard]] inline term_count const* find_term(
    buffer<term_count> const& counts, std::uint32_t term) noexcept {
    auto const* const end = counts.data() + counts.size();
    auto const* const at = std::lower_bound(counts.data(), end, term);
    return at != end && at->term == term ? at : nullptr;
}

/// A document as a writer hands it over.
struct counted_document {
    doc_id id = no_doc;
    std::uint32_t length = 0;       ///< positions that hold a term
    buffer<term_count> counts = {}; ///< terms, ascending, and how often each
    buffer<std::uint32_t> gaps =
        {}; ///< where they stand, as packed_positions has it; none: positions are not kept

    /// Which of the terms this one is.
    [[nodiscard]] std::optional<std::size_t> place_of(std::uint32_t term) const noexcept {
        auto const* const found = find_term(counts, term);
        if (found == nullptr) return std::nullopt;
        return static_cast<std::size_t>(found - counts.data());
    }

    /// The positions of the i-th term; none if they are not kept.
    /// @param before  how many gaps the terms before it have.
    [[nodiscard]] position_run positions(std::size_t i, std::uint64_t before) const noexcept {
        if (gaps.empty()) return {};
        return {
            reinterpret_cast<unsigned char const*>(gaps.data()), 32 * before, 32, counts[i].count};
    }
    [[nodiscard]] position_run positions(std::size_t i) const noexcept {
        std::uint64_t before = 0;
        for (std::size_t j = 0; j < i; ++j) before += counts[j].count;
        return positions(i, before);
    }

    static constexpr std::size_t slack = packed_positions::slack / 4; ///< more gaps than there are
};

/// Collects the documents of one segment, then sorts their postings by term, in O(postings +
/// terms).
class segment_builder {
public:
    [[nodiscard]] std::size_t rows() const noexcept { return rows_.lengths.size(); }

    /// Adds a document, its terms in any order.
    /// @param id  above all before.
    /// @param positions  of the terms, not falling, in all documents or in none; none: not kept.
    void add(doc_id id, std::uint32_t length, array_ref<std::uint32_t const> terms,
        array_ref<std::uint32_t const> positions = {}) {
        begin(id, length);
        if (!positions.empty()) {
            placed_ = true;
            for (std::size_t i = 0; i < terms.size(); ++i) post(terms[i], positions[i]);
            return;
        }
        for (auto const term : terms) {
            if (term >= newest_.size()) newest_.resize(std::size_t{term} + term / 2 + 64);
            auto& newest = newest_[term];
            if (newest > first_of_row_) {
                ++postings_[newest - 1].value;
            } else {
                post(term, 1);
                newest = postings_.size();
            }
        }
    }

    void add(counted_document const& document) {
        begin(document.id, document.length);
        placed_ = placed_ || !document.gaps.empty();
        std::uint64_t before = 0;
        for (std::size_t i = 0; i < document.counts.size(); ++i) {
            auto const& [term, count] = document.counts[i];
            if (document.gaps.empty()) post(term, count);
            for (auto run = document.positions(i, before); run.left() > 0;) post(term, run.next());
            before += count;
        }
    }

    /// Packs the postings, which take() does otherwise. Nothing may be added afterwards.
    void pack() {
        auto const sorted = sorted_by_term();
        list_packer packer(rows_.lengths);
        position_packer placer;
        buffer<std::uint32_t> rows;
        buffer<std::uint32_t> counts;
        buffer<std::uint32_t> gaps;
        for (std::size_t i = 0; i < sorted.size();) {
            auto const term = sorted[i].term;
            rows.clear();
            counts.clear();
            gaps.clear();
            for (; i < sorted.size() && sorted[i].term == term; ++i) {
                auto const [same, row, value] = sorted[i];
                if (!placed_) {
                    rows.push_back(row);
                    counts.push_back(value);
                } else if (rows.empty() || rows.back() != row) {
                    rows.push_back(row);
                    counts.push_back(1);
                    gaps.push_back(value);
                } else {
                    ++counts.back();
                    gaps.push_back(value - sorted[i - 1].value);
                }
            }
            packer.add(term, rows, counts);
            if (placed_) placer.add(counts, gaps);
        }
        lists_ = packer.take();
        positions_ = placer.take();
    }

    /// The segment of what was added.
    /// @param new_ids  ids that replace the terms'; empty: they keep theirs.
    [[nodiscard]] counted_ptr<segment const> take(array_ref<std::uint32_t const> new_ids = {}) && {
        if (!postings_.empty()) pack();
        if (!new_ids.empty()) positions_.reorder(lists_.renumber(new_ids));
        return counted_ptr<segment const>::make(
            std::move(rows_), std::move(lists_), std::move(positions_));
    }

private:
    struct posting {
        std::uint32_t term, row;
        std::uint32_t value; ///< how often; where positions are kept, one position
    };

    void begin(doc_id id, std::uint32_t length) {
        row_ = static_cast<std::uint32_t>(rows());
        first_of_row_ = postings_.size();
        rows_.add(id, length);
    }

    void post(std::uint32_t term, std::uint32_t value) {
        postings_.push_back({term, row_, value});
        terms_ = (std::max)(terms_, std::size_t{term} + 1);
    }

    /// The postings by term, of each by row.
    [[nodiscard]] buffer<posting> sorted_by_term() {
        auto postings = std::exchange(postings_, {});
        newest_ = {};
        auto const terms = terms_;
        if (terms > 4 * postings.size()) {
            buffer<std::uint64_t> order(postings.size());
            for (std::size_t i = 0; i < order.size(); ++i) order[i] = sort_key(postings[i].term, i);
            sort_ascending(order);
            buffer<posting> sorted(postings.size());
            for (std::size_t i = 0; i < order.size(); ++i)
                sorted[i] = postings[place_of_key(order[i])];
            return sorted;
        }
        std::vector<std::size_t> begins(terms + 1);
        for (auto const& p : postings) ++begins[p.term + 1];
        for (std::size_t i = 0; i < terms; ++i) begins[i + 1] += begins[i];
        buffer<posting> sorted(postings.size());
        for (auto const& p : postings) sorted[begins[p.term]++] = p;
        return sorted;
    }

    row_table rows_;
    packed_arrays lists_;
    position_arrays positions_;
    bool placed_ = false;             ///< whether positions are kept
    buffer<posting> postings_;        ///< none once they are packed
    std::vector<std::size_t> newest_; ///< of each term the place of its newest posting + 1, 0: none
    std::size_t terms_ = 0;           ///< more than any term id
    std::uint32_t row_ = 0;
    std::size_t first_of_row_ = 0;
};

} // namespace detail
TRAWL_END_NAMESPACE
