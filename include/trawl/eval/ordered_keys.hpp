// SPDX-License-Identifier: MIT
#pragma once

/// Keys numbered in byte order, so that the order of numbers is the order of keys, whatever file or
/// moment they come from.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// The eight bytes of a text from `begin` on, the first one highest, zeros behind its end.
[[nodiscard]] inline std::uint64_t head_of(std::string_view text, std::size_t begin) noexcept {
    auto const left = text.size() - begin;
    std::uint64_t head = 0;
    if (text.size() < 8) {
        for (std::size_t b = begin; b < text.size(); ++b)
            head = head << 8 | static_cast<unsigned char>(text[b]);
        return left == 0 ? 0 : head << (8 * (8 - left));
    }
    // The end of what is short is read with bytes before it: nothing may be read behind it.
    auto const before = left < 8 ? 8 - left : 0;
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + begin - before, sizeof bytes);
    for (int b = 0; b < 8; ++b) head = head << 8 | (bytes >> (8 * b) & 255);
    return before == 8 ? 0 : head << (8 * before);
}

} // namespace detail

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
        return low < size() && key(low) == wanted ? std::optional(static_cast<doc_id>(low))
                                                  : std::nullopt;
    }

    /// For each key of `from` its number in `to`, no_doc where it has none. O(size of both).
    [[nodiscard]] static std::vector<doc_id> translation(
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

TRAWL_END_NAMESPACE
