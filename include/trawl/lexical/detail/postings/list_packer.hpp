// SPDX-License-Identifier: MIT
#pragma once

/// Writes posting lists in the format of packed_postings.hpp.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/postings/packed_postings.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Packs lists, terms ascending.
class list_packer {
public:
    /// @param lengths  of all rows of the segment; the packer keeps the view.
    explicit list_packer(array_ref<std::uint32_t const> lengths) : lengths_(lengths) {
        double total = 0;
        for (auto const length : lengths) total += static_cast<double>(length);
        average_ =
            lengths.empty() ? 1 : (std::max)(total / static_cast<double>(lengths.size()), 1.0);
    }

    /// @param rows  ascending; counts >= 1.
    void add(std::uint32_t term, array_ref<std::uint32_t const> rows,
        array_ref<std::uint32_t const> counts) {
        lists_.terms.push_back(term);
        auto& bytes = lists_.bytes;
        lists_.begins.push_back(bytes.size());
        put_number(bytes, rows.size());
        bool const headed = rows.size() >= block_size;
        if (headed) {
            auto const header = static_cast<std::uint32_t>(lists_.headers.size());
            bytes.resize(bytes.size() + sizeof header);
            std::memcpy(bytes.data() + bytes.size() - sizeof header, &header, sizeof header);
        }
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

    /// What was packed, to be finished.
    [[nodiscard]] packed_arrays take() { return std::exchange(lists_, {}); }

private:
    /// Bounds postings of at most this count and at least this length, as in a header.
    struct count_and_length {
        std::uint8_t most = 0;
        std::uint8_t least = 0;
    };

    void pack(std::uint32_t before, array_ref<std::uint32_t const> rows,
        array_ref<std::uint32_t const> counts) {
        std::array<std::uint32_t, block_size> gaps;
        std::array<std::uint32_t, block_size> more;
        std::uint32_t any_gap = 0;
        for (std::size_t i = 0; i < block_size; ++i) {
            gaps[i] = rows[i] - before - 1;
            more[i] = (std::min)(counts[i], max_count) - 1;
            before = rows[i];
            any_gap |= gaps[i];
        }
        auto& header = lists_.headers.back();
        header.row_bits = static_cast<std::uint8_t>(std::bit_width(any_gap));
        put_packed(gaps, header.row_bits);

        auto const bits = cheapest_width(more);
        buffer<unsigned char> patches;
        for (std::size_t i = 0; i < block_size; ++i) {
            auto const upper = more[i] >> bits;
            if (upper == 0) continue;
            patches.push_back(static_cast<unsigned char>(i));
            patches.push_back(static_cast<unsigned char>(upper));
            more[i] &= (1u << bits) - 1;
        }
        header.counts = static_cast<std::uint8_t>(bits | patches.size() / 2 << 5);
        put_packed(more, bits);
        lists_.bytes.append(patches.data(), patches.size());
    }

    /// The width at which values and patches take the fewest bytes.
    [[nodiscard]] static unsigned cheapest_width(
        std::array<std::uint32_t, block_size> const& values) {
        std::array<unsigned, 33> of_width = {}; // how many values have so many bits
        for (auto const value : values) ++of_width[static_cast<unsigned>(std::bit_width(value))];
        unsigned widest = 32;
        while (widest > 0 && of_width[widest] == 0) --widest;
        auto best = widest;
        auto least = 16 * widest;
        unsigned patched = 0;
        for (auto bits = widest; bits > 0 && widest - (bits - 1) <= patch_bits;) {
            patched += of_width[bits--];
            if (patched > max_patches) break;
            if (bits <= max_patched_bits && 16 * bits + 2 * patched < least) {
                least = 16 * bits + 2 * patched;
                best = bits;
            }
        }
        return best;
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

    void put_rest(std::uint32_t before, array_ref<std::uint32_t const> rows,
        array_ref<std::uint32_t const> counts) {
        std::array<std::uint32_t, block_size> gaps;
        std::array<std::uint32_t, block_size> more;
        std::uint32_t any_gap = 0;
        std::uint32_t any_more = 0;
        auto const n = rows.size();
        for (std::size_t i = 0; i < n; ++i) {
            gaps[i] = rows[i] - before - 1;
            more[i] = (std::min)(counts[i], max_count) - 1;
            before = rows[i];
            any_gap |= gaps[i];
            any_more |= more[i];
        }
        auto const widths = rest_widths::of(any_gap, any_more);
        lists_.bytes.push_back(widths.byte());
        put_bits(lists_.bytes, std::span(gaps).first(n), widths.gap);
        put_bits(lists_.bytes, std::span(more).first(n), widths.count);
    }

    /// The Pareto front of (count, length) pairs bounds all postings. While it has more than
    /// block_pairs, merges the two neighbours whose common bound is the lowest for k1 1.2, b 0.75.
    [[nodiscard]] block_header bounded(
        array_ref<std::uint32_t const> rows, array_ref<std::uint32_t const> counts) {
        std::array<std::uint8_t, 256> shortest; // for each count
        shortest.fill(255);
        std::size_t most = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            auto const count = (std::min)(counts[i], 255u);
            shortest[count] = (std::min)(shortest[count], length_byte(lengths_[rows[i]]));
            most = (std::max)(most, std::size_t{count});
        }
        buffer<count_and_length>& front = front_; // counts falling, lengths falling
        front.assign(1, {static_cast<std::uint8_t>(most), shortest[most]});
        for (std::size_t count = most - 1; count > 0; --count) {
            if (shortest[count] >= front.back().least) continue;
            front.push_back({static_cast<std::uint8_t>(count), shortest[count]});
        }
        while (front.size() > block_pairs) {
            std::size_t lowest = 0;
            for (std::size_t i = 1; i + 1 < front.size(); ++i) {
                if (usual({front[i].most, front[i + 1].least})
                    < usual({front[lowest].most, front[lowest + 1].least})) {
                    lowest = i;
                }
            }
            front[lowest].least = front[lowest + 1].least;
            front.erase(lowest + 1, lowest + 2);
        }
        block_header header;
        for (std::size_t pair = 0; pair < block_pairs; ++pair) {
            auto const& from = front[(std::min)(pair, front.size() - 1)];
            header.max_counts[pair] = from.most;
            header.least[pair] = from.least;
        }
        return header;
    }

    /// The tf factor of such a posting for k1 1.2, b 0.75.
    [[nodiscard]] double usual(count_and_length pair) const noexcept {
        auto const count = static_cast<double>(pair.most);
        return count
               / (count + 0.3 + 0.9 * static_cast<double>(length_of_byte(pair.least)) / average_);
    }

    array_ref<std::uint32_t const> lengths_;
    double average_ = 1;
    packed_arrays lists_;
    buffer<count_and_length> front_;
};

} // namespace detail
TRAWL_END_NAMESPACE
