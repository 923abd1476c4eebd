// SPDX-License-Identifier: MIT
#pragma once

/// Reads a posting list block by block. A list from a damaged file may be any bytes: what is read
/// stays inside the arrays, rows inside the segment and ascending in each block; a block that
/// cannot be right is empty.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/postings/packed_postings.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class posting_cursor {
public:
    [[gnu::noinline]] posting_cursor(packed_lists const& lists, list_place const& place) noexcept
        : kernels_(*lists.kernels), df_(place.df), rows_in_segment_(lists.rows) {
        if (place.at > place.end) {
            clear();
            return;
        }
        bytes_ = lists.bytes.data() + place.at;
        end_ = lists.bytes.data() + place.end;
        if (df_ < block_size) {
            decode(0);
            if (size_ == 0) clear();
            return;
        }
        std::uint32_t first = 0;
        std::memcpy(&first, bytes_, sizeof first);
        bytes_ += sizeof first;
        if (bytes_ > end_ || first > lists.headers.size()
            || blocks() > lists.headers.size() - first) {
            clear();
            return;
        }
        headers_ = lists.headers.data() + first;
    }

    [[nodiscard]] std::uint32_t df() const noexcept { return df_; }
    [[nodiscard]] std::size_t blocks() const noexcept {
        return (std::size_t{df_} + block_size - 1) / block_size;
    }

    /// The headers of all blocks; null for a list of fewer than 128 postings.
    [[nodiscard]] block_header const* headers() const noexcept { return headers_; }

    [[nodiscard]] std::uint32_t last_row(std::size_t block) const noexcept {
        return headers_ != nullptr ? headers_[block].last_row : rows_[size_ - 1];
    }

    /// The first block from `from` on that ends at the row or behind it; blocks() if none does.
    [[nodiscard]] std::size_t block_of(std::uint32_t row, std::size_t from = 0) const noexcept {
        if (from >= blocks() || last_row(from) >= row) return from;
        std::size_t step = 1; // gallop
        auto low = from;
        while (low + step < blocks() && last_row(low + step) < row) {
            low += step;
            step *= 2;
        }
        auto high = (std::min)(low + step, blocks());
        while (high - low > 1) {
            auto const middle = low + (high - low) / 2;
            (last_row(middle) < row ? low : high) = middle;
        }
        return high;
    }

    /// Makes rows() and counts() those of the block.
    [[gnu::noinline]] void decode(std::size_t block) noexcept {
        decode_rows(block);
        if (counts_of_ == block) return;
        counts_of_ = block;
        if (size_ == 0) return;
        auto const& header = headers_[block];
        kernels_.unpack_counts(packed_counts_, header.count_bits(), counts_.data());
        for_each_patch(header, [&](std::size_t at, std::uint32_t upper) {
            counts_[at] = ((counts_[at] - 1) | upper) + 1;
        });
    }

    /// Calls visit(row) for each row, ascending; the counts stay packed.
    template <class Visit>
    void for_each_row(Visit&& visit) {
        for (std::size_t block = 0; block < blocks(); ++block) {
            decode_rows(block);
            for (auto const row : rows()) visit(row);
        }
    }

    [[nodiscard]] array_ref<std::uint32_t const> rows() const noexcept {
        return {rows_.data(), size_};
    }
    [[nodiscard]] array_ref<std::uint32_t const> counts() const noexcept {
        return {counts_.data(), size_};
    }

    /// How often the row's document holds the term, 0 if not at all.
    /// @param from  a block that does not end before the row.
    [[nodiscard]] std::uint32_t count_of(std::uint32_t row, std::size_t from = 0) noexcept {
        auto const block = block_of(row, from);
        if (block == blocks()) return 0;
        decode_rows(block);
        auto const at = kernels_.rows_below(rows_.data(), size_, row);
        return at == size_ || rows_[at] != row ? 0 : count_at(at);
    }

    /// Makes rows() those of the block; its counts stay packed.
    [[gnu::noinline]] void decode_rows(std::size_t block) noexcept {
        if (rows_of_ == block) return;
        rows_of_ = block;
        auto const before = block == 0 ? 0xFFFFFFFFu : headers_[block - 1].last_row;
        auto const size = (std::min)(block_size, df_ - block * block_size);
        if (size == block_size) {
            size_ = unpack_rows(block, before);
        } else {
            size_ = read_rest(block, before, size);
            counts_of_ = block;
            pad();
        }
    }

    /// The count of rows()[at].
    [[nodiscard]] std::uint32_t count_at(std::size_t at) const noexcept {
        if (counts_of_ == rows_of_) return counts_[at];
        auto const& header = headers_[rows_of_];
        auto less_one = scalar::packed_value(packed_counts_, header.count_bits(), at);
        for_each_patch(
            header, [&](std::size_t of, std::uint32_t upper) { less_one |= of == at ? upper : 0; });
        return less_one + 1;
    }

private:
    static constexpr auto none = static_cast<std::size_t>(-1);

    void clear() noexcept {
        df_ = 0;
        size_ = 0;
        headers_ = nullptr;
    }

    /// Calls visit(place, upper bits of the count less 1) for the block whose rows are here.
    template <class Visit>
    void for_each_patch(block_header const& header, Visit&& visit) const {
        auto const* from = packed_counts_ + std::size_t{16} * header.count_bits();
        for (unsigned i = 0; i < header.patches(); ++i, from += 2) {
            visit(from[0] % block_size, std::uint32_t{from[1]} << header.count_bits());
        }
    }

    /// Fills up the last group of 8: rows_below() reads whole groups.
    void pad() noexcept {
        for (auto i = size_; i % 8 != 0; ++i) rows_[i] = 0xFFFFFFFFu;
    }

    /// Leaves the counts packed, for few of them are asked for.
    [[nodiscard]] std::size_t unpack_rows(std::size_t block, std::uint32_t before) noexcept {
        auto const& header = headers_[block];
        auto const size = std::size_t{16} * (std::size_t{header.row_bits} + header.count_bits())
                          + std::size_t{2} * header.patches();
        auto const room = static_cast<std::size_t>(end_ - bytes_);
        if (header.row_bits > 32 || (header.patches() > 0 && header.count_bits() > max_patched_bits)
            || size > room || header.at > room - size || header.last_row >= rows_in_segment_) {
            return 0;
        }
        auto const* const from = bytes_ + header.at;
        kernels_.unpack_rows(from, header.row_bits, before, rows_.data());
        // 128 steps of at most 2^24 each cannot go round: the last row being right, all are.
        bool good = rows_.back() == header.last_row && before + 1 <= header.last_row;
        if (header.row_bits > 24) good = good && std::is_sorted(rows_.begin(), rows_.end());
        if (!good) return 0;
        packed_counts_ = from + std::size_t{16} * header.row_bits;
        return block_size;
    }

    [[nodiscard]] std::size_t read_rest(
        std::size_t block, std::uint32_t before, std::size_t size) noexcept {
        auto const offset = headers_ != nullptr ? headers_[block].at : 0;
        auto const room = static_cast<std::size_t>(end_ - bytes_);
        if (offset >= room) return 0;
        auto const* const from = bytes_ + offset + 1;
        auto const widths = rest_widths::of(from[-1]);
        if (widths.gap_bytes(size) + widths.count_bytes(size) > room - offset - 1) return 0;
        std::uint64_t row = before + 1u;
        for (std::size_t i = 0; i < size; ++i, ++row) {
            row += take_bits(from, i * widths.gap, widths.gap);
            rows_[i] = static_cast<std::uint32_t>(row);
        }
        if (row > rows_in_segment_) return 0;
        auto const* const counts = from + widths.gap_bytes(size);
        for (std::size_t i = 0; i < size; ++i) {
            counts_[i] =
                (std::min)(take_bits(counts, i * widths.count, widths.count), max_count - 1) + 1;
        }
        return size;
    }

    bm25_kernels const& kernels_;
    std::uint32_t df_;
    std::uint32_t rows_in_segment_;
    unsigned char const* bytes_ = nullptr;
    unsigned char const* end_ = nullptr;
    block_header const* headers_ = nullptr;
    unsigned char const* packed_counts_ = nullptr; // of the block whose rows are here
    std::size_t rows_of_ = none;                   // whose block's rows are here
    std::size_t counts_of_ = none;
    std::size_t size_ = 0;
    std::array<std::uint32_t, block_size> rows_;
    std::array<std::uint32_t, block_size> counts_;
};

} // namespace detail
TRAWL_END_NAMESPACE
