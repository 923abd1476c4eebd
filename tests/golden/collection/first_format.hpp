// SPDX-License-Identifier: MIT
#pragma once

/// The collection in tests/golden/collection/first_format: what was put into it, and what is asked.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/collection/collection.hpp>

namespace first_format {

/// Three values: how often the text has a, e and o.
struct vowels {
    static std::size_t dim() { return 3; }
    static std::uint64_t fingerprint() { return 0x766F77656C730001; }
    static void embed(
        std::span<std::string_view const> texts, trawl::text_role, trawl::matrix_view<float> out) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            for (std::size_t letter = 0; letter < 3; ++letter) {
                out.row(i)[letter] =
                    static_cast<float>(std::count(texts[i].begin(), texts[i].end(), "aeo"[letter]));
            }
        }
    }
};

inline trawl::collection_options options() {
    return {.fields = {{"version", trawl::text_field}, {"tags", trawl::text_list_field},
                {"pages", trawl::integer_field}, {"price", trawl::float_field},
                {"draft", trawl::bool_field}, {"published", trawl::date_field}},
        .texts = {{"title", 2}, {"code", 1.5, 0.4}, {"text"}},
        .vectors = {{.name = "vowels", .embedder = vowels{}},
            {.name = "place", .dim = 2, .metric = trawl::metric::euclidean}},
        .chunks = trawl::chunk_options{.tokens = 24, .overlap = 0}};
}

/// Puts that are in three commits; the second and the third replace documents of those before.
inline std::vector<std::vector<trawl::document>> puts() {
    std::string const guide = "# Guide\n\nA refund of PROD-4817 takes three days. Money comes back "
                              "the way it went.\n\n## Tickets\n\nOpen a ticket first; support "
                              "answers within a day, and on Sundays not at all.\n";
    std::string table = "# Prices\n\n| article | price |\n|---|---|\n";
    for (int i = 0; i < 12; ++i)
        table += "| PROD-" + std::to_string(4810 + i) + " | " + std::to_string(i) + ".50 |\n";
    return {
        {{.key = "guide.md",
             .title = "Guide",
             .text = guide,
             .metadata = {{"version", "3.0"}, {"tags", {"refund", "support"}}, {"pages", 3},
                 {"price", 0.5}, {"draft", false}, {"published", trawl::date(2023, 5, 2)}}},
            {.key = "old.md", .title = "Old", .text = "Refunds take two weeks."},
            {.key = "prices.md",
                .title = "Prices",
                .text = table,
                .metadata = {{"version", "3.1"}, {"tags", std::vector<std::string>{}}}},
            {.key = "gone.md", .text = "What is erased in the third commit: zeppelin."}},
        {{.key = "old.md",
             .title = "Old, and new",
             .text = "Refunds take one week.",
             .metadata = {{"version", "3.0"}, {"pages", -7}}},
            {.key = "here",
                .title = "A place",
                .text = "The office is open.",
                .metadata = {{"draft", true}},
                .parent = "places",
                .vectors = {{"place", {3, 4}}}},
            {.key = "there",
                .title = "Another place",
                .text = "The printer's office is shut.",
                .parent = "places",
                .vectors = {{"place", {-1, 0.25F}}}}},
        {{.key = "guide.md",
             .title = "Guide",
             .text = guide + "\n## Ink\n\nInk is no reason for a refund.\n",
             .metadata = {{"version", "3.1"}, {"tags", {"refund", "ink"}}, {"pages", 4},
                 {"price", 1.25}, {"draft", false}, {"published", trawl::date(2024, 2, 29)}},
             .texts = {{"code", "refund(PROD_4817)"}}},
            {.key = "\xC3\xBC"
                    "ber.md",
                .title = "\xC3\x9C"
                         "ber",
                .text = "Gr\xC3\xBC\xC3\x9F"
                        "e, und kein Geld zur\xC3\xBC"
                        "ck.",
                .metadata = {{"version", "3.1"}}}},
    };
}

/// What is there at the end.
inline std::vector<trawl::document> documents() {
    auto const given = puts();
    return {given[0][2], given[1][0], given[1][1], given[1][2], given[2][0], given[2][1]};
}

/// Compacted after the second commit: a segment with gaps between ids, then one that follows it, and
/// rows of the first are erased.
inline void fill(trawl::collection& to) {
    auto const given = puts();
    to.put_all(given[0]);
    to.commit();
    to.put_all(given[1]);
    to.commit();
    to.compact();
    to.put_all(given[2]);
    to.erase("gone.md");
    to.commit();
}

/// Answers as lines: the question, then each hit's key, id and the bits of its score.
inline std::string answers(trawl::collection_view const& asked) {
    std::string made;
    auto const ask = [&](char const* name, char const* text,
                         trawl::collection_search_options const& how = {}) {
        auto const found = asked.search(text, how);
        made += name;
        for (auto const& hit : found) {
            char line[64];
            std::snprintf(line, sizeof line, "\t%u %08X ", unsigned{hit.id},
                unsigned{std::bit_cast<std::uint32_t>(hit.score)});
            made += line + hit.key;
        }
        if (found.matches) made += "\tmatches " + std::to_string(*found.matches);
        for (auto const& each : found.facets) {
            for (auto const& [value, count] : each.values)
                made += "\t" + each.field + " " + to_string(value) + " " + std::to_string(count);
        }
        made += '\n';
    };
    std::vector<float> const vector{1, 0};
    ask("words and vectors", "refund for PROD-4817");
    ask("words", "refunds take a week", {.weights = {1, 0, 0}, .count = true});
    ask("phrase", "\"three days\"");
    ask("field", "code:PROD_4817 +refund");
    ask("prefix", "pri*", {.facets = {"version", "tags", "draft"}});
    ask("place", "", {.vectors = {{"place", vector}}, .weights = {0, 0, 1}});
    ask("reciprocal ranks", "office", {.fusion = trawl::collection_fusion::rrf});
    ask("condition", "refund",
        {.where = trawl::field("published") >= trawl::date(2024, 1, 1), .per_parent = 1});
    ask("tag", "", {.where = trawl::field("tags").contains("ink")});
    ask("sorted", "", {.sort = trawl::field_order{"pages", true}});
    ask("nothing", "+zeppelin");
    return made;
}

} // namespace first_format
