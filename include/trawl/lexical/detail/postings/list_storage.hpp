// SPDX-License-Identifier: MIT
#pragma once

/// Lists as bytes, one after the other, and numbers of a few bits in them: what postings and
/// positions share.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/postings/ascending_numbers.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Appends values in `width` bits each, 0 to 32, lowest bit first, filled up to a byte.
[[gnu::noinline]] inline void put_bits(
    buffer<unsigned char>& to, array_ref<std::uint32_t const> values, unsigned width) {
    std::uint64_t held = 0;
    unsigned size = 0; // bits held: below 8 before each value
    for (auto const value : values) {
        held |= std::uint64_t{value} << size;
        for (size += width; size >= 8; size -= 8, held >>= 8)
            to.push_back(static_cast<unsigned char>(held));
    }
    if (size > 0) to.push_back(static_cast<unsigned char>(held));
}

/// The value that begins at a bit. Reads 8 bytes.
[[nodiscard]] inline std::uint32_t take_bits(
    unsigned char const* from, std::uint64_t bit, unsigned width) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, from + bit / 8, sizeof word);
    return static_cast<std::uint32_t>(word >> bit % 8 & ((std::uint64_t{1} << width) - 1));
}

/// Where each list begins, and the bytes of all.
struct list_storage {
    buffer<std::uint64_t> begins = {}; ///< words of ascending_numbers once it is finished
    buffer<unsigned char> bytes = {};  ///< without slack, until it is finished

    /// Appends lists. Neither side may be finished.
    void append(list_storage const& later) {
        auto const first = bytes.size();
        bytes.append(later.bytes.data(), later.bytes.size());
        begins.reserve(begins.size() + later.begins.size());
        for (auto const begin : later.begins) begins.push_back(begin + first);
    }

    /// Reorders the lists, before finish(): list order[i] becomes list i. An empty order keeps
    /// theirs.
    void reorder(std::span<std::size_t const> order) {
        if (order.empty() || begins.empty()) return;
        list_storage ordered;
        ordered.begins.reserve(begins.size());
        ordered.bytes.reserve(bytes.size());
        for (auto const i : order) {
            auto const end = i + 1 < begins.size() ? begins[i + 1] : bytes.size();
            ordered.begins.push_back(ordered.bytes.size());
            ordered.bytes.append(bytes.data() + begins[i], end - begins[i]);
        }
        *this = std::move(ordered);
    }

    void finish(std::size_t slack) {
        bytes.resize(bytes.size() + slack);
        begins = ascending_numbers::packed(begins);
        begins.shrink_to_fit();
        bytes.shrink_to_fit();
    }
};

} // namespace detail
TRAWL_END_NAMESPACE
