// SPDX-License-Identifier: MIT
#pragma once

/// Posting lists in few bytes: the format; list_packer.hpp writes it, posting_cursor.hpp reads it.
///
/// A list is an entry of 8 bytes. Of one posting, that is all: bit 63, the count (31 bits) and the row (32).
/// Of another, it says where in the bytes the list begins: its number of postings, 4 bytes with the index of
/// its first header if there are 128 postings or more, then blocks of 128 postings, bit-packed
/// (bm25_scalar.hpp says how) with a header each, and a rest of fewer in bytes of 7 bits: difference of rows,
/// less 1, doubled, plus 1 if the count is more than 1; then the count less 2. A list of fewer than 128 has
/// no headers.
///
/// A header bounds its block's scores whatever k1, b and the average length are.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include <trawl/detail/simd/bm25_kernels.hpp>

namespace trawl::inline v0_1::detail {

inline void put_number(std::vector<unsigned char>& to, std::uint64_t value) {
    for (; value >= 128; value >>= 7) to.push_back(static_cast<unsigned char>(value | 128));
    to.push_back(static_cast<unsigned char>(value));
}

/// A number of 7 bits a byte; of at most 10 bytes, so that it ends within the slack.
[[nodiscard]] inline std::uint64_t take_number(unsigned char const*& from) noexcept {
    std::uint64_t value = *from & 127u;
    for (unsigned shift = 7; (*from++ & 128u) != 0 && shift < 64; shift += 7) {
        value |= std::uint64_t{*from & 127u} << shift;
    }
    return value;
}

/// Where a term's list is.
struct list_place {
    std::uint32_t term = 0;
    std::uint32_t df = 0;
    std::uint64_t at = 0; ///< one posting: the entry; more: offset of the bytes behind the number of postings
};

inline constexpr std::uint64_t single_posting = std::uint64_t{1} << 63;

/// The lists of a segment, wherever they lie. What they hold may come from a damaged file.
struct packed_lists {
    std::span<std::uint32_t const> terms = {};   ///< ascending; none if they are 0, 1, 2, …
    std::span<std::uint64_t const> entries = {}; ///< by term
    std::span<block_header const> headers = {};
    std::span<unsigned char const> bytes = {}; ///< the last `slack` of them belong to no list
    std::uint32_t rows = 0;                    ///< of the segment

    static constexpr std::size_t slack = 32; ///< bytes that may be read past a block or a number

    /// How many terms have a list.
    [[nodiscard]] std::size_t size() const noexcept { return entries.size(); }

    [[nodiscard]] std::uint32_t term(std::size_t i) const noexcept {
        return terms.empty() ? static_cast<std::uint32_t>(i) : terms[i];
    }

    /// The place of the first term from this one on, size() if there is none.
    [[nodiscard]] std::size_t first_from(std::uint64_t term) const noexcept {
        if (terms.empty()) return (std::min)(static_cast<std::size_t>(term), size());
        return static_cast<std::size_t>(std::lower_bound(terms.begin(), terms.end(), term) - terms.begin());
    }

    [[nodiscard]] list_place operator[](std::size_t i) const noexcept {
        auto const entry = entries[i];
        if ((entry & single_posting) != 0) return {term(i), 1, entry};
        if (bytes.size() < slack || entry > bytes.size() - slack) return {term(i), 0, 0};
        auto const* from = bytes.data() + entry;
        auto const df = (std::min)(take_number(from), std::uint64_t{0xFFFFFFFFu});
        // A damaged list that has one posting in its bytes is none.
        return {term(i), df == 1 ? 0 : static_cast<std::uint32_t>(df),
            static_cast<std::uint64_t>(from - bytes.data())};
    }

    [[nodiscard]] std::optional<list_place> find(std::uint32_t term) const noexcept {
        auto const i = first_from(term);
        return i < size() && this->term(i) == term ? std::optional((*this)[i]) : std::nullopt;
    }
};

/// The memory of the lists that a packer made.
struct packed_arrays {
    std::vector<std::uint32_t> terms = {};
    std::vector<std::uint64_t> entries = {};
    std::vector<block_header> headers = {};
    std::vector<unsigned char> bytes = {}; ///< without slack, until it is finished

    [[nodiscard]] packed_lists lists(std::size_t rows) const noexcept {
        return {terms, entries, headers, bytes, static_cast<std::uint32_t>(rows)};
    }

    /// Appends the lists of later terms, both not finished yet.
    void append(packed_arrays const& later) {
        auto const first_byte = bytes.size();
        auto const first_header = static_cast<std::uint32_t>(headers.size());
        terms.insert(terms.end(), later.terms.begin(), later.terms.end());
        headers.insert(headers.end(), later.headers.begin(), later.headers.end());
        bytes.insert(bytes.end(), later.bytes.begin(), later.bytes.end());
        entries.reserve(entries.size() + later.entries.size());
        for (auto const entry : later.entries) {
            entries.push_back((entry & single_posting) != 0 ? entry : entry + first_byte);
            if ((entry & single_posting) != 0) continue;
            auto const* from = bytes.data() + entries.back();
            if (take_number(from) < block_size) continue;
            auto* const at = bytes.data() + (from - bytes.data());
            std::uint32_t header = 0;
            std::memcpy(&header, at, sizeof header);
            header += first_header;
            std::memcpy(at, &header, sizeof header);
        }
    }

    void finish() {
        bytes.resize(bytes.size() + packed_lists::slack);
        if (!terms.empty() && terms.back() + std::size_t{1} == terms.size()) terms = {};
        terms.shrink_to_fit();
        entries.shrink_to_fit();
        headers.shrink_to_fit();
        bytes.shrink_to_fit();
    }
};

} // namespace trawl::inline v0_1::detail
