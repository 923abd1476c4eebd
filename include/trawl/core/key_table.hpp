// SPDX-License-Identifier: MIT
#pragma once

/// The caller's own ids (strings) and the document ids that stand for them.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// Maps keys to document ids and back, in O(1) each. Ids ascend; an erased one is never given
/// again, while its key may be added anew under the next id. Any key is allowed, the empty one too.
class key_table {
public:
    key_table() = default;
    key_table(key_table&&) = default;
    key_table& operator=(key_table&&) = default;
    key_table(key_table const& other) : ids_(other.ids_), keys_(other.keys_.size(), nullptr) {
        for (auto const& [key, id] : ids_) keys_[id] = &key;
    }
    key_table& operator=(key_table const& other) {
        if (this != &other) *this = key_table(other);
        return *this;
    }
    ~key_table() = default;

    /// Gives the key the next id.
    /// @throws trawl::error (duplicate_key) if it has one already.
    doc_id add(std::string_view key) { return add(next_id(), key); }

    /// Gives the key this id; ids strictly ascend, gaps are allowed.
    /// @throws trawl::error (id_order, duplicate_key, invalid_argument if id is no_doc).
    doc_id add(doc_id id, std::string_view key) {
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
        // The vector's own growth, but before anything changes.
        if (id >= keys_.capacity())
            keys_.reserve((std::max)(std::size_t{id} + 1, 2 * keys_.capacity()));
        auto const at = ids_.emplace(std::string(key), id).first;
        keys_.resize(id, nullptr);
        keys_.push_back(&at->first);
        return id;
    }

    /// Retires the document; its id is not given again.
    /// @return false if there is no such document.
    bool erase(doc_id id) {
        if (!contains(id)) return false;
        ids_.erase(ids_.find(*keys_[id]));
        keys_[id] = nullptr;
        return true;
    }

    [[nodiscard]] std::optional<doc_id> find(std::string_view key) const {
        auto const at = ids_.find(key);
        return at == ids_.end() ? std::nullopt : std::optional(at->second);
    }

    [[nodiscard]] bool contains(doc_id id) const noexcept {
        return id < keys_.size() && keys_[id] != nullptr;
    }

    /// The key of a document; the view is valid until it is erased.
    /// @throws trawl::error (unknown_id) if there is no such document.
    [[nodiscard]] std::string_view key(doc_id id) const {
        if (!contains(id))
            detail::fail(errc::unknown_id, detail::join("key_table::key: no document ", id));
        return *keys_[id];
    }

    /// How many keys there are.
    [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }

    /// The id that the next add gives; every id so far is below it.
    [[nodiscard]] doc_id next_id() const noexcept { return static_cast<doc_id>(keys_.size()); }

private:
    struct hash {
        using is_transparent = void;
        [[nodiscard]] std::size_t operator()(std::string_view text) const noexcept {
            return std::hash<std::string_view>{}(text);
        }
    };

    // Map nodes do not move, so that keys_ may point at the keys in them; a copy points at its own.
    std::unordered_map<std::string, doc_id, hash, std::equal_to<>> ids_;
    std::vector<std::string const*> keys_;
};

TRAWL_END_NAMESPACE
