// SPDX-License-Identifier: MIT
#pragma once

/// Rows that may enter the best k, with what is known of their sums, completed list by list.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <trawl/lexical/admitted_rows.hpp>
#include <trawl/lexical/best_sums.hpp>
#include <trawl/lexical/scored_list.hpp>

namespace trawl::inline v0_1::detail {

class candidates {
public:
    /// Makes room for so many rows, ascending.
    void reserve(std::size_t rows) {
        if (room_ >= rows) return;
        rows_.reset(new std::uint32_t[rows]); // not set to 0, as a vector's would be
        sums_.reset(new std::int32_t[rows]);
        room_ = rows;
    }

    void clear() noexcept { size_ = 0; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

    void push(std::uint32_t row, std::int32_t sum) noexcept {
        rows_[size_] = row;
        sums_[size_++] = sum;
    }

    /// Takes the sums above the floor out of an array for the rows from `first` on, as the kernel does.
    void take_above(
        std::int32_t* sums, std::uint64_t groups, std::int32_t floor, std::uint32_t first) noexcept {
        size_ = kernels_->take_above(sums, groups, floor, first, rows_.get(), sums_.get());
    }

    /// Adds what a list has of the rows, but for such as cannot pass the floor with `rest` more: these go,
    /// and where a match is needed, those that the list lacks.
    /// @param block  of the list, that does not end before the first row.
    /// @return the last block looked into; the next rows are not before it.
    std::size_t complete(
        scored_list& list, std::size_t block, std::int32_t rest, std::int32_t floor, bool needed) {
        std::size_t kept = 0;
        auto const blocks = list.blocks();
        for (std::size_t i = 0; i < size_; ++i) {
            auto const row = rows_[i];
            auto sum = sums_[i];
            block = list.block_of(row, block);
            std::uint32_t count = 0;
            if (block < blocks && sum + rest + list.bound(block) > floor) count = list.count_of(row, block);
            if (count > 0) sum += list.contribution(row, count);
            rows_[kept] = row;
            sums_[kept] = sum;
            kept += (needed ? count > 0 : true) && sum + rest > floor ? 1u : 0u;
        }
        size_ = kept;
        return block;
    }

    [[nodiscard]] std::span<std::uint32_t const> rows() const noexcept { return {rows_.get(), size_}; }
    [[nodiscard]] std::span<std::int32_t const> sums() const noexcept { return {sums_.get(), size_}; }

    /// Hands them over, those above the floor.
    void push_to(best_sums& best, segment const& rows, std::int32_t floor) const {
        for (std::size_t i = 0; i < size_; ++i) {
            if (sums_[i] > floor) best.push(rows.id(rows_[i]), sums_[i]);
        }
    }

private:
    bm25_kernels const* kernels_ = &active_bm25_kernels(); // no reference: candidates are swapped
    std::unique_ptr<std::uint32_t[]> rows_;
    std::unique_ptr<std::int32_t[]> sums_;
    std::size_t room_ = 0;
    std::size_t size_ = 0;
};

} // namespace trawl::inline v0_1::detail
