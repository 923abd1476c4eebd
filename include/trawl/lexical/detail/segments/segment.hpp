// SPDX-License-Identifier: MIT
#pragma once

/// An immutable part of a lexical index.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/owner.hpp>
#include <trawl/lexical/detail/postings/packed_positions.hpp>
#include <trawl/lexical/detail/postings/packed_postings.hpp>
#include <trawl/lexical/detail/postings/posting_cursor.hpp>
#include <trawl/lexical/detail/sorting.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The documents of a segment that is being made.
struct row_table {
    doc_id first_id = 0;
    buffer<doc_id> ids = {}; ///< none if they are consecutive
    buffer<std::uint32_t> lengths = {};
    std::uint32_t longest = 0;

    /// @param id  above all before.
    void add(doc_id id, std::uint32_t length) {
        auto const row = static_cast<std::uint32_t>(lengths.size());
        if (row == 0) first_id = id;
        if (ids.empty() && id != first_id + row) {
            for (std::uint32_t before = 0; before < row; ++before) ids.push_back(first_id + before);
        }
        if (!ids.empty()) ids.push_back(id);
        lengths.push_back(length);
        longest = (std::max)(longest, length);
    }
};

/// Documents by ascending id (a document's place is its row) and their lists by term, in memory of
/// its own or where a file is mapped.
class segment {
public:
    /// Arrays that lie elsewhere, whatever they hold.
    struct arrays {
        doc_id first_id = 0;
        array_ref<doc_id const> ids = {}; ///< of the rows; none if they are consecutive
        array_ref<std::uint32_t const> lengths = {};
        std::uint32_t longest = 0;
        packed_lists lists = {};
        packed_positions positions = {};
    };

    /// @param storage  keeps the arrays alive.
    segment(arrays const& all, owner storage) : all_(all), storage_(std::move(storage)) {}
    segment(segment const&) = delete;
    segment& operator=(segment const&) = delete;
    ~segment() = default;

    /// Rows and lists in memory of its own.
    /// @param positions  of the lists; none: not kept.
    segment(row_table rows, packed_arrays lists, position_arrays positions)
        : rows_(std::move(rows)), packed_(std::move(lists)), placed_(std::move(positions)) {
        packed_.finish();
        placed_.finish();
        rows_.ids.shrink_to_fit();
        rows_.lengths.shrink_to_fit();
        all_ = {rows_.first_id, rows_.ids, rows_.lengths, rows_.longest,
            packed_.lists(rows_.lengths.size()), placed_.positions()};
    }

    [[nodiscard]] static bool is_live(
        std::vector<std::uint64_t> const* live, std::uint32_t row) noexcept {
        return live == nullptr || (((*live)[row / 64] >> row % 64) & 1u) != 0;
    }

    [[nodiscard]] arrays const& all() const noexcept { return all_; }
    [[nodiscard]] std::uint32_t rows() const noexcept { return all_.lists.rows; }
    [[nodiscard]] std::uint32_t length(std::uint32_t row) const noexcept {
        return all_.lengths[row];
    }
    [[nodiscard]] array_ref<std::uint32_t const> lengths() const noexcept { return all_.lengths; }
    [[nodiscard]] std::uint32_t longest() const noexcept { return all_.longest; }
    [[nodiscard]] packed_lists const& lists() const noexcept { return all_.lists; }
    [[nodiscard]] bool has_positions() const noexcept { return all_.positions.begins.size() > 0; }
    [[nodiscard]] packed_positions const& positions() const noexcept { return all_.positions; }

    /// Which of the lists is the term's.
    [[nodiscard]] std::optional<std::size_t> list_of(std::uint32_t term) const noexcept {
        auto const list = lists().first_from(term);
        return list < lists().size() && lists().term(list) == term ? std::optional(list)
                                                                   : std::nullopt;
    }

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
            return static_cast<std::uint32_t>(place_in(all_.ids, id));
        }
        return id <= all_.first_id ? 0 : (std::min)(id - all_.first_id, rows());
    }

    /// How many of these rows, ascending, hold the term of the list.
    [[nodiscard]] std::uint32_t count_rows(
        list_place const& list, array_ref<std::uint32_t const> rows) const noexcept {
        posting_cursor cursor(all_.lists, list);
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
    arrays all_;
    owner storage_;

    // Empty where the arrays lie elsewhere.
    row_table rows_;
    packed_arrays packed_;
    position_arrays placed_;
};

} // namespace detail
TRAWL_END_NAMESPACE
