// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of core/doc_set.hpp.

#include <trawl/core/doc_set.hpp>

#include <bit>
#include <cstddef>
#include <initializer_list>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// How many words a universe takes.
[[nodiscard]] inline std::size_t words_of_universe(std::size_t universe) {
    if (universe > doc_set::max_universe) {
        fail(errc::invalid_argument,
            join("doc_set: the universe is ", universe, ", must be <= ", doc_set::max_universe));
    }
    return (universe + doc_set::word_bits - 1) / doc_set::word_bits;
}

} // namespace detail

TRAWL_INLINE doc_set::doc_set(std::size_t universe)
    : universe_(universe), words_(detail::words_of_universe(universe)) {}

TRAWL_INLINE doc_set::doc_set(std::size_t universe, std::initializer_list<doc_id> ids)
    : doc_set(universe) {
    for (doc_id const id : ids) insert(id);
}

TRAWL_INLINE doc_set doc_set::all(std::size_t universe) {
    doc_set set(universe);
    for (auto& w : set.words_) w = ~word{0};
    set.clear_tail();
    return set;
}

TRAWL_INLINE void doc_set::refuse(doc_id id) const {
    detail::fail(errc::unknown_id,
        detail::join("doc_set::insert: id ", id, " is outside [0, ", universe_, ")"));
}

TRAWL_INLINE void doc_set::resize(std::size_t universe) {
    words_.resize(detail::words_of_universe(universe));
    universe_ = universe;
    clear_tail();
}

TRAWL_INLINE std::size_t doc_set::count() const noexcept {
    std::size_t n = 0;
    for (word const w : words_) n += static_cast<std::size_t>(std::popcount(w));
    return n;
}

TRAWL_INLINE bool doc_set::empty() const noexcept {
    for (word const w : words_)
        if (w != 0) return false;
    return true;
}

TRAWL_INLINE doc_set& doc_set::operator|=(doc_set const& other) {
    if (other.universe_ > universe_) resize(other.universe_);
    for (std::size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
}

TRAWL_INLINE doc_set& doc_set::operator&=(doc_set const& other) noexcept {
    for (std::size_t i = 0; i < words_.size(); ++i)
        words_[i] &= i < other.words_.size() ? other.words_[i] : word{0};
    return *this;
}

TRAWL_INLINE doc_set& doc_set::operator-=(doc_set const& other) noexcept {
    for (std::size_t i = 0; i < words_.size() && i < other.words_.size(); ++i)
        words_[i] &= ~other.words_[i];
    return *this;
}

TRAWL_INLINE bool operator==(doc_set const& a, doc_set const& b) noexcept {
    if (a.universe_ != b.universe_) return false;
    for (std::size_t i = 0; i < a.words_.size(); ++i)
        if (a.words_[i] != b.words_[i]) return false;
    return true;
}

TRAWL_INLINE void doc_set::clear_tail() noexcept {
    if (universe_ % word_bits != 0) words_.back() &= (word{1} << (universe_ % word_bits)) - 1;
}

TRAWL_END_NAMESPACE
