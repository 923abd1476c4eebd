// SPDX-License-Identifier: MIT
#pragma once

/// The pieces of a vocabulary in a radix tree, which finds those that a text begins with.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/detail/buffer.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class piece_trie {
public:
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    struct key {
        std::string_view text = {};
        std::uint32_t id = 0;
    };
    struct match {
        std::uint32_t id = none;
        std::size_t bytes = 0;
    };

    piece_trie() = default;
    /// Builds the tree. An empty text is ignored; of equal texts, the last one's id is kept. The keys are
    /// reordered; together they have less than 2^31 bytes. O(bytes) of time and memory.
    explicit piece_trie(buffer<key>& keys);

    /// The longest piece with which a text begins; none if there is none. O(its length).
    [[nodiscard]] match longest(std::string_view text) const noexcept {
        match out;
        prefixes(text, [&](std::uint32_t id, std::size_t bytes) { out = {id, bytes}; });
        return out;
    }

    /// The id of exactly this text, or none.
    [[nodiscard]] std::uint32_t find(std::string_view text) const noexcept {
        auto const found = longest(text);
        return found.bytes == text.size() ? found.id : none;
    }

    /// Calls found(id, bytes) for each piece with which a text begins, shortest first.
    template <class Found>
    void prefixes(std::string_view text, Found&& found) const {
        if (nodes_.empty()) return;
        auto const* const nodes = nodes_.data();
        auto const* const tails = tails_.data();
        auto const* at = text.data();
        auto const* const end = at + text.size();
        for (auto const* here = nodes;;) {
            if (static_cast<std::size_t>(end - at) < here->tail_bytes) return;
            auto const* tail = tails + here->tail;
            for (auto const* const last = tail + here->tail_bytes; tail != last; ++tail, ++at) {
                if (*at != *tail) return;
            }
            if (here->id != none) found(here->id, static_cast<std::size_t>(at - text.data()));
            if (at == end) return;
            auto const label = static_cast<unsigned char>(*at++);
            auto const* child = nodes + here->first;
            if (here->children > sparse) {
                auto const place = static_cast<std::size_t>(label) - child->label;
                if (place >= here->children) return; // or below the first, and so very large
                here = child + place;
            } else {
                auto const* const last = child + here->children;
                while (child != last && child->label != label) ++child;
                if (child == last) return;
                here = child;
            }
        }
    }

private:
    // Up to so many children are searched by their labels; more stand at their labels' places, with
    // nodes between them that lead nowhere.
    static constexpr std::size_t sparse = 6;

    struct node {
        std::uint32_t first = 0; ///< of its children, which lie side by side
        std::uint32_t id = none;
        std::uint32_t tail = 0;     ///< bytes that must follow the label, in tails_
        std::uint16_t children = 0; ///< how many, those that lead nowhere included
        std::uint8_t tail_bytes = 0;
        unsigned char label = 0; ///< the byte that leads here
    };

    /// Keys first to before last, which share their first `depth` bytes, lie below a node.
    struct range {
        std::uint32_t node = 0;
        std::uint32_t first = 0;
        std::uint32_t last = 0;
        std::uint32_t depth = 0;
    };

    void grow(range from, buffer<key>& keys, buffer<key>& moved, buffer<range>& todo);
    static void sort_by_byte(std::uint32_t first, std::uint32_t last, std::uint32_t depth,
        buffer<key>& keys, buffer<key>& moved);

    buffer<node> nodes_ = {};
    std::string tails_ = {};
};

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/models/detail/piece_trie_inl.hpp>
#endif
