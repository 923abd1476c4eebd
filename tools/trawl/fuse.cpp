// SPDX-License-Identifier: MIT

/// trawl fuse: several runs become one.

#include <algorithm>
#include <string_view>
#include <vector>

#include <trawl/eval/convention.hpp>
#include <trawl/eval/ordered_keys.hpp>
#include <trawl/eval/run.hpp>
#include <trawl/formats/trec.hpp>

#include "fusion.hpp"
#include "inputs.hpp"
#include "options.hpp"
#include "terminal.hpp"

namespace cli {
namespace {

// The keys of all runs, in byte order: so documents of equal scores are ordered by key.
trawl::ordered_keys united(std::vector<trawl::run> const& runs,
    trawl::ordered_keys const& (trawl::run::*of)() const noexcept) {
    std::vector<std::string_view> keys;
    for (auto const& run : runs) {
        auto const& own = (run.*of)();
        for (std::size_t i = 0; i < own.size(); ++i) keys.push_back(own.key(i));
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return trawl::ordered_keys::from_ascending(keys);
}

} // namespace

void run(fuse_command const& command) {
    std::vector<trawl::run> runs;
    for (auto const& path : command.runs)
        runs.push_back(read_run(path, trawl::convention::trec_eval));
    auto const queries = united(runs, &trawl::run::queries);
    auto const documents = united(runs, &trawl::run::documents);
    std::vector<std::vector<trawl::doc_id>> ids; // by run, of its own ids
    for (auto const& run : runs)
        ids.push_back(trawl::ordered_keys::translation(run.documents(), documents));

    auto const fused = with_rule(command.fusion, [&](auto const& rule) {
        rule.validate(runs.size());
        std::string out;
        std::vector<trawl::ranking> arms(runs.size());
        for (std::size_t q = 0; q < queries.size(); ++q) {
            for (std::size_t a = 0; a < runs.size(); ++a) {
                auto const own = runs[a].find(queries.key(q));
                arms[a] = own ? runs[a].ranking(*own) : trawl::ranking{};
                for (auto& h : arms[a]) h.id = ids[a][h.id];
            }
            auto hits = rule(std::span<trawl::ranking const>(arms));
            if (hits.size() > command.k) hits.resize(command.k);
            trawl::append_run(
                out, queries.key(q), hits, [&](trawl::doc_id id) { return documents.key(id); });
        }
        return out;
    });
    write_result(command.out, fused);
}

} // namespace cli
