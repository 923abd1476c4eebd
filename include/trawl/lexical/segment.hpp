// SPDX-License-Identifier: MIT
#pragma once

/// An immutable part of a lexical index.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/lexical/packed_postings.hpp>

namespace trawl::inline v0_1::detail {

/// A document as a writer hands it over.
struct counted_document {
    doc_id id = no_doc;
    std::uint32_t length = 0; ///< positions that hold a term
    std::vector<std::pair<std::uint32_t, std::uint32_t>> counts =
        {}; ///< terms, ascending, and how often each
};

/// Documents by ascending id (a document's place is its row), their lists by term and, so that erasing can
/// tell whose df falls, their terms.
class segment {
public:
    /// @param documents  by ascending id.
    explicit segment(std::span<counted_document const* const> documents) {
        struct posting {
            std::uint32_t term, row, count;
        };
        std::vector<posting> postings;
        for (auto const* const document : documents) {
            auto const row = static_cast<std::uint32_t>(lengths_.size());
            begin_row(document->id, document->length);
            put_number(terms_, document->counts.size());
            std::uint32_t before = 0;
            for (auto const& [term, count] : document->counts) {
                put_number(terms_, term - before);
                before = term;
                postings.push_back({term, row, count});
            }
        }
        std::stable_sort(postings.begin(), postings.end(),
            [](posting const& a, posting const& b) { return a.term < b.term; });
        list_packer packer(lengths_);
        std::vector<std::uint32_t> rows;
        std::vector<std::uint32_t> counts;
        for (std::size_t i = 0; i < postings.size();) {
            auto const term = postings[i].term;
            rows.clear();
            counts.clear();
            for (; i < postings.size() && postings[i].term == term; ++i) {
                rows.push_back(postings[i].row);
                counts.push_back(postings[i].count);
            }
            packer.add(term, rows, counts);
        }
        finish(packer);
    }

    struct input {
        segment const* from;
        std::vector<std::uint64_t> const* live; ///< null: all rows
    };

    /// The live documents of several segments.
    explicit segment(std::span<input const> inputs) {
        struct source {
            doc_id id;
            std::uint32_t part, row;
        };
        std::vector<source> order;
        for (std::uint32_t part = 0; part < inputs.size(); ++part) {
            for (std::uint32_t row = 0; row < inputs[part].from->rows(); ++row) {
                if (is_live(inputs[part].live, row)) order.push_back({inputs[part].from->id(row), part, row});
            }
        }
        auto const by_id = [](source const& a, source const& b) { return a.id < b.id; };
        bool const apart = std::is_sorted(order.begin(), order.end(), by_id); // no input reaches into another
        if (!apart) std::sort(order.begin(), order.end(), by_id);

        std::vector<std::vector<std::uint32_t>> moved(inputs.size());
        for (std::size_t part = 0; part < inputs.size(); ++part) {
            moved[part].resize(inputs[part].from->rows(), no_row);
        }
        for (auto const& [id, part, row] : order) {
            moved[part][row] = rows();
            auto const& from = *inputs[part].from;
            begin_row(id, from.length(row));
            auto const bytes = from.term_bytes(row);
            terms_.insert(terms_.end(), bytes.begin(), bytes.end());
        }
        order = {};

        list_packer packer(lengths_);
        std::vector<std::size_t> next(inputs.size());
        std::vector<std::pair<std::uint32_t, std::uint32_t>> unordered;
        std::vector<std::uint32_t> rows;
        std::vector<std::uint32_t> counts;
        for (;;) {
            std::uint64_t term = ~std::uint64_t{0};
            for (std::size_t part = 0; part < inputs.size(); ++part) {
                auto const& entries = inputs[part].from->lists().entries;
                if (next[part] < entries.size()) {
                    term = (std::min)(term, std::uint64_t{entries[next[part]].term});
                }
            }
            if (term == ~std::uint64_t{0}) break;
            rows.clear();
            counts.clear();
            for (std::size_t part = 0; part < inputs.size(); ++part) {
                auto const& lists = inputs[part].from->lists();
                if (next[part] == lists.entries.size() || lists.entries[next[part]].term != term) continue;
                posting_cursor cursor(lists, lists.entries[next[part]++]);
                for (std::size_t block = 0; block < cursor.blocks(); ++block) {
                    cursor.decode(block);
                    for (std::size_t i = 0; i < cursor.rows().size(); ++i) {
                        auto const row = moved[part][cursor.rows()[i]];
                        if (row == no_row) continue;
                        rows.push_back(row);
                        counts.push_back(cursor.counts()[i]);
                    }
                }
            }
            if (rows.empty()) continue;
            if (!apart) {
                unordered.clear();
                for (std::size_t i = 0; i < rows.size(); ++i) unordered.emplace_back(rows[i], counts[i]);
                std::sort(unordered.begin(), unordered.end());
                for (std::size_t i = 0; i < rows.size(); ++i) std::tie(rows[i], counts[i]) = unordered[i];
            }
            packer.add(static_cast<std::uint32_t>(term), rows, counts);
        }
        finish(packer);
    }

    [[nodiscard]] static bool is_live(std::vector<std::uint64_t> const* live, std::uint32_t row) noexcept {
        return live == nullptr || (((*live)[row / 64] >> row % 64) & 1u) != 0;
    }

    [[nodiscard]] std::uint32_t rows() const noexcept { return static_cast<std::uint32_t>(lengths_.size()); }
    [[nodiscard]] std::uint32_t length(std::uint32_t row) const noexcept { return lengths_[row]; }
    [[nodiscard]] std::span<std::uint32_t const> lengths() const noexcept { return lengths_; }
    [[nodiscard]] std::uint32_t longest() const noexcept { return longest_; }
    [[nodiscard]] packed_lists const& lists() const noexcept { return lists_; }

    [[nodiscard]] doc_id id(std::uint32_t row) const noexcept {
        return ids_.empty() ? first_id_ + row : ids_[row];
    }

    /// Whether the id of a row is the first one's plus the row.
    [[nodiscard]] bool consecutive() const noexcept { return ids_.empty(); }

    [[nodiscard]] std::optional<std::uint32_t> row_of(doc_id id) const noexcept {
        if (rows() == 0 || id < first_id_) return std::nullopt;
        if (ids_.empty()) return id - first_id_ < rows() ? std::optional(id - first_id_) : std::nullopt;
        auto const at = std::lower_bound(ids_.begin(), ids_.end(), id);
        if (at == ids_.end() || *at != id) return std::nullopt;
        return static_cast<std::uint32_t>(at - ids_.begin());
    }

    /// Calls visit(term) for each term of the row's document, ascending.
    template <class Visit>
    void for_each_term(std::uint32_t row, Visit&& visit) const {
        auto const* from = term_bytes(row).data();
        auto const count = take_number(from);
        std::uint64_t term = 0;
        for (std::uint64_t i = 0; i < count; ++i)
            visit(static_cast<std::uint32_t>(term += take_number(from)));
    }

private:
    static constexpr std::uint32_t no_row = 0xFFFFFFFFu;
    static constexpr std::uint32_t stride = 16; // rows from one remembered offset to the next

    void begin_row(doc_id id, std::uint32_t length) {
        if (rows() == 0) first_id_ = id;
        if (ids_.empty() && id != first_id_ + rows()) {
            for (std::uint32_t row = 0; row < rows(); ++row) ids_.push_back(first_id_ + row);
        }
        if (!ids_.empty()) ids_.push_back(id);
        if (rows() % stride == 0) terms_at_.push_back(terms_.size());
        lengths_.push_back(length);
        longest_ = (std::max)(longest_, length);
    }

    [[nodiscard]] std::span<unsigned char const> term_bytes(std::uint32_t row) const noexcept {
        auto const* at = terms_.data() + terms_at_[row / stride];
        for (auto left = row % stride; left > 0; --left) at = past_terms(at);
        return {at, past_terms(at)};
    }

    [[nodiscard]] static unsigned char const* past_terms(unsigned char const* at) noexcept {
        for (auto left = take_number(at); left > 0; --left) {
            while ((*at++ & 128u) != 0) {
            }
        }
        return at;
    }

    void finish(list_packer& packer) {
        lists_ = packer.take();
        ids_.shrink_to_fit();
        lengths_.shrink_to_fit();
        terms_.shrink_to_fit();
        terms_at_.shrink_to_fit();
    }

    doc_id first_id_ = 0;
    std::vector<doc_id> ids_; // empty if they are consecutive
    std::vector<std::uint32_t> lengths_;
    std::uint32_t longest_ = 0;
    packed_lists lists_;
    std::vector<unsigned char> terms_;    // of each row: how many, then the differences
    std::vector<std::uint64_t> terms_at_; // of each 16th row
};

} // namespace trawl::inline v0_1::detail
