// SPDX-License-Identifier: MIT
#include "collection_query.hpp"

#include <cstdio>
#include <utility>

#include <trawl/collection/condition_text.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/error.hpp>

#include "described.hpp"
#include "stored_collection.hpp"
#include "terminal.hpp"
#include "words.hpp"

namespace cli {
namespace {

std::string one_line(std::string text) {
    for (auto& c : text) {
        if (c == '\n' || c == '\r' || c == '\t') c = ' ';
    }
    return text;
}

trawl::collection_search_options options_of(query_command const& command) {
    auto const& asked = command.retrieval;
    trawl::collection_search_options out{.k = command.k,
        .where = trawl::parse_condition(asked.where),
        .per_parent = command.per_parent,
        .window = asked.window,
        .syntax = asked.strict ? trawl::syntax_mode::strict : trawl::syntax_mode::lenient,
        .count = true,
        .facets = command.facets,
        .suggest = true};
    out.fusion = asked.fusion.rule == "rrf" ? trawl::collection_fusion::rrf
                                            : trawl::collection_fusion::weighted_sum;
    out.weights = asked.fusion.weights;
    if (!command.sort.empty()) {
        auto const descending = command.sort.front() == '-';
        out.sort = trawl::field_order{command.sort.substr(descending ? 1 : 0), descending};
    }
    out.highlight = {.before = "*", .after = "*", .length = 160};
    return out;
}

} // namespace

collection_query::collection_query(std::string const& path, query_command const& command)
    : documents_(read_collection(path)), options_(options_of(command)), explain_(command.explain) {}

void collection_query::answer(std::string const& text) const {
    auto const found = documents_.search(text, options_);
    if (found.did_you_mean) std::printf("did you mean: %s\n", found.did_you_mean->c_str());
    if (found.empty()) std::puts("nothing found");
    std::size_t rank = 0;
    for (auto const& hit : found) {
        std::printf("%3zu  %-10.6g %s  %s\n", ++rank, static_cast<double>(hit.score),
            hit.key.c_str(), one_line(hit.title).c_str());
        std::printf("     %s\n", one_line(hit.snippet).c_str());
        if (explain_)
            std::fputs(
                trawl::to_text(documents_.explain(text, hit.key, options_), 3).c_str(), stdout);
    }
    if (found.matches) std::printf("%zu documents match\n", *found.matches);
    for (auto const& facet : found.facets) {
        std::printf("%s:", facet.field.c_str());
        for (auto const& value : facet.values)
            std::printf(" %s (%zu)", trawl::to_string(value.value).c_str(), value.count);
        if (facet.others > 0) std::printf(", %zu more", facet.others);
        std::puts("");
    }
}

} // namespace cli
