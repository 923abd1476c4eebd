// SPDX-License-Identifier: MIT

/// trawl eval: a run measured against judgements.

#include <cstdio>
#include <string>

#include <trawl/eval/evaluate.hpp>
#include <trawl/eval/validity.hpp>
#include <trawl/formats/json.hpp>

#include "inputs.hpp"
#include "options.hpp"
#include "terminal.hpp"

namespace cli {

void run(eval_command const& command) {
    auto const options = evaluate_options_of(command.convention, command.ties, command.level);
    auto const judged = read_qrels(command.qrels);
    auto const found = read_run(command.run, options.convention);
    auto result = trawl::evaluate(
        found, judged, trawl::measures_named(command.metrics, options.convention), options);

    if (!command.eligible.empty())
        trawl::add_ineligible(result, found, read_keys(command.eligible));
    for (auto const& warning : trawl::warnings(result, found, judged))
        std::fprintf(stderr, "%s: %s\n", command.run.c_str(), warning.c_str());
    if (!result.missing.empty()) {
        std::fprintf(stderr, "%s: %zu of %zu judged queries are missing; %s\n", command.run.c_str(),
            result.missing.size(), judged.size(),
            result.rules.missing == trawl::missing_queries::skip ? "they do not count"
                                                                 : "they count as 0");
    }
    if (!command.json) return write_result("", trawl::to_text(result, command.per_query));
    nlohmann::ordered_json json = result;
    if (!command.per_query) json.erase("queries");
    write_result("", json.dump(2) + "\n");
}

} // namespace cli
