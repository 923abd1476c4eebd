// SPDX-License-Identifier: MIT
// Metadata, conditions on it as filters of a search, and facets: the program of docs/filters.md.
#include <cstdio>
#include <string>
#include <trawl/collection/condition_json.hpp>
#include <trawl/collection/condition_text.hpp>
#include <trawl/collection/metadata_table.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <vector>

int main() {
    // -- metadata
    std::vector<trawl::metadata_field> const fields = {{"version", trawl::text_field},
        {"tags", trawl::text_list_field}, {"pages", trawl::integer_field},
        {"draft", trawl::bool_field}, {"published", trawl::date_field}};

    struct document {
        char const* text;
        trawl::metadata metadata;
    };
    std::vector<document> const documents = {
        {"A refund takes three days.",
            {{"version", "2.0"}, {"tags", {"refunds"}}, {"pages", 2}, {"published", "2022-11-02"}}},
        {"A refund takes one day.", {{"version", "3.0"}, {"tags", {"refunds", "faq"}}, {"pages", 3},
                                        {"published", trawl::date(2024, 1, 31)}}},
        {"The refund API returns 202 while a refund is pending.",
            {{"version", "3.0"}, {"tags", {"refunds", "api"}}, {"pages", 12},
                {"published", "2024-01-31T18:00:00Z"}}},
        {"Refund webhooks, a sketch.", {{"version", "3.1"}, {"tags", {"api"}}, {"draft", true}}},
        {"Shipping, and what a refund of it costs.", {{"version", "3.0"}, {"pages", 1}}},
    };
    // -- index
    trawl::bm25_index index;
    std::vector<trawl::metadata> rows;
    for (auto const& [text, metadata] : documents) {
        index.add(text);
        rows.push_back(metadata);
    }
    trawl::metadata_table const about(fields, rows);
    // -- end

    auto const show = [&](char const* what, trawl::condition const& where) {
        std::printf("%s\n", what);
        for (auto const [id, score] : index.search("refund", 10, about.matching(where)))
            std::printf("  %.4f  %s\n", static_cast<double>(score), documents[id].text);
    };

    // -- expression
    using trawl::field;
    show(
        "version 3.0 with the tag api", field("version") == "3.0" && field("tags").contains("api"));
    show("up to the end of January 2024, whatever the hour",
        field("published") <= trawl::date(2024, 1, 31));
    show("no draft", !(field("draft") == true));
    // -- text
    show("typed by a person",
        trawl::parse_condition("version in ('3.0', '3.1') and (pages >= 10 or not exists(pages))"));
    // -- json
    show("sent by a program",
        trawl::parse_json_condition(R"({"version": "3.0", "pages": {"$gt": 1, "$lt": 10}})"));
    // -- convert
    auto const where = trawl::parse_json_condition(R"({"tags": {"$not_contains": "api"}})");
    std::printf("%s\n%s\n", to_text(where).c_str(), nlohmann::json(where).dump().c_str());
    // -- facets
    for (auto const& [value, count] :
        about.facets("tags", 10, about.matching(field("version") >= "3"))) {
        std::printf("  %zu %s\n", count, to_string(value).c_str());
    }
    // -- errors
    for (auto const* const wrong : {"vresion = '3.0'", "pages = 'ten'", "version = 3.0",
             "published > 2023-02-29", "version = '3.0' an pages > 1"}) {
        try {
            show(wrong, trawl::parse_condition(wrong));
        } catch (trawl::error const& e) {
            std::printf("%s\n", e.what());
        }
    }
    // -- end
}
