// SPDX-License-Identifier: MIT
#pragma once

/// The rows of a dense index: vectors one after the other in memory, their documents, and which of
/// them live.

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/filter.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/element.hpp>
#include <trawl/detail/aligned_allocator.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// Room for `more` elements; reserve() alone would move all of them at each call.
template <class Vector>
void make_room(Vector& v, std::size_t more) {
    if (v.capacity() - v.size() < more) v.reserve((std::max)(v.size() + more, v.size() * 2));
}

/// Rows [rows() x dim()], row-major, from a 64-byte boundary on. A row's number is its place; ids
/// rise with it and may leave gaps. Erasing clears a bit; the row stays until compact(). The first
/// rows may be borrowed: they lie in memory of somebody else's, kept alive by `owner` if there is
/// one, and are never written to.
template <vector_element Element>
class vector_store {
public:
    using word = doc_set::word;
    /// rows that one word of live bits covers
    static constexpr std::size_t block = doc_set::word_bits;
    static constexpr std::size_t no_row = static_cast<std::size_t>(-1);

    explicit vector_store(std::size_t dim) : dim_(dim) {}

    [[nodiscard]] std::size_t dim() const noexcept { return dim_; }
    [[nodiscard]] std::size_t rows() const noexcept { return ids_.size(); }
    [[nodiscard]] std::size_t blocks() const noexcept { return live_.size(); }
    [[nodiscard]] std::size_t live() const noexcept { return live_count_; }
    [[nodiscard]] doc_id next_id() const noexcept { return next_id_; }

    [[nodiscard]] Element const* row(std::size_t number) const noexcept {
        return number < borrowed_rows_ ? borrowed_ + number * dim_
                                       : values_.data() + (number - borrowed_rows_) * dim_;
    }
    [[nodiscard]] doc_id id(std::size_t number) const noexcept { return ids_[number]; }
    [[nodiscard]] std::span<doc_id const> ids() const noexcept { return ids_; }
    [[nodiscard]] std::span<word const> live_words() const noexcept { return live_; }

    /// Appends rows for the ids first, first + 1, …; first >= next_id(). Changes nothing if memory
    /// runs out.
    void append(doc_id first, matrix_view<float const> vectors) {
        make_room(values_, vectors.rows * dim_);
        register_rows(first, vectors.rows);
        auto const* const from = vectors.data;
        if constexpr (std::same_as<Element, float>) {
            values_.insert(values_.end(), from, from + vectors.rows * dim_);
        } else {
            for (std::size_t i = 0; i < vectors.rows * dim_; ++i)
                values_.push_back(stored_as<Element>(from[i]));
        }
    }

    /// The same for rows that stay where they are, as documents 0, 1, …; the store must be empty.
    void borrow(Element const* values, std::size_t count, std::shared_ptr<void const> owner) {
        register_rows(0, count);
        lend(values, std::move(owner));
    }

    /// Brings back a store: its rows, which stay where they are, its ids and live bits.
    void restore(Element const* values, std::span<doc_id const> ids, std::span<word const> live,
        doc_id next_id, std::shared_ptr<void const> owner) {
        ids_.assign(ids.begin(), ids.end());
        live_.assign(live.begin(), live.end());
        live_count_ = 0;
        for (auto const w : live_) live_count_ += static_cast<std::size_t>(std::popcount(w));
        next_id_ = next_id;
        lend(values, std::move(owner));
    }

    /// All rows as one array, in `copied` if they are not.
    [[nodiscard]] std::span<Element const> contiguous(std::vector<Element>& copied) const {
        if (borrowed_rows_ == 0) return values_;
        if (values_.empty()) return {borrowed_, borrowed_rows_ * dim_};
        copied.assign(borrowed_, borrowed_ + borrowed_rows_ * dim_);
        copied.insert(copied.end(), values_.begin(), values_.end());
        return copied;
    }

    /// Calls visit(row) for each row that lives, ascending.
    template <class Visit>
    void for_each_live(Visit&& visit) const {
        for (std::size_t number = 0; number < rows(); ++number) {
            if (lives(number)) visit(number);
        }
    }

    /// Keeps ids and live bits only; dim() is 0 from then on.
    void drop_values() noexcept {
        values_ = {};
        borrowed_ = nullptr;
        borrowed_rows_ = 0;
        owner_.reset();
        dim_ = 0;
    }

    /// Overwrites a row. Rows that are borrowed are copied first, all of them.
    void update(std::size_t number, std::span<float const> vector) {
        own();
        auto* const to = values_.data() + number * dim_;
        for (std::size_t i = 0; i < dim_; ++i) to[i] = stored_as<Element>(vector[i]);
    }

    /// Drops the rows that do not live; calls moved(from, to) for each that does, ascending.
    template <class Moved>
    void compact(Moved&& moved) {
        own();
        std::size_t to = 0;
        for (std::size_t from = 0; from < rows(); ++from) {
            if (!lives(from)) continue;
            if (from != to) {
                std::copy_n(values_.data() + from * dim_, dim_, values_.data() + to * dim_);
                ids_[to] = ids_[from];
            }
            moved(from, to++);
        }
        values_.resize(to * dim_);
        ids_.resize(to);
        values_.shrink_to_fit();
        live_.assign((to + block - 1) / block, ~word{0});
        if (to % block != 0) live_.back() = (word{1} << (to % block)) - 1;
    }

    /// The live row of a document, or no_row. O(1) where ids have no gaps, else O(log rows).
    [[nodiscard]] std::size_t find(doc_id id) const noexcept {
        std::size_t number = id;
        if (number >= rows() || ids_[number] != id) {
            auto const at = std::lower_bound(ids_.begin(), ids_.end(), id);
            if (at == ids_.end() || *at != id) return no_row;
            number = static_cast<std::size_t>(at - ids_.begin());
        }
        return lives(number) ? number : no_row;
    }

    /// Retires a live row.
    void erase(std::size_t number) noexcept {
        live_[number / block] &= ~(word{1} << (number % block));
        --live_count_;
    }

    /// The rows of block b that live and whose documents the filter admits: bit i is row b * block
    /// + i.
    [[nodiscard]] word eligible(std::size_t b, filter const& where) const noexcept {
        auto const bits = live_[b];
        if (where.admits_all() || bits == 0) return bits;
        auto const first = b * block;
        auto const last = (std::min)(first + block, rows()) - 1;
        if (ids_[last] - ids_[first] == last - first)
            return bits & window(where.set()->words(), ids_[first]);
        word admitted = 0;
        for (word rest = bits; rest != 0; rest &= rest - 1) {
            auto const i = static_cast<std::size_t>(std::countr_zero(rest));
            if (where.admits(ids_[first + i])) admitted |= word{1} << i;
        }
        return admitted;
    }

    [[nodiscard]] bool lives(std::size_t number) const noexcept {
        return ((live_[number / block] >> (number % block)) & 1u) != 0;
    }

private:
    void register_rows(doc_id first, std::size_t count) {
        make_room(ids_, count);
        live_.resize((rows() + count + block - 1) / block);
        for (std::size_t i = 0; i < count; ++i) {
            live_[rows() / block] |= word{1} << (rows() % block);
            ids_.push_back(first + static_cast<doc_id>(i));
        }
        live_count_ += count;
        if (count > 0) next_id_ = ids_.back() + 1;
    }

    void lend(Element const* values, std::shared_ptr<void const> owner) noexcept {
        borrowed_ = values;
        borrowed_rows_ = rows();
        owner_ = std::move(owner);
    }

    void own() {
        if (borrowed_rows_ == 0) return;
        decltype(values_) all;
        all.reserve(rows() * dim_);
        all.insert(all.end(), borrowed_, borrowed_ + borrowed_rows_ * dim_);
        all.insert(all.end(), values_.begin(), values_.end());
        values_ = std::move(all);
        borrowed_ = nullptr;
        borrowed_rows_ = 0;
        owner_.reset();
    }

    // 64 bits of a bitmap from a position that need not be a word's; beyond its end they are 0.
    [[nodiscard]] static word window(std::span<word const> words, std::size_t position) noexcept {
        auto const w = position / block;
        auto const shift = position % block;
        auto const low = w < words.size() ? words[w] : 0;
        auto const high = w + 1 < words.size() ? words[w + 1] : 0;
        return shift == 0 ? low : (low >> shift) | (high << (block - shift));
    }

    std::size_t dim_;
    std::vector<Element, aligned_allocator<Element>> values_; // those behind the borrowed ones
    std::vector<doc_id> ids_;
    std::vector<word> live_;
    std::size_t live_count_ = 0;
    doc_id next_id_ = 0;
    Element const* borrowed_ = nullptr;
    std::size_t borrowed_rows_ = 0;
    std::shared_ptr<void const> owner_;
};

} // namespace detail
TRAWL_END_NAMESPACE
