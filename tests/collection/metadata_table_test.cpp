// SPDX-License-Identifier: MIT
#include <trawl/collection/metadata_table.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

#include <tuple>
#include <vector>

#include <trawl/lexical/bm25_index.hpp>

using support::error_of;
using namespace trawl;

namespace {

std::vector<metadata_field> const fields{
    {"version", text_field}, {"tags", text_list_field}, {"pages", integer_field}};

std::vector<metadata> const rows{
    {{"version", "3.1"}, {"tags", {"api", "refunds"}}, {"pages", 3}},
    {{"version", "2.6"}, {"tags", {"api"}}, {"pages", 8}},
    {},
    {{"version", "3.1"}, {"pages", 12}},
};

} // namespace

TEST_CASE("conditions on metadata are filters of an index", "[collection][metadata_table]") {
    metadata_table const about(fields, rows);
    CHECK(about.size() == 4);
    CHECK(about.matching(field("version") == "3.1") == doc_set(4, {0, 3}));
    CHECK(about.matching(field("version") != "3.1") == doc_set(4, {1, 2}));
    CHECK(about.matching(field("tags").contains("api") && field("pages") < 5) == doc_set(4, {0}));
    CHECK(about.matching({}) == doc_set::all(4));
    CHECK(about.at(1) == rows[1]);
    CHECK(about.at(2).empty());

    bm25_index index;
    for (int i = 0; i < 4; ++i) index.add("refund");
    auto const current = about.matching(field("version") == "3.1");
    auto const hits = index.search("refund", 10, current);
    REQUIRE(hits.size() == 2);
    CHECK(hits[0].id == 0);
    CHECK(hits[1].id == 3);
}

TEST_CASE("facets count values inside a filter", "[collection][metadata_table]") {
    metadata_table const about(fields, rows);
    CHECK(about.facets("version", 10) == std::vector<facet_count>{{"3.1", 2}, {"2.6", 1}});
    CHECK(about.facets("tags", 1) == std::vector<facet_count>{{"api", 2}});
    CHECK(about.facets("version", 10, doc_set(4, {1, 2})) == std::vector<facet_count>{{"2.6", 1}});
    CHECK(about.facets("version", 10, doc_set(900, {1, 700}))
          == std::vector<facet_count>{{"2.6", 1}});
    CHECK(about.facets("version", 0).empty());
}

TEST_CASE("what a metadata table refuses", "[collection][metadata_table]") {
    metadata_table const about(fields, rows);
    auto const unknown = error_of([&] { std::ignore = about.matching(field("versoin") == "3.1"); });
    CHECK(unknown.code == errc::unknown_id);
    CHECK(unknown.names("versoin"));
    CHECK(unknown.names("version"));
    CHECK(error_of([&] { std::ignore = about.matching(field("pages") == "many"); }).code
          == errc::invalid_argument);
    CHECK(error_of([&] { std::ignore = about.facets("author", 3); }).names("author"));
    CHECK(error_of([&] { std::ignore = about.at(4); }).code == errc::unknown_id);
    std::vector<metadata> const wrong{{}, {{"pages", "many"}}};
    CHECK(error_of([&] { metadata_table(fields, wrong); }).names("document 1: "));
    CHECK(metadata_table().size() == 0);
    CHECK(metadata_table().matching({}).empty());
}
