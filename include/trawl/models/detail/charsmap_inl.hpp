// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of charsmap.hpp.

#include <trawl/models/detail/charsmap.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include <trawl/models/detail/aligned_text.hpp>
#include <trawl/models/detail/character.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// How many of the characters the first extended grapheme cluster has (UAX #29). Without rule GB9c, which
// joins consonants of Indic scripts: such a cluster has more than 6 bytes either way.
[[nodiscard]] inline std::size_t cluster_size(char32_t const* codes, std::size_t count) noexcept {
    using enum grapheme_kind;
    auto before = kind_of(codes[0]).grapheme();
    bool picture = before == pictographic;
    bool odd = before == regional_indicator;
    auto const breaks = [](grapheme_kind kind) {
        return kind == cr || kind == lf || kind == control;
    };
    for (std::size_t size = 1; size < count; ++size) {
        auto const next = kind_of(codes[size]).grapheme();
        auto const joins = [&] {
            if (before == cr && next == lf) return true;
            if (breaks(before) || breaks(next)) return false;
            if (next == extend || next == zwj || next == spacing_mark || before == prepend)
                return true;
            if (before == hangul_l) {
                return next == hangul_l || next == hangul_v || next == hangul_lv
                       || next == hangul_lvt;
            }
            if (before == hangul_lv || before == hangul_v)
                return next == hangul_v || next == hangul_t;
            if (before == hangul_lvt || before == hangul_t) return next == hangul_t;
            if (before == zwj && next == pictographic) return picture;
            return before == regional_indicator && next == regional_indicator && odd;
        };
        if (!joins()) return size;
        picture = next == pictographic || (picture && (next == extend || next == zwj));
        odd = next == regional_indicator && !odd;
        before = next;
    }
    return count;
}

TRAWL_INLINE std::string_view charsmap::read(std::string_view bytes) {
    if (bytes.empty()) return {};
    std::uint32_t size = 0;
    if (bytes.size() < sizeof size) return "has less than 4 bytes";
    std::memcpy(&size, bytes.data(), sizeof size);
    if (size > bytes.size() - sizeof size) return "is shorter than its double array";
    if (size == 0 || size % sizeof(std::uint32_t) != 0)
        return "has a double array that is no whole number of units";
    bytes_ = bytes;
    units_.resize(size / sizeof(std::uint32_t));
    std::memcpy(units_.data(), bytes_.data() + sizeof size, size);
    texts_ = sizeof size + size;
    for (std::size_t c = 0; c < 128; ++c) {
        auto const byte = static_cast<char>(c);
        ascii_[c] = replacement({&byte, 1}).has_value();
    }
    return {};
}

TRAWL_INLINE std::optional<std::string_view> charsmap::replacement(
    std::string_view from) const noexcept {
    auto const units = units_.size();
    if (units == 0) return std::nullopt;
    auto const offset = [](std::size_t unit) { return (unit >> 10) << ((unit & 512) >> 6); };
    auto place = offset(units_[0]);
    for (char const c : from) {
        auto const byte = static_cast<unsigned char>(c);
        place ^= byte;
        if (byte == 0 || place >= units) return std::nullopt;
        auto const unit = std::size_t{units_[place]};
        if ((unit & 0x800000FF) != byte) return std::nullopt;
        place ^= offset(unit);
        if ((unit & 256) == 0) continue;
        if (place >= units) return std::nullopt;
        auto const texts = std::string_view(bytes_).substr(texts_);
        auto const begin = std::size_t{units_[place] & 0x7FFFFFFF};
        if (begin >= texts.size()) return std::string_view{};
        return texts.substr(begin, texts.find('\0', begin) - begin);
    }
    return std::nullopt;
}

TRAWL_INLINE bool charsmap::is_blank(unsigned char c) const noexcept {
    auto const byte = static_cast<char>(c);
    return stays(c) ? c == ' ' : replacement({&byte, 1}) == " ";
}

TRAWL_INLINE bool charsmap::replace(
    std::string_view from, std::size_t characters, result& to) const {
    auto const made = replacement(from);
    if (!made) return false;
    to.changed = true;
    if (made->size() > 4 * (to.most - to.codes.size())) { // a character has 4 bytes at most
        to.too_long = true;
        return true;
    }
    auto const before = to.codes.size();
    for (std::size_t at = 0; at < made->size();) {
        auto const decoded = decode_utf8(*made, at);
        to.codes.push_back(decoded.bytes == 0 ? char32_t{0xFFFD} : decoded.code);
        to.changes.push_back(to.codes.size() - before > characters ? 1 : 0);
        at += decoded.bytes == 0 ? 1 : decoded.bytes;
    }
    auto const count = to.codes.size() - before;
    if (count < characters && to.changes.empty()) {
        to.dropped += characters - count;
    } else if (count < characters) {
        to.changes.back() -= static_cast<std::int32_t>(characters - count);
    }
    return true;
}

TRAWL_INLINE void charsmap::replace_cluster(
    char32_t const* codes, std::size_t count, result& to) const {
    char bytes[24];
    auto const text = [&](std::size_t first, std::size_t last) {
        auto* end = static_cast<char*>(bytes);
        for (; first < last; ++first) end = encode_utf8(codes[first], end);
        return std::string_view(bytes, static_cast<std::size_t>(end - bytes));
    };
    if (count <= 5) {
        auto const whole = text(0, count);
        if (whole.size() < 6 && replace(whole, count, to)) return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (replace(text(i, i + 1), 1, to)) continue;
        to.codes.push_back(codes[i]);
        to.changes.push_back(0);
    }
}

TRAWL_INLINE bool charsmap::apply(aligned_text& text, std::size_t most) const {
    auto const size = text.size();
    auto const* const codes = text.codes.data();
    // A character that is a cluster of its own, and stays.
    auto const plain = [&](std::size_t at) {
        return codes[at] < 128 && !ascii_[codes[at]] && codes[at] != '\r'
               && (at + 1 == size || codes[at + 1] < 128);
    };
    std::size_t at = 0;
    while (at < size && plain(at)) ++at;
    if (at == size || units_.empty()) return true;
    result to{.most = most};
    to.codes.reserve(size + size / 8);
    to.changes.reserve(size + size / 8);
    to.codes.append(codes, at);
    to.changes.resize(at, 0);
    while (at < size) {
        if (to.too_long || to.codes.size() + 5 > most) return false;
        if (plain(at)) {
            to.codes.push_back(codes[at++]);
            to.changes.push_back(0);
            continue;
        }
        auto const count = cluster_size(codes + at, size - at);
        replace_cluster(codes + at, count, to);
        at += count;
    }
    if (to.too_long) return false;
    if (!to.changed) return true;
    // An additional character has the origin of the one before it; what is gone leaves none.
    buffer<byte_span> origins;
    origins.reserve(to.codes.size());
    auto place = to.dropped;
    for (auto const change : to.changes) {
        if (change > 0) {
            origins.push_back(place == 0 ? byte_span{} : text.origins[place - 1]);
            continue;
        }
        origins.push_back(text.origins[place < size ? place : size - 1]);
        place += static_cast<std::size_t>(1 - change);
        if (place > size) place = size;
    }
    text.codes.swap(to.codes);
    text.origins.swap(origins);
    return true;
}

} // namespace detail
TRAWL_END_NAMESPACE
