// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of added_tokens.hpp.

#include <trawl/models/detail/added_tokens.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/detail/buffer.hpp>
#include <trawl/models/detail/aligned_text.hpp>
#include <trawl/models/detail/character.hpp>
#include <trawl/models/detail/piece_trie.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline bool is_space_at(std::string_view text, std::size_t at, std::size_t& bytes) {
    auto const decoded = decode_utf8(text, at);
    bytes = decoded.bytes == 0 ? 1 : decoded.bytes;
    return decoded.bytes > 0 && kind_of(decoded.code).space();
}

TRAWL_INLINE void added_tokens::add(added_token token) {
    auto const normalised = token.normalised ? 1 : 0;
    any_[normalised] = true;
    begins_[normalised][static_cast<unsigned char>(token.text[0])] = true;
    tokens_.push_back(std::move(token));
}

TRAWL_INLINE void added_tokens::index() {
    for (int normalised = 0; normalised < 2; ++normalised) {
        buffer<piece_trie::key> keys;
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if ((tokens_[i].normalised ? 1 : 0) == normalised)
                keys.push_back({tokens_[i].text, static_cast<std::uint32_t>(i)});
        }
        tries_[normalised] = piece_trie(keys);
    }
}

TRAWL_INLINE bool added_tokens::next(
    std::string_view text, std::uint32_t from, bool normalised, place& found) const {
    auto const& begins = begins_[normalised ? 1 : 0];
    if (!any(normalised)) return false;
    for (std::size_t at = from; at < text.size(); ++at) {
        if (!begins[static_cast<unsigned char>(text[at])]) continue;
        auto const number = tries_[normalised ? 1 : 0].longest(text.substr(at)).id;
        if (number == piece_trie::none) continue;
        auto const* const longest = &tokens_[number];
        auto first = at;
        if (longest->strip_left) { // back to the last character that is no white space
            std::size_t bytes = 0;
            first = from;
            for (std::size_t i = from; i < at; i += bytes) {
                if (!is_space_at(text, i, bytes)) first = i + bytes;
            }
        }
        auto last = at + longest->text.size();
        if (longest->strip_right) {
            for (std::size_t bytes = 0; last < text.size() && is_space_at(text, last, bytes);)
                last += bytes;
        }
        found = {
            {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)}, longest->id};
        return true;
    }
    return false;
}

TRAWL_INLINE void added_tokens::describe(std::string& out) const {
    for (auto const& token : tokens_) {
        out.append(reinterpret_cast<char const*>(&token.id), sizeof token.id);
        out += static_cast<char>(
            (token.strip_left ? 1 : 0) + (token.strip_right ? 2 : 0) + (token.normalised ? 4 : 0));
        out += token.text;
        out += '\0';
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
