// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of document_table.hpp.

#include <trawl/dense/detail/document_table.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <trawl/core/filter.hpp>
#include <trawl/core/words.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE void document_table::check_new(
    char const* index, doc_id first, std::size_t count) const {
    if (first == no_doc) {
        fail(errc::invalid_argument,
            join(index, "::add: id ", no_doc, " is no_doc, which is never a document"));
    }
    if (first < next_id_) {
        fail(errc::id_order, join(index, "::add: id ", first, " is below the next id ", next_id_));
    }
    if (count > no_doc - first) {
        fail(errc::invalid_argument, join(index, "::add_all: ", count, " documents from id ", first,
                                         " on reach past the last id, ", no_doc - 1));
    }
}

TRAWL_INLINE void document_table::reserve_more(std::size_t count) {
    make_room(ids_, count);
    make_room(live_, (rows() + count + block - 1) / block - live_.size());
}

TRAWL_INLINE void document_table::append(doc_id first, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        if (rows() % block == 0) live_.push_back(0);
        live_.back() |= word{1} << (rows() % block);
        ids_.push_back(first + static_cast<doc_id>(i));
    }
    live_count_ += count;
    if (count > 0) next_id_ = ids_.back() + 1;
}

TRAWL_INLINE void document_table::restore(
    std::span<doc_id const> ids, std::span<word const> live, doc_id next_id) {
    ids_.clear();
    ids_.append(ids.data(), ids.size());
    live_.clear();
    live_.append(live.data(), live.size());
    live_count_ = 0;
    for (auto const w : live_) live_count_ += static_cast<std::size_t>(std::popcount(w));
    next_id_ = next_id;
}

TRAWL_INLINE std::size_t document_table::find(doc_id id) const noexcept {
    std::size_t row = id;
    if (row >= rows() || ids_[row] != id) {
        auto const at = std::lower_bound(ids_.begin(), ids_.end(), id);
        if (at == ids_.end() || *at != id) return no_row;
        row = static_cast<std::size_t>(at - ids_.begin());
    }
    return lives(row) ? row : no_row;
}

TRAWL_INLINE void document_table::erase(std::size_t row) noexcept {
    live_[row / block] &= ~(word{1} << (row % block));
    --live_count_;
}

TRAWL_INLINE std::vector<std::uint32_t> document_table::live_rows() const {
    std::vector<std::uint32_t> found;
    found.reserve(live_count_);
    for (std::size_t b = 0; b < live_.size(); ++b) {
        for (auto rest = live_[b]; rest != 0; rest &= rest - 1) {
            found.push_back(static_cast<std::uint32_t>(
                b * block + static_cast<std::size_t>(std::countr_zero(rest))));
        }
    }
    return found;
}

TRAWL_INLINE void document_table::compact() noexcept {
    std::size_t to = 0;
    for (std::size_t from = 0; from < rows(); ++from) {
        if (lives(from)) ids_[to++] = ids_[from];
    }
    ids_.resize(to);
    ids_.shrink_to_fit();
    live_.resize((to + block - 1) / block);
    live_.shrink_to_fit();
    std::fill(live_.begin(), live_.end(), ~word{0});
    if (to % block != 0) live_.back() = (word{1} << (to % block)) - 1;
}

// 64 bits of a bitmap from a position that need not be a multiple of 64; 0 beyond its end.
[[nodiscard]] inline std::uint64_t bits_from(
    std::span<std::uint64_t const> words, std::size_t position) noexcept {
    auto const w = position / 64;
    auto const shift = position % 64;
    auto const low = w < words.size() ? words[w] : 0;
    auto const high = w + 1 < words.size() ? words[w + 1] : 0;
    return shift == 0 ? low : (low >> shift) | (high << (64 - shift));
}

TRAWL_INLINE document_table::word document_table::eligible(
    std::size_t b, filter const& where) const noexcept {
    auto const bits = live_[b];
    if (where.admits_all() || bits == 0) return bits;
    auto const first = b * block;
    auto const last = (std::min)(first + block, rows()) - 1;
    if (ids_[last] - ids_[first] == last - first)
        return bits & bits_from(where.set()->words(), ids_[first]);
    word admitted = 0;
    for (word rest = bits; rest != 0; rest &= rest - 1) {
        auto const i = static_cast<std::size_t>(std::countr_zero(rest));
        if (where.admits(ids_[first + i])) admitted |= word{1} << i;
    }
    return admitted;
}

} // namespace detail
TRAWL_END_NAMESPACE
