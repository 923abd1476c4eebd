// SPDX-License-Identifier: MIT
#include <trawl/eval/pseudo_queries.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

using source = trawl::pseudo_query_source;

// Documents of words that no other has: "w3a w3b …", with a title.
struct made_documents {
    explicit made_documents(std::size_t count, std::size_t words = 26) {
        for (std::size_t d = 0; d < count; ++d) {
            std::string text;
            for (std::size_t w = 0; w < words; ++w)
                text += "w" + std::to_string(d) + std::string(1, static_cast<char>('a' + w)) + " ";
            texts.push_back(text + ".");
            titles.push_back("title t" + std::to_string(d));
        }
    }
    [[nodiscard]] std::vector<trawl::titled_text> views() const {
        std::vector<trawl::titled_text> out;
        for (std::size_t d = 0; d < texts.size(); ++d) out.push_back({titles[d], texts[d]});
        return out;
    }
    std::vector<std::string> titles;
    std::vector<std::string> texts;
};

std::vector<trawl::pseudo_query> drawn(
    std::vector<trawl::titled_text> const& documents, trawl::pseudo_query_options const& options) {
    return trawl::draw_pseudo_queries(documents, trawl::standard_analyzer{}, options);
}

std::string error_of_options(trawl::pseudo_query_options const& options) {
    made_documents const made(3);
    auto const views = made.views();
    return support::error_of([&] { static_cast<void>(drawn(views, options)); }).text;
}

} // namespace

TEST_CASE(
    "a passage is cut out of its document, whose other words stay", "[eval][pseudo_queries]") {
    made_documents const made(40);
    auto const views = made.views();
    auto const queries = drawn(views, {.count = 20, .sources = {source::passage}});
    REQUIRE(queries.size() == 20);
    for (auto const& q : queries) {
        CAPTURE(q.document, q.query, q.text);
        CHECK(q.source == source::passage);
        auto const words = trawl::count_words(q.query);
        CHECK(words >= 6);
        CHECK(words <= 12);
        CHECK(q.text.find(q.query) == std::string::npos);
        CHECK(q.title == made.titles[q.document]);
        auto whole = q.text; // with the passage in the place of the blank it is the document again
        auto const& before = made.texts[q.document];
        auto const at = before.find(q.query);
        REQUIRE(at != std::string::npos);
        CHECK(whole.replace(at, 1, q.query) == before);
    }
    CHECK(std::is_sorted(queries.begin(), queries.end(),
        [](auto const& a, auto const& b) { return a.document < b.document; }));
}

TEST_CASE("a passage and two titles take turns unless other sources are asked",
    "[eval][pseudo_queries]") {
    made_documents const made(40);
    auto const views = made.views();
    auto const queries = drawn(views, {.count = 21});
    auto const titles = std::count_if(
        queries.begin(), queries.end(), [](auto const& q) { return q.source == source::title; });
    CHECK(titles == 14);
    CHECK(name_of(source::first_sentence) == "first-sentence");
}

TEST_CASE("the seed decides what is drawn", "[eval][pseudo_queries]") {
    made_documents const made(60);
    auto const views = made.views();
    auto const texts = [&](std::uint64_t seed) {
        std::vector<std::string> out;
        for (auto const& q : drawn(views, {.count = 10, .seed = seed})) out.push_back(q.query);
        return out;
    };
    CHECK(texts(1) == texts(1));
    CHECK(texts(1) != texts(2));
}

TEST_CASE("passages are as long as the real queries", "[eval][pseudo_queries]") {
    made_documents const made(50);
    auto const views = made.views();
    std::vector<std::size_t> const real{
        trawl::count_words("Where is PROD-4817?"), trawl::count_words("refund")};
    CHECK(real == std::vector<std::size_t>{4, 1}); // UAX #29: PROD and 4817 are two words
    for (auto const& q : drawn(views, {.sources = {source::passage}, .lengths = {2, 4}})) {
        auto const words = trawl::count_words(q.query);
        CHECK((words == 2 || words == 4));
    }
    CHECK(drawn(views, {.sources = {source::passage}, .lengths = {27}})
              .empty()); // no text is as long
}

TEST_CASE("a passage that stands elsewhere, too, has no single answer", "[eval][pseudo_queries]") {
    // Every document ends with the same licence; only the first words are its own.
    std::vector<std::string> texts;
    std::string const licence = "this text may be copied freely by all who keep the notice";
    for (int d = 0; d < 30; ++d) {
        auto const n = std::to_string(d);
        texts.push_back("alpha" + n + " beta" + n + " gamma" + n + " delta" + n + " " + licence);
    }
    std::vector<trawl::titled_text> views;
    for (auto const& text : texts) views.push_back({.text = text});
    auto const queries = drawn(views, {.min_words = 4, .max_words = 4});
    REQUIRE(!queries.empty());
    for (auto const& q : queries) {
        CAPTURE(q.query);
        CHECK(q.query.find(std::to_string(q.document)) != std::string::npos);
        for (std::size_t d = 0; d < texts.size(); ++d)
            CHECK((texts[d].find(q.query) != std::string::npos) == (d == q.document));
    }
    // Within a document: "again and again …" repeats every passage of four words.
    std::string const repeated = "round and round it goes round and round it goes round and round";
    trawl::titled_text const one{.text = repeated};
    CHECK(drawn({one}, {.min_words = 4, .max_words = 4}).empty());
}

TEST_CASE("stop words alone make no query", "[eval][pseudo_queries]") {
    std::string const text = "to be or not to be that is what it was and it will be to them";
    trawl::titled_text const document{.text = text};
    CHECK(trawl::draw_pseudo_queries(
        std::span(&document, 1), trawl::english_analyzer{}, {.min_words = 4, .max_words = 4})
              .empty());
    CHECK(drawn({document}, {.min_words = 4, .max_words = 4}).size() == 1);
}

TEST_CASE("titles, headings and first sentences are cut out, too", "[eval][pseudo_queries]") {
    std::string const text = "Paper rolls are white. They fit every printer that we sell.\n\n"
                             "## Changing the *roll*\n\nOpen the lid and press the green lever.\n";
    std::vector<trawl::titled_text> const documents{{"Printer manual", text}};
    auto const one = [&](source s) {
        auto const out = drawn(documents, {.sources = {s}});
        REQUIRE(out.size() == 1);
        CHECK(out[0].source == s);
        return out[0];
    };
    auto const title = one(source::title);
    CHECK(title.query == "Printer manual");
    CHECK(title.title == " ");
    CHECK(title.text == text);
    auto const heading = one(source::heading);
    CHECK(heading.query == "Changing the *roll");
    CHECK(heading.title == "Printer manual");
    CHECK(heading.text.find("##  \n\nOpen the lid") != std::string::npos);
    auto const first = one(source::first_sentence);
    CHECK(first.query == "Paper rolls are white");
    CHECK(first.text.starts_with("  They fit"));
}

TEST_CASE("a document without what its turn asks for gives a passage", "[eval][pseudo_queries]") {
    made_documents made(10);
    for (auto& title : made.titles) title.clear();
    auto const views = made.views();
    auto const queries = drawn(views, {.sources = {source::title}});
    REQUIRE(queries.size() == 10);
    for (auto const& q : queries) CHECK(q.source == source::passage);
}

TEST_CASE("judgements have one right answer for each query", "[eval][pseudo_queries]") {
    made_documents const made(12);
    auto const views = made.views();
    auto const queries = drawn(views, {.count = 5});
    std::vector<std::string> keys;
    for (int d = 0; d < 12; ++d) keys.push_back("doc-" + std::to_string(d));
    auto const judged = trawl::judgements_of(
        queries, [&](trawl::doc_id id) -> std::string_view { return keys[id]; });
    REQUIRE(judged.size() == 5);
    for (auto const& q : queries) {
        auto const at = judged.find(keys[q.document]);
        REQUIRE(at);
        auto const& judgements = judged.judgements(*at);
        REQUIRE(judgements.size() == 1);
        auto const right = judged.documents().find(keys[q.document]);
        REQUIRE(right);
        CHECK(judgements.grade(*right) == 1);
    }
}

TEST_CASE("pseudo-queries refuse options that make no sense", "[eval][pseudo_queries]") {
    CHECK(error_of_options({.sources = {}}) == "draw_pseudo_queries: there are no sources");
    CHECK(error_of_options({.min_words = 0})
          == "draw_pseudo_queries: min_words is 0, must be from 1 to max_words, 12");
    CHECK(error_of_options({.min_words = 13})
          == "draw_pseudo_queries: min_words is 13, must be from 1 to max_words, 12");
    CHECK(error_of_options({.lengths = {3, 0}}) == "draw_pseudo_queries: a length is 0");
    CHECK(drawn({}, {}).empty());
    CHECK(drawn(made_documents(3).views(), {.count = 0}).empty());
}
