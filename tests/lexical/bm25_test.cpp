// SPDX-License-Identifier: MIT
#include <trawl/lexical/bm25.hpp>

#include "golden/lexical/scores.hpp"
#include "golden/lexical/xapian.hpp"
#include "lexical/whitespace.hpp"

#include "support/catch.hpp"
#include <trawl/lexical/detail/scoring/idf.hpp>
#include <trawl/lexical/detail/scoring/tf_factor.hpp>

#include <cmath>
#include <limits>
#include <numeric>
#include <span>
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

void check_golden(std::span<golden::scores const> all) {
    std::vector<trawl::doc_id> ids(std::size(golden::documents));
    std::iota(ids.begin(), ids.end(), 0u);
    for (auto const& [parameters, query, of_documents] : all) {
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

} // namespace

TEST_CASE("The variants give the scores of bm25s, rank_bm25, FTS5, Tantivy and Xapian",
    "[lexical][bm25][golden]") {
    check_golden(golden::expected);
    check_golden(golden::xapian);
}

TEST_CASE("The worked example's two documents have rank_bm25's printed scores",
    "[lexical][bm25][golden]") {
    // ../shared/golden/worked_examples, 12: N = 115, df = 2, tf = 1, k1 = 1.5, b = .75, idf =
    // ln(113.5 / 2.5); length / average length = .8926425 and .9528068 give 4.0092 and 3.8983.
    // Lengths of 8926425 and 9528068 tokens and an average of 10^7 are out of reach, so these come
    // to the same ratios to .0001: with average 115000 / 115 = 1000 positions, 893 and 953.
    CHECK_THAT(
        trawl::detail::idf(bm25_variant::okapi, 115, 2), WithinRel(3.8155121050473024, 1e-14));

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
    // .893 for .8926: .0007 less
    CHECK_THAT(static_cast<double>(best[0].score), WithinAbs(4.0092, 1e-3));
    CHECK_THAT(static_cast<double>(best[1].score), WithinAbs(3.8983, 1e-3));

    trawl::detail::tf_factor const part(index.parameters(), 1e7);
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
    // In half the documents: Robertson's odds are 1, Lucene's idf stays positive (rank_bm25#39,
    // #43).
    CHECK(idf(bm25_variant::okapi, 10, 5) == 0);
    CHECK(idf(bm25_variant::robertson, 10, 5) == 0);
    CHECK_THAT(idf(bm25_variant::lucene, 10, 5), WithinRel(std::log(2.0), 1e-14));
    // In all of them.
    CHECK_THAT(idf(bm25_variant::okapi, 10, 10), WithinRel(std::log(0.5 / 10.5), 1e-14));
    CHECK(idf(bm25_variant::robertson, 10, 10) == 0);
    CHECK(idf(bm25_variant::atire, 10, 10) == 0);
    CHECK_THAT(idf(bm25_variant::lucene, 10, 10), WithinRel(std::log(1 + 0.5 / 10.5), 1e-14));
}

TEST_CASE("The idfs of the other variants by hand", "[lexical][bm25]") {
    using trawl::detail::idf;
    // N = 10, df = 2: odds 8.5 / 2.5 = 3.4; df = 5: 1; df = 9: 1.5 / 9.5.
    CHECK_THAT(idf(bm25_variant::bm25l, 10, 2), WithinRel(std::log(11 / 2.5), 1e-14));
    CHECK_THAT(idf(bm25_variant::bm25plus, 10, 2), WithinRel(std::log(11 / 2.0), 1e-14));
    CHECK_THAT(idf(bm25_variant::tf_ldp, 10, 2), WithinRel(std::log(11 / 2.0), 1e-14));
    for (auto const variant : {bm25_variant::fts5, bm25_variant::pisa}) {
        CHECK_THAT(idf(variant, 10, 2), WithinRel(std::log(3.4), 1e-14));
        CHECK(idf(variant, 10, 5) == 1e-6);
        CHECK(idf(variant, 10, 9) == 1e-6);
    }
    CHECK_THAT(idf(bm25_variant::tantivy, 10, 5), WithinRel(std::log(2.0), 1e-14));
    CHECK_THAT(idf(bm25_variant::xapian, 10, 2), WithinRel(std::log(3.4), 1e-14));
    CHECK_THAT(idf(bm25_variant::xapian, 10, 5), WithinRel(std::log(1.5), 1e-14)); // 1 / 2 + 1
    // At 2 the two ways meet: N = 14, df = 4: 10.5 / 4.5 = 2.33; N = 13, df = 4: 9.5 / 4.5 = 2.11,
    // above.
    CHECK_THAT(idf(bm25_variant::xapian, 13, 4), WithinRel(std::log(9.5 / 4.5), 1e-14));
}

TEST_CASE("PISA's and TF_l.delta.p's scores by hand", "[lexical][bm25]") {
    // N = 4, lengths 3, 5, 1, 3: 3 on average. "a" is in the first only: odds 3.5 / 1.5.
    auto const score = [](bm25 parameters) {
        test::index index(parameters);
        for (auto const* const text : {"a a b", "b c c c c", "c", "d d d"}) index.add(text);
        return static_cast<double>(index.search("a", 1).at(0).score);
    };
    // B = 1: 2 * 1.9 / (2 + .9).
    CHECK_THAT(score(bm25::as_run_by(bm25_variant::pisa)),
        WithinRel(std::log(3.5 / 1.5) * 2 * 1.9 / 2.9, 1e-6));
    // 1 + ln(1 + ln(2 / 1 + 1)) = 1.7413; idf ln 5.
    CHECK_THAT(score({.variant = bm25_variant::tf_ldp}),
        WithinRel(std::log(5.0) * (1 + std::log(1 + std::log(3.0))), 1e-6));
    // delta = 2 and tf / B = 2.
    CHECK_THAT(score({.variant = bm25_variant::tf_ldp, .delta = 2}),
        WithinRel(std::log(5.0) * (1 + std::log(1 + std::log(4.0))), 1e-6));
}

TEST_CASE("A byte keeps lengths as Lucene's SmallFloat does", "[lexical][bm25]") {
    using trawl::detail::lucene_byte_length;
    // Lucene's SmallFloat.byte4ToInt of the bytes 0 to 255 begins 0 … 40, 42, 44, …, 54, 56, 60,
    // 64, …
    for (std::uint32_t length = 0; length <= 40; ++length)
        CHECK(lucene_byte_length(length) == length);
    for (auto const& [length, kept] :
        {std::pair{41u, 40u}, {42u, 42u}, {43u, 42u}, {55u, 54u}, {57u, 56u}, {59u, 56u},
            {60u, 60u}, {87u, 84u}, {88u, 88u}, {95u, 88u}, {96u, 96u}, {1000u, 984u}}) {
        CAPTURE(length);
        CHECK(lucene_byte_length(length) == kept);
    }
    std::uint32_t before = 0;
    std::size_t different = 1;
    for (std::uint32_t length = 1; length < 200000; ++length) {
        auto const kept = lucene_byte_length(length);
        REQUIRE(kept >= before);
        REQUIRE(kept <= length);
        REQUIRE(lucene_byte_length(kept) == kept);
        if (kept != before) ++different;
        before = kept;
    }
    CHECK(different <= 256);
}

TEST_CASE("Variants have names, and a wrong name is told the right ones", "[lexical][bm25]") {
    for (std::size_t i = 0; i < trawl::detail::bm25_variants; ++i) {
        auto const variant = static_cast<bm25_variant>(i);
        CHECK(trawl::bm25_variant_named(trawl::name_of(variant)) == variant);
        CHECK_NOTHROW(bm25::as_run_by(variant).validate());
        CHECK(bm25::as_run_by(variant).variant == variant);
    }
    try {
        (void)trawl::bm25_variant_named("BM25");
        FAIL("not refused");
    } catch (trawl::error const& e) {
        CHECK(std::string(e.what()).find("no variant 'BM25'; there are lucene, okapi, ")
              != std::string::npos);
    }
}

TEST_CASE("Lucene's score by hand, without the factor k1 + 1", "[lexical][bm25]") {
    test::index index;
    index.add("a a b");
    index.add("b c c c c");
    // N = 2, df = 1: idf = ln(1 + 1.5 / 1.5) = ln 2. Length 3 of 4 on average: B = .25 + .75 * .75
    // = .8125. tf factor 2 / (2 + 1.2 * .8125) = 2 / 2.975.
    auto const best = index.search("a", 10);
    REQUIRE(best.size() == 1);
    CHECK_THAT(static_cast<double>(best[0].score), WithinRel(std::log(2.0) * 2 / 2.975, 1e-6));
}

TEST_CASE("Okapi's floor is epsilon times the mean idf of all terms, negative ones included",
    "[lexical][bm25]") {
    // rank_bm25#26: where most terms are frequent the floor itself is negative, and a match stays a
    // match.
    test::index index({.variant = bm25_variant::okapi, .k1 = 1.5, .b = 0, .epsilon = 0.25});
    index.add("a b");
    index.add("a b");
    index.add("a b");
    index.add("a c");
    // N = 4; df: a 4, b 3, c 1. idf: ln(.5 / 4.5), ln(1.5 / 3.5), ln(3.5 / 1.5): the last two
    // cancel. The mean is ln(1 / 9) / 3, the floor a quarter of it. tf factor: 1 * 2.5 / (1 + 1.5) =
    // 1.
    auto const floor = 0.25 * std::log(1.0 / 9) / 3;
    auto const best = index.search("a", 10);
    REQUIRE(best.size() == 4);
    for (auto const& h : best) CHECK_THAT(static_cast<double>(h.score), WithinRel(floor, 1e-6));
    CHECK_THAT(static_cast<double>(index.search("c", 1).at(0).score),
        WithinRel(std::log(3.5 / 1.5), 1e-6));
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
             {bm25{.epsilon = nan}, "epsilon"}, {bm25{.delta = -1}, "delta"},
             {bm25{.variant = bm25_variant::tf_ldp, .delta = 0.5}, "delta"}, {bm25{.k3 = -1}, "k3"},
             {bm25{.least_length = infinity}, "least_length"},
             {bm25{.lengths = trawl::length_code{2}}, "length code 2"},
             {bm25{.variant = bm25_variant{17}}, "variant 17"}}) {
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
