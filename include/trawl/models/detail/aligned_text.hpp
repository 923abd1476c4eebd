// SPDX-License-Identifier: MIT
#pragma once

/// A text as it is normalised: its characters, and where each came from.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/text/utf8.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Bytes of a text, first to before last.
struct byte_span {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};

/// Characters, each with the bytes of the caller's text from which it was made.
struct aligned_text {
    buffer<char32_t> codes = {};
    buffer<byte_span> origins = {};

    [[nodiscard]] std::size_t size() const noexcept { return codes.size(); }
    void clear() noexcept {
        codes.clear();
        origins.clear();
    }
    void append(char32_t code, byte_span origin) {
        codes.push_back(code);
        origins.push_back(origin);
    }
    void swap(aligned_text& other) noexcept {
        codes.swap(other.codes);
        origins.swap(other.origins);
    }
    /// Replaces all by bytes of a text; each that is not UTF-8 becomes U+FFFD.
    void assign(std::string_view text, byte_span span) {
        clear();
        codes.reserve(span.last - span.first);
        origins.reserve(span.last - span.first);
        for (auto at = span.first; at < span.last;) {
            auto const decoded = decode_utf8(text.substr(0, span.last), at);
            auto const next =
                at + (decoded.bytes == 0 ? 1 : static_cast<std::uint32_t>(decoded.bytes));
            append(decoded.bytes == 0 ? char32_t{0xFFFD} : decoded.code, {at, next});
            at = next;
        }
    }
};

} // namespace detail
TRAWL_END_NAMESPACE
