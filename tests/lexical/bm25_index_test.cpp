// SPDX-License-Identifier: MIT
#include <trawl/lexical/bm25_index.hpp>

#include "lexical/whitespace.hpp"
#include <trawl/detail/floating_point.hpp>

#include "support/catch.hpp"

#include <limits>
#include <string>
#include <thread>
#include <vector>

using trawl::doc_id;
using trawl::errc;
using trawl::query;
using trawl::ranking;
using trawl::search_options;
using trawl::weighted_term;

namespace {

std::vector<doc_id> ids_of(ranking const& hits) {
    std::vector<doc_id> ids;
    for (auto const& h : hits) ids.push_back(h.id);
    return ids;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

template <class Call>
void check_error(errc code, std::string const& part, Call&& call) {
    CAPTURE(part);
    try {
        call();
        FAIL("no error");
    } catch (trawl::error const& e) {
        CHECK(e.code() == code);
        CHECK(contains(e.what(), part));
    }
}

} // namespace

TEST_CASE("An identifier finds its document first, its twin behind it, a path its beginning",
    "[lexical][index]") {
    trawl::bm25_index index;
    index.add("PROD-4871 refund policy");
    index.add("PROD-4817 refund policy");
    index.add("GET /api/v3/cursors lists cursors");
    index.add("Straße und Gültigkeit");
    CHECK(ids_of(index.search("prod-4817", 10)) == std::vector<doc_id>{1, 0});
    auto const twins = index.search("PROD-4817", 10);
    CHECK(twins[0].score > twins[1].score);
    CHECK(ids_of(index.search("api/v3", 10)) == std::vector<doc_id>{2});
    CHECK(ids_of(index.search("strasse gultigkeit", 10)) == std::vector<doc_id>{3});
}

TEST_CASE(
    "A document's length is the number of its positions, not of its tokens", "[lexical][index]") {
    struct doubled { // every word twice at one position
        void analyze(std::string_view text, trawl::token_sink sink) const {
            test::whitespace{}.analyze(text, [&](trawl::token const& t) {
                sink(t);
                sink(t);
            });
        }
    };
    trawl::basic_bm25_index<doubled> index;
    index.add("a b c");
    auto const why = index.explain({.text = "a"}, 0);
    auto const text = trawl::to_text(why);
    CHECK(contains(text, "2 tf, occurrences in the document"));
    CHECK(contains(text, "3 length of the document"));
}

TEST_CASE("Empty texts are documents: they shift no id, and count in N and in the average length",
    "[lexical][index]") {
    // bm25s#60, #127: empty documents shifted ids and gave wrong scores.
    test::index index;
    index.add("");
    index.add("a b");
    index.add("  ");
    index.add("a");
    CHECK(index.size() == 4);
    CHECK(index.contains(0));
    CHECK(ids_of(index.search("a", 10)) == std::vector<doc_id>{3, 1});
    auto const text = trawl::to_text(index.explain({.text = "a"}, 3));
    CHECK(contains(text, "4 N, documents"));
    CHECK(contains(text, "0.75 average length"));
    CHECK(index.score({.text = "a"}, std::vector<doc_id>{0}) == std::vector<trawl::hit>{{0, 0.0f}});

    test::index only_empty;
    only_empty.add("");
    CHECK(only_empty.search("a", 5).empty());
}

TEST_CASE("What asks for nothing gets nothing", "[lexical][index]") {
    auto const variant = GENERATE(from_range(test::all_variants()));
    test::index index({.variant = variant});
    // An empty corpus: bm25s' ValueError, rank_bm25#7's ZeroDivisionError.
    CHECK(index.search("a", 10).empty());
    CHECK(index.explain({.text = "a"}, 0).value == 0);
    CHECK(index.score({.text = "a"}, std::vector<doc_id>{0, 7}).empty());

    index.add("a b");
    index.add("b c");
    CHECK(index.search("a", 0).empty());
    CHECK(index.search("", 10).empty());
    CHECK(index.search("   ", 10).empty());
    CHECK(index.search(query{}, {}).empty());
    CHECK(index.search("unknown", 10).empty()); // bm25s#91, #92: an unknown word raised
    CHECK(ids_of(index.search("unknown a", 10)) == std::vector<doc_id>{0});
    trawl::doc_set const none(2);
    CHECK(index.search("a", 10, none).empty());
    CHECK(index.search({.text = "a"}, {.where = none, .statistics = trawl::statistics::eligible})
              .empty());
    std::vector<float> const vector{1, 2};
    CHECK(index.search({.vector = vector}, {}).empty());
}

TEST_CASE("k beyond the number of documents gives all matches", "[lexical][index]") {
    test::index index; // bm25s#116: an error there
    index.add("a");
    index.add("b");
    index.add("a b");
    CHECK(ids_of(index.search("a", 1000)) == std::vector<doc_id>{0, 2});
    CHECK(index.search("a", (std::numeric_limits<std::size_t>::max)()).size() == 2);
}

TEST_CASE("Ids ascend, gaps are allowed and cost nothing", "[lexical][index]") {
    test::index index;
    CHECK(index.next_id() == 0);
    CHECK(index.add("a") == 0);
    CHECK(index.add(7, "a b") == 7);
    CHECK(index.add("b") == 8);
    CHECK(index.add(4'000'000'000u, "a c") == 4'000'000'000u);
    CHECK(index.next_id() == 4'000'000'001u);
    CHECK(index.size() == 4);
    CHECK(ids_of(index.search("b c", 10)) == std::vector<doc_id>{4'000'000'000u, 8, 7});
    for (doc_id const id : {0u, 7u, 8u, 4'000'000'000u}) CHECK(index.contains(id));
    for (doc_id const id : {1u, 6u, 9u, 3'999'999'999u, trawl::no_doc})
        CHECK_FALSE(index.contains(id));

    check_error(errc::id_order, "id 8 is below the next id 4000000001", [&] { index.add(8, "x"); });
    check_error(errc::invalid_argument, "0xFFFFFFFF", [&] { index.add(trawl::no_doc, "x"); });
    std::vector<std::string_view> const terms{"x"};
    check_error(errc::id_order, "id 8", [&] { index.add_terms(8, terms); });
    CHECK(index.size() == 4);
    CHECK(index.search("x", 10).empty());

    index.add(trawl::no_doc - 1, "a");
    check_error(errc::invalid_argument, "0xFFFFFFFF", [&] { index.add("a"); });
}

TEST_CASE("Erasing and updating keep ids", "[lexical][index]") {
    test::index index;
    index.add("a");
    index.add("a b");
    CHECK(index.erase(0));
    CHECK_FALSE(index.erase(0));
    CHECK_FALSE(index.erase(99));
    CHECK_FALSE(index.contains(0));
    CHECK(index.size() == 1);
    CHECK(index.next_id() == 2);
    CHECK(ids_of(index.search("a", 10)) == std::vector<doc_id>{1});
    index.update(1, "c c");
    CHECK(index.search("a b", 10).empty());
    CHECK(ids_of(index.search("c", 10)) == std::vector<doc_id>{1});
    CHECK_FALSE(index.update(0, "a"));
    CHECK_FALSE(index.update(2, "a"));
    // The last document erased: its id stays retired.
    CHECK(index.erase(1));
    CHECK(index.add("c") == 2);
}

TEST_CASE("Documents analysed already score as their text", "[lexical][index]") {
    test::index texts;
    test::index terms;
    texts.add("a b a");
    texts.add("b c");
    std::vector<std::string_view> const first{"a", "b", "a"};
    std::vector<std::string_view> const second{"b", "c"};
    CHECK(terms.add_terms(first) == 0);
    CHECK(terms.add_terms(second) == 1);
    CHECK(texts.search("a b", 5) == terms.search("a b", 5));
}

TEST_CASE("Weighted terms replace the text, and repeated ones add up", "[lexical][index]") {
    test::index index;
    index.add("a b");
    index.add("b c");
    index.add("c");
    std::vector<weighted_term> const twice{{"b", 2}};
    std::vector<weighted_term> const repeated{{"b", 0.5}, {"b"}, {"b", 0.5}};
    auto const expected = index.search({.terms = twice}, {});
    CHECK(expected.size() == 2);
    CHECK(expected == index.search({.text = "a", .terms = repeated}, {}));
    CHECK(expected == index.search("b b", 10)); // in a text too
    CHECK(expected[0].score == 2 * index.search("b", 10)[0].score);

    // A weight of 0 leaves a term out, documents and all.
    std::vector<weighted_term> const silent{{"a", 0}, {"c", 1}};
    CHECK(ids_of(index.search({.terms = silent}, {})) == std::vector<doc_id>{2, 1});

    auto const refused = [&](errc code, std::string const& part, double weight) {
        std::vector<weighted_term> const bad{{"c"}, {"b", weight}};
        check_error(code, part, [&] { (void)index.search({.terms = bad}, {}); });
        check_error(code, part, [&] { (void)index.score({.terms = bad}, std::vector<doc_id>{0}); });
        check_error(code, part, [&] { (void)index.explain({.terms = bad}, 0); });
    };
    refused(errc::invalid_argument, "the weight of the term 'b' must be a number >= 0, is -1", -1);
    refused(errc::not_finite, "is nan", std::numeric_limits<double>::quiet_NaN());
    refused(errc::not_finite, "is inf", std::numeric_limits<double>::infinity());
    refused(errc::invalid_argument, "of the term 'b' is too large", 1e300);
    std::vector<weighted_term> const large{{"a", 8e37}, {"b", 8e37}, {"c", 8e37}};
    check_error(errc::invalid_argument, "allow scores up to",
        [&] { (void)index.search({.terms = large}, {}); });
    // Unknown terms are checked alike.
    std::vector<weighted_term> const unknown{{"zz", -1}};
    check_error(
        errc::invalid_argument, "'zz'", [&] { (void)index.search({.terms = unknown}, {}); });
    // The smallest and the largest weights that go.
    std::vector<weighted_term> const tiny{{"b", 1e-300}};
    CHECK(index.search({.terms = tiny}, {}).size() == 2);
    std::vector<weighted_term> const huge{{"b", 1e37}};
    CHECK(trawl::detail::is_finite(index.search({.terms = huge}, {})[0].score));
}

TEST_CASE("An empty term and terms of any bytes are terms", "[lexical][index]") {
    test::index index; // bm25s: "" raises
    std::vector<std::string_view> const terms{"", std::string_view("\0\xff", 2)};
    index.add_terms(terms);
    std::vector<weighted_term> const asked{{""}, {std::string_view("\0\xff", 2)}};
    CHECK(index.search({.terms = asked}, {}).size() == 1);
}

TEST_CASE("score keeps the order given and leaves out what is not there", "[lexical][index]") {
    test::index index;
    index.add("a");
    index.add("b");
    index.add(5, "a a b");
    index.add("a");
    index.erase(6);
    auto const hits = index.score({.text = "a"}, std::vector<doc_id>{5, 3, 1, 6, 0, 77, 5});
    CHECK(ids_of(hits) == std::vector<doc_id>{5, 1, 0, 5});
    auto const best = index.search("a", 10);
    CHECK(hits[0] == (best[0].id == 5 ? best[0] : best[1]));
    CHECK(hits[1].score == 0);
    CHECK(hits[3] == hits[0]);
    CHECK(index.score({.text = "a"}, {}).empty());
    // Words that say nothing are a query, no words are none.
    CHECK(index.score({.text = " "}, std::vector<doc_id>{0}) == std::vector<trawl::hit>{{0, 0.0f}});
    CHECK(index.score({}, std::vector<doc_id>{0}).empty());
    // What the filter keeps out is not there.
    trawl::doc_set const some(10, {1, 5});
    CHECK(ids_of(index.score({.text = "a"}, std::vector<doc_id>{0, 5, 1}, {.where = some}))
          == std::vector<doc_id>{5, 1});
}

TEST_CASE("A match counts whatever its score", "[lexical][index]") {
    test::index index({.variant = trawl::bm25_variant::robertson});
    index.add("a b");
    index.add("a");
    index.add("c");
    // a is in most documents: its idf is 0.
    auto const hits = index.search("a", 10);
    CHECK(hits == ranking{{0, 0.0f}, {1, 0.0f}});
    CHECK(index.explain({.text = "a"}, 0).label != "no match");
    CHECK(index.explain({.text = "a"}, 2).label == "no match");
}

TEST_CASE("An explanation shows what the score is made of", "[lexical][index][explain]") {
    test::index index({.variant = trawl::bm25_variant::atire, .k1 = 1.5});
    index.add("a a b");
    index.add("b");
    std::vector<weighted_term> const asked{{"a", 3}, {"b"}, {"c", 9}};
    auto const why = index.explain({.terms = asked}, 0);
    CHECK(trawl::adds_up(why));
    CHECK(why.value == static_cast<double>(index.search({.terms = asked}, {})[0].score));
    auto const text = trawl::to_text(why);
    CAPTURE(text);
    for (auto const* line : {"bm25, atire", "term 'a'", "term 'b'", "2 N, documents",
             "1 df, documents", "3 weight in the query", "2.5 k1 + 1", "2 tf, occurrences",
             "3 length of the document", "2 average length", "1.5 k1", "0.75 b"}) {
        CHECK(contains(text, line));
    }
    for (auto const id : {7u, trawl::no_doc}) {
        auto const nothing = index.explain({.terms = asked}, id);
        CHECK(nothing.op == trawl::operation::leaf);
        CHECK(nothing.label == "no match");
        CHECK(nothing.value == 0);
    }
}

TEST_CASE("A search that is told to stop returns early", "[lexical][index]") {
    test::index index;
    for (int i = 0; i < 10000; ++i) index.add("a");
    int polled = 0;
    auto const second = [](void* calls) { return ++*static_cast<int*>(calls) == 2; };
    auto const hits =
        index.search({.text = "a"}, {.k = 10000, .stop = second, .stop_context = &polled});
    CHECK(polled == 2);
    CHECK_FALSE(hits.empty());
    CHECK(hits.size() < 10000);
    // As a filter's candidates are looked up one by one, too.
    auto const at_once = [](void*) { return true; };
    trawl::doc_set const one(10000, {3});
    CHECK(index.search({.text = "a"}, {.where = one}).size() == 1);
    CHECK(index.search({.text = "a"}, {.where = one, .stop = at_once}).empty());
}

TEST_CASE("A copy shares nothing", "[lexical][index]") {
    test::index first;
    first.add("a b");
    test::index second(first);
    second.add("a c");
    first.erase(0);
    CHECK(first.search("a", 10).empty());
    CHECK(second.search("a c", 10).size() == 2);
    auto const moved = std::move(second);
    CHECK(moved.search("a c", 10).size() == 2);
}

TEST_CASE("A writer that fails changes nothing", "[lexical][index]") {
    struct failing {
        void analyze(std::string_view text, trawl::token_sink sink) const {
            test::whitespace{}.analyze(text, [&](trawl::token const& t) {
                if (t.term == "fail") throw std::runtime_error("analyzer");
                sink(t);
            });
        }
    };
    trawl::basic_bm25_index<failing> index({.variant = trawl::bm25_variant::okapi});
    index.add("a b");
    index.add("a");
    index.add("a c");
    auto const before = index.search("a b", 10);
    CHECK_THROWS_AS(index.add("new words fail"), std::runtime_error);
    CHECK_THROWS_AS(index.update(0, "other words fail"), std::runtime_error);
    CHECK(index.size() == 3);
    CHECK(index.next_id() == 3);
    CHECK(index.search("a b", 10) == before); // okapi's mean over the vocabulary too
    CHECK(index.search("new words other", 10).empty());
}

TEST_CASE("Many threads may search at once", "[lexical][index]") {
    test::index index;
    for (int i = 0; i < 2000; ++i) index.add(std::to_string(i % 7) + " " + std::to_string(i % 11));
    auto const expected = index.search("3 5", 20);
    std::vector<ranking> found(8);
    std::vector<std::thread> threads;
    for (auto& hits : found) threads.emplace_back([&] { hits = index.search("3 5", 20); });
    for (auto& thread : threads) thread.join();
    for (auto const& hits : found) CHECK(hits == expected);
}
