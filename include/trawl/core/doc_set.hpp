// SPDX-License-Identifier: MIT
#pragma once

/// A set of documents as a bitmap, with set algebra and counting.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// A set over the ids [0, universe()). Ids beyond the universe are never members.
/// Copying and set algebra take O(universe / 64); membership O(1).
class doc_set {
public:
    using word = std::uint64_t;
    static constexpr std::size_t word_bits = 64;

    doc_set() = default;

    /// The empty set over [0, universe).
    explicit doc_set(std::size_t universe)
        : universe_(universe), words_((universe + word_bits - 1) / word_bits) {}

    /// The given documents over [0, universe).
    /// @throws trawl::error (unknown_id) if an id lies outside.
    doc_set(std::size_t universe, std::initializer_list<doc_id> ids) : doc_set(universe) {
        for (doc_id const id : ids) insert(id);
    }

    /// Every document of [0, universe).
    [[nodiscard]] static doc_set all(std::size_t universe) {
        doc_set set(universe);
        std::fill(set.words_.begin(), set.words_.end(), ~word{0});
        set.clear_tail();
        return set;
    }

    /// @throws trawl::error (unknown_id) if id >= universe().
    void insert(doc_id id) {
        if (id >= universe_) {
            detail::fail(errc::unknown_id,
                detail::join("doc_set::insert: id ", id, " is outside [0, ", universe_, ")"));
        }
        words_[id / word_bits] |= word{1} << (id % word_bits);
    }

    /// Takes a document out; one that is not in it changes nothing.
    void erase(doc_id id) noexcept {
        if (id < universe_) words_[id / word_bits] &= ~(word{1} << (id % word_bits));
    }

    /// Makes room for the ids [0, universe), or drops those beyond it.
    void resize(std::size_t universe) {
        words_.resize((universe + word_bits - 1) / word_bits);
        universe_ = universe;
        clear_tail();
    }

    [[nodiscard]] bool contains(doc_id id) const noexcept {
        return id < universe_ && ((words_[id / word_bits] >> (id % word_bits)) & 1u) != 0;
    }

    /// How many documents are in it. O(universe / 64).
    [[nodiscard]] std::size_t count() const noexcept {
        std::size_t n = 0;
        for (word const w : words_) n += static_cast<std::size_t>(std::popcount(w));
        return n;
    }

    [[nodiscard]] bool empty() const noexcept {
        return std::all_of(words_.begin(), words_.end(), [](word w) { return w == 0; });
    }

    [[nodiscard]] std::size_t universe() const noexcept { return universe_; }

    /// The bitmap: bit i % 64 of word i / 64 is document i; bits from universe() on are 0.
    [[nodiscard]] std::span<word const> words() const noexcept { return words_; }

    /// Calls visit(doc_id) for each document, ascending.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            for (word rest = words_[i]; rest != 0; rest &= rest - 1) {
                visit(static_cast<doc_id>(
                    i * word_bits + static_cast<std::size_t>(std::countr_zero(rest))));
            }
        }
    }

    /// Union; the universe becomes the larger one.
    doc_set& operator|=(doc_set const& other) {
        if (other.universe_ > universe_) resize(other.universe_);
        for (std::size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
        return *this;
    }

    /// Intersection; the universe stays.
    doc_set& operator&=(doc_set const& other) noexcept {
        auto const shared = (std::min)(words_.size(), other.words_.size());
        for (std::size_t i = 0; i < shared; ++i) words_[i] &= other.words_[i];
        std::fill(words_.begin() + static_cast<std::ptrdiff_t>(shared), words_.end(), word{0});
        return *this;
    }

    /// Difference; the universe stays.
    doc_set& operator-=(doc_set const& other) noexcept {
        auto const shared = (std::min)(words_.size(), other.words_.size());
        for (std::size_t i = 0; i < shared; ++i) words_[i] &= ~other.words_[i];
        return *this;
    }

    [[nodiscard]] friend doc_set operator|(doc_set a, doc_set const& b) { return a |= b; }
    [[nodiscard]] friend doc_set operator&(doc_set a, doc_set const& b) { return a &= b; }
    [[nodiscard]] friend doc_set operator-(doc_set a, doc_set const& b) { return a -= b; }

    /// Complement within the universe.
    [[nodiscard]] doc_set operator~() const { return all(universe_) -= *this; }

    /// The same documents over the same universe.
    friend bool operator==(doc_set const&, doc_set const&) = default;

private:
    void clear_tail() noexcept {
        if (universe_ % word_bits != 0) words_.back() &= (word{1} << (universe_ % word_bits)) - 1;
    }

    std::size_t universe_ = 0;
    std::vector<word> words_;
};

TRAWL_END_NAMESPACE
