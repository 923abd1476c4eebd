// SPDX-License-Identifier: MIT
#pragma once

/// Keys numbered in byte order, so that the order of numbers is the order of keys, whatever file or moment
/// they come from.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/error.hpp>

namespace trawl::inline v0_1 {

/// The keys of a run or of judgements; key i is the i-th in byte order.
class ordered_keys {
public:
    ordered_keys() = default;

    [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }

    /// @throws trawl::error (unknown_id) if there is no key of this number.
    [[nodiscard]] std::string_view key(std::size_t i) const {
        if (i >= ends_.size()) {
            detail::fail(errc::unknown_id,
                detail::join("ordered_keys::key: no key ", i, ", there are ", ends_.size()));
        }
        auto const begin = i == 0 ? 0 : ends_[i - 1];
        return std::string_view(text_).substr(begin, ends_[i] - begin);
    }

    /// O(log size()).
    [[nodiscard]] std::optional<doc_id> find(std::string_view wanted) const {
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
        return low < size() && key(low) == wanted ? std::optional(static_cast<doc_id>(low)) : std::nullopt;
    }

    /// For each key of `from` its number in `to`, no_doc where it has none. O(size of both).
    [[nodiscard]] static std::vector<doc_id> translation(ordered_keys const& from, ordered_keys const& to) {
        std::vector<doc_id> numbers(from.size(), no_doc);
        std::size_t j = 0;
        for (std::size_t i = 0; i < from.size() && j < to.size(); ++i) {
            auto const key = from.key(i);
            while (j < to.size() && to.key(j) < key) ++j;
            if (j < to.size() && to.key(j) == key) numbers[i] = static_cast<doc_id>(j);
        }
        return numbers;
    }

    /// Takes distinct keys, ascending.
    [[nodiscard]] static ordered_keys from_ascending(std::span<std::string_view const> keys) {
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

private:
    std::string text_;              // all keys, one after the other
    std::vector<std::size_t> ends_; // where each one ends in it
};

} // namespace trawl::inline v0_1
