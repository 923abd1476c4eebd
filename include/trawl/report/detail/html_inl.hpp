// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of html.hpp.

#include <trawl/report/html.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/table.hpp>
#include <trawl/report/chart.hpp>
#include <trawl/report/data.hpp>
#include <trawl/report/detail/html_text.hpp>
#include <trawl/report/detail/page.hpp>
#include <trawl/report/svg.hpp>
#include <trawl/version.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// A JSON string that can stand in a script element: nothing in it ends the element.
inline void append_json_string(std::string& out, std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += '"';
    for (char const c : text) {
        auto const byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || c == '<' || c == '>' || c == '&') {
            out += "\\u00";
            out += digits[byte >> 4];
            out += digits[byte & 15];
        } else {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
    }
    out += '"';
}

// NaN and infinity are no numbers in JSON.
[[nodiscard]] inline std::string json_number(double value) {
    return is_finite(value) ? join(value) : "null";
}

template <class Range, class Append>
void append_json_array(std::string& out, Range const& items, Append&& append) {
    out += '[';
    bool first = true;
    for (auto const& item : items) {
        if (!first) out += ',';
        first = false;
        append(item);
    }
    out += ']';
}

inline void append_json_tree(std::string& out, explanation const& node) {
    out += join("[", json_number(node.value), ",");
    append_json_string(out, name_of(node.op));
    out += ',';
    append_json_string(out, node.label);
    if (!node.children.empty()) {
        out += ',';
        append_json_array(
            out, node.children, [&](explanation const& part) { append_json_tree(out, part); });
    }
    out += ']';
}

// What the page's script shows when a query is opened.
[[nodiscard]] inline std::string report_json(evaluation_report const& r) {
    std::string out = "{\"systems\":";
    auto const append_text = [&](std::string_view text) { append_json_string(out, text); };
    append_json_array(out, r.systems, append_text);
    out += ",\"measures\":";
    append_json_array(out, r.results[0].measures, [&](measure const& m) { append_text(m.name); });
    out += ",\"documents\":";
    append_json_array(out, r.documents, [&](reported_document const& d) {
        out += '[';
        append_text(d.key);
        out += ',';
        append_text(d.title);
        out += ']';
    });
    out += ",\"queries\":";
    std::size_t number = 0;
    append_json_array(out, r.queries, [&](reported_query const& q) {
        out += "\n{\"key\":";
        append_text(q.key);
        out += ",\"text\":";
        append_text(q.text);
        out += ",\"values\":";
        append_json_array(out, r.results, [&](evaluation const& e) {
            append_json_array(out, e.row(number), [&](double v) { out += json_number(v); });
        });
        out += ",\"retrieved\":";
        append_json_array(out, q.retrieved, [&](std::size_t n) { out += join(n); });
        out += ",\"hits\":";
        append_json_array(out, q.hits, [&](std::vector<reported_hit> const& hits) {
            append_json_array(out, hits, [&](reported_hit const& h) {
                out += join("[", h.document, ",", json_number(h.score), ",");
                out += h.grade ? join(*h.grade) : "null";
                if (h.explanation) {
                    out += ',';
                    append_json_tree(out, *h.explanation);
                }
                out += ']';
            });
        });
        out += ",\"answers\":";
        append_json_array(out, q.answers, [&](reported_answer const& a) {
            out += join("[", a.document, ",", a.grade, ",");
            append_json_array(out, a.ranks, [&](std::size_t rank) { out += join(rank); });
            out += ']';
        });
        out += '}';
        ++number;
    });
    return out + "}";
}

inline void append_html_cell(std::string& out, table_cell const& cell, bool head) {
    auto const* const name = head ? "th scope=\"row\"" : "td";
    if (cell.is_number()) {
        out += join("<", name, " class=\"n\" data-v=\"", cell.exact_text(), "\">", cell.text());
    } else {
        out += join("<", name, ">", html_text(cell.text()));
    }
    out += head ? "</th>" : "</td>";
}

inline void begin_html_table(std::string& out, std::string_view title, table const& t) {
    out += join("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"",
        html_text(title), "\"><table class=\"sortable\"><thead><tr>");
    for (std::size_t c = 0; c < t.columns.size(); ++c) {
        auto const number = !t.rows.empty() && t.rows[0][c].is_number();
        out += join("<th scope=\"col\" aria-sort=\"none\"", number ? " class=\"n\"" : "",
            "><button type=\"button\">", html_text(t.columns[c]), "</button></th>");
    }
    out += "</tr></thead><tbody>\n";
}

} // namespace detail

TRAWL_INLINE std::string to_html(table const& t) {
    auto out = detail::join("<section><h2>", detail::html_text(t.title), "</h2>\n");
    detail::begin_html_table(out, t.title, t);
    for (auto const& row : t.rows) {
        out += "<tr>";
        for (std::size_t c = 0; c < row.size(); ++c) detail::append_html_cell(out, row[c], c == 0);
        out += "</tr>\n";
    }
    out += "</tbody></table></div>\n";
    for (auto const& note : t.notes) {
        out += detail::join("<p class=\"quiet\">", detail::html_text(note), "</p>\n");
    }
    return out + "</section>\n";
}

namespace detail {

[[nodiscard]] inline std::string html_figure(report_chart const& chart) {
    auto out = join("<figure><h3>", html_text(chart.title), "</h3>", to_svg(chart));
    if (chart.kind == chart_kind::lines) {
        out += "<ul class=\"legend\">";
        for (std::size_t s = 0; s < chart.series.size(); ++s) {
            out += join("<li class=\"s", s % 8, "\">", html_text(chart.series[s].name), "</li>");
        }
        out += "</ul>";
    }
    if (!chart.note.empty()) out += join("<figcaption>", html_text(chart.note), "</figcaption>");
    return out + "</figure>\n";
}

// A row for each query: the first measure by every system, and how the others differ from the
// first one.
[[nodiscard]] inline std::string html_queries(evaluation_report const& r) {
    auto const& name = r.results[0].measures[0].name;
    table t{.title = "Queries", .columns = {"query"}};
    for (auto const& s : r.systems) t.columns.push_back(s);
    for (std::size_t s = 1; s < r.systems.size(); ++s)
        t.columns.push_back(r.systems[s] + " \xE2\x88\x92 " + r.systems[0]);
    for (std::size_t q = 0; q < r.queries.size(); ++q) {
        std::vector<table_cell> row{r.queries[q].key};
        for (auto const& e : r.results) row.emplace_back(e.row(q)[0]);
        for (std::size_t s = 1; s < r.systems.size(); ++s) {
            row.emplace_back(r.results[s].row(q)[0] - r.results[0].row(q)[0]);
        }
        t.add(std::move(row));
    }
    auto out = join("<section id=\"queries\"><h2>Queries</h2><p class=\"quiet\">", html_text(name),
        " of each; a query opens its rankings, Escape closes them.</p><div class=\"tools\"><input "
        "id=\"words\" type=\"search\" placeholder=\"words of a query\" aria-label=\"Only queries "
        "with these words\"><label><input id=\"differ\" type=\"checkbox\"> only where systems "
        "differ</label><span id=\"count\" class=\"quiet\" role=\"status\"></span></div>\n");
    begin_html_table(out, "Queries", t);
    for (std::size_t q = 0; q < t.rows.size(); ++q) {
        auto const& query = r.queries[q];
        out += join("<tr><th scope=\"row\"><button type=\"button\" class=\"q\" "
                    "aria-expanded=\"false\" data-i=\"",
            q, "\">", html_text(query.key), "</button>");
        if (!query.text.empty())
            out += join("<span class=\"quiet\">", html_text(query.text), "</span>");
        out += "</th>";
        for (std::size_t c = 1; c < t.rows[q].size(); ++c)
            append_html_cell(out, t.rows[q][c], false);
        out += "</tr>\n";
    }
    return out + "</tbody></table></div></section>\n";
}

} // namespace detail

TRAWL_INLINE std::string to_html(evaluation_report const& r) {
    if (r.results.empty())
        detail::fail(errc::invalid_argument, "to_html: the report has no results");
    auto const& e = r.results[0];
    auto out =
        detail::join("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
                     "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<meta "
                     "name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
            detail::html_text(r.title), "</title>\n<style>", detail::report_style,
            "</style></head><body>\n<a class=\"skip\" href=\"#queries\">To the "
            "queries</a>\n<header><h1>",
            detail::html_text(r.title),
            "</h1><button type=\"button\" id=\"theme\">Theme</button></header>\n<main><p "
            "class=\"quiet\">",
            e.queries.size(), " queries, ", r.systems.size(),
            r.systems.size() == 1 ? " system" : " systems", ", measured by the rules of ",
            name_of(e.convention), " (equal scores: ", name_of(e.rules.ties), ").</p>\n");
    if (!r.sentences.empty()) {
        // Those of the first measure come first, one a system; the others wait behind a click.
        auto const first = (std::min)(r.systems.size() - 1, r.sentences.size());
        out += "<ul class=\"says\">";
        for (std::size_t i = 0; i < r.sentences.size(); ++i) {
            if (i == first)
                out += "</ul>\n<details><summary>The other measures</summary><ul class=\"says\">";
            out += detail::join("<li>", detail::html_text(r.sentences[i]), "</li>\n");
        }
        out += first < r.sentences.size() ? "</ul></details>\n" : "</ul>\n";
    }
    out += "<noscript><p>Without scripts tables do not sort and queries do not "
           "open.</p></noscript>\n";
    if (!r.tables.empty()) out += to_html(r.tables[0]);
    out += "<h2>Charts</h2>\n<div class=\"charts\">\n";
    for (auto const& chart : r.charts) out += detail::html_figure(chart);
    out += "</div>\n";
    for (std::size_t i = 1; i < r.tables.size(); ++i) out += to_html(r.tables[i]);
    out += detail::html_queries(r);
    out += detail::join("</main><footer>Made by trawl ", TRAWL_VERSION_STRING,
        ".</footer>\n<script type=\"application/json\" id=\"data\">", detail::report_json(r),
        "</script>\n<script>", detail::report_script, "</script></body></html>\n");
    return out;
}

TRAWL_END_NAMESPACE
