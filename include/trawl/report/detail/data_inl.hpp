// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of data.hpp.

#include <trawl/report/data.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/eval/evaluate.hpp>
#include <trawl/eval/system_comparison.hpp>
#include <trawl/eval/table.hpp>
#include <trawl/report/chart.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

template <class Form>
[[nodiscard]] std::string joined_tables(std::string out, evaluation_report const& r, Form&& form) {
    for (auto const& sentence : r.sentences) out += sentence + "\n";
    for (auto const& t : r.tables) out += "\n" + form(t);
    return out;
}

} // namespace detail

TRAWL_INLINE std::string to_text(evaluation_report const& r) {
    return detail::joined_tables(r.title + "\n\n", r, [](table const& t) { return to_text(t); });
}

TRAWL_INLINE std::string to_markdown(evaluation_report const& r) {
    return detail::joined_tables(detail::join("# ", markdown_escaped(r.title), "\n\n"), r,
        [](table const& t) { return to_markdown(t); });
}

TRAWL_INLINE std::string to_csv(evaluation_report const& r) {
    table all{.columns = {"system", "query"}};
    if (r.results.empty()) return to_csv(all);
    for (auto const& m : r.results[0].measures) all.columns.push_back(m.name);
    for (std::size_t s = 0; s < r.systems.size(); ++s) {
        auto const& e = r.results[s];
        auto const add = [&](std::string_view query, std::span<double const> values) {
            std::vector<table_cell> row{r.systems[s], query};
            row.insert(row.end(), values.begin(), values.end());
            all.add(std::move(row));
        };
        for (std::size_t q = 0; q < e.queries.size(); ++q) add(e.queries[q], e.row(q));
        add("all", e.summaries);
    }
    return to_csv(all);
}

TRAWL_END_NAMESPACE
