// SPDX-License-Identifier: MIT
#pragma once

/// Positions of terms, list by list beside the postings: the format, its writer and its reader.
///
/// The positions of a posting, as many as its count, are gaps: the first position, then the
/// differences. The gaps of a block of 128 postings follow each other in so many bits each as the
/// largest of them needs, so that those of any posting are found by the sum of the counts before
/// it, and nothing else is unpacked.
///
/// A list has for each block but the first 4 bytes with the distance from the first one, then the
/// blocks: a byte with the number of bits, and the gaps, lowest bit first.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include <trawl/detail/buffer.hpp>
#include <trawl/detail/simd/bm25_kernels.hpp>
#include <trawl/lexical/detail/postings/ascending_numbers.hpp>
#include <trawl/lexical/detail/postings/list_storage.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Positions of one term in one document, one after the other.
class position_run {
public:
    position_run() = default;

    /// @param bits  of each gap, 1 to 32. Up to 7 bytes past the last gap are read.
    position_run(unsigned char const* from, std::uint64_t first_bit, unsigned bits,
        std::uint32_t count) noexcept
        : from_(from), bit_(first_bit), bits_(bits), left_(count) {}

    /// How many are to come.
    [[nodiscard]] std::uint32_t left() const noexcept { return left_; }

    /// The next position, where one is left.
    std::uint32_t next() noexcept {
        auto const gap = take_bits(from_, bit_, bits_);
        bit_ += bits_;
        --left_;
        return position_ += gap;
    }

private:
    unsigned char const* from_ = nullptr;
    std::uint64_t bit_ = 0;
    unsigned bits_ = 1;
    std::uint32_t left_ = 0;
    std::uint32_t position_ = 0;
};

/// The positions of a segment's lists, wherever they lie. What they hold may come from a damaged
/// file.
struct packed_positions {
    ascending_numbers begins = {};             ///< of the lists in the bytes; none: no positions
    array_ref<unsigned char const> bytes = {}; ///< the last `slack` of them belong to no list

    static constexpr std::size_t slack = 8; ///< bytes that may be read past a block

    /// The positions of a block of postings.
    struct block {
        unsigned char const* from = nullptr;
        std::uint64_t size = 0; ///< in bits; 0 if they would not lie in the bytes
        unsigned bits = 1;      ///< of each gap

        /// Those of one posting; none where they would not lie in the bytes.
        /// @param before  sum of the counts before the posting in its block.
        /// @param count  at least 1.
        [[nodiscard]] position_run run(std::uint64_t before, std::uint32_t count) const noexcept {
            if ((before + count) * bits > size) return {};
            return {from, before * bits, bits, count};
        }
    };

    /// @param begin, blocks  of the list.
    [[nodiscard, gnu::noinline]] block block_at(
        std::uint64_t begin, std::size_t blocks, std::size_t i) const noexcept {
        auto const end = bytes.size() - (std::min)(slack, bytes.size());
        auto const table = 4 * (blocks - 1);
        if (table >= end || begin >= end - table) return {};
        auto at = static_cast<std::size_t>(begin) + table;
        if (i > 0) {
            std::uint32_t distance = 0;
            std::memcpy(&distance, bytes.data() + begin + 4 * (i - 1), sizeof distance);
            if (distance >= end - at) return {};
            at += distance;
        }
        unsigned const bits = bytes[at++];
        if (bits == 0 || bits > 32) return {};
        return {bytes.data() + at, 8 * std::uint64_t{end - at}, bits};
    }
};

/// Finds the positions of postings, fastest in the order of the list.
class position_cursor {
public:
    position_cursor(packed_positions const& all, std::size_t list, std::size_t blocks) noexcept
        : all_(all), begin_(list < all.begins.size() ? all.begins[list] : 0), blocks_(blocks) {}

    /// The positions of the posting at `place` in a block; none where they would not lie in the
    /// bytes.
    /// @param counts  of the block's postings.
    [[nodiscard]] position_run of(
        std::size_t block, array_ref<std::uint32_t const> counts, std::size_t place) noexcept {
        if (block != block_ || place < place_) {
            if (block != block_) gaps_ = all_.block_at(begin_, blocks_, block);
            block_ = block;
            place_ = 0;
            before_ = 0;
        }
        for (; place_ < place; ++place_) before_ += counts[place_];
        return gaps_.run(before_, counts[place]);
    }

private:
    packed_positions all_;
    std::uint64_t begin_;
    std::size_t blocks_;
    packed_positions::block gaps_ = {};
    std::size_t block_ = static_cast<std::size_t>(-1); ///< whose gaps are here
    std::size_t place_ = 0;
    std::uint64_t before_ = 0; ///< sum of the counts before the place
};

/// The memory of the positions that a packer wrote.
struct position_arrays : list_storage {
    [[nodiscard]] packed_positions positions() const noexcept {
        return {ascending_numbers(begins), bytes};
    }

    void finish() {
        if (!begins.empty()) list_storage::finish(packed_positions::slack);
    }
};

/// Packs the positions of lists, one list after the other.
class position_packer {
public:
    /// @param counts  of the list's postings.
    /// @param gaps  of all of them, one after the other.
    void add(array_ref<std::uint32_t const> counts, array_ref<std::uint32_t const> gaps) {
        auto& bytes = made_.bytes;
        made_.begins.push_back(bytes.size());
        auto const table = bytes.size();
        auto const first = table + 4 * ((counts.size() - 1) / block_size);
        bytes.resize(first);
        for (std::size_t i = 0; i < counts.size(); i += block_size) {
            if (i > 0) {
                auto const distance = static_cast<std::uint32_t>(bytes.size() - first);
                std::memcpy(
                    bytes.data() + table + 4 * (i / block_size - 1), &distance, sizeof distance);
            }
            std::size_t size = 0;
            for (auto const count : counts.subspan(i, (std::min)(block_size, counts.size() - i)))
                size += count;
            put(gaps.first(size));
            gaps = gaps.subspan(size);
        }
    }

    /// What was packed, to be finished.
    [[nodiscard]] position_arrays take() { return std::exchange(made_, {}); }

private:
    void put(array_ref<std::uint32_t const> gaps) {
        std::uint32_t any = 1; // at least one bit a gap, so that the bytes bound the number of gaps
        for (auto const gap : gaps) any |= gap;
        auto const bits = static_cast<unsigned>(std::bit_width(any));
        made_.bytes.push_back(static_cast<unsigned char>(bits));
        put_bits(made_.bytes, gaps, bits);
    }

    position_arrays made_;
};

} // namespace detail
TRAWL_END_NAMESPACE
