// SPDX-License-Identifier: MIT
#pragma once

/// Keys numbered in byte order: the order of numbers is the order of keys, whatever file they come
/// from.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/words.hpp>

TRAWL_BEGIN_NAMESPACE

/// A sorted set of keys. The id of a key is its position in byte order.
class ordered_keys {
public:
    ordered_keys() = default;

    [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }

    /// @throws trawl::error (unknown_id) if i >= size().
    [[nodiscard]] std::string_view key(std::size_t i) const;

    /// The id of a key, or none if it is not in the set. O(log size()).
    [[nodiscard]] std::optional<doc_id> find(std::string_view wanted) const;

    /// Maps ids of one set to ids of another.
    /// @return For each key of `from` its id in `to`, no_doc if it is not there.
    /// @par Complexity O(size of both).
    [[nodiscard]] static std::vector<doc_id> translation(
        ordered_keys const& from, ordered_keys const& to);

    /// @param keys  Distinct, in ascending byte order.
    [[nodiscard]] static ordered_keys from_ascending(std::span<std::string_view const> keys);

private:
    std::string text_;              // all keys, one after the other
    std::vector<std::size_t> ends_; // the end of each key in it
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/ordered_keys_inl.hpp>
#endif
