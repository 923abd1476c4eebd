// SPDX-License-Identifier: MIT
#pragma once

/// The arrays behind columns, and how they stand for values. Every look-up stays inside the arrays,
/// whatever these hold.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/collection/metadata.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/storage/sections.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The ordinal of a row without a value. An ordinal is the place of a value among the different
/// values of the column, which ascend.
inline constexpr std::uint32_t no_ordinal = (std::numeric_limits<std::uint32_t>::max)();

/// A field as the file describes it.
struct column_head {
    std::uint32_t type = 0;
    std::uint32_t zero = 0;
    std::uint64_t values = 0; ///< different ones
};

/// Ordinals [first, last).
struct ordinal_range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};

/// One column: views of a file or of memory.
struct column_arrays {
    field_type type = field_type::text;
    std::span<std::int64_t const> numbers = {}; ///< [values] keys, of all but texts and lists
    std::span<std::uint64_t const> bounds = {}; ///< [values + 1] of the texts in `text`
    std::span<char const> text = {};
    std::span<std::uint64_t const> starts = {};   ///< [values + 1] of a value's rows in `rows`
    std::span<std::uint32_t const> rows = {};     ///< by value, then ascending; each once
    std::span<std::uint32_t const> ordinals = {}; ///< [rows]; not of lists
    std::span<std::uint64_t const> begins = {};   ///< [rows + 1] of a row's list in `elements`
    std::span<std::uint32_t const> elements = {}; ///< ordinals, in the order given
    std::span<std::uint64_t const> present = {};  ///< bitmap of the rows with a list, perhaps empty

    [[nodiscard]] bool is_list() const noexcept { return type == field_type::text_list; }
    [[nodiscard]] bool is_text() const noexcept { return is_list() || type == field_type::text; }

    [[nodiscard]] std::uint32_t values() const noexcept {
        return static_cast<std::uint32_t>(starts.empty() ? 0 : starts.size() - 1);
    }

    /// Empty if the file contradicts itself.
    [[nodiscard]] std::string_view text_at(std::uint32_t ordinal) const noexcept {
        auto const begin = bounds[ordinal];
        auto const end = bounds[ordinal + 1];
        if (begin > end || end > text.size()) return {};
        return {text.data() + begin, static_cast<std::size_t>(end - begin)};
    }

    /// The rows with one of these values; none if the file contradicts itself.
    [[nodiscard]] std::span<std::uint32_t const> rows_of(ordinal_range range) const noexcept {
        if (range.first >= range.last) return {};
        auto const begin = starts[range.first];
        auto const end = starts[range.last];
        if (begin > end || end > rows.size()) return {};
        return rows.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    }

    [[nodiscard]] std::span<std::uint32_t const> list_of(std::uint32_t row) const noexcept {
        auto const begin = begins[row];
        auto const end = begins[std::size_t{row} + 1];
        if (begin > end || end > elements.size()) return {};
        return elements.subspan(
            static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    }
};

struct column_storage {
    std::vector<std::int64_t> numbers = {};
    std::vector<std::uint64_t> bounds = {};
    std::string text = {};
    std::vector<std::uint64_t> starts = {};
    std::vector<std::uint32_t> rows = {};
    std::vector<std::uint32_t> ordinals = {};
    std::vector<std::uint64_t> begins = {};
    std::vector<std::uint32_t> elements = {};
    std::vector<std::uint64_t> present = {};
};

struct columns_data {
    std::size_t rows = 0;
    std::vector<metadata_field> fields = {};
    std::vector<column_arrays> arrays = {}; ///< of each field
    std::vector<column_head> heads = {};    ///< as written, with names
    std::string names = {};
    std::vector<column_storage> storage = {}; ///< of columns in memory
    std::optional<section_file> file = {};    ///< of columns in a file

    /// The column of a field, or null.
    [[nodiscard]] column_arrays const* find(std::string_view name) const noexcept {
        for (std::size_t i = 0; i < fields.size(); ++i)
            if (fields[i].name == name) return &arrays[i];
        return nullptr;
    }
};

/// A float as an integer in the same order.
[[nodiscard]] inline std::int64_t key_of(double value) noexcept {
    auto const bits = std::bit_cast<std::int64_t>(value);
    return bits < 0 ? bits ^ (std::numeric_limits<std::int64_t>::max)() : bits;
}
[[nodiscard]] inline double float_of_key(std::int64_t key) noexcept {
    return std::bit_cast<double>(key < 0 ? key ^ (std::numeric_limits<std::int64_t>::max)() : key);
}

/// A value that is no text as an integer: values of a type are in the order of their keys. A date is
/// twice its microseconds, and 1 if it has a time.
[[nodiscard]] inline std::int64_t key_of(metadata_value const& value) {
    switch (value.type()) {
    case field_type::integer:
        return value.as_integer();
    case field_type::real:
        return key_of(value.as_float());
    case field_type::boolean:
        return value.as_bool() ? 1 : 0;
    case field_type::date:
        return 2 * value.as_date().microseconds() + (value.as_date().has_time() ? 1 : 0);
    default:
        return 0;
    }
}

/// The value of a key; none if no value has it, as in a damaged file.
[[nodiscard]] std::optional<metadata_value> value_of_key(field_type type, std::int64_t key);

/// The value number `ordinal` of a column that is no list.
[[nodiscard]] inline std::optional<metadata_value> value_at(
    column_arrays const& column, std::uint32_t ordinal) {
    if (ordinal >= column.values()) return std::nullopt;
    if (column.is_text()) return metadata_value(column.text_at(ordinal));
    return value_of_key(column.type, column.numbers[ordinal]);
}

[[nodiscard]] inline bool has_bit(std::span<std::uint64_t const> words, std::size_t row) noexcept {
    return (words[row / 64] >> (row % 64) & 1) != 0;
}
[[nodiscard]] inline std::size_t words_for(std::size_t rows) noexcept { return (rows + 63) / 64; }

/// Clears the bits from `rows` on.
inline void clear_tail(std::span<std::uint64_t> words, std::size_t rows) noexcept {
    if (rows % 64 != 0) words[rows / 64] &= (std::uint64_t{1} << rows % 64) - 1;
}

} // namespace detail
TRAWL_END_NAMESPACE
