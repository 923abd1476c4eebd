// SPDX-License-Identifier: MIT
#pragma once

/// Posting lists in few bytes: the format and its writer; posting_cursor.hpp reads it.
///
/// A list of one posting is its entry alone. Others are blocks of 128 postings, bit-packed (bm25_scalar.hpp
/// says how) with a header each, and a rest of fewer in bytes of 7 bits: difference of rows, less 1, doubled,
/// plus 1 if the count is more than 1; then the count less 2. A list of fewer than 128 has no headers.
///
/// A header bounds its block's scores whatever k1, b and the average length are: each posting has at most
/// the count and at least the length of one of the header's two pairs.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <trawl/detail/simd/bm25_kernels.hpp>

namespace trawl::inline v0_1::detail {

/// A pair that bounds postings. A count of 255 stands for any that is larger, a length of 65535 for any that
/// is.
struct count_and_length {
    std::uint8_t most = 0;
    std::uint16_t least = 65535;
};

struct block_header {
    std::uint32_t last_row = 0;
    std::uint32_t at = 0; ///< byte offset from the list's first block
    std::uint8_t row_bits = 0;
    std::uint8_t count_bits = 0;
    std::array<std::uint8_t, 2> most = {};
    std::array<std::uint16_t, 2> least = {};
};
static_assert(sizeof(block_header) == 16);

/// Where a term's list is.
struct list_entry {
    std::uint32_t term = 0;
    std::uint32_t df = 0;
    std::uint64_t at = 0; ///< one posting: row and count; more: offset of the bytes
};

inline void put_number(std::vector<unsigned char>& to, std::uint64_t value) {
    for (; value >= 128; value >>= 7) to.push_back(static_cast<unsigned char>(value | 128));
    to.push_back(static_cast<unsigned char>(value));
}

/// The lists of a segment, wherever they lie. What they hold may come from a damaged file.
struct packed_lists {
    std::span<list_entry const> entries = {}; ///< by term
    std::span<block_header const> headers = {};
    std::span<unsigned char const> bytes = {}; ///< the last `slack` of them belong to no list
    std::uint32_t rows = 0;                    ///< of the segment

    static constexpr std::size_t slack = 32; ///< bytes that may be read past a block or a number

    [[nodiscard]] list_entry const* find(std::uint32_t term) const noexcept {
        auto const at = std::lower_bound(entries.begin(), entries.end(), term,
            [](list_entry const& entry, std::uint32_t wanted) { return entry.term < wanted; });
        return at != entries.end() && at->term == term ? &*at : nullptr;
    }
};

/// The memory of the lists that a packer made.
struct packed_arrays {
    std::vector<list_entry> entries = {};
    std::vector<block_header> headers = {};
    std::vector<unsigned char> bytes = {};

    [[nodiscard]] packed_lists lists(std::size_t rows) const noexcept {
        return {entries, headers, bytes, static_cast<std::uint32_t>(rows)};
    }
};

/// Packs lists, terms ascending.
class list_packer {
public:
    /// @param lengths  of all rows of the segment; the packer keeps the view.
    explicit list_packer(std::span<std::uint32_t const> lengths) : lengths_(lengths) {
        double total = 0;
        for (auto const length : lengths) total += static_cast<double>(length);
        average_ = lengths.empty() ? 1 : (std::max)(total / static_cast<double>(lengths.size()), 1.0);
    }

    /// @param rows  ascending; counts >= 1.
    void add(std::uint32_t term, std::span<std::uint32_t const> rows, std::span<std::uint32_t const> counts) {
        if (rows.size() == 1) {
            lists_.entries.push_back({term, 1, std::uint64_t{rows[0]} << 32 | counts[0]});
            return;
        }
        auto& bytes = lists_.bytes;
        lists_.entries.push_back({term, static_cast<std::uint32_t>(rows.size()), bytes.size()});
        bool const headed = rows.size() >= block_size;
        if (headed) put_number(bytes, lists_.headers.size());
        auto const first = bytes.size();
        std::uint32_t before = 0xFFFFFFFFu;
        std::size_t i = 0;
        for (; i < rows.size(); i += block_size) {
            auto const n = (std::min)(block_size, rows.size() - i);
            auto const block_rows = rows.subspan(i, n);
            auto const block_counts = counts.subspan(i, n);
            if (headed) {
                auto header = bounded(block_rows, block_counts);
                header.last_row = block_rows.back();
                header.at = static_cast<std::uint32_t>(bytes.size() - first);
                lists_.headers.push_back(header);
            }
            if (n == block_size) {
                pack(before, block_rows, block_counts);
            } else {
                put_rest(before, block_rows, block_counts);
            }
            before = block_rows.back();
        }
    }

    [[nodiscard]] packed_arrays take() {
        lists_.bytes.resize(lists_.bytes.size() + packed_lists::slack);
        lists_.entries.shrink_to_fit();
        lists_.headers.shrink_to_fit();
        lists_.bytes.shrink_to_fit();
        return std::exchange(lists_, {});
    }

private:
    void pack(
        std::uint32_t before, std::span<std::uint32_t const> rows, std::span<std::uint32_t const> counts) {
        std::array<std::uint32_t, block_size> gaps;
        std::array<std::uint32_t, block_size> more;
        std::uint32_t any_gap = 0;
        std::uint32_t any_more = 0;
        for (std::size_t i = 0; i < block_size; ++i) {
            gaps[i] = rows[i] - before - 1;
            more[i] = counts[i] - 1;
            before = rows[i];
            any_gap |= gaps[i];
            any_more |= more[i];
        }
        auto& header = lists_.headers.back();
        header.row_bits = static_cast<std::uint8_t>(std::bit_width(any_gap));
        header.count_bits = static_cast<std::uint8_t>(std::bit_width(any_more));
        put_packed(gaps, header.row_bits);
        put_packed(more, header.count_bits);
    }

    void put_packed(std::array<std::uint32_t, block_size> const& values, unsigned bits) {
        std::array<std::uint32_t, block_size + 4> words = {};
        for (std::size_t i = 0; i < block_size; ++i) {
            auto const bit = i / 4 * bits;
            auto const shifted = std::uint64_t{values[i]} << bit % 32;
            words[bit / 32 * 4 + i % 4] |= static_cast<std::uint32_t>(shifted);
            words[bit / 32 * 4 + 4 + i % 4] |= static_cast<std::uint32_t>(shifted >> 32);
        }
        auto const size = std::size_t{16} * bits;
        lists_.bytes.resize(lists_.bytes.size() + size);
        std::memcpy(lists_.bytes.data() + lists_.bytes.size() - size, words.data(), size);
    }

    void put_rest(
        std::uint32_t before, std::span<std::uint32_t const> rows, std::span<std::uint32_t const> counts) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            auto const gap = rows[i] - before - 1;
            put_number(lists_.bytes, std::uint64_t{gap} << 1 | (counts[i] > 1 ? 1u : 0u));
            if (counts[i] > 1) put_number(lists_.bytes, counts[i] - 2);
            before = rows[i];
        }
    }

    /// The two pairs that bound the block best for usual parameters.
    [[nodiscard]] block_header bounded(
        std::span<std::uint32_t const> rows, std::span<std::uint32_t const> counts) {
        std::array<std::uint16_t, 256> shortest; // for each count
        shortest.fill(65535);
        std::size_t most = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            auto const count = (std::min)(counts[i], 255u);
            auto const length = static_cast<std::uint16_t>((std::min)(lengths_[rows[i]], 65535u));
            shortest[count] = (std::min)(shortest[count], length);
            most = (std::max)(most, std::size_t{count});
        }
        std::vector<count_and_length>& front = front_; // counts falling, lengths falling
        front.clear();
        for (std::size_t count = most; count > 0; --count) {
            if (!front.empty() && shortest[count] >= front.back().least) continue;
            if (front.empty() || shortest[count] < 65535) {
                front.push_back({static_cast<std::uint8_t>(count), shortest[count]});
            }
        }
        auto const usual = [&](count_and_length pair) {
            auto const count = static_cast<double>(pair.most);
            return count / (count + 0.3 + 0.9 * static_cast<double>(pair.least) / average_);
        };
        block_header best;
        double lowest = 2;
        for (std::size_t split = 1; split <= front.size(); ++split) {
            count_and_length const first{front[0].most, front[split - 1].least};
            auto const second =
                split < front.size() ? count_and_length{front[split].most, front.back().least} : first;
            auto const bound = (std::max)(usual(first), usual(second));
            if (bound >= lowest) continue;
            lowest = bound;
            best.most = {first.most, second.most};
            best.least = {first.least, second.least};
        }
        return best;
    }

    std::span<std::uint32_t const> lengths_;
    double average_ = 1;
    packed_arrays lists_;
    std::vector<count_and_length> front_;
};

} // namespace trawl::inline v0_1::detail
