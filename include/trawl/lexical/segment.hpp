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
#include <trawl/lexical/posting_cursor.hpp>

namespace trawl::inline v0_1::detail {

/// A document as a writer hands it over.
struct counted_document {
    doc_id id = no_doc;
    std::uint32_t length = 0; ///< positions that hold a term
    std::vector<std::pair<std::uint32_t, std::uint32_t>> counts =
        {}; ///< terms, ascending, and how often each
};

/// Documents by ascending id (a document's place is its row) and their lists by term, in memory of its own or
/// where a file is mapped.
class segment {
public:
    /// Arrays that lie elsewhere, whatever they hold.
    struct arrays {
        doc_id first_id = 0;
        std::span<doc_id const> ids = {}; ///< of the rows; none if they are consecutive
        std::span<std::uint32_t const> lengths = {};
        std::uint32_t longest = 0;
        packed_lists lists = {};
    };

    /// @param storage  keeps the arrays alive.
    segment(arrays const& all, std::shared_ptr<void const> storage)
        : all_(all), storage_(std::move(storage)) {}
    segment(segment const&) = delete;
    segment& operator=(segment const&) = delete;
    ~segment() = default;

    /// @param documents  by ascending id.
    explicit segment(std::span<counted_document const* const> documents) {
        struct posting {
            std::uint32_t term, row, count;
        };
        std::vector<posting> postings;
        for (auto const* const document : documents) {
            auto const row = static_cast<std::uint32_t>(lengths_.size());
            begin_row(document->id, document->length);
            for (auto const& [term, count] : document->counts) postings.push_back({term, row, count});
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
            moved[part][row] = static_cast<std::uint32_t>(lengths_.size());
            begin_row(id, inputs[part].from->length(row));
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

    [[nodiscard]] arrays const& all() const noexcept { return all_; }
    [[nodiscard]] std::uint32_t rows() const noexcept { return all_.lists.rows; }
    [[nodiscard]] std::uint32_t length(std::uint32_t row) const noexcept { return all_.lengths[row]; }
    [[nodiscard]] std::span<std::uint32_t const> lengths() const noexcept { return all_.lengths; }
    [[nodiscard]] std::uint32_t longest() const noexcept { return all_.longest; }
    [[nodiscard]] packed_lists const& lists() const noexcept { return all_.lists; }

    [[nodiscard]] doc_id id(std::uint32_t row) const noexcept {
        return all_.ids.empty() ? all_.first_id + row : all_.ids[row];
    }

    /// Whether the id of a row is the first one's plus the row.
    [[nodiscard]] bool consecutive() const noexcept { return all_.ids.empty(); }

    [[nodiscard]] std::optional<std::uint32_t> row_of(doc_id id) const noexcept {
        auto const row = row_at_least(id);
        return row < rows() && this->id(row) == id ? std::optional(row) : std::nullopt;
    }

    /// The first row whose id is at least this one; rows() if none is.
    [[nodiscard]] std::uint32_t row_at_least(doc_id id) const noexcept {
        if (!all_.ids.empty()) {
            auto const at = std::lower_bound(all_.ids.begin(), all_.ids.end(), id);
            return static_cast<std::uint32_t>(at - all_.ids.begin());
        }
        return id <= all_.first_id ? 0 : (std::min)(id - all_.first_id, rows());
    }

    /// How many of these rows, ascending, hold the term of the list.
    [[nodiscard]] std::uint32_t count_rows(
        list_entry const& entry, std::span<std::uint32_t const> rows) const noexcept {
        posting_cursor cursor(all_.lists, entry);
        std::uint32_t found = 0;
        std::size_t block = 0;
        for (auto const row : rows) {
            block = cursor.block_of(row, block);
            if (block == cursor.blocks()) break;
            found += cursor.count_of(row, block) > 0 ? 1u : 0u;
        }
        return found;
    }

private:
    static constexpr std::uint32_t no_row = 0xFFFFFFFFu;

    void begin_row(doc_id id, std::uint32_t length) {
        auto const row = static_cast<std::uint32_t>(lengths_.size());
        if (row == 0) all_.first_id = id;
        if (ids_.empty() && id != all_.first_id + row) {
            for (std::uint32_t before = 0; before < row; ++before) ids_.push_back(all_.first_id + before);
        }
        if (!ids_.empty()) ids_.push_back(id);
        lengths_.push_back(length);
        all_.longest = (std::max)(all_.longest, length);
    }

    void finish(list_packer& packer) {
        packed_ = packer.take();
        ids_.shrink_to_fit();
        lengths_.shrink_to_fit();
        all_.ids = ids_;
        all_.lengths = lengths_;
        all_.lists = packed_.lists(lengths_.size());
    }

    arrays all_;
    std::shared_ptr<void const> storage_;

    // Empty where the arrays lie elsewhere.
    std::vector<doc_id> ids_;
    std::vector<std::uint32_t> lengths_;
    packed_arrays packed_;
};

} // namespace trawl::inline v0_1::detail
