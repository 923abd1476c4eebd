// SPDX-License-Identifier: MIT
#pragma once

/// A table of results, and its forms: aligned text, Markdown, CSV. formats/json.hpp has JSON.

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// A text, a number, or nothing.
class table_cell {
public:
    table_cell() = default;
    // NOLINTBEGIN(google-explicit-constructor): implicit on purpose
    table_cell(std::string text) : kind_(kind::text), text_(std::move(text)) {}
    table_cell(std::string_view text) : table_cell(std::string(text)) {}
    table_cell(char const* text) : table_cell(std::string(text)) {}
    /// @param digits  After the point, in text().
    table_cell(double number, int digits = 4)
        : kind_(kind::number), digits_(digits), number_(number) {}
    template <class Integer>
        requires std::is_integral_v<Integer>
    table_cell(Integer number) : table_cell(static_cast<double>(number), 0) {}
    /// A number that may be missing.
    table_cell(std::optional<double> number) {
        if (number) *this = table_cell(*number);
    }
    // NOLINTEND(google-explicit-constructor)

    [[nodiscard]] bool is_number() const noexcept { return kind_ == kind::number; }
    [[nodiscard]] bool empty() const noexcept { return kind_ == kind::nothing; }

    /// The number, not rounded; 0 if the cell has none.
    [[nodiscard]] double number() const noexcept { return number_; }

    /// For people: numbers are rounded to their digits.
    [[nodiscard]] std::string text() const;

    /// For programs: numbers read back as the same.
    [[nodiscard]] std::string exact_text() const;

private:
    enum class kind : unsigned char { nothing, text, number };

    kind kind_ = kind::nothing;
    int digits_ = 4;
    double number_ = 0;
    std::string text_;
};

/// @invariant Each row has a cell for each column.
struct table {
    std::string title = {};
    std::vector<std::string> columns = {};
    std::vector<std::vector<table_cell>> rows = {};
    std::vector<std::string> notes = {}; ///< sentences below the table

    /// @throws trawl::error (invalid_argument) if the number of cells is not that of the columns.
    void add(std::vector<table_cell> row);
};

/// For a terminal: aligned columns, numbers to the right.
[[nodiscard]] std::string to_text(table const& t);

/// A Markdown section with a table.
[[nodiscard]] std::string to_markdown(table const& t);

/// Escapes a text for a cell of a Markdown table: bars and backslashes get a backslash, line breaks
/// become blanks.
[[nodiscard]] std::string markdown_escaped(std::string_view text);

/// Comma-separated values (RFC 4180, but lines end with \n): a line of column names, then the rows.
/// Numbers read back as the same. Title and notes are not part of it.
[[nodiscard]] std::string to_csv(table const& t);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/table_inl.hpp>
#endif
