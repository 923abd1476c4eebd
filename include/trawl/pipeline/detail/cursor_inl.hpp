// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of pipeline/cursor.hpp.

#include <trawl/pipeline/cursor.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/detail/buffer.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE ranking slice(ranking hits, std::size_t offset, std::size_t count) {
    if (offset >= hits.size()) return {};
    auto const from = hits.begin() + static_cast<std::ptrdiff_t>(offset);
    hits.erase(hits.begin(), from);
    if (hits.size() > count) hits.resize(count);
    return hits;
}

inline constexpr std::string_view cursor_prefix = "t1-";
inline constexpr std::string_view base64url_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

[[noreturn]] TRAWL_COLD inline void refuse_cursor(std::string_view reason) {
    fail(errc::parse, join("cursor: ", reason));
}

inline void append_word(std::string& bytes, std::uint32_t value) {
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xFFu));
}
[[nodiscard]] inline std::uint32_t read_word(std::string_view bytes, std::size_t at) noexcept {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}
// FNV-1a.
[[nodiscard]] inline std::uint32_t cursor_checksum(std::string_view bytes) noexcept {
    std::uint32_t sum = 2166136261u;
    for (char const c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 16777619u;
    return sum;
}

// base64url without padding: six bits a digit, the first bits first.
[[nodiscard]] inline std::string base64url(std::string_view bytes) {
    std::string text;
    std::uint32_t held = 0;
    int bits = 0;
    for (char const c : bytes) {
        held = held << 8 | static_cast<unsigned char>(c);
        for (bits += 8; bits >= 6; bits -= 6)
            text.push_back(base64url_digits[(held >> (bits - 6)) & 63u]);
    }
    if (bits > 0) text.push_back(base64url_digits[(held << (6 - bits)) & 63u]);
    return text;
}
[[nodiscard]] inline std::string from_base64url(std::string_view text) {
    std::string bytes;
    std::uint32_t held = 0;
    int bits = 0;
    for (char const c : text) {
        auto const digit = base64url_digits.find(c);
        if (digit == base64url_digits.npos)
            refuse_cursor("it has a character that is no digit of base64url");
        held = held << 6 | static_cast<std::uint32_t>(digit);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes.push_back(static_cast<char>((held >> bits) & 0xFFu));
    }
    if (bits == 6 || (held & ((1u << bits) - 1)) != 0) refuse_cursor("it is cut short");
    return bytes;
}

// Refuses hits that no ranking has.
inline void check_cursor(ranking const& hits) {
    buffer<doc_id> ids;
    for (std::size_t i = 0; i < hits.size(); ++i) {
        auto const& h = hits[i];
        if (h.id == no_doc || !is_finite(h.score))
            refuse_cursor("a hit has no document or no finite score");
        if (i > 0 && h.score > hits[i - 1].score) refuse_cursor("its scores rise");
        ids.push_back(h.id);
    }
    std::sort(ids.begin(), ids.end());
    for (std::size_t i = 1; i < ids.size(); ++i)
        if (ids[i] == ids[i - 1]) refuse_cursor("a document comes twice");
}

} // namespace detail

TRAWL_INLINE ranking cursor::next(std::size_t k, filter const& where) {
    ranking page;
    while (page.size() < k && position_ < hits_.size()) {
        auto const h = hits_[position_++];
        if (where.admits(h.id)) page.push_back(h);
    }
    return page;
}

TRAWL_INLINE std::string cursor::to_text() const {
    std::string bytes;
    detail::append_word(bytes, static_cast<std::uint32_t>(position_));
    for (auto const& h : hits_) {
        detail::append_word(bytes, h.id);
        detail::append_word(bytes, std::bit_cast<std::uint32_t>(h.score));
    }
    detail::append_word(bytes, detail::cursor_checksum(bytes));
    return std::string(detail::cursor_prefix) + detail::base64url(bytes);
}

TRAWL_INLINE cursor cursor::parse(std::string_view text) {
    if (!text.starts_with(detail::cursor_prefix))
        detail::refuse_cursor("it does not begin with 't1-'");
    auto const bytes = detail::from_base64url(text.substr(detail::cursor_prefix.size()));
    if (bytes.size() < 8 || bytes.size() % 8 != 0) detail::refuse_cursor("it is cut short");
    if (detail::cursor_checksum(std::string_view(bytes).substr(0, bytes.size() - 4))
        != detail::read_word(bytes, bytes.size() - 4))
        detail::refuse_cursor("its checksum does not match");
    cursor made;
    for (std::size_t at = 4; at + 8 < bytes.size(); at += 8) {
        made.hits_.push_back(
            {detail::read_word(bytes, at), std::bit_cast<float>(detail::read_word(bytes, at + 4))});
    }
    made.position_ = detail::read_word(bytes, 0);
    if (made.position_ > made.hits_.size()) detail::refuse_cursor("its position is past its end");
    detail::check_cursor(made.hits_);
    return made;
}

TRAWL_INLINE bool operator==(cursor const& a, cursor const& b) noexcept {
    return a.position_ == b.position_ && a.hits_ == b.hits_;
}

TRAWL_END_NAMESPACE
