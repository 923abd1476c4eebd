// SPDX-License-Identifier: MIT
#pragma once

/// Tables in the form that the options name.

#include <span>
#include <string>

#include <trawl/eval/table.hpp>
#include <trawl/formats/json.hpp>

#include "options.hpp"

namespace cli {

[[nodiscard]] inline std::string formatted(
    trawl::table const& table, table_options const& options) {
    if (options.format == "markdown") return trawl::to_markdown(table);
    if (options.format == "csv") return trawl::to_csv(table);
    if (options.format == "text") return trawl::to_text(table);
    nlohmann::ordered_json const json = table;
    return json.dump(2) + "\n";
}

[[nodiscard]] inline std::string formatted(
    std::span<trawl::table const> tables, table_options const& options) {
    if (options.format == "json") {
        nlohmann::ordered_json const json = tables;
        return json.dump(2) + "\n";
    }
    std::string out;
    for (auto const& t : tables) out += (out.empty() ? "" : "\n") + formatted(t, options);
    return out;
}

} // namespace cli
