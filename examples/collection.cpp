// SPDX-License-Identifier: MIT
// Documents that survive: the program of docs/collection.md.
#include <cstdio>
#include <filesystem>
#include <trawl/collection/collection.hpp>

int main() {
    std::filesystem::remove_all("notes.trawl");
    // -- open
    auto notes = trawl::collection::open(
        "notes.trawl", {.fields = {{"version", trawl::text_field}, {"date", trawl::date_field}}});
    // -- put
    notes.put({.key = "refunds.md",
        .title = "Refunds",
        .text = "A refund of PROD-4817 takes three days.",
        .metadata = {{"version", "3.1"}, {"date", trawl::date(2024, 2, 29)}}});
    notes.put({.key = "old.md",
        .title = "Refunds",
        .text = "A refund takes two weeks.",
        .metadata = {{"version", "3.0"}, {"date", trawl::date(2023, 5, 2)}}});
    notes.put({.key = "printers.md",
        .title = "Printers",
        .text = "Ink is no reason for a refund. Call the printer's maker.",
        .metadata = {{"version", "3.1"}, {"date", trawl::date(2024, 1, 5)}}});
    notes.commit();
    // -- ask
    for (auto const& hit : notes.search("refund for PROD-4817",
             {.k = 5, .where = trawl::field("version") == "3.1", .per_parent = 1}))
        std::printf("%s  %s\n", hit.key.c_str(), hit.snippet.c_str());
    // -- conditions
    auto const show = [](char const* query, trawl::collection_result const& found) {
        std::printf("%s:", query);
        for (auto const& hit : found) std::printf(" %s", hit.key.c_str());
        std::printf("\n");
    };
    show("+refund -ink", notes.search("+refund -ink"));
    show("\"two weeks\"", notes.search("\"two weeks\""));
    show("title:printers", notes.search("+title:printers"));
    show("since 2024",
        notes.search("refund", {.where = trawl::field("date") >= trawl::date(2024, 1, 1)}));
    // -- more
    auto const found = notes.search("refund", {.count = true, .facets = {"version"}});
    std::printf("%zu documents match", *found.matches);
    for (auto const& [value, documents] : found.facets[0].values)
        std::printf(", %zu of version %s", documents, to_string(value).c_str());
    std::printf("\n");
    if (auto const better = notes.corrected("refnd PROD-4817"))
        std::printf("did you mean: %s\n", better->c_str());
    show("by date", notes.search("refund", {.sort = trawl::field_order{"date", true}}));
    // -- view
    auto const current = notes.view(trawl::field("version") == "3.1");
    std::printf("inside the view: %zu documents, %s\n", current.size(),
        current.get("old.md") ? "old.md" : "no old.md");
    // -- change
    notes.put({.key = "refunds.md", .title = "Refunds", .text = "Refunds are immediate."});
    notes.erase(trawl::field("version") == "3.0");
    notes.commit();
    show("after the changes", notes.search("refund refunds"));
    notes.compact(); // the texts of erased documents are gone from the disk
    notes.verify();
    // -- snapshot
    auto const before = notes.snapshot();
    notes.erase("printers.md");
    notes.commit();
    std::printf("then %zu documents, now %zu\n", before.size(), notes.size());
    // -- end
    std::filesystem::remove_all("notes.trawl");
}
