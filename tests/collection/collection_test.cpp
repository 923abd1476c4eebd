// SPDX-License-Identifier: MIT
#include <trawl/collection/collection.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/fusion/rrf.hpp>
#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/mmr.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace fs = std::filesystem;
using support::error_of;
using trawl::collection;
using trawl::errc;
using trawl::field;

namespace {

// A directory of this test, gone with it.
struct folder {
    explicit folder(std::string name) : path(std::move(name)) { fs::remove_all(path); }
    folder(folder const&) = delete;
    folder& operator=(folder const&) = delete;
    ~folder() { fs::remove_all(path); }
    std::string path;
};

/// Three values: how often the text has a, b and c.
struct letters {
    static std::size_t dim() { return 3; }
    static std::uint64_t fingerprint() { return 7; }
    static void embed(
        std::span<std::string_view const> texts, trawl::text_role, trawl::matrix_view<float> out) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (texts[i].find("broken") != std::string_view::npos)
                throw std::runtime_error("the model is broken");
            for (std::size_t letter = 0; letter < 3; ++letter) {
                out.row(i)[letter] = static_cast<float>(
                    std::count(texts[i].begin(), texts[i].end(), static_cast<char>('a' + letter)));
            }
        }
    }
};

struct other_letters : letters {
    static std::uint64_t fingerprint() { return 8; }
};

trawl::collection_options options_of_notes() {
    return {.fields = {{"version", trawl::text_field}, {"pages", trawl::integer_field}},
        .vectors = {{.embedder = letters{}}}};
}

std::vector<std::string> keys_of(trawl::collection_result const& found) {
    std::vector<std::string> keys;
    for (auto const& hit : found) keys.push_back(hit.key);
    return keys;
}

using keys = std::vector<std::string>;

void put_notes(collection& notes) {
    notes.put({.key = "a",
        .title = "Refunds",
        .text = "A refund takes three days.",
        .metadata = {{"version", "3.1"}, {"pages", 3}}});
    notes.put({.key = "b",
        .title = "Printers",
        .text = "The printer is out of ink. No refund.",
        .metadata = {{"version", "3.0"}, {"pages", 1}}});
    notes.put({.key = "c",
        .title = "Tickets",
        .text = "Tickets are cached.",
        .metadata = {{"version", "3.1"}, {"pages", 2}}});
    notes.commit();
}

} // namespace

TEST_CASE("what is committed is found, and found again after opening", "[collection]") {
    folder const here("collection_test.tmp");
    {
        auto notes = collection::open(here.path, options_of_notes());
        CHECK(notes.size() == 0);
        CHECK(notes.search("refund").empty());
        notes.put({.key = "a", .text = "refund"});
        CHECK(notes.pending() == 1);
        CHECK(notes.search("refund").empty());
        CHECK_FALSE(notes.get("a"));
        notes.rollback();
        CHECK(notes.pending() == 0);
        put_notes(notes);
        CHECK(notes.size() == 3);
    }
    auto notes = collection::open(here.path, options_of_notes());
    CHECK(notes.size() == 3);
    CHECK(keys_of(notes.search("+refund")).size() == 2);
    CHECK(keys_of(notes.search("+refund -printer")) == keys{"a"});
    CHECK(keys_of(notes.search("title:printers +ink")) == keys{"b"});
    CHECK(keys_of(notes.search("\"three days\"")) == keys{"a"});
    CHECK(keys_of(notes.search("+refund", {.where = field("version") == "3.0"})) == keys{"b"});
    auto const hit = notes.search("+refund", {.where = field("pages") > 2}).hits.at(0);
    CHECK(hit.key == "a");
    CHECK(hit.document == "a");
    CHECK(hit.parent == "a");
    CHECK(hit.title == "Refunds");
    CHECK(hit.snippet == "A <b>refund</b> takes three days.");
    CHECK(hit.metadata == trawl::metadata{{"version", "3.1"}, {"pages", 3}});
    REQUIRE(hit.arms.size() == 2);
    CHECK(hit.arms[0].arm == "words");
    CHECK(hit.arms[0].score > 0);
    CHECK(hit.arms[1].arm == "vector");
    CHECK(hit.arms[1].score == 0); // "refund" has none of the letters
    CHECK(notes.get("b")
          == trawl::document{.key = "b",
              .title = "Printers",
              .text = "The printer is out of ink. No refund.",
              .metadata = {{"version", "3.0"}, {"pages", 1}}});
    notes.verify();
    CHECK(notes.erase("b"));
    CHECK_FALSE(notes.erase("b"));
    CHECK_FALSE(notes.erase("z"));
    CHECK(notes.size() == 3);
    notes.commit();
    CHECK(notes.size() == 2);
    CHECK(keys_of(notes.search("+refund")) == keys{"a"});
    CHECK_FALSE(notes.get("b"));
    notes.compact();
    CHECK(keys_of(notes.search("+refund")) == keys{"a"});
    CHECK(notes.completions("ink").empty());
    notes.verify();
}

TEST_CASE("replacing a document replaces all of its passages", "[collection]") {
    auto notes = collection::in_memory({.chunks = trawl::chunk_options{.tokens = 6, .overlap = 0}});
    std::string const text =
        "# One\n\nalpha beta gamma.\n\n# Two\n\ndelta refund.\n\n# Three\n\nrefund refund.\n";
    notes.put({.key = "guide.md", .title = "Guide", .text = text});
    notes.commit();
    CHECK(notes.size() == 1);
    CHECK(notes.passages() == 3);
    auto const found = notes.search("+refund");
    CHECK(keys_of(found) == keys{"guide.md#3", "guide.md#2"});
    CHECK(found.hits[0].document == "guide.md");
    CHECK(keys_of(notes.search("+refund", {.per_parent = 1})) == keys{"guide.md#3"});
    CHECK(notes.get("guide.md")->text == text);
    CHECK(trawl::adds_up(notes.explain("refund", "guide.md#2")));
    CHECK(notes.explain("refund", "guide.md#2").value > 0);
    CHECK(notes.explain("refund", "guide.md#9").role == trawl::node_role::no_match);
    notes.put({.key = "guide.md", .text = "now short"});
    notes.commit();
    CHECK(notes.passages() == 1);
    CHECK(notes.search("refund").empty());
    CHECK(keys_of(notes.search("short")) == keys{"guide.md"});
}

TEST_CASE("a rejected document changes nothing and is named", "[collection]") {
    auto notes = collection::in_memory(options_of_notes());
    put_notes(notes);
    auto const refused = [&](trawl::document given, std::string_view reason) {
        std::vector<trawl::document> both;
        both.push_back({.key = "good", .text = "good"});
        both.push_back(std::move(given));
        auto const thrown = error_of([&] { notes.put_all(both); });
        CAPTURE(thrown.text);
        CHECK(thrown.names(reason));
        CHECK(notes.pending() == 0);
    };
    refused({.key = "x", .metadata = {{"colour", "red"}}}, "document x: ");
    refused({.key = "x", .metadata = {{"pages", "many"}}}, "pages");
    refused({.key = ""}, "the key has 0 bytes");
    refused({.key = "x", .vector = {1, 2}}, "document x: collection::put: the vector has 2 values");
    refused({.key = "x", .texts = {{"abstract", "text"}}}, "there is no text field abstract");
    refused({.key = "x", .vectors = {{"image", {1}}}}, "there is no vector space image");
    CHECK_THROWS_AS(notes.put({.key = "x", .text = "broken"}), std::runtime_error);
    CHECK(notes.pending() == 0);
    notes.commit();
    CHECK(notes.size() == 3);
}

TEST_CASE("erase by a condition takes committed and pending documents", "[collection]") {
    auto notes = collection::in_memory(options_of_notes());
    put_notes(notes);
    notes.put({.key = "d", .text = "new", .metadata = {{"version", "3.1"}}});
    notes.put({.key = "a", .text = "a is 3.2 now", .metadata = {{"version", "3.2"}}});
    CHECK(notes.erase(field("version") == "3.1") == 2); // c and d
    notes.commit();
    CHECK(notes.size() == 2);
    CHECK(notes.get("a")->metadata == trawl::metadata{{"version", "3.2"}});
    CHECK(notes.get("b"));
    CHECK(error_of([&] { notes.erase(field("colour") == "red"); }).code == errc::unknown_id);
}

TEST_CASE("nothing outside a view shows", "[collection]") {
    auto notes = collection::in_memory(options_of_notes());
    put_notes(notes);
    auto const view = notes.view(field("version") == "3.1");
    CHECK(view.size() == 2);
    CHECK(view.passages() == 2);
    CHECK_FALSE(view.get("b"));
    CHECK(keys_of(view.search("+refund")) == keys{"a"});
    CHECK(view.search("refund", {.where = field("version") == "3.0", .count = true}).matches == 0);
    CHECK(view.explain("refund", "b").role == trawl::node_role::no_match);
    CHECK(view.explain("refund", "b").label == "no match: there is no passage b");
    CHECK(view.completions("prin").empty());
    CHECK_FALSE(view.corrected("printr"));
    CHECK(notes.corrected("printr") == "printer");
    auto const counted = view.search("", {.facets = {"version"}});
    CHECK(counted.facets.at(0).values == std::vector<trawl::facet_count>{{"3.1", 2}});
    CHECK(view.text(1).empty());
    CHECK(view.words().search({.text = "printer"}).empty());
    CHECK(view.vectors().search({.vector = std::vector<float>{1, 1, 1}}).size() == 2);
    CHECK(view.view(field("pages") == 2).size() == 1);
    // As if there were no others: the scores of a collection of the view's documents alone.
    auto alone = collection::in_memory(options_of_notes());
    put_notes(alone);
    alone.erase("b");
    alone.commit();
    alone.compact();
    auto const inside = view.search("refund tickets");
    auto const expected = alone.search("refund tickets");
    REQUIRE(inside.size() == expected.size());
    for (std::size_t i = 0; i < inside.size(); ++i) {
        CHECK(inside.hits[i].key == expected.hits[i].key);
        CHECK(inside.hits[i].score == expected.hits[i].score);
        CHECK(inside.hits[i].arms[0].score == expected.hits[i].arms[0].score);
    }
}

TEST_CASE("counts, facets, order by a field and pages", "[collection]") {
    auto notes = collection::in_memory({.fields = {{"n", trawl::integer_field}}});
    for (int i = 0; i < 25; ++i) {
        notes.put({.key = "k" + std::to_string(i),
            .text = "refund " + std::string(i % 2 == 0 ? "even" : "odd"),
            .metadata = {{"n", i % 5}}});
        if (i % 7 == 0) notes.commit();
    }
    notes.commit();
    CHECK(notes.search("even", {.count = true}).matches == 13);
    CHECK(notes.search("", {.count = true}).matches == 25);
    auto const facets = notes.search("odd", {.facets = {"n"}, .facet_values = 2}).facets.at(0);
    CHECK(facets.values == std::vector<trawl::facet_count>{{1, 3}, {3, 3}});
    CHECK(facets.others == 3);
    keys sorted;
    trawl::collection_search_options asked{.k = 10, .sort = trawl::field_order{"n", true}};
    for (;;) {
        auto const page = notes.search("even", asked);
        for (auto const& hit : page) sorted.push_back(hit.key);
        if (page.cursor.empty()) break;
        asked.cursor = page.cursor;
    }
    CHECK(sorted
          == keys{"k4", "k14", "k24", "k8", "k18", "k2", "k12", "k22", "k6", "k16", "k0", "k10",
              "k20"});
    keys paged;
    trawl::collection_search_options by_score{.k = 4};
    for (;;) {
        auto const page = notes.search("odd", by_score);
        for (auto const& hit : page) paged.push_back(hit.key);
        if (page.cursor.empty()) break;
        by_score.cursor = page.cursor;
    }
    CHECK(paged == keys_of(notes.search("odd", {.k = 30})));
    CHECK(paged.size() == 12);
    CHECK(error_of([&] {
        static_cast<void>(notes.search("odd", {.facets = {"m"}}));
    }).names("there is no field m; there are: n"));
}

TEST_CASE("a snapshot stays, a reader refreshes", "[collection]") {
    folder const here("collection_snapshot.tmp");
    auto notes = collection::open(here.path, options_of_notes());
    put_notes(notes);
    auto const before = notes.snapshot();
    auto reading = options_of_notes();
    reading.read_only = true;
    auto reader = collection::open(here.path, reading);
    notes.erase("a");
    notes.put({.key = "d", .text = "refund again"});
    notes.commit();
    notes.compact();
    CHECK(keys_of(before.search("+refund")).size() == 2);
    CHECK(before.size() == 3);
    CHECK(before.get("a"));
    CHECK(keys_of(reader.search("+refund")) == keys_of(before.search("+refund")));
    CHECK(reader.refresh());
    CHECK_FALSE(reader.refresh());
    CHECK(reader.size() == 3);
    CHECK_FALSE(reader.get("a"));
    CHECK(keys_of(reader.search("+refund")) == keys_of(notes.search("+refund")));
    CHECK(error_of([&] { reader.put({.key = "x"}); }).names("is open for reading only"));
    CHECK(error_of([&] {
        static_cast<void>(collection::open(here.path, options_of_notes()));
    }).names("lock: is locked by process"));
    CHECK(error_of([&] {
        static_cast<void>(collection::open("collection_nowhere.tmp", reading));
    }).names("there is no such collection"));
}

TEST_CASE("another embedder is refused, and refitting replaces every vector", "[collection]") {
    folder const here("collection_refit.tmp");
    {
        auto notes = collection::open(here.path, options_of_notes());
        put_notes(notes);
    }
    auto other = options_of_notes();
    other.vectors[0].embedder = other_letters{};
    CHECK(error_of([&] {
        static_cast<void>(collection::open(here.path, other));
    }).names("were made by another embedder"));
    {
        auto without = options_of_notes();
        without.vectors.clear();
        auto notes = collection::open(here.path, without);
        notes.refit("vector", other_letters{});
        CHECK(keys_of(notes.search("+refund")).size() == 2);
    }
    auto notes = collection::open(here.path, other);
    CHECK(notes.size() == 3);
    CHECK(notes.search("abc").size() == 3);
    CHECK(error_of([&] {
        static_cast<void>(
            collection::open(here.path, {.analyzer = trawl::any_analyzer::named("english")}));
    }).code
          == errc::io); // locked: by this process
}

TEST_CASE("any hybrid search runs over the arms", "[collection]") {
    auto notes = collection::in_memory(options_of_notes());
    put_notes(notes);
    auto const now = notes.snapshot();
    auto const search = trawl::hybrid_search{now.words(), now.vectors()}.embed(letters{}).fuse(
        trawl::rrf{.weights = {1, 2}});
    auto const best = search({.text = "+refund -printer"});
    REQUIRE(best.size() == 1);
    CHECK(now.key(best[0].id) == "a");
    CHECK(now.text(best[0].id) == "A refund takes three days.");
    CHECK(now.parent(best[0].id) == "a");
}

TEST_CASE(
    "a vector that the embedder made is not given back as the document's own", "[collection]") {
    trawl::collection_options const options{
        .vectors = {{.name = "letters", .embedder = letters{}}, {.name = "place", .dim = 2}}};
    auto notes = collection::in_memory(options);
    trawl::document const here{.key = "here", .text = "abc", .vectors = {{"place", {3, 4}}}};
    trawl::document const both{
        .key = "both", .text = "b", .vector = {1, 2, 3}, .vectors = {{"place", {5, 6}}}};
    notes.put_all({here, both});
    notes.commit();
    for (auto const compacted : {false, true}) {
        CAPTURE(compacted);
        CHECK(notes.get("here") == here);
        CHECK(notes.get("both") == both);
        notes.put({.key = "more", .text = "c"});
        notes.commit();
        notes.compact();
    }
    // After a refit all vectors of the space are the embedder's.
    notes.refit("letters", other_letters{});
    CHECK(notes.get("here") == here);
    auto without = both;
    without.vector.clear();
    CHECK(notes.get("both") == without);
    CHECK(keys_of(notes.search("b", {.weights = {0, 1, 0}})) == keys{"both", "here", "more"});
}

TEST_CASE("a pipeline over the arms has texts, vectors, filters and hits of the collection",
    "[collection]") {
    auto notes = collection::in_memory(options_of_notes());
    put_notes(notes);
    notes.commit();
    auto const now = notes.snapshot();
    std::vector<float> const vector{1, 1, 0};
    auto const where = field("version") == "3.1";
    auto const inside = now.matching(where);
    trawl::query const asked{.text = "refund", .vector = vector};
    auto const search = trawl::hybrid_search{now.words(), now.vectors()}
                            .fuse(trawl::weighted_sum{}, {.complete = true})
                            .diversify(trawl::mmr{.lambda = 1}, now.stored_vectors());
    auto const ranking = search(asked, 10, inside);
    auto const hits = now.hits(ranking, "refund", {.vector = vector});
    // MMR by relevance alone keeps the order of the collection's own search.
    auto const plain = now.search("refund", {.where = where, .vector = vector});
    REQUIRE(hits.size() == plain.size());
    REQUIRE(!hits.empty());
    for (std::size_t i = 0; i < hits.size(); ++i) {
        CAPTURE(i);
        CHECK(hits[i].key == plain.hits[i].key);
        CHECK(hits[i].snippet == plain.hits[i].snippet);
        CHECK(hits[i].score == ranking[i].score);
        for (std::size_t arm = 0; arm < 2; ++arm)
            CHECK(hits[i].arms[arm].score == plain.hits[i].arms[arm].score);
    }
    SECTION("a view has none of the others") {
        auto const view = notes.view(field("version") == "3.0");
        CHECK(view.matching(where).count() == 0);
        CHECK(view.hits(ranking, "refund").empty());
        auto const vectors = view.stored_vectors();
        std::vector<float> out(3);
        CHECK_FALSE(vectors.copy_vector(hits[0].id, out));
        CHECK(out == std::vector<float>{0, 0, 0});
        CHECK(now.stored_vectors().copy_vector(hits[0].id, out));
    }
    CHECK(
        error_of([&] { static_cast<void>(now.stored_vectors("other")); }).code == errc::unknown_id);
}
