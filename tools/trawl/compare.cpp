// SPDX-License-Identifier: MIT

/// trawl compare: runs against a baseline.

#include <cstdio>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/eval/system_comparison.hpp>
#include <trawl/eval/validity.hpp>

#include "inputs.hpp"
#include "options.hpp"
#include "tables.hpp"
#include "terminal.hpp"
#include "words.hpp"

namespace cli {

void run(compare_command const& command) {
    auto const rules = evaluate_options_of(command.convention, command.ties, command.level);
    auto const measures = trawl::measures_named(command.metrics, rules.convention);
    auto const judged = read_qrels(command.qrels);
    std::vector<trawl::evaluation> results;
    for (auto const& path : command.runs) {
        auto const found = read_run(path, rules.convention);
        results.push_back(trawl::evaluate(found, judged, measures, rules));
        for (auto const& warning : trawl::warnings(results.back(), found, judged))
            std::fprintf(stderr, "%s: %s\n", path.c_str(), warning.c_str());
        if (!command.eligible.empty()) {
            trawl::add_ineligible(results.back(), found, read_keys(command.eligible));
        }
    }
    std::vector<trawl::measured_system> systems;
    for (std::size_t i = 0; i < results.size(); ++i)
        systems.push_back({command.runs[i], &results[i]});
    trawl::comparison_options const options{.confidence = command.confidence, .seed = command.seed};
    auto const rows = trawl::compare(systems, options);
    auto table = trawl::to_table(rows, command.runs[0], options);
    table.notes.push_back(joined(results[0].queries.size(), " queries, by the rules of ",
        trawl::name_of(rules.convention), "."));
    write_result("", formatted(table, command.table));
}

} // namespace cli
