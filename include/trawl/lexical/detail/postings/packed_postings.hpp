// SPDX-License-Identifier: MIT
#pragma once

/// Posting lists in few bytes: the format; list_packer.hpp writes it, posting_cursor.hpp reads it.
///
/// A list begins with its number of postings, of 128 or more followed by 4 bytes with the index of
/// its first header. Then come blocks of 128 postings, bit-packed (bm25_scalar.hpp says how), with
/// a header each, and a rest of fewer, which rest_widths describes. A list of fewer than 128 has no
/// headers.
///
/// A header bounds its block's scores whatever k1, b and the average length are.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <trawl/detail/buffer.hpp>
#include <trawl/detail/simd/bm25_kernels.hpp>
#include <trawl/lexical/detail/postings/ascending_numbers.hpp>
#include <trawl/lexical/detail/postings/list_storage.hpp>
#include <trawl/lexical/detail/sorting.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Appends a number in variable-byte encoding: 7 bits a byte, the lowest first.
inline void put_number(buffer<unsigned char>& to, std::uint64_t value) {
    for (; value >= 128; value >>= 7) to.push_back(static_cast<unsigned char>(value | 128));
    to.push_back(static_cast<unsigned char>(value));
}

/// Reads such a number, of at most 10 bytes, so that it ends within the slack.
[[nodiscard]] inline std::uint64_t take_number(unsigned char const*& from) noexcept {
    std::uint64_t value = *from & 127u;
    for (unsigned shift = 7; (*from++ & 128u) != 0 && shift < 64; shift += 7) {
        value |= std::uint64_t{*from & 127u} << shift;
    }
    return value;
}

/// Counts are packed as in PForDelta: few of a block are large, and the bits that do not fit the
/// width of the others follow as patches of two bytes, the place of the count and the upper bits of
/// the count less 1.
inline constexpr unsigned max_patches = 7;
inline constexpr unsigned patch_bits = 8;
inline constexpr unsigned max_patched_bits = 23; // so that a patched count is below 2^31

/// The bit widths of a rest, a last block of fewer than 128 postings, in the byte that begins it.
/// The gaps (row less the row before, less 1) follow, then the counts less 1, each array packed in
/// its width, lowest bit first, and filled up to a byte.
struct rest_widths {
    unsigned gap = 0;
    unsigned count = 0;

    /// The narrowest widths that fit and that a byte can name.
    /// @param gaps, counts  the bitwise or of all.
    [[nodiscard]] static rest_widths of(std::uint32_t gaps, std::uint32_t counts) noexcept {
        auto const gap = static_cast<unsigned>(std::bit_width(gaps));
        auto const count = static_cast<unsigned>(std::bit_width(counts));
        return {gap > 30 ? 32 : gap, count_widths[place_of(count)]};
    }

    [[nodiscard]] static rest_widths of(unsigned char byte) noexcept {
        auto const gap = byte & 31u;
        return {gap > 30 ? 32 : gap, count_widths[byte >> 5]};
    }

    [[nodiscard]] unsigned char byte() const noexcept {
        return static_cast<unsigned char>((gap > 30 ? 31 : gap) | place_of(count) << 5);
    }

    [[nodiscard]] std::size_t gap_bytes(std::size_t n) const noexcept { return (n * gap + 7) / 8; }
    [[nodiscard]] std::size_t count_bytes(std::size_t n) const noexcept {
        return (n * count + 7) / 8;
    }

private:
    static constexpr std::array<unsigned, 8> count_widths = {0, 1, 2, 3, 4, 6, 10, 31};

    /// The index of the narrowest width that suffices; counts are below 2^31.
    [[nodiscard]] static unsigned place_of(unsigned width) noexcept {
        unsigned place = 0;
        while (place < 7 && count_widths[place] < width) ++place;
        return place;
    }
};

/// Where a term's list is.
struct list_place {
    std::uint32_t term = 0;
    std::uint32_t df = 0;
    std::uint64_t at = 0;  ///< offset of the bytes behind the number of postings
    std::uint64_t end = 0; ///< offset past the last byte of the list
};

/// The lists of a segment, wherever they lie. What they hold may come from a damaged file.
struct packed_lists {
    array_ref<std::uint32_t const> terms = {}; ///< ascending; none if they are 0, 1, 2, …
    ascending_numbers begins = {};             ///< of the lists in the bytes, by term
    array_ref<block_header const> headers = {};
    array_ref<unsigned char const> bytes = {}; ///< the last `slack` of them belong to no list
    std::uint32_t rows = 0;                    ///< of the segment
    bm25_kernels const* kernels = &active_bm25_kernels();

    static constexpr std::size_t slack = 32; ///< bytes that may be read past a block or a number

    /// How many terms have a list.
    [[nodiscard]] std::size_t size() const noexcept { return begins.size(); }

    [[nodiscard]] std::uint32_t term(std::size_t i) const noexcept {
        return terms.empty() ? static_cast<std::uint32_t>(i) : terms[i];
    }

    /// The place of the first term from this one on, size() if there is none.
    [[nodiscard]] std::size_t first_from(std::uint64_t term) const noexcept {
        if (terms.empty()) return (std::min)(static_cast<std::size_t>(term), size());
        return place_in(terms, term);
    }

    [[nodiscard]] list_place operator[](std::size_t i) const noexcept {
        if (bytes.size() < slack) return {.term = term(i)};
        auto const last = std::uint64_t{bytes.size() - slack};
        auto const [begin, end] = i + 1 < size() ? begins.two_from(i) : std::pair{begins[i], last};
        if (begin >= end || end > last) return {.term = term(i)};
        auto const* from = bytes.data() + begin;
        auto const df = (std::min)(take_number(from), std::uint64_t{0xFFFFFFFFu});
        return {term(i), static_cast<std::uint32_t>(df),
            static_cast<std::uint64_t>(from - bytes.data()), end};
    }

    [[nodiscard]] std::optional<list_place> find(std::uint32_t term) const noexcept {
        auto const i = first_from(term);
        return i < size() && this->term(i) == term ? std::optional((*this)[i]) : std::nullopt;
    }
};

/// Goes through all lists. Lists of a damaged file may have the same headers, and blocks of no
/// bytes: together they get as many blocks as there are headers, so that the arrays' sizes bound
/// the time.
class list_walk {
public:
    explicit list_walk(packed_lists const& lists) noexcept
        : lists_(lists), blocks_left_(lists.headers.size()) {}

    /// List i, without postings if it has more blocks than are left. Each list is asked once.
    [[nodiscard]] list_place operator()(std::size_t i) noexcept {
        auto place = lists_[i];
        if (place.df < block_size) return place;
        auto const blocks = (std::size_t{place.df} + block_size - 1) / block_size;
        if (blocks > blocks_left_) {
            place.df = 0;
        } else {
            blocks_left_ -= blocks;
        }
        return place;
    }

private:
    packed_lists const& lists_;
    std::size_t blocks_left_;
};

/// The memory of the lists that a packer made.
struct packed_arrays : list_storage {
    buffer<std::uint32_t> terms = {};
    buffer<block_header> headers = {};

    [[nodiscard]] packed_lists lists(std::size_t rows) const noexcept {
        return {terms, ascending_numbers(begins), headers, bytes, static_cast<std::uint32_t>(rows)};
    }

    /// Appends the lists of later terms. Neither side may be finished.
    void append(packed_arrays const& later) {
        auto const first_list = begins.size();
        auto const first_header = static_cast<std::uint32_t>(headers.size());
        terms.reserve(terms.size() + later.terms.size());
        for (auto const term : later.terms) terms.push_back(term);
        headers.reserve(headers.size() + later.headers.size());
        for (auto const& header : later.headers) headers.push_back(header);
        list_storage::append(later);
        for (auto i = first_list; i < begins.size(); ++i) {
            unsigned char const* from = bytes.data() + begins[i];
            if (take_number(from) < block_size) continue;
            auto* const at = bytes.data() + (from - bytes.data());
            std::uint32_t header = 0;
            std::memcpy(&header, at, sizeof header);
            header += first_header;
            std::memcpy(at, &header, sizeof header);
        }
    }

    /// Replaces each term id by new_ids[id], before finish(), and sorts the terms; the lists are
    /// reordered with them.
    /// @return the old place of each list; empty if the order stays.
    std::vector<std::size_t> renumber(array_ref<std::uint32_t const> new_ids) {
        buffer<std::uint64_t> keys(terms.size());
        bool sorted = true;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            keys[i] = sort_key(new_ids[terms[i]], i);
            sorted = sorted && (i == 0 || keys[i - 1] < keys[i]);
        }
        if (sorted) {
            for (std::size_t i = 0; i < keys.size(); ++i)
                terms[i] = static_cast<std::uint32_t>(keys[i] >> 32);
            return {};
        }
        sort_ascending(keys);
        std::vector<std::size_t> order(terms.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            terms[i] = static_cast<std::uint32_t>(keys[i] >> 32);
            order[i] = place_of_key(keys[i]);
        }
        reorder(order);
        return order;
    }

    void finish() {
        list_storage::finish(packed_lists::slack);
        if (!terms.empty() && terms.back() + std::size_t{1} == terms.size()) terms = {};
        terms.shrink_to_fit();
        headers.shrink_to_fit();
    }
};

} // namespace detail
TRAWL_END_NAMESPACE
