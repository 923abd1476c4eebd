// SPDX-License-Identifier: MIT
#pragma once

/// Which rows of a segment may be returned, a window of them at a time.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <trawl/core/filter.hpp>
#include <trawl/lexical/index_snapshot.hpp>

namespace trawl::inline v0_1::detail {

/// Rows that a search adds sums for at a time: they and their lengths stay in the first cache.
inline constexpr std::uint32_t window_rows = 4096;

/// Borrows the part and what the filter borrows.
class admitted_rows {
public:
    admitted_rows(index_part const& part, filter where) noexcept : part_(part), where_(where) {}

    /// Whether any row may be left out.
    [[nodiscard]] bool restricted() const noexcept { return !where_.admits_all() || part_.live != nullptr; }

    /// Goes to the rows of [first, last], at most a window, `first` a multiple of 64.
    /// @return how many are admitted.
    std::size_t enter(std::uint32_t first, std::uint32_t last) noexcept {
        first_ = first;
        last_ = last;
        if (!restricted()) return last - first + 1;
        std::size_t count = 0;
        for (std::uint32_t word = 0; word < window_rows / 64; ++word) {
            auto const row = first + 64 * word;
            std::uint64_t bits = 0;
            if (row <= last) {
                bits = part_.live ? (*part_.live)[row / 64] : ~std::uint64_t{0};
                if (last - row < 63) bits &= (std::uint64_t{1} << (last - row + 1)) - 1;
                if (!where_.admits_all()) bits &= allowed(row);
            }
            words_[word] = bits;
            count += static_cast<std::size_t>(std::popcount(bits));
        }
        return count;
    }

    /// Of a row of the window.
    [[nodiscard]] bool contains(std::uint32_t row) const noexcept {
        return !restricted() || ((words_[(row - first_) / 64] >> (row - first_) % 64) & 1u) != 0;
    }

    /// Whether a row of [from, to], which may reach beyond the window, is admitted.
    [[nodiscard]] bool any(std::uint32_t from, std::uint32_t to) const noexcept {
        from = (std::max)(from, first_);
        to = (std::min)(to, last_);
        if (to < from) return false;
        auto const first = from - first_;
        auto const last = to - first_;
        for (auto word = first / 64; word <= last / 64; ++word) {
            auto bits = words_[word];
            if (word == first / 64) bits &= ~std::uint64_t{0} << first % 64;
            if (word == last / 64) bits &= ~std::uint64_t{0} >> (63 - last % 64);
            if (bits != 0) return true;
        }
        return false;
    }

    /// Calls visit(row) for each admitted row of the window, ascending, where not all are.
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::uint32_t word = 0; word < window_rows / 64; ++word) {
            for (auto bits = words_[word]; bits != 0; bits &= bits - 1) {
                visit(first_ + 64 * word + static_cast<std::uint32_t>(std::countr_zero(bits)));
            }
        }
    }

private:
    /// The filter's bits for 64 rows.
    [[nodiscard]] std::uint64_t allowed(std::uint32_t row) const noexcept {
        std::uint64_t bits = 0;
        auto const& rows = *part_.rows;
        if (rows.consecutive()) {
            auto const words = where_.set()->words();
            auto const id = std::size_t{rows.id(row)};
            auto const shift = id % 64;
            if (id / 64 < words.size()) bits = words[id / 64] >> shift;
            if (shift > 0 && id / 64 + 1 < words.size()) bits |= words[id / 64 + 1] << (64 - shift);
            return bits;
        }
        for (std::uint32_t i = 0; i < 64 && row + i <= last_; ++i) {
            bits |= std::uint64_t{where_.admits(rows.id(row + i))} << i;
        }
        return bits;
    }

    index_part const& part_;
    filter where_;
    std::uint32_t first_ = 0;
    std::uint32_t last_ = 0;
    std::array<std::uint64_t, window_rows / 64> words_;
};

} // namespace trawl::inline v0_1::detail
