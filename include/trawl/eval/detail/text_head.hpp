// SPDX-License-Identifier: MIT
#pragma once

/// The first bytes of a text as a number, to compare texts eight bytes at a time.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The eight bytes of a text from `begin` on, the first one highest, zeros after its end.
[[nodiscard]] inline std::uint64_t head_of(std::string_view text, std::size_t begin) noexcept {
    auto const left = text.size() - begin;
    std::uint64_t head = 0;
    if (text.size() < 8) {
        for (std::size_t b = begin; b < text.size(); ++b)
            head = head << 8 | static_cast<unsigned char>(text[b]);
        return left == 0 ? 0 : head << (8 * (8 - left));
    }
    // A short rest is read together with bytes before it: nothing may be read after the end.
    auto const before = left < 8 ? 8 - left : 0;
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + begin - before, sizeof bytes);
    for (int b = 0; b < 8; ++b) head = head << 8 | (bytes >> (8 * b) & 255);
    return before == 8 ? 0 : head << (8 * before);
}

} // namespace detail
TRAWL_END_NAMESPACE
