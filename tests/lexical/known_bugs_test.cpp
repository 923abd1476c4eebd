// SPDX-License-Identifier: MIT
// What users of other engines reported, by the number of ../shared/anchors/lexical.md, section 3;
// and where the test is: 1 empty documents bm25_index_test 2 k beyond the collection
// bm25_index_test 3 unknown words, an empty term bm25_index_test 4 an empty collection
// bm25_index_test 5 idf of frequent terms bm25_test 6 incremental updates bm25_laws_test 7 memory
// here 8 fixed k1 and b here and pruning_test 9 pruning drops true hits pruning_test 10 deletes
// skew N and df bm25_laws_test 11 order of ties, prefixes bm25_laws_test 12 boosts and pruning
// pruning_test 13 Chinese, Japanese here 14 masks and BM25L, BM25+ here 15 PISA's: weights ignored
// bm25_index_test; log(0), stemmer and threads here; impact 0 pruning_test 16 crashes, another
// order on another run here
#include "lexical/whitespace.hpp"

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

using trawl::bm25_variant;
using trawl::doc_id;
using trawl::ranking;

TEST_CASE("8: parameters are the caller's and change scores", "[lexical][known]") {
    // tantivy#2924, #2195: k1 and b cannot be set.
    auto const score = [](trawl::bm25 parameters) {
        test::index index(parameters);
        for (auto const* const text : {"a a a b", "a", "c"}) index.add(text);
        return index.search("a", 1).at(0).score;
    };
    CHECK(score({.k1 = 0.9}) != score({.k1 = 1.2}));
    CHECK(score({.b = 0.4}) != score({.b = 0.75}));
}

TEST_CASE("13: Chinese and Japanese texts are found by their words", "[lexical][known]") {
    // qmd#617: FTS5's unicode61 makes a sentence one token; bm25s, too.
    trawl::bm25_index index;
    index.add("\xE6\x88\x91\xE5\x9C\xA8\xE5\x8C\x97\xE4\xBA\xAC\xE5\xA4\xA7\xE5\xAD\xA6\xE5\xAD\xA6"
              "\xE4\xB9"
              "\xA0"); // 我在北京大学学习
    index.add(
        "\xE6\x9D\xB1\xE4\xBA\xAC\xE9\x83\xBD\xE3\x81\xAB\xE4\xBD\x8F\xE3\x82\x80"); // 東京都に住む
    index.add("refund");
    auto const beijing = index.search("\xE5\x8C\x97\xE4\xBA\xAC", 3); // 北京
    REQUIRE_FALSE(beijing.empty());
    CHECK(beijing[0].id == 0);
    auto const tokyo = index.search("\xE6\x9D\xB1\xE4\xBA\xAC", 3); // 東京
    REQUIRE_FALSE(tokyo.empty());
    CHECK(tokyo[0].id == 1);
}

TEST_CASE(
    "14: no document outside a filter, and none without the term, gets BM25L's or BM25+'s shift",
    "[lexical][known]") {
    auto const variant = GENERATE(bm25_variant::bm25l, bm25_variant::bm25plus);
    test::index index({.variant = variant});
    for (auto const* const text : {"a b", "b c", "a", "c", "d"}) index.add(text);
    trawl::doc_set const allowed(5, {0, 1, 3});
    CHECK(index.search("a c", 10, allowed).size() == 3);
    for (auto const& h : index.search("a", 10)) CHECK((h.id == 0 || h.id == 2));
    auto const scores = index.score({.text = "a"}, std::vector<doc_id>{1, 3, 4});
    for (auto const& h : scores) CHECK(h.score == 0);
    CHECK(index.score({.text = "a"}, std::vector<doc_id>{2, 4}, {.where = allowed}).empty());
}

TEST_CASE("15: no collection makes a logarithm of 0 or below", "[lexical][known]") {
    // PISA#510.
    auto const variant = GENERATE(from_range(test::all_variants()));
    for (int documents : {1, 2, 3}) {
        test::index index({.variant = variant, .k1 = 0, .b = 1});
        for (int i = 0; i < documents; ++i) index.add("a a");
        auto const hits = index.search("a", 10);
        REQUIRE(hits.size() == static_cast<std::size_t>(documents));
        for (auto const& h : hits) CHECK(trawl::detail::is_finite(h.score));
    }
}

TEST_CASE("15: threads stem at once and get what one gets alone", "[lexical][known]") {
    // PISA#390.
    trawl::basic_bm25_index<trawl::english_analyzer> index;
    for (int i = 0; i < 200; ++i) {
        index.add(i % 3 == 0   ? "running horses"
                  : i % 3 == 1 ? "a horse's relational runs"
                               : "related");
    }
    auto const expected = index.search("horses running relation", 50);
    std::vector<ranking> found(4);
    std::vector<std::thread> threads;
    for (auto& hits : found) {
        threads.emplace_back([&] {
            for (int i = 0; i < 20; ++i) hits = index.search("horses running relation", 50);
        });
    }
    for (auto& thread : threads) thread.join();
    for (auto const& hits : found) CHECK(hits == expected);
}

TEST_CASE(
    "7, 16: many terms and any bytes are indexed, the same way each time", "[lexical][known]") {
    auto const build = [] {
        trawl::detail::random random(3);
        trawl::bm25_index index;
        for (int i = 0; i < 300; ++i) {
            std::string text;
            for (auto left = random.below(300); left > 0; --left) {
                text.push_back(static_cast<char>(random.below(256)));
            }
            index.add(text);
        }
        index.add(std::string(100000, 'x'));
        return index;
    };
    auto const first = build();
    auto const second = build();
    for (auto const* const text : {"a", "x y z", "\xFF \xC3", "0 1 2 3"}) {
        CHECK(first.search(text, 300) == second.search(text, 300));
    }
}
