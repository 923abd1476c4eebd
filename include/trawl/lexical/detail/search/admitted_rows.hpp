// SPDX-License-Identifier: MIT
#pragma once

/// Which rows of a segment may be returned, a window of them at a time.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/filter.hpp>
#include <trawl/lexical/detail/segments/index_snapshot.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Rows that a search adds sums for at a time: they and their lengths stay in the first cache.
inline constexpr std::uint32_t window_rows = 4096;

/// A bit for each of the 64 rows from `row` on, a multiple of 64: whether it is live and admitted.
[[nodiscard]] inline std::uint64_t admitted_64(
    live_segment const& segment, filter const& where, std::uint32_t row) noexcept {
    auto const& rows = *segment.rows;
    auto const left = rows.rows() - row;
    auto bits = segment.live ? (*segment.live)[row / 64] : ~std::uint64_t{0};
    if (left < 64) bits &= (std::uint64_t{1} << left) - 1;
    if (where.admits_all()) return bits;
    std::uint64_t allowed = 0;
    if (rows.consecutive()) {
        auto const words = where.set()->words();
        auto const id = std::size_t{rows.id(row)};
        auto const shift = id % 64;
        if (id / 64 < words.size()) allowed = words[id / 64] >> shift;
        if (shift > 0 && id / 64 + 1 < words.size()) allowed |= words[id / 64 + 1] << (64 - shift);
        return bits & allowed;
    }
    for (std::uint32_t i = 0; i < 64 && i < left; ++i) {
        allowed |= std::uint64_t{where.admits(rows.id(row + i))} << i;
    }
    return bits & allowed;
}

/// A bit for each live and admitted row of a segment; bits of the last word beyond the last row are
/// unspecified. Where possible, the words of the filter's set itself. Borrows the segment and the
/// set.
class admitted_bits {
public:
    using word = std::uint64_t;

    admitted_bits() = default;
    admitted_bits(admitted_bits const&) = delete;
    admitted_bits& operator=(admitted_bits const&) = delete;
    ~admitted_bits() = default;

    void enter(live_segment const& segment, filter const& where) {
        auto const& rows = *segment.rows;
        auto const wanted = (std::size_t{rows.rows()} + 63) / 64;
        if (!where.admits_all() && !segment.live && rows.consecutive() && wanted > 0
            && rows.id(0) % 64 == 0) {
            auto const all = where.set()->words();
            if (auto const from = rows.id(0) / 64; from + wanted <= all.size()) {
                words_ = all.subspan(from, wanted);
                return;
            }
        }
        made_.resize(wanted);
        for (std::size_t i = 0; i < wanted; ++i) {
            made_[i] = admitted_64(segment, where, static_cast<std::uint32_t>(64 * i));
        }
        words_ = made_;
    }

    [[nodiscard]] std::span<word const> words() const noexcept { return words_; }

    /// Calls visit(row) for each of them below `rows`, ascending.
    template <class Visit>
    void for_each(std::uint32_t rows, Visit&& visit) const {
        for (std::size_t at = 0; at < words_.size(); ++at) {
            for (auto bits = words_[at]; bits != 0; bits &= bits - 1) {
                auto const row = 64 * at + static_cast<std::size_t>(std::countr_zero(bits));
                if (row < rows) visit(static_cast<std::uint32_t>(row));
            }
        }
    }

    /// Whether one of the rows [first, last] is in it.
    [[nodiscard]] bool any(std::uint32_t first, std::uint32_t last) const noexcept {
        for (auto at = first / 64; at <= last / 64; ++at) {
            auto bits = words_[at];
            if (at == first / 64) bits &= ~word{0} << first % 64;
            if (at == last / 64) bits &= ~word{0} >> (63 - last % 64);
            if (bits != 0) return true;
        }
        return false;
    }

private:
    std::span<word const> words_ = {};
    std::vector<word> made_ = {};
};

/// The df of the term among the live documents that the filter admits.
[[nodiscard]] inline std::uint64_t df_among(
    index_snapshot const& index, term_id term, filter const& where) {
    std::uint64_t documents = 0;
    admitted_bits admitted;
    for (auto const& segment : *index.segments) {
        auto const list = segment.rows->lists().find(term);
        if (!list) continue;
        admitted.enter(segment, where);
        auto const words = admitted.words();
        if (auto const* const counts = segment.frequent ? segment.frequent->find(term) : nullptr) {
            admitted.for_each(
                segment.rows->rows(), [&](std::uint32_t row) { documents += counts[row] > 0; });
            continue;
        }
        posting_cursor(segment.rows->lists(), *list).for_each_row([&](std::uint32_t row) {
            documents += (words[row / 64] >> row % 64) & 1u;
        });
    }
    index.for_each_in_tail([&](counted_document const& document, std::uint32_t) {
        if (where.admits(document.id) && index_snapshot::count(document, term) > 0) ++documents;
    });
    return documents;
}

/// The live and admitted rows of one window of a segment after the other. Borrows the segment and
/// what the filter borrows.
class admitted_rows {
public:
    admitted_rows(live_segment const& segment, filter where) noexcept
        : segment_(segment), where_(std::move(where)) {}

    /// Whether any row may be left out.
    [[nodiscard]] bool restricted() const noexcept {
        return !where_.admits_all() || segment_.live != nullptr;
    }

    /// Goes to the rows of [first, last], a window or what is left of the segment, `first` a
    /// multiple of 64.
    /// @return how many are admitted.
    std::size_t enter(std::uint32_t first, std::uint32_t last) noexcept {
        first_ = first;
        last_ = last;
        if (!restricted()) return last - first + 1;
        std::size_t count = 0;
        for (std::uint32_t word = 0; word < window_rows / 64; ++word) {
            auto const row = first + 64 * word;
            std::uint64_t bits = 0;
            if (row <= last) bits = admitted_64(segment_, where_, row);
            words_[word] = bits;
            count += static_cast<std::size_t>(std::popcount(bits));
        }
        return count;
    }

    /// @param row  of the window.
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

private:
    live_segment const& segment_;
    filter where_;
    std::uint32_t first_ = 0;
    std::uint32_t last_ = 0;
    std::array<std::uint64_t, window_rows / 64> words_;
};

} // namespace detail
TRAWL_END_NAMESPACE
