// SPDX-License-Identifier: MIT
#pragma once

/// Which documents the rows of a dense index belong to, and which of them are live.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>

TRAWL_BEGIN_NAMESPACE

class filter;

namespace detail {

/// Row number i belongs to document id(i). Ids rise with the row number and may leave gaps. Erasing
/// clears the row's live bit; the row stays until compact(). An id is never given out twice.
class document_table {
public:
    using word = std::uint64_t;
    static constexpr std::size_t block = 64; ///< rows that one word of live bits covers
    static constexpr std::size_t no_row = static_cast<std::size_t>(-1);

    [[nodiscard]] std::size_t rows() const noexcept { return ids_.size(); }
    [[nodiscard]] std::size_t blocks() const noexcept { return live_.size(); }
    [[nodiscard]] std::size_t live() const noexcept { return live_count_; } ///< live rows
    [[nodiscard]] doc_id next_id() const noexcept { return next_id_; }
    [[nodiscard]] doc_id id(std::size_t row) const noexcept { return ids_[row]; }
    [[nodiscard]] std::span<doc_id const> ids() const noexcept { return {ids_.data(), rows()}; }
    [[nodiscard]] std::span<word const> live_words() const noexcept {
        return {live_.data(), live_.size()};
    }
    [[nodiscard]] bool lives(std::size_t row) const noexcept {
        return ((live_[row / block] >> (row % block)) & 1u) != 0;
    }

    /// Checks that `count` documents can be added under the ids from `first` on.
    /// @param index  The name of the index, for messages.
    /// @throws trawl::error (invalid_argument) if first is no_doc or the ids would reach it,
    /// (id_order) if first < next_id().
    void check_new(char const* index, doc_id first, std::size_t count) const;

    /// Makes room for `count` rows. If memory runs out, nothing changes.
    void reserve_more(std::size_t count);

    /// Appends rows that there is room for, for the ids first, first + 1, …
    void append(doc_id first, std::size_t count) noexcept;

    /// Takes over the rows of a file.
    void restore(std::span<doc_id const> ids, std::span<word const> live, doc_id next_id);

    /// The live row of a document, or no_row. O(1) where ids have no gaps, else O(log rows).
    [[nodiscard]] std::size_t find(doc_id id) const noexcept;

    /// Retires a live row.
    void erase(std::size_t row) noexcept;

    /// The live rows, ascending.
    [[nodiscard]] std::vector<std::uint32_t> live_rows() const;

    /// Drops the rows that are not live; the others keep their order.
    void compact() noexcept;

    /// The live rows of block b whose documents the filter admits: bit i is row b * block + i.
    [[nodiscard]] word eligible(std::size_t b, filter const& where) const noexcept;

private:
    buffer<doc_id> ids_ = {};
    buffer<word> live_ = {};
    std::size_t live_count_ = 0;
    doc_id next_id_ = 0;
};

/// Makes room for `more` elements; reserve() alone would move all of them at each call. If memory
/// runs out, nothing changes.
template <class Vector>
void make_room(Vector& v, std::size_t more) {
    if (v.capacity() - v.size() >= more) return;
    v.reserve(v.size() + more < 2 * v.size() ? 2 * v.size() : v.size() + more);
}

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/dense/detail/document_table_inl.hpp>
#endif
