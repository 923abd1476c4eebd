// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of token_vocabulary.hpp.

#include <trawl/models/detail/token_vocabulary.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <trawl/detail/buffer.hpp>
#include <trawl/models/detail/piece_trie.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE void token_vocabulary::index() {
    by_id_.assign(size_, none);
    buffer<piece_trie::key> keys;
    keys.reserve(pieces_.size());
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        by_id_[pieces_[i].id] = static_cast<std::uint32_t>(i);
        keys.push_back({text_of(pieces_[i]), pieces_[i].id});
    }
    trie_ = piece_trie(keys);
}

TRAWL_INLINE piece_trie token_vocabulary::behind(std::string_view prefix) const {
    buffer<piece_trie::key> keys;
    for (auto const& one : pieces_) {
        auto const text = text_of(one);
        if (text.starts_with(prefix)) keys.push_back({text.substr(prefix.size()), one.id});
    }
    return piece_trie(keys);
}

TRAWL_INLINE void token_vocabulary::describe(std::string& out) const {
    for (auto const& one : pieces_) {
        out.append(reinterpret_cast<char const*>(&one.id), sizeof one.id);
        out += text_of(one);
        out += '\0';
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
