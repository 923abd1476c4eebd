// SPDX-License-Identifier: MIT
#include <trawl/lexical/bm25.hpp>

#include "golden/lexical/scores.hpp"
#include "lexical/whitespace.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

using trawl::bm25;
using trawl::bm25_variant;

namespace {

test::index golden_index(bm25 parameters) {
    test::index index(parameters);
    for (auto const text : golden::documents) index.add(text);
    return index;
}

} // namespace

TEST_CASE("All variants give the scores of bm25s and rank_bm25", "[lexical][bm25][golden]") {
    std::vector<trawl::doc_id> ids(std::size(golden::documents));
    std::iota(ids.begin(), ids.end(), 0u);
    for (auto const& [parameters, query, of_documents] : golden::expected) {
        CAPTURE(trawl::name_of(parameters.variant), parameters.k1, parameters.b, query);
        auto const index = golden_index(parameters);
        auto const hits = index.score({.text = query}, ids);
        REQUIRE(hits.size() == ids.size());
        std::size_t scored = 0;
        for (auto const id : ids) {
            CAPTURE(id);
            REQUIRE(hits[id].id == id);
            CHECK_THAT(static_cast<double>(hits[id].score),
                WithinRel(of_documents[id], 1e-5) || WithinAbs(of_documents[id], 1e-8));
            if (of_documents[id] != 0) ++scored;
        }
        CHECK(index.search(query, ids.size()).size() >= scored);
    }
}

TEST_CASE("The worked example's two documents have rank_bm25's printed scores", "[lexical][bm25][golden]") {
    // ../shared/golden/worked_examples, 12: N = 115, df = 2, tf = 1, k1 = 1.5, b = .75, idf = ln(113.5
    // / 2.5); length / average length = .8926425 and .9528068 give 4.0092 and 3.8983. Lengths of 8926425 and
    // 9528068 tokens and an average of 10^7 are out of reach, so these come to the same ratios to .0001: with
    // average 115000 / 115 = 1000 positions, 893 and 953.
    CHECK_THAT(trawl::detail::idf(bm25_variant::okapi, 115, 2), WithinRel(3.8155121050473024, 1e-14));

    test::index index({.variant = bm25_variant::okapi, .k1 = 1.5});
    auto const document = [&](std::string_view first, std::size_t length) {
        std::vector<std::string_view> terms(length, "filler");
        if (!first.empty()) terms.front() = first;
        index.add_terms(terms);
    };
    document("api/v3", 893);
    document("api/v3", 953);
    for (int i = 0; i < 112; ++i) document("", 1000);
    document("", 115000 - 893 - 953 - 112 * 1000);
    auto const best = index.search("api/v3", 10);
    REQUIRE(best.size() == 2);
    CHECK(best[0].id == 0);
    CHECK(best[1].id == 1);
    CHECK_THAT(static_cast<double>(best[0].score), WithinAbs(4.0092, 1e-3)); // .893 for .8926: .0007 less
    CHECK_THAT(static_cast<double>(best[1].score), WithinAbs(3.8983, 1e-3));

    trawl::detail::tf_part const part(index.parameters(), 1e7);
    auto const score = [&](std::uint32_t length) {
        return 3.8155121050473024 * 2.5 * static_cast<double>(part(1, length));
    };
    CHECK_THAT(score(8926425), WithinAbs(4.0092, 1e-4));
    CHECK_THAT(score(9528068), WithinAbs(3.8983, 1e-4));
}

TEST_CASE("Each variant's idf by hand", "[lexical][bm25]") {
    using trawl::detail::idf;
    // N = 10, df = 2: (8 + .5) / (2 + .5) = 3.4.
    CHECK_THAT(idf(bm25_variant::lucene, 10, 2), WithinRel(std::log(4.4), 1e-14));
    CHECK_THAT(idf(bm25_variant::okapi, 10, 2), WithinRel(std::log(3.4), 1e-14));
    CHECK_THAT(idf(bm25_variant::robertson, 10, 2), WithinRel(std::log(3.4), 1e-14));
    CHECK_THAT(idf(bm25_variant::atire, 10, 2), WithinRel(std::log(5.0), 1e-14));
    // In half the documents: Robertson's odds are 1, Lucene's idf stays positive (rank_bm25#39, #43).
    CHECK(idf(bm25_variant::okapi, 10, 5) == 0);
    CHECK(idf(bm25_variant::robertson, 10, 5) == 0);
    CHECK_THAT(idf(bm25_variant::lucene, 10, 5), WithinRel(std::log(2.0), 1e-14));
    // In all of them.
    CHECK_THAT(idf(bm25_variant::okapi, 10, 10), WithinRel(std::log(0.5 / 10.5), 1e-14));
    CHECK(idf(bm25_variant::robertson, 10, 10) == 0);
    CHECK(idf(bm25_variant::atire, 10, 10) == 0);
    CHECK_THAT(idf(bm25_variant::lucene, 10, 10), WithinRel(std::log(1 + 0.5 / 10.5), 1e-14));
}

TEST_CASE("Lucene's score by hand, without the factor k1 + 1", "[lexical][bm25]") {
    test::index index;
    index.add("a a b");
    index.add("b c c c c");
    // N = 2, df = 1: idf = ln(1 + 1.5 / 1.5) = ln 2. Length 3 of 4 on average: B = .25 + .75 * .75 = .8125.
    // tf part 2 / (2 + 1.2 * .8125) = 2 / 2.975.
    auto const best = index.search("a", 10);
    REQUIRE(best.size() == 1);
    CHECK_THAT(static_cast<double>(best[0].score), WithinRel(std::log(2.0) * 2 / 2.975, 1e-6));
}

TEST_CASE(
    "Okapi's floor is epsilon times the mean idf of all terms, negative ones included", "[lexical][bm25]") {
    // rank_bm25#26: where most terms are frequent the floor itself is negative, and a match stays a match.
    test::index index({.variant = bm25_variant::okapi, .k1 = 1.5, .b = 0, .epsilon = 0.25});
    index.add("a b");
    index.add("a b");
    index.add("a b");
    index.add("a c");
    // N = 4; df: a 4, b 3, c 1. idf: ln(.5 / 4.5), ln(1.5 / 3.5), ln(3.5 / 1.5): the last two cancel.
    // The mean is ln(1 / 9) / 3, the floor a quarter of it. tf part: 1 * 2.5 / (1 + 1.5) = 1.
    auto const floor = 0.25 * std::log(1.0 / 9) / 3;
    auto const best = index.search("a", 10);
    REQUIRE(best.size() == 4);
    for (auto const& h : best) CHECK_THAT(static_cast<double>(h.score), WithinRel(floor, 1e-6));
    CHECK_THAT(static_cast<double>(index.search("c", 1).at(0).score), WithinRel(std::log(3.5 / 1.5), 1e-6));
    // Only documents that share a term, though 0 would be the better score.
    index.add("d");
    CHECK(index.search("a", 10).size() == 4);
}

TEST_CASE("k1 = 0 asks only whether a term is there, b = 0 forgets lengths", "[lexical][bm25]") {
    test::index once({.k1 = 0});
    once.add("a a a b c d e");
    once.add("a");
    once.add("z");
    auto const best = once.search("a", 3);
    REQUIRE(best.size() == 2);
    CHECK(best[0].score == best[1].score);
    CHECK(best[0].id == 0); // a tie: the lower id first

    test::index flat({.b = 0});
    flat.add("a b c d e f g");
    flat.add("a");
    auto const same = flat.search("a", 3);
    REQUIRE(same.size() == 2);
    CHECK(same[0].score == same[1].score);
}

TEST_CASE("Parameters outside their range are refused by name", "[lexical][bm25]") {
    auto const nan = std::numeric_limits<double>::quiet_NaN();
    auto const infinity = std::numeric_limits<double>::infinity();
    CHECK_NOTHROW(bm25{}.validate());
    CHECK_NOTHROW((bm25{.k1 = 0, .b = 0, .epsilon = 0}.validate()));
    CHECK_NOTHROW((bm25{.k1 = 1000, .b = 1}.validate()));
    for (auto const& [bad, name] : {std::pair{bm25{.k1 = -1}, "k1"}, {bm25{.k1 = nan}, "k1"},
             {bm25{.k1 = infinity}, "k1"}, {bm25{.k1 = 1001}, "k1"}, {bm25{.b = -0.1}, "b"},
             {bm25{.b = 1.1}, "b"}, {bm25{.b = nan}, "b"}, {bm25{.epsilon = -1}, "epsilon"},
             {bm25{.epsilon = nan}, "epsilon"}, {bm25{.variant = bm25_variant{17}}, "variant 17"}}) {
        CAPTURE(name);
        try {
            test::index index(bad);
            FAIL("not refused");
        } catch (trawl::error const& e) {
            CHECK(std::string(e.what()).find(name) != std::string::npos);
        }
    }
    try {
        test::index index({.k1 = -1});
        FAIL("not refused");
    } catch (trawl::error const& e) {
        CHECK(e.code() == trawl::errc::invalid_argument);
        CHECK(std::string(e.what()) == "bm25: k1 must be in [0, 1000], is -1");
    }
    try {
        test::index index({.b = nan});
        FAIL("not refused");
    } catch (trawl::error const& e) {
        CHECK(e.code() == trawl::errc::not_finite);
    }
}
