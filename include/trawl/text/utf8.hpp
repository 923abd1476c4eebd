// SPDX-License-Identifier: MIT
#pragma once

/// UTF-8: decoding and encoding one character.

#include <cstddef>
#include <string>
#include <string_view>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// A code point and the number of bytes that encode it; 0 bytes if they are not valid UTF-8.
struct utf8_character {
    char32_t code = 0;
    std::size_t bytes = 0;
};

/// Decodes the character that begins at text[at]; at must be < text.size(). Strict: surrogates,
/// overlong forms and code points above U+10FFFF are invalid. Never reads past the end. O(1).
[[nodiscard]] constexpr utf8_character decode_utf8(std::string_view text, std::size_t at) noexcept {
    auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    auto const lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    auto const bytes = std::size_t{lead < 0xE0 ? 2u : lead < 0xF0 ? 3u : 4u};
    if (lead < 0xC2 || lead > 0xF4 || text.size() - at < bytes) return {};
    auto code = static_cast<char32_t>(lead & (0x7F >> bytes));
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return {};
        code = code << 6 | (byte(i) & 0x3Fu);
    }
    if (bytes == 3 && (code < 0x800 || (code >= 0xD800 && code <= 0xDFFF))) return {};
    if (bytes == 4 && (code < 0x10000 || code > 0x10FFFF)) return {};
    return {code, bytes};
}

/// Writes a code point (at most U+10FFFF, not a surrogate) as 1 to 4 bytes; returns their end.
[[nodiscard]] constexpr char* encode_utf8(char32_t code, char* out) noexcept {
    auto const put = [&](char32_t byte) {
        *out++ = static_cast<char>(static_cast<unsigned char>(byte));
    };
    if (code < 0x80) {
        put(code);
        return out;
    }
    if (code < 0x800) {
        put(0xC0 | code >> 6);
    } else {
        if (code < 0x10000) {
            put(0xE0 | code >> 12);
        } else {
            put(0xF0 | code >> 18);
            put(0x80 | (code >> 12 & 0x3F));
        }
        put(0x80 | (code >> 6 & 0x3F));
    }
    put(0x80 | (code & 0x3F));
    return out;
}

/// Appends a code point (at most U+10FFFF, not a surrogate) as UTF-8.
inline void append_utf8(char32_t code, std::string& out) {
    char bytes[4] = {};
    out.append(bytes, static_cast<std::size_t>(encode_utf8(code, bytes) - bytes));
}

TRAWL_END_NAMESPACE
