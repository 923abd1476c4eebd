// SPDX-License-Identifier: MIT
#pragma once

/// The caller's own keys (strings) and the document ids that stand for them.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// Maps keys to document ids and back. Ids ascend. An erased id is never given again, but its key
/// may be added anew under the next id. Every string is a valid key, the empty one too.
/// Finding a key takes O(1) on average. Finding an id takes O(1) while the ids have no gaps, else
/// O(log n). Memory grows with the number of keys added, not with the ids.
class key_table {
public:
    key_table() = default;
    key_table(key_table&&) noexcept = default;
    key_table& operator=(key_table&&) noexcept = default;
    key_table(key_table const& other);
    key_table& operator=(key_table const& other);
    ~key_table() = default;

    /// Gives the key the next id.
    /// @return that id.
    /// @throws trawl::error (duplicate_key) if the key has an id already.
    doc_id add(std::string_view key) { return add(next_id(), key); }

    /// Gives the key this id. Ids strictly ascend; gaps are allowed.
    /// @return the id.
    /// @throws trawl::error (invalid_argument) if id is no_doc; (id_order) if id < next_id();
    /// (duplicate_key) if the key has an id already.
    doc_id add(doc_id id, std::string_view key);

    /// Retires a document. Its id is not given again.
    /// @return false if there is no such document.
    bool erase(doc_id id);

    /// The id of a key, if it has one.
    [[nodiscard]] std::optional<doc_id> find(std::string_view key) const;

    [[nodiscard]] bool contains(doc_id id) const noexcept;

    /// The key of a document. The view is valid until the document is erased or the table is
    /// destroyed.
    /// @throws trawl::error (unknown_id) if there is no such document.
    [[nodiscard]] std::string_view key(doc_id id) const;

    /// The number of keys.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// The id that the next add gives. All ids given so far are lower.
    [[nodiscard]] doc_id next_id() const noexcept {
        return entries_.empty() ? 0 : entries_.back().id + 1;
    }

private:
    struct entry {
        std::unique_ptr<std::string const> key; // null: erased; views into it survive growth
        doc_id id = no_doc;
    };

    [[nodiscard]] entry const* entry_of(doc_id id) const noexcept;
    [[nodiscard]] std::size_t slot_of(std::string_view key) const noexcept;
    void rehash(std::size_t slots);

    detail::buffer<entry> entries_;    // ids ascend
    std::vector<std::uint32_t> slots_; // open addressing; an entry's number + 1, 0: free
    std::size_t size_ = 0;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/core/detail/key_table_inl.hpp>
#endif
