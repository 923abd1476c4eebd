// SPDX-License-Identifier: MIT
#pragma once

/// The rows of a dense index: vectors one after the other in memory, their documents, and which of them live.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <trawl/core/filter.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/aligned_allocator.hpp>

namespace trawl::inline v0_1::detail {

// Room for `more` elements; reserve() alone would move all of them at each call.
template <class Vector>
void make_room(Vector& v, std::size_t more) {
    if (v.capacity() - v.size() < more) v.reserve((std::max)(v.size() + more, v.size() * 2));
}

/// Rows [rows() x dim()], row-major, from a 64-byte boundary on. A row's number is its place in memory; ids
/// rise with it and may leave gaps. Erasing clears a bit, the row stays.
template <class Element>
class vector_store {
public:
    using word = doc_set::word;
    static constexpr std::size_t block = doc_set::word_bits; ///< rows that one word of live bits covers
    static constexpr std::size_t no_row = static_cast<std::size_t>(-1);

    explicit vector_store(std::size_t dim) : dim_(dim) {}

    [[nodiscard]] std::size_t dim() const noexcept { return dim_; }
    [[nodiscard]] std::size_t rows() const noexcept { return ids_.size(); }
    [[nodiscard]] std::size_t blocks() const noexcept { return live_.size(); }
    [[nodiscard]] std::size_t live() const noexcept { return live_count_; }
    [[nodiscard]] doc_id next_id() const noexcept { return ids_.empty() ? 0 : ids_.back() + 1; }

    [[nodiscard]] Element const* row(std::size_t number) const noexcept {
        return values_.data() + number * dim_;
    }
    [[nodiscard]] doc_id id(std::size_t number) const noexcept { return ids_[number]; }

    /// Appends rows for the ids first, first + 1, …; first >= next_id(). Changes nothing if memory runs out.
    void append(doc_id first, matrix_view<Element const> vectors) {
        make_room(values_, vectors.rows * dim_);
        make_room(ids_, vectors.rows);
        live_.resize((rows() + vectors.rows + block - 1) / block);
        values_.insert(values_.end(), vectors.data, vectors.data + vectors.rows * dim_);
        for (std::size_t i = 0; i < vectors.rows; ++i) {
            live_[rows() / block] |= word{1} << (rows() % block);
            ids_.push_back(first + static_cast<doc_id>(i));
        }
        live_count_ += vectors.rows;
    }

    /// The live row of a document, or no_row. O(1) where ids have no gaps, else O(log rows).
    [[nodiscard]] std::size_t find(doc_id id) const noexcept {
        std::size_t number = id;
        if (number >= rows() || ids_[number] != id) {
            auto const at = std::lower_bound(ids_.begin(), ids_.end(), id);
            if (at == ids_.end() || *at != id) return no_row;
            number = static_cast<std::size_t>(at - ids_.begin());
        }
        return ((live_[number / block] >> (number % block)) & 1u) != 0 ? number : no_row;
    }

    /// Retires a live row.
    void erase(std::size_t number) noexcept {
        live_[number / block] &= ~(word{1} << (number % block));
        --live_count_;
    }

    /// The rows of block b that live and whose documents the filter admits: bit i is row b * block + i.
    [[nodiscard]] word eligible(std::size_t b, filter const& where) const noexcept {
        auto const bits = live_[b];
        if (where.admits_all() || bits == 0) return bits;
        auto const first = b * block;
        auto const last = (std::min)(first + block, rows()) - 1;
        if (ids_[last] - ids_[first] == last - first) return bits & window(where.set()->words(), ids_[first]);
        word admitted = 0;
        for (word rest = bits; rest != 0; rest &= rest - 1) {
            auto const i = static_cast<std::size_t>(std::countr_zero(rest));
            if (where.admits(ids_[first + i])) admitted |= word{1} << i;
        }
        return admitted;
    }

private:
    // 64 bits of a bitmap from a position that need not be a word's; beyond its end they are 0.
    [[nodiscard]] static word window(std::span<word const> words, std::size_t position) noexcept {
        auto const w = position / block;
        auto const shift = position % block;
        auto const low = w < words.size() ? words[w] : 0;
        auto const high = w + 1 < words.size() ? words[w + 1] : 0;
        return shift == 0 ? low : (low >> shift) | (high << (block - shift));
    }

    std::size_t dim_;
    std::vector<Element, aligned_allocator<Element>> values_;
    std::vector<doc_id> ids_;
    std::vector<word> live_;
    std::size_t live_count_ = 0;
};

} // namespace trawl::inline v0_1::detail
