// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of core/key_table.hpp.

#include <trawl/core/key_table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// The slot where the search for a key begins; there are a power of two of them.
[[nodiscard]] inline std::size_t first_slot(std::string_view key, std::size_t slots) noexcept {
    return std::hash<std::string_view>{}(key) & (slots - 1);
}

} // namespace detail

TRAWL_INLINE key_table::key_table(key_table const& other)
    : slots_(other.slots_), size_(other.size_) {
    entries_.reserve(other.entries_.size());
    for (auto const& [key, id] : other.entries_) {
        entries_.push_back({key ? std::make_unique<std::string const>(*key) : nullptr, id});
    }
}

TRAWL_INLINE key_table& key_table::operator=(key_table const& other) {
    if (this != &other) *this = key_table(other);
    return *this;
}

TRAWL_INLINE doc_id key_table::add(doc_id id, std::string_view key) {
    if (id == no_doc)
        detail::fail(errc::invalid_argument, "key_table::add: 0xFFFFFFFF is not a document id");
    if (id < next_id()) {
        detail::fail(errc::id_order,
            detail::join("key_table::add: id ", id, " is below the next id ", next_id()));
    }
    if (auto const there = find(key)) {
        detail::fail(errc::duplicate_key,
            detail::join("key_table::add: key '", key, "' is document ", *there, " already"));
    }
    // At most half of the slots are taken.
    if (2 * (size_ + 1) > slots_.size()) rehash((std::max)(std::size_t{16}, 2 * slots_.size()));
    auto const slot = slot_of(key);
    entries_.push_back({std::make_unique<std::string const>(key), id});
    slots_[slot] = static_cast<std::uint32_t>(entries_.size());
    ++size_;
    return id;
    // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): entries_ owns the string, in bytes
}

TRAWL_INLINE bool key_table::erase(doc_id id) {
    auto const* const found = entry_of(id);
    if (found == nullptr) return false;
    auto& erased = entries_[static_cast<std::size_t>(found - entries_.data())];
    // The slots behind it close the gap, so that a search need not pass erased ones.
    auto const last = slots_.size() - 1;
    auto gap = slot_of(*erased.key);
    for (auto at = (gap + 1) & last; slots_[at] != 0; at = (at + 1) & last) {
        auto const home = detail::first_slot(*entries_[slots_[at] - 1].key, slots_.size());
        if (((at - home) & last) < ((at - gap) & last))
            continue; // its search begins behind the gap
        slots_[gap] = slots_[at];
        gap = at;
    }
    slots_[gap] = 0;
    erased.key.reset();
    --size_;
    return true;
}

TRAWL_INLINE std::optional<doc_id> key_table::find(std::string_view key) const {
    if (slots_.empty()) return std::nullopt;
    auto const number = slots_[slot_of(key)];
    return number == 0 ? std::nullopt : std::optional(entries_[number - 1].id);
}

TRAWL_INLINE bool key_table::contains(doc_id id) const noexcept { return entry_of(id) != nullptr; }

TRAWL_INLINE std::string_view key_table::key(doc_id id) const {
    auto const* const found = entry_of(id);
    if (found == nullptr)
        detail::fail(errc::unknown_id, detail::join("key_table::key: no document ", id));
    return *found->key;
}

// Null if there is no such document.
TRAWL_INLINE key_table::entry const* key_table::entry_of(doc_id id) const noexcept {
    if (entries_.empty()) return nullptr;
    // Entry i has an id >= i: without gaps just i.
    auto const* found = entries_.data() + (std::min)(std::size_t{id}, entries_.size() - 1);
    if (found->id != id) {
        found = std::lower_bound(entries_.data(), found, id,
            [](entry const& e, doc_id wanted) { return e.id < wanted; });
    }
    return found->id == id && found->key ? found : nullptr;
}

// Where the key is, or the free slot where its search ends. There must be slots.
TRAWL_INLINE std::size_t key_table::slot_of(std::string_view key) const noexcept {
    auto at = detail::first_slot(key, slots_.size());
    while (slots_[at] != 0 && *entries_[slots_[at] - 1].key != key)
        at = (at + 1) & (slots_.size() - 1);
    return at;
}

TRAWL_INLINE void key_table::rehash(std::size_t slots) {
    std::vector<std::uint32_t> made(slots);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (!entries_[i].key) continue;
        auto at = detail::first_slot(*entries_[i].key, slots);
        while (made[at] != 0) at = (at + 1) & (slots - 1);
        made[at] = static_cast<std::uint32_t>(i + 1);
    }
    slots_ = std::move(made);
}

TRAWL_END_NAMESPACE
