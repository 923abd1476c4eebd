// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of facet_counter.hpp.

#include <trawl/collection/detail/facet_counter.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <trawl/collection/detail/column_arrays.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// How many rows of a bitmap have each value.
[[nodiscard]] inline std::vector<std::uint32_t> value_counts(
    column_arrays const& column, std::span<std::uint64_t const> among, std::size_t rows) {
    auto const values = column.values();
    std::vector<std::uint32_t> counts(std::size_t{values} + 1); // the last: rows without a value
    if (column.is_list()) {
        for (std::uint32_t i = 0; i < values; ++i) {
            for (auto const row : column.rows_of({i, i + 1}))
                if (row < rows && has_bit(among, row)) ++counts[i];
        }
        return counts;
    }
    for (std::size_t w = 0; w < among.size(); ++w) {
        for (auto rest = among[w]; rest != 0; rest &= rest - 1) {
            auto const row = w * 64 + static_cast<std::size_t>(std::countr_zero(rest));
            if (row < rows) ++counts[(std::min)(column.ordinals[row], values)];
        }
    }
    return counts;
}

TRAWL_INLINE void facet_counter::add(columns const& from, std::span<std::uint64_t const> among) {
    auto const& data = from.data();
    if (among.size() != words_for(data.rows)) {
        fail(errc::invalid_argument, join("facet_counter::add: the bitmap must have ",
                                         words_for(data.rows), " words, has ", among.size()));
    }
    auto const* const column = data.find(field_);
    if (column == nullptr) return;
    if (counted_.empty()) type_ = column->type;
    if (column->type != type_) return;
    auto const counts = value_counts(*column, among, data.rows);
    for (std::uint32_t i = 0; i < column->values(); ++i) {
        if (counts[i] == 0) continue;
        if (column->is_text()) {
            counted_.push_back({.text = column->text_at(i), .count = counts[i]});
        } else {
            counted_.push_back({.number = column->numbers[i], .count = counts[i]});
        }
    }
}

TRAWL_INLINE std::vector<facet_counter::counted> facet_counter::merged() const {
    auto all = counted_;
    auto const by_value = [](counted const& a, counted const& b) {
        return a.number != b.number ? a.number < b.number : a.text < b.text;
    };
    if (!std::is_sorted(all.begin(), all.end(), by_value)) // several segments
        std::sort(all.begin(), all.end(), by_value);
    std::size_t kept = 0;
    for (auto const& each : all) {
        if (kept > 0 && !by_value(all[kept - 1], each)) {
            all[kept - 1].count += each.count;
        } else {
            all[kept++] = each;
        }
    }
    all.resize(kept);
    return all;
}

TRAWL_INLINE std::vector<facet_count> facet_counter::top(std::size_t n) const {
    auto all = merged(); // ascending by value
    auto const wanted = (std::min)(n, all.size());
    auto const by_count = [](counted const& a, counted const& b) {
        if (a.count != b.count) return a.count > b.count;
        return a.number != b.number ? a.number < b.number : a.text < b.text;
    };
    std::partial_sort(
        all.begin(), all.begin() + static_cast<std::ptrdiff_t>(wanted), all.end(), by_count);
    auto const is_text = type_ == field_type::text || type_ == field_type::text_list;
    std::vector<facet_count> made;
    for (std::size_t i = 0; i < wanted; ++i) {
        if (is_text) {
            made.push_back({metadata_value(all[i].text), all[i].count});
        } else if (auto value = value_of_key(type_, all[i].number)) {
            made.push_back({*value, all[i].count});
        }
    }
    return made;
}

TRAWL_INLINE std::size_t facet_counter::values() const { return merged().size(); }

} // namespace detail
TRAWL_END_NAMESPACE
