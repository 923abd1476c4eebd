// SPDX-License-Identifier: MIT
#pragma once

/// The rows for which a condition is true.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <trawl/collection/condition.hpp>
#include <trawl/collection/detail/column_arrays.hpp>
#include <trawl/collection/metadata.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The first ordinal whose text is not below, or with `after` above, the given one.
[[nodiscard]] inline std::uint32_t text_bound(
    column_arrays const& column, std::string_view text, bool after) noexcept {
    std::uint32_t first = 0;
    auto last = column.values();
    while (first < last) {
        auto const middle = first + (last - first) / 2;
        auto const order = column.text_at(middle).compare(text);
        if (order < 0 || (after && order == 0)) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first;
}

/// The ordinals whose keys lie in [first, last].
[[nodiscard]] inline ordinal_range ordinals_between(
    column_arrays const& column, std::int64_t first, std::int64_t last) noexcept {
    auto const begin = column.numbers.begin();
    auto const low = std::lower_bound(begin, column.numbers.end(), first);
    auto const high = std::upper_bound(low, column.numbers.end(), last);
    return {static_cast<std::uint32_t>(low - begin), static_cast<std::uint32_t>(high - begin)};
}

/// The ordinals of a value: one, or none at the place where it would be. The value has the column's
/// type; of a list, text.
[[nodiscard]] inline ordinal_range ordinals_equal(
    column_arrays const& column, metadata_value const& value) {
    if (column.is_text()) {
        if (value.type() != field_type::text) return {};
        return {
            text_bound(column, value.as_text(), false), text_bound(column, value.as_text(), true)};
    }
    return ordinals_between(column, key_of(value), key_of(value));
}

/// Evaluates conditions over the columns of a segment.
class condition_rows {
public:
    explicit condition_rows(columns_data const& data) noexcept : data_(data) {}

    /// Writes the bitmap of the rows for which the condition is true.
    /// @param out  a word for each 64 rows.
    void evaluate(condition const& asked, std::span<std::uint64_t> out) const {
        using enum condition_op;
        switch (asked.op()) {
        case everything:
            fill(out);
            return;
        case negation:
            evaluate(asked.children().front(), out);
            invert(out);
            return;
        case all_of:
        case any_of:
            combine(asked, out);
            return;
        case not_equal:
        case not_in:
            compare(asked, out);
            invert(out);
            return;
        default:
            compare(asked, out);
        }
    }

private:
    void fill(std::span<std::uint64_t> out) const {
        std::fill(out.begin(), out.end(), ~std::uint64_t{0});
        clear_tail(out, data_.rows);
    }

    void invert(std::span<std::uint64_t> out) const {
        for (auto& word : out) word = ~word;
        clear_tail(out, data_.rows);
    }

    void combine(condition const& asked, std::span<std::uint64_t> out) const {
        std::vector<std::uint64_t> more(out.size());
        auto const children = asked.children();
        evaluate(children.front(), out);
        for (auto const& child : children.subspan(1)) {
            evaluate(child, more);
            if (asked.op() == condition_op::all_of) {
                for (std::size_t w = 0; w < out.size(); ++w) out[w] &= more[w];
            } else {
                for (std::size_t w = 0; w < out.size(); ++w) out[w] |= more[w];
            }
        }
    }

    // Rows without a value are never among these.
    void compare(condition const& asked, std::span<std::uint64_t> out) const {
        std::fill(out.begin(), out.end(), std::uint64_t{0});
        auto const* const column = data_.find(asked.name());
        if (column == nullptr) return;
        metadata_field const known{asked.name(), column->type};
        validate(asked, std::span(&known, 1));
        if (asked.op() == condition_op::exists) {
            mark_present(*column, out);
            return;
        }
        std::vector<ordinal_range> ranges;
        for (auto const& value : asked.values())
            add_ranges(*column, asked.op(), compared_value(asked.op(), value, known), ranges);
        mark(*column, ranges, out);
    }

    void add_ranges(column_arrays const& column, condition_op op, metadata_value const& value,
        std::vector<ordinal_range>& ranges) const {
        using enum condition_op;
        if (op == contains && !column.is_list()) {
            for (std::uint32_t i = 0; i < column.values(); ++i) {
                if (column.text_at(i).find(value.as_text()) != std::string_view::npos)
                    ranges.push_back({i, i + 1});
            }
            return;
        }
        auto const same = equal_in_condition(column, value);
        if (op == less) {
            ranges.push_back({0, same.first});
        } else if (op == less_equal) {
            ranges.push_back({0, same.last});
        } else if (op == greater) {
            ranges.push_back({same.last, column.values()});
        } else if (op == greater_equal) {
            ranges.push_back({same.first, column.values()});
        } else {
            ranges.push_back(same);
        }
    }

    // A day is equal to all of its instants; an instant also to the day that begins at it.
    [[nodiscard]] static ordinal_range equal_in_condition(
        column_arrays const& column, metadata_value const& value) {
        if (column.type != field_type::date) return ordinals_equal(column, value);
        constexpr std::int64_t day = 86'400'000'000;
        auto const first = 2 * value.as_date().microseconds();
        return ordinals_between(
            column, first, first + (value.as_date().has_time() ? 1 : 2 * day - 1));
    }

    void mark_present(column_arrays const& column, std::span<std::uint64_t> out) const {
        if (column.is_list()) {
            std::copy(column.present.begin(), column.present.end(), out.begin());
            clear_tail(out, data_.rows);
        } else {
            scan(column, {0, column.values()}, out);
        }
    }

    void mark(column_arrays const& column, std::vector<ordinal_range>& ranges,
        std::span<std::uint64_t> out) const {
        std::sort(ranges.begin(), ranges.end(),
            [](ordinal_range a, ordinal_range b) { return a.first < b.first; });
        for (std::size_t i = 0; i < ranges.size();) {
            auto range = ranges[i];
            for (++i; i < ranges.size() && ranges[i].first <= range.last; ++i)
                range.last = (std::max)(range.last, ranges[i].last);
            if (range.first >= range.last) continue;
            auto const rows = column.rows_of(range);
            // Reading all ordinals in order costs about as much as setting the bits of a quarter of
            // the rows.
            if (!column.is_list() && rows.size() > data_.rows / 4) {
                scan(column, range, out);
                continue;
            }
            for (auto const row : rows) {
                if (row < data_.rows) out[row / 64] |= std::uint64_t{1} << row % 64;
            }
        }
    }

    // Adds the rows whose ordinal lies in the range.
    void scan(column_arrays const& column, ordinal_range range,
        std::span<std::uint64_t> out) const noexcept {
        auto const* const ordinals = column.ordinals.data();
        auto const first = range.first;
        auto const width = range.last - range.first;
        auto const whole = data_.rows / 64;
        for (std::size_t w = 0; w < whole; ++w) {
            std::uint64_t word = 0;
            for (std::size_t i = 0; i < 64; ++i)
                word |= std::uint64_t{ordinals[w * 64 + i] - first < width} << i;
            out[w] |= word;
        }
        for (auto row = whole * 64; row < data_.rows; ++row)
            out[whole] |= std::uint64_t{ordinals[row] - first < width} << row % 64;
    }

    columns_data const& data_;
};

} // namespace detail
TRAWL_END_NAMESPACE
