// SPDX-License-Identifier: MIT
#pragma once

/// Keys numbered in byte order, so that the order of numbers is the order of keys, whatever file or
/// moment they come from.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// The keys of a run or of judgements; key i is the i-th in byte order.
class ordered_keys {
public:
    ordered_keys() = default;

    [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }

    /// @throws trawl::error (unknown_id) if there is no key of this number.
    [[nodiscard]] std::string_view key(std::size_t i) const;

    /// O(log size()).
    [[nodiscard]] std::optional<doc_id> find(std::string_view wanted) const;

    /// For each key of `from` its number in `to`, no_doc where it has none. O(size of both).
    [[nodiscard]] static std::vector<doc_id> translation(
        ordered_keys const& from, ordered_keys const& to);

    /// Takes distinct keys, ascending.
    [[nodiscard]] static ordered_keys from_ascending(std::span<std::string_view const> keys);

private:
    std::string text_;              // all keys, one after the other
    std::vector<std::size_t> ends_; // where each one ends in it
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/ordered_keys_inl.hpp>
#endif
