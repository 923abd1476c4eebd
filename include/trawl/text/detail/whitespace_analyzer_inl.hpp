// SPDX-License-Identifier: MIT
#pragma once

/// Body of whitespace_analyzer.hpp.

#include <trawl/text/analyzers/whitespace_analyzer.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trawl/text/detail/check_length.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// What Python's str.isspace() takes.
[[nodiscard]] inline bool is_python_space(char32_t c) noexcept {
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0
           || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029
           || c == 0x202F || c == 0x205F || c == 0x3000;
}

} // namespace detail

TRAWL_INLINE void whitespace_analyzer::analyze(std::string_view text, token_sink sink) const {
    detail::check_length(text);
    std::uint32_t position = 0;
    for (std::size_t at = 0; at < text.size();) {
        auto const begin = at;
        std::size_t blank = 0; // bytes of the blank that ends the word
        while (at < text.size()) {
            if (auto const c = static_cast<unsigned char>(text[at]); c > ' ' && c < 0x80) {
                ++at;
                continue;
            }
            auto const c = decode_utf8(text, at);
            if (c.bytes != 0 && detail::is_python_space(c.code)) {
                blank = c.bytes;
                break;
            }
            at += c.bytes == 0 ? 1 : c.bytes;
        }
        if (at > begin) {
            sink({text.substr(begin, at - begin), position++, static_cast<std::uint32_t>(begin),
                static_cast<std::uint32_t>(at)});
        }
        at += blank;
    }
}

TRAWL_END_NAMESPACE
