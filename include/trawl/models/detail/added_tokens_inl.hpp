// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of added_tokens.hpp.

#include <trawl/models/detail/added_tokens.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/models/detail/aligned_text.hpp>
#include <trawl/models/detail/character.hpp>
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

TRAWL_INLINE bool added_tokens::next(
    std::string_view text, std::uint32_t from, bool normalised, place& found) const {
    auto const& begins = begins_[normalised ? 1 : 0];
    if (!any(normalised)) return false;
    for (std::size_t at = from; at < text.size(); ++at) {
        if (!begins[static_cast<unsigned char>(text[at])]) continue;
        added_token const* longest = nullptr;
        for (auto const& token : tokens_) {
            if (token.normalised == normalised && text.substr(at).starts_with(token.text)
                && (longest == nullptr || token.text.size() > longest->text.size()))
                longest = &token;
        }
        if (longest == nullptr) continue;
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
