// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of columns.hpp.

#include <trawl/collection/detail/columns.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/collection/detail/column_arrays.hpp>
#include <trawl/collection/detail/column_check.hpp>
#include <trawl/collection/detail/condition_rows.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE std::optional<metadata_value> value_of_key(field_type type, std::int64_t key) {
    switch (type) {
    case field_type::integer:
        return metadata_value(key);
    case field_type::real:
        if (auto const value = float_of_key(key); is_finite(value)) return metadata_value(value);
        return std::nullopt;
    case field_type::boolean:
        return metadata_value(key != 0);
    case field_type::date: {
        constexpr std::int64_t day = 86'400'000'000;
        auto const microseconds = (key - (key & 1)) / 2;
        if (microseconds < date::min_microseconds || microseconds > date::max_microseconds)
            return std::nullopt;
        if ((key & 1) != 0) return metadata_value(date::from_microseconds(microseconds));
        if (microseconds % day != 0) return std::nullopt;
        return metadata_value(date::from_days(microseconds / day));
    }
    default:
        return std::nullopt;
    }
}

TRAWL_INLINE bool value_less(metadata_value const& a, metadata_value const& b) {
    if (a.type() != b.type()) return a.type() < b.type();
    if (a.type() == field_type::text) return a.as_text() < b.as_text();
    if (a.type() == field_type::text_list) return a.as_list() < b.as_list();
    return key_of(a) < key_of(b);
}

/// The sections of a column, each with its array, in the order in which they are written.
template <class Arrays, class Visit>
void for_each_section(Arrays& column, Visit&& visit) {
    if (column.is_text()) {
        visit("bounds", column.bounds);
        visit("text", column.text);
    } else {
        visit("numbers", column.numbers);
    }
    visit("starts", column.starts);
    visit("rows", column.rows);
    if (column.is_list()) {
        visit("begins", column.begins);
        visit("elements", column.elements);
        visit("present", column.present);
    } else {
        visit("ordinals", column.ordinals);
    }
}

[[nodiscard]] inline std::vector<metadata_field> opened_fields(
    section_file const& file, std::span<column_head const> heads, std::string_view names) {
    std::vector<metadata_field> fields;
    for (auto const& head : heads) {
        auto const end = names.find('\0');
        if (end == names.npos) file.fail("its metadata has fewer names than fields");
        if (head.type >= enum_count<field_type>) file.fail("its metadata has an unknown type");
        fields.push_back({std::string(names.substr(0, end)), static_cast<field_type>(head.type)});
        names.remove_prefix(end + 1);
    }
    if (!names.empty()) file.fail("its metadata has more names than fields");
    if (auto const problem = problem_of(fields); !problem.text.empty()) file.fail(problem.text);
    return fields;
}

inline void check_sizes(section_file const& file, std::string_view name,
    column_arrays const& column, std::uint64_t values, std::size_t rows) {
    auto const require = [&](bool right) {
        if (!right) file.fail(join("the metadata field ", name, " has arrays of the wrong size"));
    };
    require(values < no_ordinal);
    require(column.starts.size() == values + 1);
    require(
        column.is_text() ? column.bounds.size() == values + 1 : column.numbers.size() == values);
    if (column.is_list()) {
        require(column.begins.size() == rows + 1);
        require(column.rows.size() <= column.elements.size());
        require(column.present.size() == words_for(rows));
    } else {
        require(column.ordinals.size() == rows && column.rows.size() <= rows);
    }
}

TRAWL_INLINE columns::columns() : data_(std::make_shared<columns_data const>()) {}
TRAWL_INLINE columns::columns(std::shared_ptr<columns_data const> data) noexcept
    : data_(std::move(data)) {}

TRAWL_INLINE std::size_t columns::rows() const noexcept { return data_->rows; }
TRAWL_INLINE std::span<metadata_field const> columns::fields() const noexcept {
    return data_->fields;
}

TRAWL_INLINE columns columns::open(
    section_file const& file, std::string_view prefix, std::size_t rows) {
    if (rows >= no_ordinal) file.fail(join("cannot have ", rows, " rows of metadata"));
    auto made = std::make_shared<columns_data>();
    auto& in = *made;
    in.rows = rows;
    auto const heads = file.array<column_head>(join(prefix, "fields"));
    in.names = file.text(join(prefix, "names"));
    in.fields = opened_fields(file, heads, in.names);
    in.heads.assign(heads.begin(), heads.end());
    in.file = file;
    for (std::size_t i = 0; i < in.fields.size(); ++i) {
        auto& column = in.arrays.emplace_back();
        column.type = in.fields[i].type;
        for_each_section(column, [&]<class T>(std::string_view name, std::span<T const>& array) {
            array = file.array<T>(join(prefix, i, ' ', name));
        });
        check_sizes(file, in.fields[i].name, column, in.heads[i].values, rows);
    }
    return columns(std::move(made));
}

TRAWL_INLINE void columns::add_to(section_writer& writer, std::string_view prefix) const {
    if (prefix.size() > max_prefix) {
        fail(errc::invalid_argument, join("columns::add_to: the prefix may have ", max_prefix,
                                         " bytes, has ", prefix.size()));
    }
    writer.add(join(prefix, "fields"), std::span<column_head const>(data_->heads));
    writer.add(join(prefix, "names"), std::span<char const>(data_->names));
    for (std::size_t i = 0; i < data_->arrays.size(); ++i) {
        for_each_section(data_->arrays[i], [&](std::string_view name, auto const& array) {
            writer.add(join(prefix, i, ' ', name), array);
        });
    }
}

TRAWL_INLINE void columns::verify() const { column_check(*data_).check(); }

TRAWL_INLINE row_words columns::evaluate(condition const& asked) const {
    row_words out(words_for(data_->rows));
    condition_rows(*data_).evaluate(asked, out);
    return out;
}

[[nodiscard]] inline std::optional<metadata_value> value_of_row(
    column_arrays const& column, std::uint32_t row) {
    if (!column.is_list()) return value_at(column, column.ordinals[row]);
    if (!has_bit(column.present, row)) return std::nullopt;
    std::vector<std::string> list;
    for (auto const ordinal : column.list_of(row)) {
        if (ordinal < column.values()) list.emplace_back(column.text_at(ordinal));
    }
    return metadata_value(std::move(list));
}

TRAWL_INLINE std::optional<metadata_value> columns::value(
    std::uint32_t row, std::string_view field) const {
    auto const* const column = data_->find(field);
    if (column == nullptr || row >= data_->rows) return std::nullopt;
    return value_of_row(*column, row);
}

TRAWL_INLINE metadata columns::values(std::uint32_t row) const {
    metadata made;
    if (row >= data_->rows) return made;
    for (std::size_t i = 0; i < data_->fields.size(); ++i) {
        if (auto value = value_of_row(data_->arrays[i], row))
            made.set(data_->fields[i].name, std::move(*value));
    }
    return made;
}

/// Walks the rows of a bitmap in the order of a column's values.
class sorted_walk {
public:
    sorted_walk(column_arrays const* column, std::size_t rows, std::span<std::uint64_t const> among,
        std::size_t k)
        : column_(column), rows_(rows), among_(among), k_(k) {}

    /// The rows with values [first, last), `first_row` on of the value first, or of last - 1 if
    /// descending.
    void take(ordinal_range range, bool descending, std::uint32_t first_row) {
        for (; range.first < range.last && found_.size() < k_; first_row = 0) {
            auto const ordinal = descending ? --range.last : range.first++;
            take_value(ordinal, first_row);
        }
    }

    void take_without_value(std::uint32_t first_row) {
        for (std::size_t w = first_row / 64; w < words_for(rows_) && found_.size() < k_; ++w) {
            for (auto rest = among_[w]; rest != 0 && found_.size() < k_; rest &= rest - 1) {
                auto const row = w * 64 + static_cast<std::size_t>(std::countr_zero(rest));
                if (row < first_row || row >= rows_) continue;
                if (column_ != nullptr && column_->ordinals[row] < column_->values()) continue;
                found_.push_back({static_cast<std::uint32_t>(row), std::nullopt});
            }
        }
    }

    [[nodiscard]] std::vector<sorted_row> finish() { return std::move(found_); }

private:
    void take_value(std::uint32_t ordinal, std::uint32_t first_row) {
        for (auto const row : column_->rows_of({ordinal, ordinal + 1})) {
            if (row < first_row || row >= rows_ || !has_bit(among_, row)) continue;
            auto value = value_at(*column_, ordinal);
            if (!value) return;
            found_.push_back({row, std::move(value)});
            if (found_.size() == k_) return;
        }
    }

    column_arrays const* column_;
    std::size_t rows_;
    std::span<std::uint64_t const> among_;
    std::size_t k_;
    std::vector<sorted_row> found_ = {};
};

TRAWL_INLINE std::vector<sorted_row> columns::sorted(std::string_view field, bool descending,
    std::span<std::uint64_t const> among, std::size_t k, sort_position const* after) const {
    if (among.size() != words_for(data_->rows)) {
        fail(errc::invalid_argument, join("columns::sorted: the bitmap must have ",
                                         words_for(data_->rows), " words, has ", among.size()));
    }
    auto const* column = data_->find(field);
    if (column != nullptr && column->is_list()) column = nullptr;
    sorted_walk walk(column, data_->rows, among, k);
    auto const first_row = after == nullptr ? 0 : after->row;
    if (column != nullptr && (after == nullptr || after->value)) {
        ordinal_range range{0, column->values()};
        bool value_is_here = false;
        if (after != nullptr) {
            auto const same = ordinals_equal(*column, *after->value);
            value_is_here = same.first != same.last;
            (descending ? range.last : range.first) = descending ? same.last : same.first;
        }
        walk.take(range, descending, value_is_here ? first_row : 0);
        walk.take_without_value(0);
    } else {
        walk.take_without_value(after == nullptr ? 0 : first_row);
    }
    return walk.finish();
}

} // namespace detail
TRAWL_END_NAMESPACE
