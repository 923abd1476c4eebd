// SPDX-License-Identifier: MIT
#pragma once

/// Whether the arrays of columns fit together.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/collection/detail/column_arrays.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Reads all arrays of columns, whose sizes are right, and refuses those that contradict each other.
class column_check {
public:
    explicit column_check(columns_data const& data) noexcept : data_(data) {}

    void check() const {
        for (std::size_t i = 0; i < data_.arrays.size(); ++i) {
            auto const& column = data_.arrays[i];
            auto const& name = data_.fields[i].name;
            check_values(column, name);
            check_offsets(column.starts, column.rows.size(), "the rows of its values", name);
            auto const pairs =
                column.is_list() ? check_lists(column, name) : check_ordinals(column, name);
            if (pairs != column.rows.size()) refuse(name, "the index of its values has other rows");
            check_index(column, name);
        }
    }

private:
    [[noreturn]] TRAWL_COLD void refuse(std::string_view field, std::string_view reason) const {
        auto const text = join("the metadata field ", quoted_start(field), " is damaged: ", reason);
        if (data_.file) data_.file->fail(text);
        fail(errc::corrupt, text);
    }

    void check_offsets(std::span<std::uint64_t const> offsets, std::size_t size,
        std::string_view what, std::string_view name) const {
        auto right = offsets.front() == 0 && offsets.back() == size;
        for (std::size_t i = 1; i < offsets.size(); ++i)
            right = right && offsets[i - 1] <= offsets[i];
        if (!right) refuse(name, join("the offsets of ", what));
    }

    void check_values(column_arrays const& column, std::string_view name) const {
        if (column.is_text()) check_offsets(column.bounds, column.text.size(), "its texts", name);
        for (std::uint32_t i = 0; i < column.values(); ++i) {
            if (!value_at(column, i)) refuse(name, join("there is no value ", i));
            if (i == 0) continue;
            auto const ascends = column.is_text() ? column.text_at(i - 1) < column.text_at(i)
                                                  : column.numbers[i - 1] < column.numbers[i];
            if (!ascends) refuse(name, join("value ", i, " is not above the one before"));
        }
    }

    // Returns the number of rows with a value.
    std::size_t check_ordinals(column_arrays const& column, std::string_view name) const {
        std::size_t rows = 0;
        for (auto const ordinal : column.ordinals) {
            if (ordinal == no_ordinal) continue;
            if (ordinal >= column.values()) refuse(name, join("a row has value ", ordinal));
            ++rows;
        }
        return rows;
    }

    // Returns the number of different values of all rows.
    std::size_t check_lists(column_arrays const& column, std::string_view name) const {
        check_offsets(column.begins, column.elements.size(), "its lists", name);
        std::vector<std::uint32_t> last_row(column.values(), no_ordinal);
        std::size_t pairs = 0;
        for (std::uint32_t row = 0; row < data_.rows; ++row) {
            auto const list = column.list_of(row);
            if (!list.empty() && !has_bit(column.present, row))
                refuse(name, join("row ", row, " has a list and none"));
            for (auto const ordinal : list) {
                if (ordinal >= column.values()) refuse(name, join("a row has value ", ordinal));
                if (last_row[ordinal] != row) ++pairs;
                last_row[ordinal] = row;
            }
        }
        if (data_.rows % 64 != 0 && column.present.back() >> data_.rows % 64 != 0)
            refuse(name, "rows that do not exist have a list");
        return pairs;
    }

    void check_index(column_arrays const& column, std::string_view name) const {
        for (std::uint32_t i = 0; i < column.values(); ++i) {
            auto const rows = column.rows_of({i, i + 1});
            if (rows.empty()) refuse(name, join("no row has value ", i));
            for (std::size_t j = 0; j < rows.size(); ++j) {
                auto const right = rows[j] < data_.rows && (j == 0 || rows[j - 1] < rows[j])
                                   && has_value(column, rows[j], i);
                if (!right) refuse(name, join("the index of value ", i, " names a wrong row"));
            }
        }
    }

    [[nodiscard]] static bool has_value(
        column_arrays const& column, std::uint32_t row, std::uint32_t ordinal) noexcept {
        if (!column.is_list()) return column.ordinals[row] == ordinal;
        for (auto const element : column.list_of(row))
            if (element == ordinal) return true;
        return false;
    }

    columns_data const& data_;
};

} // namespace detail
TRAWL_END_NAMESPACE
