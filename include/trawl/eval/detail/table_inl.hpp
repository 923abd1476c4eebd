// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of table.hpp.

#include <trawl/eval/table.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE std::string table_cell::text() const {
    if (!is_number()) return text_;
    return detail::is_finite(number()) ? detail::fixed_text(number(), digits_)
                                       : detail::join(number());
}

TRAWL_INLINE std::string table_cell::exact_text() const {
    return is_number() ? detail::join(number()) : text();
}

TRAWL_INLINE void table::add(std::vector<table_cell> row) {
    if (row.size() != columns.size()) {
        detail::fail(errc::invalid_argument, detail::join("table::add: the row has ", row.size(),
                                                 " cells, the table ", columns.size(), " columns"));
    }
    rows.push_back(std::move(row));
}

namespace detail {

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

[[nodiscard]] inline std::string csv_text(std::string_view text) {
    if (text.find_first_of(",\"\n\r") == text.npos) return std::string(text);
    std::string out = "\"";
    for (char const c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

// The rows of a table as lines of aligned cells; in Markdown with its bars and its rule.
inline void append_aligned(std::string& out, table const& t, bool markdown) {
    auto const text_of = [&](std::string text) {
        return markdown ? markdown_escaped(text) : std::move(text);
    };
    std::vector<std::vector<std::string>> lines(t.rows.size() + 1);
    std::vector<std::size_t> widths(t.columns.size(), markdown ? 3 : 0);
    std::vector<bool> right(t.columns.size(), false);
    for (std::size_t r = 0; r < lines.size(); ++r) {
        for (std::size_t c = 0; c < t.columns.size(); ++c) {
            lines[r].push_back(text_of(r == 0 ? t.columns[c] : t.rows[r - 1][c].text()));
            widths[c] = (std::max)(widths[c], width_of(lines[r][c]));
            if (r > 0 && t.rows[r - 1][c].is_number()) right[c] = true;
        }
    }
    for (std::size_t r = 0; r < lines.size(); ++r) {
        if (markdown) out += "| ";
        for (std::size_t c = 0; c < t.columns.size(); ++c) {
            if (c > 0) out += markdown ? " | " : "  ";
            append_padded(out, lines[r][c], widths[c], right[c]);
        }
        while (!markdown && !out.empty() && out.back() == ' ') out.pop_back();
        out += markdown ? " |\n" : "\n";
        if (r > 0 || !markdown) continue;
        out += "| ";
        for (std::size_t c = 0; c < t.columns.size(); ++c) {
            if (c > 0) out += " | ";
            out.append(widths[c] - 1, '-') += right[c] ? ':' : '-';
        }
        out += " |\n";
    }
}

} // namespace detail

TRAWL_INLINE std::string to_text(table const& t) {
    std::string out = t.title.empty() ? "" : t.title + "\n\n";
    detail::append_aligned(out, t, false);
    if (!t.notes.empty()) out += '\n';
    for (auto const& note : t.notes) out += note + "\n";
    return out;
}

TRAWL_INLINE std::string markdown_escaped(std::string_view text) {
    std::string out;
    for (char const c : text) {
        if (c == '|' || c == '\\') out += '\\';
        out += c == '\n' || c == '\r' ? ' ' : c;
    }
    return out;
}

TRAWL_INLINE std::string to_markdown(table const& t) {
    std::string out = t.title.empty() ? "" : detail::join("## ", markdown_escaped(t.title), "\n\n");
    detail::append_aligned(out, t, true);
    for (auto const& note : t.notes) out += "\n" + note + "\n";
    return out;
}

TRAWL_INLINE std::string to_csv(table const& t) {
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
