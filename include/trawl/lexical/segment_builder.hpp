// SPDX-License-Identifier: MIT
#pragma once

/// Makes segments of documents.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/lexical/list_packer.hpp>
#include <trawl/lexical/segment.hpp>

namespace trawl::inline v0_1::detail {

/// A document as a writer hands it over.
struct counted_document {
    doc_id id = no_doc;
    std::uint32_t length = 0; ///< positions that hold a term
    std::vector<std::pair<std::uint32_t, std::uint32_t>> counts =
        {}; ///< terms, ascending, and how often each
};

/// Collects the documents of one segment, then sorts their postings by term, in O(postings + terms).
class segment_builder {
public:
    [[nodiscard]] std::size_t rows() const noexcept { return rows_.lengths.size(); }

    /// Adds a document, its terms in any order.
    /// @param id  above all before.
    void add(doc_id id, std::uint32_t length, std::span<std::uint32_t const> terms) {
        begin(id, length);
        for (auto const term : terms) {
            if (term >= newest_.size()) newest_.resize(std::size_t{term} + term / 2 + 64);
            auto& newest = newest_[term];
            if (newest > first_of_row_) {
                ++postings_[newest - 1].count;
            } else {
                post(term, 1);
                newest = postings_.size();
            }
        }
    }

    void add(counted_document const& document) {
        begin(document.id, document.length);
        for (auto const& [term, count] : document.counts) post(term, count);
    }

    /// Does the work of take() beforehand; nothing may be added then.
    void pack() {
        auto const sorted = sorted_by_term();
        list_packer packer(rows_.lengths);
        std::vector<std::uint32_t> rows;
        std::vector<std::uint32_t> counts;
        for (std::size_t i = 0; i < sorted.size();) {
            auto const term = sorted[i].term;
            rows.clear();
            counts.clear();
            for (; i < sorted.size() && sorted[i].term == term; ++i) {
                rows.push_back(sorted[i].row);
                counts.push_back(sorted[i].count);
            }
            packer.add(term, rows, counts);
        }
        lists_ = packer.take();
    }

    /// The segment of what was added.
    /// @param new_numbers  of the terms, if they are to have others.
    [[nodiscard]] std::shared_ptr<segment const> take(std::span<std::uint32_t const> new_numbers = {}) && {
        if (!postings_.empty()) pack();
        if (!new_numbers.empty()) lists_.renumber(new_numbers);
        return std::make_shared<segment const>(std::move(rows_), std::move(lists_));
    }

private:
    struct posting {
        std::uint32_t term, row, count;
    };

    void begin(doc_id id, std::uint32_t length) {
        row_ = static_cast<std::uint32_t>(rows());
        first_of_row_ = postings_.size();
        rows_.add(id, length);
    }

    void post(std::uint32_t term, std::uint32_t count) {
        postings_.push_back({term, row_, count});
        terms_ = (std::max)(terms_, std::size_t{term} + 1);
    }

    /// The postings by term, of each by row.
    [[nodiscard]] std::vector<posting> sorted_by_term() {
        auto postings = std::exchange(postings_, {});
        newest_ = {};
        auto const terms = terms_;
        if (terms > 4 * postings.size()) {
            std::stable_sort(postings.begin(), postings.end(),
                [](posting const& a, posting const& b) { return a.term < b.term; });
            return postings;
        }
        std::vector<std::size_t> begins(terms + 1);
        for (auto const& p : postings) ++begins[p.term + 1];
        std::partial_sum(begins.begin(), begins.end(), begins.begin());
        std::vector<posting> sorted(postings.size());
        for (auto const& p : postings) sorted[begins[p.term]++] = p;
        return sorted;
    }

    row_table rows_;
    packed_arrays lists_;
    std::vector<posting> postings_;   ///< none once they are packed
    std::vector<std::size_t> newest_; ///< of each term the place of its newest posting + 1, 0: none
    std::size_t terms_ = 0;           ///< more than any term's number
    std::uint32_t row_ = 0;
    std::size_t first_of_row_ = 0;
};

} // namespace trawl::inline v0_1::detail
