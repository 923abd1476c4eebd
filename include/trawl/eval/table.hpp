// SPDX-License-Identifier: MIT
#pragma once

/// A table of results and its forms: aligned text for a terminal, Markdown, CSV. formats/json.hpp
/// has the JSON.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// A word, a number, or nothing.
class table_cell {
public:
    table_cell() = default;
    table_cell(std::string text) : value_(std::move(text)) {}        // NOLINT: implicit on purpose
    table_cell(std::string_view text) : value_(std::string(text)) {} // NOLINT
    table_cell(char const* text) : value_(std::string(text)) {}      // NOLINT
    table_cell(double number, int digits = 4) : value_(number), digits_(digits) {} // NOLINT
    template <class Integer>
        requires std::is_integral_v<Integer>
    table_cell(Integer number) : value_(static_cast<double>(number)), digits_(0) {} // NOLINT

    [[nodiscard]] bool is_number() const noexcept { return std::holds_alternative<double>(value_); }
    [[nodiscard]] bool empty() const noexcept {
        return std::holds_alternative<std::monostate>(value_);
    }

    /// The number as it is; 0 for what is none.
    [[nodiscard]] double number() const noexcept {
        auto const* const number = std::get_if<double>(&value_);
        return number == nullptr ? 0 : *number;
    }

    /// As people read it: numbers with their digits.
    [[nodiscard]] std::string text() const {
        if (auto const* const text = std::get_if<std::string>(&value_)) return *text;
        if (!is_number()) return "";
        return detail::is_finite(number()) ? detail::fixed_text(number(), digits_)
                                           : detail::join(number());
    }

    /// As programs read it: numbers so that they read back the same.
    [[nodiscard]] std::string exact_text() const {
        return is_number() ? detail::join(number()) : text();
    }

private:
    std::variant<std::monostate, std::string, double> value_;
    int digits_ = 4;
};

/// @invariant  Each row has a cell for each column.
struct table {
    std::string title = {};
    std::vector<std::string> columns = {};
    std::vector<std::vector<table_cell>> rows = {};
    std::vector<std::string> notes = {}; ///< sentences that stand below

    /// @throws trawl::error (invalid_argument) if the row has another number of cells than there
    /// are columns.
    void add(std::vector<table_cell> row) {
        if (row.size() != columns.size()) {
            detail::fail(
                errc::invalid_argument, detail::join("table::add: the row has ", row.size(),
                                            " cells, the table ", columns.size(), " columns"));
        }
        rows.push_back(std::move(row));
    }
};

namespace detail {

// A number that may be missing.
[[nodiscard]] inline table_cell cell_of(std::optional<double> number) {
    return number ? table_cell(*number) : table_cell();
}

// Characters of UTF-8, not bytes.
[[nodiscard]] inline std::size_t width_of(std::string_view text) noexcept {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

inline void append_padded(std::string& out, std::string_view text, std::size_t width, bool right) {
    auto const space = std::string(width - (std::min)(width, width_of(text)), ' ');
    if (right) out += space;
    out += text;
    if (!right) out += space;
}

// Line breaks would end a line, a bar a cell.
[[nodiscard]] inline std::string markdown_text(std::string_view text) {
    std::string out;
    for (char const c : text) {
        if (c == '|') out += '\\';
        out += c == '\n' || c == '\r' ? ' ' : c;
    }
    return out;
}

[[nodiscard]] inline std::string csv_text(std::string_view text) {
    if (text.find_first_of(",\"\n\r") == text.npos) return std::string(text);
    std::string out = "\"";
    for (char const c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

template <class Text>
void append_aligned(std::string& out, table const& t, std::string_view before,
    std::string_view between, std::string_view after, bool rule, Text&& text_of) {
    std::vector<std::size_t> widths;
    std::vector<bool> right;
    for (std::size_t c = 0; c < t.columns.size(); ++c) {
        widths.push_back((std::max)(width_of(text_of(t.columns[c])), std::size_t{rule ? 3u : 0u}));
        right.push_back(false);
        for (auto const& row : t.rows) {
            widths[c] = (std::max)(widths[c], width_of(text_of(row[c].text())));
            if (row[c].is_number()) right[c] = true;
        }
    }
    auto const line = [&](auto&& cell) {
        out += before;
        for (std::size_t c = 0; c < t.columns.size(); ++c) {
            if (c > 0) out += between;
            append_padded(out, cell(c), widths[c], right[c]);
        }
        while (after.empty() && !out.empty() && out.back() == ' ') out.pop_back();
        out += after;
        out += '\n';
    };
    line([&](std::size_t c) { return text_of(t.columns[c]); });
    if (rule) {
        line([&](std::size_t c) {
            return std::string(widths[c] - 1, '-') + (right[c] ? ':' : '-');
        });
    }
    for (auto const& row : t.rows) {
        line([&](std::size_t c) { return text_of(row[c].text()); });
    }
}

// A p value in a sentence.
[[nodiscard]] inline std::string p_text(double p) {
    return p < 0.0001 ? "p below 0.0001" : join("p ", fixed_text(p, 4));
}

} // namespace detail

/// For a terminal: columns of equal width, numbers to the right.
[[nodiscard]] inline std::string to_text(table const& t) {
    std::string out = t.title.empty() ? "" : t.title + "\n\n";
    detail::append_aligned(out, t, "", "  ", "", false, [](std::string text) { return text; });
    if (!t.notes.empty()) out += '\n';
    for (auto const& note : t.notes) out += note + "\n";
    return out;
}

/// A Markdown section with a table.
[[nodiscard]] inline std::string to_markdown(table const& t) {
    std::string out =
        t.title.empty() ? "" : detail::join("## ", detail::markdown_text(t.title), "\n\n");
    detail::append_aligned(out, t, "| ", " | ", " |", true,
        [](std::string const& text) { return detail::markdown_text(text); });
    for (auto const& note : t.notes) out += "\n" + note + "\n";
    return out;
}

/// Comma-separated values (RFC 4180, lines end with \n): a head line, then the rows. Numbers read
/// back as the same; title and notes are left out.
[[nodiscard]] inline std::string to_csv(table const& t) {
    std::string out;
    for (std::size_t c = 0; c < t.columns.size(); ++c) {
        if (c > 0) out += ',';
        out += detail::csv_text(t.columns[c]);
    }
    out += '\n';
    for (auto const& row : t.rows) {
        for (std::size_t c = 0; c < row.size(); ++c) {
            if (c > 0) out += ',';
            out += detail::csv_text(row[c].exact_text());
        }
        out += '\n';
    }
    return out;
}

TRAWL_END_NAMESPACE
