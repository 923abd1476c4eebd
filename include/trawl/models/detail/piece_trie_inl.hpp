// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of piece_trie.hpp.

#include <trawl/models/detail/piece_trie.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trawl/detail/buffer.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE piece_trie::piece_trie(buffer<key>& keys) {
    buffer<key> moved(keys.size());
    buffer<range> todo;
    nodes_.reserve(keys.size() * 2);
    nodes_.push_back({});
    if (keys.empty()) return;
    todo.push_back({.last = static_cast<std::uint32_t>(keys.size())});
    while (!todo.empty()) {
        auto const next = todo.back();
        todo.pop_back();
        grow(next, keys, moved, todo);
    }
}

TRAWL_INLINE void piece_trie::grow(
    range from, buffer<key>& keys, buffer<key>& moved, buffer<range>& todo) {
    // What all keys have in common goes into the tail.
    auto const first = keys[from.first].text.substr(from.depth);
    auto common = first.size() < 255 ? first.size() : std::size_t{255};
    for (auto i = from.first + 1; i < from.last && common > 0; ++i) {
        auto const other = keys[i].text.substr(from.depth);
        if (other.size() < common) common = other.size();
        std::size_t same = 0;
        while (same < common && other[same] == first[same]) ++same;
        common = same;
    }
    auto& here = nodes_[from.node];
    here.tail = static_cast<std::uint32_t>(tails_.size());
    here.tail_bytes = static_cast<std::uint8_t>(common);
    tails_.append(first.substr(0, common));
    auto const depth = from.depth + static_cast<std::uint32_t>(common);

    sort_by_byte(from.first, from.last, depth, keys, moved);
    auto at = from.first;
    for (; at < from.last && keys[at].text.size() == depth; ++at) {
        if (depth > 0) here.id = keys[at].id;
    }
    if (at == from.last) return;
    auto const byte_of = [&](std::uint32_t i) {
        return static_cast<unsigned char>(keys[i].text[depth]);
    };
    std::size_t kinds = 1;
    for (auto i = at + 1; i < from.last; ++i) kinds += byte_of(i) != byte_of(i - 1);
    auto const lowest = byte_of(at);
    auto const dense = kinds > sparse;
    auto const span = dense ? std::size_t{byte_of(from.last - 1)} - lowest + 1 : kinds;
    here.children = static_cast<std::uint16_t>(span);
    here.first = static_cast<std::uint32_t>(nodes_.size());
    auto child = here.first;
    nodes_.resize(nodes_.size() + span); // moves `here`
    if (dense) {
        for (std::size_t i = 0; i < span; ++i)
            nodes_[child + i].label = static_cast<unsigned char>(lowest + i);
    }
    while (at < from.last) {
        auto const label = byte_of(at);
        auto const place = dense ? child + label - lowest : child++;
        nodes_[place].label = label;
        auto const first_key = at;
        while (at < from.last && byte_of(at) == label) ++at;
        todo.push_back({place, first_key, at, depth + 1});
    }
}

// By the byte behind the first `depth`, in the order given where it is the same; texts that end there
// come first.
TRAWL_INLINE void piece_trie::sort_by_byte(std::uint32_t first, std::uint32_t last,
    std::uint32_t depth, buffer<key>& keys, buffer<key>& moved) {
    auto const byte_of = [&](key const& of) {
        return of.text.size() == depth
                   ? std::size_t{0}
                   : std::size_t{1} + static_cast<unsigned char>(of.text[depth]);
    };
    if (last - first < 48) {
        for (auto i = first + 1; i < last; ++i) {
            auto const moving = keys[i];
            auto to = i;
            for (; to > first && byte_of(keys[to - 1]) > byte_of(moving); --to)
                keys[to] = keys[to - 1];
            keys[to] = moving;
        }
        return;
    }
    std::uint32_t begins[258] = {};
    for (auto i = first; i < last; ++i) ++begins[byte_of(keys[i]) + 1];
    for (std::size_t byte = 1; byte < 258; ++byte) begins[byte] += begins[byte - 1];
    for (auto i = first; i < last; ++i) moved[begins[byte_of(keys[i])]++] = keys[i];
    for (auto i = first; i < last; ++i) keys[i] = moved[i - first];
}

} // namespace detail
TRAWL_END_NAMESPACE
