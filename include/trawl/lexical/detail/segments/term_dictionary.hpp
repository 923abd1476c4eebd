// SPDX-License-Identifier: MIT
#pragma once

/// The terms of a lexical index and their ids, read by any thread while one writes; the first
/// of them may lie in a file.

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <trawl/detail/buffer.hpp>
#include <trawl/detail/counted_ptr.hpp>
#include <trawl/detail/owner.hpp>
#include <trawl/lexical/detail/postings/ascending_numbers.hpp>
#include <trawl/lexical/detail/postings/packed_numbers.hpp>
#include <trawl/storage/checksum.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The number of a term in its dictionary.
using term_id = std::uint32_t;

[[nodiscard]] inline std::uint64_t hash_of_term(std::string_view term) noexcept {
    return checksum(std::as_bytes(std::span<char const>(term.data(), term.size())));
}

/// An immutable dictionary, in arrays that may hold anything.
struct frozen_terms {
    std::span<char const> text = {}; ///< of all, one after the other
    ascending_numbers bounds = {};   ///< term i is the bytes [bounds[i], bounds[i + 1]) of the text
    packed_numbers slots = {};       ///< 0: free; else a term's id + 1

    /// How many slots there are for so many terms, and how many bits a slot has.
    [[nodiscard]] static std::size_t slots_of(std::size_t terms) noexcept {
        return terms + terms / 4 + 1;
    }
    [[nodiscard]] static unsigned slot_width(std::size_t terms) noexcept {
        return static_cast<unsigned>(std::bit_width(terms));
    }

    [[nodiscard]] std::uint32_t size() const noexcept {
        return bounds.size() == 0 ? 0 : static_cast<std::uint32_t>(bounds.size() - 1);
    }

    [[nodiscard]] std::string_view term(std::uint32_t id) const noexcept {
        return between(bounds.two_from(id));
    }

    /// Where a term of this hash is looked for first, of so many slots.
    [[nodiscard]] static std::size_t first_slot(std::uint64_t hash, std::size_t slots) noexcept {
        return static_cast<std::size_t>((hash >> 32) * std::uint64_t{slots} >> 32);
    }

    /// @par Complexity  O(1) expected; O(terms) whatever the arrays hold.
    [[nodiscard]] std::optional<std::uint32_t> find(
        std::string_view term, std::uint64_t hash) const noexcept {
        if (size() == 0) return std::nullopt;
        auto const all = slots_of(size());
        auto at = first_slot(hash, all);
        std::uint64_t words_read = 0;
        for (std::size_t tried = 0; tried < all && slots[at] != 0; ++tried) {
            auto const id = static_cast<std::uint32_t>(slots[at] - 1);
            if (id < size() && between(bounds.two_from(id, words_read)) == term) return id;
            // A damaged file has a term in many slots.
            if (words_read > bounds.max_words_read()) return std::nullopt;
            if (++at == all) at = 0;
        }
        return std::nullopt;
    }

private:
    [[nodiscard]] std::string_view between(
        std::pair<std::uint64_t, std::uint64_t> place) const noexcept {
        auto const [begin, end] = place;
        if (begin > end || end > text.size()) return {};
        return {text.data() + begin, static_cast<std::size_t>(end - begin)};
    }
};

/// Gives terms the ids 0, 1, … in the order of their addition. A reader's snapshot keeps the number
/// of terms and the hash table of its time, so that it does not see later terms. What a reader can
/// reach is never moved or written again.
class term_dictionary {
public:
    using slot = std::atomic<std::uint64_t>; // 0: free, else upper half of the hash, id + 1
    using slots = counted_ptr<buffer<slot> const>;

    term_dictionary() = default;

    /// @param storage  keeps the terms' arrays alive.
    term_dictionary(frozen_terms const& first, owner storage)
        : frozen_(first), storage_(std::move(storage)) {}

    /// A copy of the first `known` terms that shares only what is never written.
    term_dictionary(term_dictionary const& from, term_id known)
        : frozen_(from.frozen_), storage_(from.storage_) {
        for (auto term = frozen_.size(); term < known; ++term)
            static_cast<void>(intern(from.term(term)));
    }

    /// The id of a term, a new one if it is new. For the writer alone.
    [[nodiscard]] term_id intern(std::string_view term) {
        auto const hash = hash_of_term(term);
        if (auto const known = frozen_.find(term, hash)) return *known;
        if (auto const known = find(*slots_, added_, term, hash)) return frozen_.size() + *known;
        if (4 * (std::size_t{added_} + 1) > 3 * slots_->size()) grow();
        auto const stored = store(term);
        auto const [chunk, at] = place(added_);
        if (chunks_[chunk].empty()) chunks_[chunk] = buffer<std::string_view>(first_chunk << chunk);
        chunks_[chunk][at] = stored;
        insert(*slots_, hash, added_);
        return frozen_.size() + added_++;
    }

    /// The id of a term among the first `known`, looked up in the slots of that time.
    [[nodiscard]] std::optional<term_id> find(
        slots const& of_then, term_id known, std::string_view term) const {
        auto const hash = hash_of_term(term);
        if (auto const first = frozen_.find(term, hash)) return first;
        auto const added = known > frozen_.size() ? known - frozen_.size() : 0;
        if (auto const later = find(*of_then, added, term, hash)) return frozen_.size() + *later;
        return std::nullopt;
    }

    [[nodiscard]] std::string_view term(term_id term) const {
        return term < frozen_.size() ? frozen_.term(term) : added_term(term - frozen_.size());
    }

    /// Forgets all terms but the first `known`, which every reader's snapshot must be below or at.
    /// For the writer alone. The newest leave the table first, so that no search for an older one
    /// ends early.
    void truncate(term_id known) noexcept {
        while (frozen_.size() + added_ > known && added_ > 0) {
            --added_;
            auto& table = *slots_;
            auto const mask = table.size() - 1;
            auto at = static_cast<std::size_t>(hash_of_term(added_term(added_))) & mask;
            while (static_cast<term_id>(table[at].load(std::memory_order_relaxed) & ~upper_half)
                   != added_ + 1)
                at = (at + 1) & mask;
            table[at].store(0, std::memory_order_release);
        }
    }

    /// For the writer alone, to be put into a snapshot.
    [[nodiscard]] slots current_slots() const { return slots_; }
    [[nodiscard]] term_id size() const noexcept { return frozen_.size() + added_; }

private:
    static constexpr std::size_t first_chunk = 64;
    static constexpr std::size_t text_chunk = std::size_t{1} << 16;

    struct location {
        std::size_t chunk;
        std::size_t at;
    };

    // Chunks of 64, 128, 256, … terms, so that none ever moves.
    [[nodiscard]] static location place(term_id term) noexcept {
        auto const shifted = std::size_t{term} + first_chunk;
        auto const chunk = static_cast<std::size_t>(std::bit_width(shifted / first_chunk)) - 1;
        // NOLINTNEXTLINE: shifted >= first_chunk
        return {chunk, shifted - (first_chunk << chunk)};
    }

    [[nodiscard]] std::string_view added_term(term_id term) const {
        auto const [chunk, at] = place(term);
        return chunks_[chunk][at];
    }

    static constexpr std::uint64_t upper_half = 0xFFFFFFFF00000000u;

    [[nodiscard]] std::optional<term_id> find(
        buffer<slot> const& among, term_id known, std::string_view term, std::uint64_t hash) const {
        auto const mask = among.size() - 1;
        for (auto at = static_cast<std::size_t>(hash) & mask;; at = (at + 1) & mask) {
            auto const found = among[at].load(std::memory_order_acquire);
            if (found == 0) return std::nullopt;
            if ((found & upper_half) != (hash & upper_half)) continue;
            auto const candidate = static_cast<term_id>(found & ~upper_half) - 1;
            if (candidate < known && added_term(candidate) == term) return candidate;
        }
    }

    static void insert(buffer<slot>& into, std::uint64_t hash, term_id term) noexcept {
        auto const mask = into.size() - 1;
        auto at = static_cast<std::size_t>(hash) & mask;
        while (into[at].load(std::memory_order_relaxed) != 0) at = (at + 1) & mask;
        into[at].store((hash & upper_half) | (std::uint64_t{term} + 1), std::memory_order_release);
    }

    void grow() {
        auto grown = counted_ptr<buffer<slot>>::make(2 * slots_->size());
        for (term_id term = 0; term < added_; ++term)
            insert(*grown, hash_of_term(added_term(term)), term);
        slots_ = std::move(grown);
    }

    [[nodiscard]] std::string_view store(std::string_view term) {
        if (term.empty()) return {};
        if (term.size() > left_) {
            auto const room = term.size() > text_chunk ? term.size() : text_chunk;
            texts_.push_back(buffer<char>(room));
            next_ = texts_.back().data();
            left_ = room;
        }
        std::memcpy(next_, term.data(), term.size());
        std::string_view const stored(next_, term.size());
        next_ += term.size();
        left_ -= term.size();
        return stored;
    }

    frozen_terms frozen_;
    owner storage_;

    // The terms added behind the frozen ones; here they are numbered from 0.
    counted_ptr<buffer<slot>> slots_ = counted_ptr<buffer<slot>>::make(std::size_t{64});
    std::array<buffer<std::string_view>, 27> chunks_; // room for all of 2^32 - 64 terms
    term_id added_ = 0;
    buffer<buffer<char>> texts_;
    char* next_ = nullptr;
    std::size_t left_ = 0;
};

} // namespace detail
TRAWL_END_NAMESPACE
