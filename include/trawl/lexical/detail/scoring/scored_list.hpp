// SPDX-License-Identifier: MIT
#pragma once

/// A term's posting list in a segment, with the contributions of its postings and their bounds.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/postings/posting_cursor.hpp>
#include <trawl/lexical/detail/scoring/tf_factor.hpp>
#include <trawl/lexical/detail/segments/segment.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class scored_list {
public:
    /// Borrows the segment.
    /// @param unpacked  the term's count in each row, if the index is frozen; or null.
    scored_list(segment const& rows, list_place const& place, posting_scoring const& how,
        std::uint8_t const* unpacked = nullptr)
        : kernels_(*rows.lists().kernels),
          cursor_(rows.lists(), place),
          segment_(&rows),
          scoring_(how),
          unpacked_(unpacked) {}

    [[nodiscard]] posting_scoring const& scoring() const noexcept { return scoring_; }
    [[nodiscard]] std::size_t df() const noexcept { return cursor_.df(); }
    [[nodiscard]] std::size_t blocks() const noexcept { return cursor_.blocks(); }
    [[nodiscard]] bool has_headers() const noexcept { return cursor_.headers() != nullptr; }
    [[nodiscard]] std::size_t block_of(std::uint32_t row, std::size_t from) const noexcept {
        return cursor_.block_of(row, from);
    }

    /// A block's rows are in [first_row, last_row]. In a damaged file first_row may exceed
    /// last_row; the block is then empty.
    [[nodiscard]] std::uint32_t last_row(std::size_t block) const noexcept {
        return cursor_.last_row(block);
    }
    [[nodiscard]] std::uint32_t first_row(std::size_t block) const noexcept {
        return block == 0 ? 0 : cursor_.last_row(block - 1) + 1;
    }

    /// Whether the block can contain rows <= last. All blocks from `first` up to it must, too.
    [[nodiscard]] bool reaches(
        std::size_t block, std::size_t first, std::uint32_t last) const noexcept {
        if (block == first || block >= blocks()) return block < blocks();
        auto const before = last_row(block - 1);
        return before < last && before < last_row(block);
    }

    /// Computes a bound for each block; until then bound() is that of the whole list.
    void find_bounds() {
        if (!bounds_.empty() || blocks() == 0) return;
        bounds_.resize(blocks());
        if (has_headers()) {
            scoring_.bounds(kernels_, {cursor_.headers(), blocks()}, bounds_.data());
        } else {
            score(0);
            bounds_[0] = 0;
            for (auto const contribution : contributions())
                bounds_[0] = (std::max)(bounds_[0], contribution);
        }
        max_score_ = *std::max_element(bounds_.begin(), bounds_.end());
    }

    /// Upper bound of the contributions of the block's postings, at least 0.
    [[nodiscard]] std::int32_t bound(std::size_t block) const noexcept {
        return bounds_.empty() ? max_score_ : bounds_[block];
    }

    /// Upper bound of the contributions of the list's postings, at least 0.
    [[nodiscard]] std::int32_t max_score() const noexcept { return max_score_; }

    /// Makes rows() and contributions() those of the block.
    void score(std::size_t block) {
        cursor_.decode(block);
        if (scored_ == block) return;
        scored_ = block;
        scoring_.contributions(kernels_, rows().data(), counts().data(), rows().size(),
            segment_->lengths().data(), contributions_.data());
    }

    /// Adds the contributions of the block's rows in [first, last], at most a window, to their
    /// sums.
    /// @param sums  of the rows from `first` on.
    /// @return a bit for each group of sums that may have changed.
    std::uint64_t add(
        std::size_t block, std::uint32_t first, std::uint32_t last, std::int32_t* sums) {
        bool const tabled = has_table();
        if (tabled) {
            cursor_.decode(block);
        } else {
            if (scored_ != block) ++read_;
            score(block);
        }
        auto const all = rows();
        if (all.empty()) return 0;
        auto const from =
            all.front() >= first ? 0 : kernels_.rows_below(all.data(), all.size(), first);
        auto const to =
            all.back() <= last ? all.size() : kernels_.rows_below(all.data(), all.size(), last + 1);
        if (tabled) {
            for (auto i = from; i < to; ++i) {
                auto const length = segment_->length(all[i]);
                auto const count = counts()[i];
                sums[all[i] - first] += count <= table_counts && length < table_lengths_
                                            ? table_[(count - 1) * table_lengths_ + length]
                                            : contribution(all[i], count);
            }
        } else {
            for (auto i = from; i < to; ++i) sums[all[i] - first] += contributions_[i];
        }
        return groups_of(all.subspan(from, to - from), first);
    }

    /// Whether the index is frozen and has the term's count in each row.
    [[nodiscard]] bool is_unpacked() const noexcept { return unpacked_ != nullptr; }

    /// Whether add_all() can do what add() does.
    [[nodiscard]] bool adds_all() const noexcept { return is_unpacked() && scoring_.is_plain(); }

    /// Adds the contributions of all rows in [first, last] to their sums.
    void add_all(std::uint32_t first, std::uint32_t last, std::int32_t* sums) const noexcept {
        scoring_.add(kernels_, unpacked_ + first, segment_->lengths().data() + first,
            last - first + 1, sums);
    }

    /// Makes rows() and counts() those of the block.
    void decode(std::size_t block) noexcept { cursor_.decode(block); }

    /// Makes rows() those of the block and count_at(i) the count of the i-th.
    void decode_rows(std::size_t block) noexcept { cursor_.decode_rows(block); }
    [[nodiscard]] std::uint32_t count_at(std::size_t i) const noexcept {
        return cursor_.count_at(i);
    }

    [[nodiscard]] array_ref<std::uint32_t const> rows() const noexcept { return cursor_.rows(); }
    [[nodiscard]] array_ref<std::uint32_t const> counts() const noexcept {
        return cursor_.counts();
    }
    [[nodiscard]] array_ref<std::int32_t const> contributions() const noexcept {
        return {contributions_.data(), rows().size()};
    }

    /// How often the row's document holds the term, 0 if not at all.
    /// @param from  a block that does not end before the row.
    [[nodiscard]] std::uint32_t count_of(std::uint32_t row, std::size_t from) noexcept {
        return is_unpacked() ? unpacked_[row] : cursor_.count_of(row, from);
    }

    /// Of the segment's rows.
    [[nodiscard]] array_ref<std::uint32_t const> lengths() const noexcept {
        return segment_->lengths();
    }

    /// The place of a row in the block that holds it. Makes rows() and counts() those of the block.
    [[nodiscard]] std::size_t place_of(std::uint32_t row, std::size_t block) noexcept {
        cursor_.decode(block);
        return kernels_.rows_below(rows().data(), rows().size(), row);
    }

    [[nodiscard]] std::int32_t contribution(std::uint32_t row, std::uint32_t count) const noexcept {
        return scoring_.contribution(static_cast<float>(count), segment_->length(row));
    }

private:
    static constexpr auto none = static_cast<std::size_t>(-1);

    [[nodiscard]] static std::uint64_t groups_of(
        array_ref<std::uint32_t const> rows, std::uint32_t first) noexcept {
        std::uint64_t groups = 0;
        if (rows.empty()) return groups;
        auto const lowest = (rows.front() - first) / scalar::group_size;
        auto const highest = (rows.back() - first) / scalar::group_size;
        if (rows.size() < 4 * (highest - lowest)) {
            for (auto const row : rows)
                groups |= std::uint64_t{1} << (row - first) / scalar::group_size;
            return groups;
        }
        return ~std::uint64_t{0} << lowest & ~std::uint64_t{0} >> (63 - highest);
    }

    /// A table of contributions by count and length, which pays for a list of which much is read.
    static constexpr std::size_t read_before_table = 24; // blocks
    static constexpr std::uint32_t table_counts = 4;
    static constexpr std::uint32_t max_table_lengths = 512;

    [[nodiscard]] bool has_table() {
        if (!table_.empty() || read_ < read_before_table || blocks() < 3 * read_before_table) {
            return !table_.empty();
        }
        table_lengths_ = (std::min)(segment_->longest() + 1, max_table_lengths);
        table_.resize(std::size_t{table_counts} * table_lengths_);
        std::array<std::uint32_t, max_table_lengths> lengths;
        std::array<std::uint32_t, block_size> counts;
        std::iota(lengths.begin(), lengths.end(), 0u);
        for (std::uint32_t count = 1; count <= table_counts; ++count) {
            counts.fill(count);
            auto* const row = table_.data() + std::size_t{count - 1} * table_lengths_;
            for (std::uint32_t from = 0; from < table_lengths_; from += block_size) {
                auto const n = (std::min)(std::size_t{table_lengths_ - from}, block_size);
                scoring_.contributions(
                    kernels_, lengths.data() + from, counts.data(), n, lengths.data(), row + from);
            }
        }
        return true;
    }

    bm25_kernels const& kernels_;
    posting_cursor cursor_;
    segment const* segment_;
    posting_scoring scoring_;
    std::uint8_t const* unpacked_;
    buffer<std::int32_t> bounds_ = {};
    std::int32_t max_score_ = (std::max)(0, scoring_.max_score());
    buffer<std::int32_t> table_ = {};
    std::uint32_t table_lengths_ = 0;
    std::size_t read_ = 0;      ///< blocks
    std::size_t scored_ = none; ///< the block that the contributions are of
    std::array<std::int32_t, block_size> contributions_;
};

} // namespace detail
TRAWL_END_NAMESPACE
