// SPDX-License-Identifier: MIT
#include <trawl/lexical/bm25f_index.hpp>

#include "golden/lexical/bm25f.hpp"
#include "lexical/fields.hpp"
#include "support/catch.hpp"
#include "support/error_of.hpp"

#include <trawl/core/thread_executor.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/lexical/lexical_query.hpp>
#include <trawl/pipeline/hybrid_search.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using support::error_of;
using trawl::bm25_field;
using trawl::bm25_variant;
using trawl::doc_id;
using trawl::errc;

namespace {

std::vector<doc_id> first_ids(std::size_t count) {
    std::vector<doc_id> ids(count);
    std::iota(ids.begin(), ids.end(), 0u);
    return ids;
}

} // namespace

TEST_CASE("BM25F gives the scores of its formula", "[lexical][fields][golden]") {
    auto const ids = first_ids(std::size(golden::titled_documents));
    for (auto const& [variant, k1, weights, b, query, of_documents] : golden::of_fields) {
        test::field_index index({{"title", weights[0], b[0]}, {"text", weights[1], b[1]}},
            {.variant = variant, .k1 = k1});
        for (auto const& [title, text] : golden::titled_documents) index.add({title, text});
        CAPTURE(trawl::name_of(variant), k1, weights[0], query);
        auto const hits = index.score({.text = query}, ids);
        REQUIRE(hits.size() == ids.size());
        for (auto const id : ids) {
            CAPTURE(id);
            CHECK_THAT(static_cast<double>(hits[id].score),
                WithinRel(of_documents[id], 1e-5) || WithinAbs(of_documents[id], 1e-8));
        }
    }
}

TEST_CASE("A document's score by hand", "[lexical][fields]") {
    test::field_index index({{"title", 3, 0.5}, {"text"}}, {.k1 = 1.2, .b = 0.75});
    index.add({"a b", "a a c c"});
    index.add({"", "b c"});
    index.add({"c", ""});
    // "a": N 3, df 1. Title: tf 1, length 2 of 1 on average, B = .5 + .5 * 2 = 1.5, 3 * 1 / 1.5 =
    // 2. Text: tf 2, length 4 of 2, B = .25 + .75 * 2 = 1.75, 2 / 1.75. One sum, saturated once.
    auto const c = 2 + 2 / 1.75;
    auto const expected = std::log(1 + 2.5 / 1.5) * c / (1.2 + c);
    auto const hits = index.search("a", 10);
    REQUIRE(hits.size() == 1);
    CHECK(hits[0].id == 0);
    CHECK_THAT(static_cast<double>(hits[0].score), WithinRel(expected, 1e-6));

    auto const why = index.explain({.text = "a"}, 0);
    CHECK(trawl::adds_up(why));
    auto const text = trawl::to_text(why);
    CAPTURE(text);
    for (auto const* line : {"bm25, lucene", "term 'a'", "3 N, documents",
             "1 df, documents with the term", "c / (k1 + c)", "field 'title'",
             "3 weight of the field", "1 tf, occurrences in the field", "2 length of the field",
             "1 average length", "0.5 b", "field 'text'", "4 length of the field", "1.2 k1"}) {
        CHECK(text.find(line) != std::string::npos);
    }
    CHECK(index.explain({.text = "a"}, 1).label == "no match");
    CHECK(index.explain({.text = "a"}, 7).label == "no match");
}

TEST_CASE("Without lengths, a title that counts twice is a title that stands there twice",
    "[lexical][fields]") {
    // Robertson, Zaragoza, Taylor 2004: a field of weight w is one that is repeated w times.
    trawl::detail::random random(7);
    test::field_index fields({{"title", 2}, {"text"}}, {.b = 0});
    test::index repeated({.b = 0});
    for (int i = 0; i < 200; ++i) {
        auto const [title, text] = test::random_document(random);
        fields.add({title, text});
        repeated.add(title + title + text);
    }
    auto const ids = first_ids(200);
    for (int round = 0; round < 20; ++round) {
        auto const wanted = test::random_text(random, 1 + random.below(4));
        CAPTURE(wanted);
        auto const ours = fields.score({.text = wanted}, ids);
        auto const theirs = repeated.score({.text = wanted}, ids);
        for (auto const id : ids) {
            CHECK_THAT(static_cast<double>(ours[id].score),
                WithinRel(static_cast<double>(theirs[id].score), 1e-5));
        }
    }
}

TEST_CASE("One field is bm25_index", "[lexical][fields]") {
    auto const variant = GENERATE(from_range(test::all_variants()));
    CAPTURE(trawl::name_of(variant));
    auto const lengths = GENERATE(trawl::length_code::exact, trawl::length_code::lucene_byte);
    trawl::bm25 const parameters{.variant = variant, .k1 = 0.9, .b = 0.6, .lengths = lengths};
    trawl::detail::random random(8);
    test::field_index fields({{"text"}}, parameters);
    test::index plain(parameters);
    for (int i = 0; i < 200; ++i) {
        auto const text = test::random_text(random, random.below(60));
        fields.add({text});
        plain.add(text);
    }
    auto const ids = first_ids(200);
    for (int round = 0; round < 10; ++round) {
        auto const wanted = test::random_text(random, 1 + random.below(4));
        auto const ours = fields.score({.text = wanted}, ids);
        auto const theirs = plain.score({.text = wanted}, ids);
        for (auto const id : ids) {
            CHECK_THAT(static_cast<double>(ours[id].score),
                WithinAbs(static_cast<double>(theirs[id].score), 1e-5));
        }
        CHECK(fields.search(wanted, 200).size() == plain.search(wanted, 200).size());
    }
}

TEST_CASE("A word in title and text counts once, not twice", "[lexical][fields]") {
    // What adding up the scores of two indexes gets wrong: one word twice beats two words.
    test::field_index index({{"title"}, {"text"}}, {.k1 = 0});
    index.add({"a", "a"});
    index.add({"a", "b"});
    for (int i = 0; i < 10; ++i) index.add({"c", "c"});
    auto const hits = index.search("a b", 10);
    REQUIRE(hits.size() == 2);
    CHECK(hits[0].id == 1);
    auto const a = index.search("a", 10);
    CHECK(a[0].score == a[1].score); // k1 = 0: once is as good as often
    // df counts documents, not fields.
    auto const why = trawl::to_text(index.explain({.text = "a"}, 0));
    CHECK(why.find("2 df, documents with the term") != std::string::npos);
}

TEST_CASE("Fields may be empty, and nothing asks for nothing", "[lexical][fields]") {
    test::field_index index({{"title"}, {"text"}});
    CHECK(index.search("a", 10).empty());
    CHECK(index.add({"", ""}) == 0);
    CHECK(index.search("a", 10).empty());
    CHECK(index.add({"", "a"}) == 1);
    CHECK(index.add({"a", ""}) == 2);
    CHECK(index.search("a", 10).size() == 2);
    CHECK(index.search("", 10).empty());
    CHECK(index.search("unknown", 10).empty());
    CHECK(index.search("a", 0).empty());
    CHECK(index.search("a", 10, trawl::doc_set(3)).empty());
    CHECK(index.score({}, first_ids(3)).empty());
    CHECK(index.score({.text = "a"}, first_ids(5)).size() == 3);
    CHECK(index.size() == 3);
}

TEST_CASE("Ids, erasing and updating are those of bm25_index", "[lexical][fields]") {
    test::field_index index({{"title"}, {"text"}});
    CHECK(index.add(3, {"a", "b"}) == 3);
    CHECK(index.next_id() == 4);
    std::vector<std::string_view> const texts{"c", "a"};
    CHECK(index.add(texts) == 4);
    CHECK(index.add(9, texts) == 9);
    CHECK(index.contains(9));
    CHECK_FALSE(index.contains(5));
    index.update(3, {"d", ""});
    CHECK(index.search("b", 5).empty());
    CHECK(index.search("d", 5).at(0).id == 3);
    CHECK(index.erase(4));
    CHECK_FALSE(index.erase(4));
    CHECK_FALSE(index.erase(77));
    CHECK(index.size() == 2);
    index.compact();
    CHECK(index.search("a", 5).at(0).id == 9);
    CHECK(index.fields()[1].name == "text");

    auto const refused = [&](errc code, std::string_view part, auto&& call) {
        auto const thrown = error_of(call);
        CHECK(thrown.code == code);
        CAPTURE(thrown.text, part);
        CHECK(thrown.names(part));
    };
    refused(errc::id_order, "bm25f_index::add: id 9 is below the next id 10", [&] {
        index.add(9, {"a", "b"});
    });
    refused(errc::invalid_argument, "0xFFFFFFFF", [&] { index.add(trawl::no_doc, {"a", "b"}); });
    refused(errc::invalid_argument, "1 texts for 2 fields", [&] { index.add({"a"}); });
    refused(errc::invalid_argument, "3 texts for 2 fields", [&] {
        index.update(3, {"a", "b", "c"});
    });
    CHECK_FALSE(index.update(4, {"a", "b"}));
    std::vector<trawl::weighted_term> const bad{{"a", -1}};
    refused(errc::invalid_argument, "'a' must be a number >= 0, is -1",
        [&] { static_cast<void>(index.search({.terms = bad}, {})); });
    CHECK(index.next_id() == 10);
}

TEST_CASE("Weights in the query add up, and repeated words with them", "[lexical][fields]") {
    test::field_index index({{"title", 2}, {"text"}});
    index.add({"a", "b b"});
    index.add({"b", "a c"});
    index.add({"c", "c"});
    std::vector<trawl::weighted_term> const twice{{"b", 2}};
    std::vector<trawl::weighted_term> const repeated{
        {"b", 0.5}, {"b"}, {"b", 0.5}, {"unknown"}, {"c", 0}};
    CHECK(index.search({.terms = twice}, {}) == index.search({.terms = repeated}, {}));
    CHECK(index.search({.terms = twice}, {}) == index.search("b b", 10));
}

TEST_CASE("Fields that cannot be are refused by name", "[lexical][fields]") {
    auto const refused = [](errc code, std::string_view part, std::vector<bm25_field> fields) {
        auto const thrown = error_of([&] { test::field_index const index(fields); });
        CHECK(thrown.code == code);
        CAPTURE(thrown.text, part);
        CHECK(thrown.names(part));
    };
    refused(errc::invalid_argument, "there must be a field", {});
    refused(errc::invalid_argument, "the name of field 1 is empty", {{"a"}, {""}});
    refused(errc::invalid_argument, "two fields are called 'a'", {{"a"}, {"b"}, {"a"}});
    refused(errc::invalid_argument, "weight of the field 'b' must be in (0, 1000], is 0",
        {{"a"}, {"b", 0}});
    refused(errc::invalid_argument, "is 1001", {{"a", 1001}});
    refused(errc::not_finite, "is nan", {{"a", std::numeric_limits<double>::quiet_NaN()}});
    refused(
        errc::invalid_argument, "b of the field 'a' must be in [0, 1], is 1.5", {{"a", 1, 1.5}});
    CHECK(error_of([] { test::field_index const index({{"a"}}, {.k1 = -1}); }).names("k1"));
}

TEST_CASE("A writer that fails changes no field", "[lexical][fields]") {
    struct failing {
        void analyze(std::string_view text, trawl::token_sink sink) const {
            test::whitespace{}.analyze(text, [&](trawl::token const& t) {
                if (t.term == "fail") throw std::runtime_error("analyzer");
                sink(t);
            });
        }
    };
    trawl::basic_bm25f_index<failing> index({{"title"}, {"text"}});
    index.add({"a", "b"});
    index.add({"b", "b"});
    auto const before = index.search("a b", 10);
    CHECK_THROWS_AS(index.add({"new words", "fail"}), std::runtime_error);
    CHECK_THROWS_AS(index.update(0, {"other words", "fail"}), std::runtime_error);
    CHECK(index.size() == 2);
    CHECK(index.next_id() == 2);
    CHECK(index.search("a b", 10) == before);
    CHECK(index.search("new other words", 10).empty());
    CHECK(index.add({"c", "c"}) == 2);
}

TEST_CASE("A copy shares nothing", "[lexical][fields]") {
    test::field_index first({{"title"}, {"text"}});
    first.add({"a", "b"});
    auto second = first;
    second.add({"a", "c"});
    first.erase(0);
    CHECK(first.search("a", 10).empty());
    CHECK(second.search("a", 10).size() == 2);
    first = second;
    second.erase(1);
    CHECK(first.search("a", 10).size() == 2);
    auto const moved = std::move(first);
    CHECK(moved.search("a c", 10).size() == 2);
}

TEST_CASE("Fields are an arm of a hybrid search", "[lexical][fields]") {
    test::field_index lexical({{"title", 2}, {"text"}});
    trawl::flat_index dense{2};
    lexical.add({"refund", "of a lock"});
    lexical.add({"lock", "of a door"});
    dense.add(std::vector<float>{0, 1});
    dense.add(std::vector<float>{1, 0});
    std::vector<float> const vector{0, 1};
    auto const search = trawl::hybrid_search{lexical, dense}.fuse(
        trawl::weighted_sum{.weights = {0.5, 0.5}, .norm = trawl::normaliser::min_max},
        {.complete = true});
    auto const best = search({.text = "refund", .vector = vector}, 2);
    REQUIRE(best.size() == 2);
    CHECK(best[0].id == 0);
    CHECK(trawl::adds_up(search.explain({.text = "refund", .vector = vector}, 0)));
}

TEST_CASE("Many queries on threads give what each gives alone", "[lexical][fields]") {
    trawl::detail::random random(5);
    test::field_index index({{"title", 2}, {"text"}});
    for (int i = 0; i < 300; ++i) index.add(test::views(test::random_document(random)));
    std::vector<std::string> texts;
    std::vector<trawl::query> queries;
    for (int i = 0; i < 40; ++i) texts.push_back(test::random_text(random, 3));
    for (auto const& text : texts) queries.push_back({.text = text});
    trawl::thread_executor const threads(3);
    auto const found = index.search(queries, {.k = 7, .executor = &threads});
    for (std::size_t i = 0; i < queries.size(); ++i) CHECK(found[i] == index.search(texts[i], 7));
}

TEST_CASE("Documents added together, on threads or analysed already, are those added one by one",
    "[lexical][fields]") {
    trawl::detail::random random(8);
    std::vector<test::two_texts> texts;
    // three chunks of threads
    for (int i = 0; i < 2500; ++i) texts.push_back(test::random_document(random));
    texts[3][0] = texts[3][1] = "";
    std::vector<std::array<std::string_view, 2>> views;
    for (auto const& text : texts) views.push_back(test::views(text));
    std::vector<std::span<std::string_view const>> const documents(views.begin(), views.end());
    trawl::thread_executor const threads(3);

    std::vector<test::field_index> indexes(
        4, test::field_index({{"title", 2}, {"text"}}, {}, {.positions = true}));
    for (auto const& each : documents) indexes[0].add(each);
    CHECK(indexes[1].add_all(documents) == 0);
    CHECK(indexes[2].add_all(std::span(documents).first(100)) == 0);
    CHECK(indexes[2].add_all(std::span(documents).subspan(100), &threads) == 100);
    CHECK(indexes[2].add_all(std::span(documents).first(0), &threads) == 2500);
    for (auto const& each : views) {
        std::array<std::vector<std::string_view>, 2> terms;
        for (std::size_t field = 0; field < 2; ++field) {
            test::whitespace{}.analyze(
                each[field], [&](trawl::token const& t) { terms[field].push_back(t.term); });
        }
        std::array<std::span<std::string_view const>, 2> const fields{terms[0], terms[1]};
        indexes[3].add_terms(fields);
    }
    for (auto& index : indexes) index.erase(77);
    for (int round = 0; round < 30; ++round) {
        auto const text = test::random_text(random, 2);
        CAPTURE(round, text);
        auto const words = indexes[0].search(text, 20);
        auto const phrases = indexes[0].search(trawl::ask::phrase(text, 1), 20);
        for (auto const& index : indexes) {
            CHECK(index.size() == 2499);
            CHECK(index.search(text, 20) == words);
            CHECK(index.search(trawl::ask::phrase(text, 1), 20) == phrases);
            CHECK(index.explain({.text = text}, 5).value
                  == indexes[0].explain({.text = text}, 5).value);
        }
    }
    std::vector<std::span<std::string_view const>> wrong(documents.begin(), documents.begin() + 3);
    wrong[2] = wrong[2].first(1);
    auto& index = indexes[1];
    for (auto const& [code, text] : {error_of([&] { index.add_all(wrong); }),
             error_of([&] { index.add_terms(std::span(wrong)); })}) {
        CHECK(code == errc::invalid_argument);
        CHECK(text.starts_with("bm25f_index::add_"));
        CHECK(text.ends_with(" texts for 2 fields"));
    }
    CHECK(index.size() == 2499);
    CHECK(index.next_id() == 2500);
}
