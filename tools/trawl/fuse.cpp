// SPDX-License-Identifier: MIT

/// trawl fuse: several runs become one.

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/eval/convention.hpp>
#include <trawl/eval/ordered_keys.hpp>
#include <trawl/eval/run.hpp>
#include <trawl/formats/trec.hpp>

#include "described.hpp"
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

// A run as an arm: the text of a query is its key.
struct run_arm {
    trawl::run const* answers;
    std::span<trawl::doc_id const> ids; ///< of all runs, by those of this one

    [[nodiscard]] trawl::ranking search(
        trawl::query const& q, trawl::search_options const& options) const {
        auto const own = answers->find(q.text);
        auto hits = own ? answers->ranking(*own) : trawl::ranking{};
        if (hits.size() > options.k) hits.resize(options.k);
        for (auto& h : hits) h.id = ids[h.id];
        return hits;
    }
};

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

    pipeline_sources from;
    for (std::size_t i = 0; i < runs.size(); ++i) from.arms.emplace_back(run_arm{&runs[i], ids[i]});
    auto const everything = (std::max)(documents.size(), std::size_t{1});
    auto const fused = described(from, {.fusion = command.fusion}, everything);

    std::string out;
    for (std::size_t q = 0; q < queries.size(); ++q) {
        auto const hits = fused.search({.text = queries.key(q)}, {.k = command.k});
        trawl::append_run(
            out, queries.key(q), hits, [&](trawl::doc_id id) { return documents.key(id); });
    }
    write_result(command.out, out);
}

} // namespace cli
