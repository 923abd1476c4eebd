// SPDX-License-Identifier: MIT
#pragma once

/// A set of documents as a bitmap, with set algebra and counting.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// A set over the ids [0, universe()). Ids outside the universe are never members.
/// Copying and set algebra take O(universe / 64), a membership test O(1).
class doc_set {
public:
    using word = std::uint64_t;
    static constexpr std::size_t word_bits = 64;
    /// The largest universe: every id but no_doc.
    static constexpr std::size_t max_universe = no_doc;

    doc_set() = default;
    doc_set(doc_set const&) = default;
    doc_set& operator=(doc_set const&) = default;
    /// The moved-from set is empty, its universe 0.
    doc_set(doc_set&& other) noexcept
        : universe_(std::exchange(other.universe_, 0)), words_(std::move(other.words_)) {}
    doc_set& operator=(doc_set&& other) noexcept {
        words_ = std::move(other.words_);
        universe_ = std::exchange(other.universe_, 0);
        return *this;
    }
    ~doc_set() = default;

    /// The empty set over [0, universe).
    /// @throws trawl::error (invalid_argument) if universe > max_universe.
    explicit doc_set(std::size_t universe);

    /// The given documents over [0, universe).
    /// @throws trawl::error (unknown_id) if an id lies outside; (invalid_argument) as above.
    doc_set(std::size_t universe, std::initializer_list<doc_id> ids);

    /// Every document of [0, universe).
    /// @throws trawl::error (invalid_argument) if universe > max_universe.
    [[nodiscard]] static doc_set all(std::size_t universe);

    /// Adds a document; one that is a member already changes nothing.
    /// @throws trawl::error (unknown_id) if id >= universe().
    void insert(doc_id id) {
        if (id >= universe_) refuse(id);
        words_[id / word_bits] |= word{1} << (id % word_bits);
    }

    /// Removes a document; one that is not a member changes nothing.
    void erase(doc_id id) noexcept {
        if (id < universe_) words_[id / word_bits] &= ~(word{1} << (id % word_bits));
    }

    /// Changes the universe. Members outside the new one are dropped.
    /// @throws trawl::error (invalid_argument) if universe > max_universe.
    void resize(std::size_t universe);

    [[nodiscard]] bool contains(doc_id id) const noexcept {
        return id < universe_ && ((words_[id / word_bits] >> (id % word_bits)) & 1u) != 0;
    }

    /// The number of members. O(universe / 64).
    [[nodiscard]] std::size_t count() const noexcept;

    [[nodiscard]] bool empty() const noexcept;

    [[nodiscard]] std::size_t universe() const noexcept { return universe_; }

    /// The bitmap: bit i % 64 of word i / 64 is document i; bits from universe() on are 0.
    [[nodiscard]] std::span<word const> words() const noexcept { return words_; }

    /// Calls visit(doc_id) for each member, ascending.
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
    doc_set& operator|=(doc_set const& other);

    /// Intersection; the universe stays.
    doc_set& operator&=(doc_set const& other) noexcept;

    /// Difference; the universe stays.
    doc_set& operator-=(doc_set const& other) noexcept;

    [[nodiscard]] friend doc_set operator|(doc_set a, doc_set const& b) { return a |= b; }
    [[nodiscard]] friend doc_set operator&(doc_set a, doc_set const& b) { return a &= b; }
    [[nodiscard]] friend doc_set operator-(doc_set a, doc_set const& b) { return a -= b; }

    /// Complement within the universe.
    [[nodiscard]] doc_set operator~() const { return all(universe_) -= *this; }

    /// Equal if the members and the universe are.
    friend bool operator==(doc_set const& a, doc_set const& b) noexcept;

private:
    [[noreturn]] TRAWL_COLD void refuse(doc_id id) const;
    void clear_tail() noexcept;

    std::size_t universe_ = 0;
    std::vector<word> words_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/core/detail/doc_set_inl.hpp>
#endif
