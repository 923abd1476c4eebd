// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of ordered_keys.hpp.

#include <trawl/eval/ordered_keys.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/detail/text_head.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE std::string_view ordered_keys::key(std::size_t i) const {
    if (i >= ends_.size()) {
        detail::fail(errc::unknown_id,
            detail::join("ordered_keys::key: no key ", i, ", there are ", ends_.size()));
    }
    auto const begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(text_).substr(begin, ends_[i] - begin);
}

TRAWL_INLINE std::optional<doc_id> ordered_keys::find(std::string_view wanted) const {
    std::size_t low = 0;
    for (auto count = size(); count > 0;) {
        auto const half = count / 2;
        if (key(low + half) < wanted) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low < size() && key(low) == wanted ? std::optional(static_cast<doc_id>(low))
                                              : std::nullopt;
}

TRAWL_INLINE std::vector<doc_id> ordered_keys::translation(
    ordered_keys const& from, ordered_keys const& to) {
    // Most keys differ in their first eight bytes, which are compared as a number.
    struct headed {
        std::uint64_t head;
        std::string_view key;
    };
    auto const at = [](ordered_keys const& keys, std::size_t i) -> headed {
        if (i == keys.size()) return {};
        auto const key = keys.key(i);
        return {detail::head_of(key, 0), key};
    };
    std::vector<doc_id> numbers(from.size(), no_doc);
    std::size_t j = 0;
    auto there = at(to, 0);
    for (std::size_t i = 0; i < from.size() && j < to.size(); ++i) {
        auto const here = at(from, i);
        while (j < to.size()
               && (there.head != here.head ? there.head < here.head : there.key < here.key)) {
            there = at(to, ++j);
        }
        if (j < to.size() && there.head == here.head && there.key == here.key) {
            numbers[i] = static_cast<doc_id>(j);
        }
    }
    return numbers;
}

TRAWL_INLINE ordered_keys ordered_keys::from_ascending(std::span<std::string_view const> keys) {
    ordered_keys out;
    std::size_t bytes = 0;
    for (auto const key : keys) bytes += key.size();
    out.text_.reserve(bytes);
    out.ends_.reserve(keys.size());
    for (auto const key : keys) {
        out.text_ += key;
        out.ends_.push_back(out.text_.size());
    }
    return out;
}

TRAWL_END_NAMESPACE
