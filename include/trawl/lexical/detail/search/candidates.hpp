// SPDX-License-Identifier: MIT
#pragma once

/// Rows that may enter the best k, with partial sums that are completed list by list.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <trawl/detail/buffer.hpp>
#include <trawl/lexical/detail/scoring/scored_list.hpp>
#include <trawl/lexical/detail/search/admitted_rows.hpp>
#include <trawl/lexical/detail/search/topk_scores.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class candidates {
public:
    /// Makes room for so many rows, ascending.
    void reserve(std::size_t rows) {
        if (room_ >= rows) return;
        memory_ = {};
        memory_.reserve(2 * rows); // room alone: nothing is set to 0
        rows_ = memory_.data();
        sums_ = reinterpret_cast<std::int32_t*>(rows_ + rows); // of the same size and layout
        room_ = rows;
    }

    void clear() noexcept { size_ = 0; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

    void push(std::uint32_t row, std::int32_t sum) noexcept {
        rows_[size_] = row;
        sums_[size_++] = sum;
    }

    /// Takes the sums above the threshold out of an array for the rows from `first` on, as the
    /// kernel does.
    void take_above(std::int32_t* sums, std::uint64_t groups, std::int32_t threshold,
        std::uint32_t first) noexcept {
        size_ = kernels_->take_above(sums, groups, threshold, first, rows_, sums_);
    }

    /// Adds the list's contributions to the rows. Drops rows whose sum + rest does not exceed the
    /// threshold and, if `needed`, rows that the list lacks.
    /// @param rest  sum of the bounds of the lists that are still to come.
    /// @param block  of the list: a block that does not end before the first row.
    /// @return the last block read; later rows are not before it.
    std::size_t complete(scored_list& list, std::size_t block, std::int32_t rest,
        std::int32_t threshold, bool needed) {
        std::array<std::uint32_t, block_size> holding; // rows of a block of them that the list has
        std::array<std::uint32_t, block_size> places;
        std::array<std::uint32_t, block_size> counts;
        std::array<std::int32_t, block_size> more;
        std::size_t kept = 0;
        for (std::size_t first = 0; first < size_; first += block_size) {
            auto const last = (std::min)(first + block_size, size_);
            std::size_t n = 0;
            for (auto i = first; i < last; ++i) {
                auto const row = rows_[i];
                if (!list.is_unpacked()) {
                    block = list.block_of(row, block);
                    if (block >= list.blocks() || sums_[i] + rest + list.bound(block) <= threshold)
                        continue;
                }
                holding[n] = row;
                places[n] = static_cast<std::uint32_t>(i);
                counts[n] = list.count_of(row, block);
                n += counts[n] > 0 ? 1u : 0u;
            }
            list.scoring().contributions(
                *kernels_, holding.data(), counts.data(), n, list.lengths().data(), more.data());
            for (std::size_t j = 0; j < n; ++j) sums_[places[j]] += more[j];
            for (std::size_t i = needed ? 0 : first; i < (needed ? n : last); ++i) {
                auto const from = needed ? places[i] : i;
                rows_[kept] = rows_[from];
                sums_[kept] = sums_[from];
                kept += sums_[from] + rest > threshold ? 1u : 0u;
            }
        }
        size_ = kept;
        return block;
    }

    [[nodiscard]] array_ref<std::uint32_t const> rows() const noexcept { return {rows_, size_}; }
    [[nodiscard]] array_ref<std::int32_t const> sums() const noexcept { return {sums_, size_}; }

    /// Pushes the rows whose sums exceed the threshold.
    void push_to(topk_scores& best, segment const& rows, std::int32_t threshold) const {
        for (std::size_t i = 0; i < size_; ++i) {
            if (sums_[i] > threshold) best.push(rows.id(rows_[i]), sums_[i]);
        }
    }

private:
    bm25_kernels const* kernels_ = &active_bm25_kernels(); // no reference: candidates are swapped
    buffer<std::uint32_t> memory_;
    std::uint32_t* rows_ = nullptr;
    std::int32_t* sums_ = nullptr;
    std::size_t room_ = 0;
    std::size_t size_ = 0;
};

} // namespace detail
TRAWL_END_NAMESPACE
