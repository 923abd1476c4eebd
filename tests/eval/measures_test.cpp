// SPDX-License-Identifier: MIT
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/average_precision.hpp>
#include <trawl/eval/cutoff_measures.hpp>
#include <trawl/eval/measure.hpp>
#include <trawl/eval/ndcg.hpp>
#include <trawl/eval/set_measures.hpp>
#include <trawl/eval/user_models.hpp>

#include <cmath>

#include <trawl/detail/random.hpp>

#include "support/catch.hpp"

namespace {

// A ranking of these documents.
trawl::ranking ranked(std::initializer_list<trawl::doc_id> ids) {
    trawl::ranking out;
    for (auto const id : ids) out.push_back({id, 10.0f - static_cast<float>(out.size())});
    return out;
}

struct random_query {
    trawl::ranking ranking;
    trawl::judgements judged;
};

random_query make_query(trawl::detail::random& random, int lowest) {
    std::vector<trawl::doc_id> ids;
    for (trawl::doc_id id = 0; id < 40; ++id) ids.push_back(id);
    random.shuffle(std::span(ids));
    random_query out;
    for (std::size_t i = 0; i < random.below(30); ++i)
        out.ranking.push_back({ids[i], -static_cast<float>(i)});
    std::vector<trawl::judgement> judged;
    for (trawl::doc_id id = 0; id < 40; ++id) {
        if (random.below(3) == 0)
            judged.push_back({id, lowest + static_cast<int>(random.below(5))});
    }
    out.judged = trawl::judgements(judged);
    return out;
}

} // namespace

TEST_CASE("measures of the worked queries", "[eval][worked]") {
    // q_cursor, dense: D022-2, D022-1, D022-4; relevant D022-2.
    auto const cursor = ranked({2, 1, 4});
    CHECK(trawl::hit_rate{.k = 3}(cursor, {{2, 1}}) == 1);
    CHECK(trawl::hit_rate{.k = 1}(cursor, {{2, 1}}) == 1);

    // Five retrieved, the first one relevant.
    auto const five = ranked({10, 11, 12, 13, 14});
    trawl::judgements const one{{10, 1}, {77, 1}, {78, 1}, {79, 1}};
    CHECK(trawl::hit_rate{.k = 5}(five, one) == 1);
    CHECK_THAT(trawl::precision{.k = 5}(five, one), WithinAbs(.2, 1e-15));
    CHECK(trawl::reciprocal_rank{}(five, one) == 1);
    CHECK(trawl::recall{.k = 5}(five, one) == .25);

    // q_token, relevant D002-1 (here 21): third in dense, second in BM25, first in the fused list.
    trawl::judgements const token{{21, 1}};
    auto const dense = ranked({42, 331, 21, 51, 161});
    auto const lexical = ranked({211, 21, 331, 22, 163});
    auto const fused = ranked({21, 331, 42, 211, 22});
    CHECK(trawl::hit_rate{.k = 1}(dense, token) == 0);
    CHECK(trawl::hit_rate{.k = 1}(fused, token) == 1);
    CHECK_THAT(trawl::reciprocal_rank{}(dense, token), WithinAbs(1.0 / 3, 1e-15));
    CHECK(trawl::reciprocal_rank{}(lexical, token) == .5);
    CHECK(trawl::reciprocal_rank{.k = 2}(dense, token) == 0);
    CHECK_THAT(trawl::ndcg{.k = 5}(dense, token), WithinAbs(.5, 1e-15));
    CHECK_THAT(trawl::ndcg{.k = 5}(lexical, token), WithinAbs(.6309, 5e-5));
    CHECK(trawl::ndcg{.k = 5}(fused, token) == 1);
}

TEST_CASE("nDCG of graded judgements, calculated by hand", "[eval][ndcg]") {
    // Grades by rank: 3, 2, -, 1; one more document of grade 2 is not retrieved.
    auto const hits = ranked({1, 2, 3, 4});
    trawl::judgements const judged{{1, 3}, {2, 2}, {4, 1}, {9, 2}, {8, 0}, {7, -1}};
    auto const l = [](double x) { return std::log2(x); };
    auto const ideal = 3 + 2 / l(3) + 2 / l(4) + 1 / l(5);
    CHECK_THAT(trawl::ndcg{}(hits, judged), WithinRel((3 + 2 / l(3) + 1 / l(5)) / ideal, 1e-14));
    CHECK_THAT(trawl::ndcg{.k = 2}(hits, judged), WithinRel(1.0, 1e-14));
    CHECK_THAT(trawl::ndcg{.k = 3}(hits, judged),
        WithinRel((3 + 2 / l(3)) / (3 + 2 / l(3) + 2 / l(4)), 1e-14));
    auto const exponential = 7 + 3 / l(3) + 3 / l(4) + 1 / l(5);
    CHECK_THAT((trawl::ndcg{.gain = trawl::gain::exponential}(hits, judged)),
        WithinRel((7 + 3 / l(3) + 1 / l(5)) / exponential, 1e-14));
    // Grade 1 worth 10, grade 3 still 3: the ideal order changes.
    CHECK_THAT((trawl::ndcg{.gains = {{1, 10.0}}}(hits, judged)),
        WithinRel((3 + 2 / l(3) + 10 / l(5)) / (10 + 3 / l(3) + 2 / l(4) + 2 / l(5)), 1e-14));
}

TEST_CASE(
    "average precision divides by all relevant documents, or by those within reach", "[eval]") {
    auto const hits = ranked({1, 2, 3, 4, 5});
    trawl::judgements const judged{{2, 1}, {4, 1}, {77, 1}, {78, 1}};
    CHECK_THAT(trawl::average_precision{}(hits, judged), WithinRel((.5 + .5) / 4, 1e-14));
    CHECK_THAT(trawl::average_precision{.k = 3}(hits, judged), WithinRel(.5 / 4, 1e-14));
    CHECK_THAT((trawl::average_precision{.k = 3, .over_reachable = true}(hits, judged)),
        WithinRel(.5 / 3, 1e-14));
}

TEST_CASE("bpref of a query without judged non-relevant documents is no NaN", "[eval][bpref]") {
    auto const hits = ranked({1, 2, 3}); // ranx gives NaN here (its issue 66)
    CHECK(trawl::bpref{}(hits, {{1, 1}, {3, 1}}) == 1);
    // One judged non-relevant above the second of two relevant: 1 - 1 / min(1, 2).
    CHECK(trawl::bpref{}(hits, {{1, 1}, {2, 0}, {3, 1}}) == .5);
}

TEST_CASE("RBP, its residual and ERR, calculated by hand", "[eval]") {
    auto const hits = ranked({1, 2, 3, 4});
    trawl::judgements const judged{{1, 1}, {3, 2}, {4, 0}};
    CHECK_THAT(
        (trawl::rank_biased_precision{.p = .5}(hits, judged)), WithinRel(.5 * (.5 + .25), 1e-14));
    CHECK_THAT(
        (trawl::rank_biased_residual{.p = .5}(hits, judged)), WithinRel(.0625 + .5 * .5, 1e-14));
    CHECK(trawl::rank_biased_residual{}(ranked({1, 4}), judged) == 0);
    // Stops: 1/16 at rank 1, 3/16 at rank 3.
    CHECK_THAT(trawl::expected_reciprocal_rank{}(hits, judged),
        WithinRel(1.0 / 16 + 15.0 / 16 * 3 / 16 / 3, 1e-14));
}

TEST_CASE("the judged share counts what is there, the unjudged share what could be", "[eval]") {
    trawl::judgements const judged{{1, 1}, {2, -1}, {3, 0}};
    auto const hits = ranked({1, 2, 3, 9});
    CHECK(trawl::judged_share{.k = 2}(hits, judged) == .5);
    CHECK(trawl::judged_share{.k = 10}(hits, judged) == .5);
    CHECK(trawl::unjudged_share{.k = 10}(hits, judged) == .2);
    CHECK(trawl::judged_share{}(trawl::ranking{}, judged) == 1);
    CHECK(trawl::unjudged_share{}(trawl::ranking{}, judged) == 0);
}

TEST_CASE(
    "only judged documents count where asked, and the level decides what is relevant", "[eval]") {
    auto const hits = ranked({9, 2, 8, 1});
    trawl::judgements const judged{{1, 2}, {2, 1}, {8, -1}};
    CHECK(trawl::reciprocal_rank{}(trawl::assess(hits, judged)) == .5);
    CHECK(trawl::reciprocal_rank{}(trawl::assess(hits, judged, {.judged_only = true})) == 1);
    CHECK(trawl::reciprocal_rank{}(trawl::assess(hits, judged, {.level = 2})) == .25);
    CHECK(trawl::reciprocal_rank{}(trawl::assess(hits, judged, {.level = 2, .judged_only = true}))
          == .5);
    CHECK(trawl::reciprocal_rank{}(trawl::assess(hits, judged, {.depth = 1})) == 0);
    CHECK(trawl::recall{}(trawl::assess(hits, judged, {.level = 2, .depth = 3})) == 0);
}

TEST_CASE("every measure of an empty ranking or of no judgements is a number", "[eval]") {
    auto const hits = ranked({1, 2, 3});
    trawl::judgements const none;
    trawl::judgements const nothing_relevant{{1, 0}, {2, -1}};
    trawl::judgements const some{{1, 1}, {5, 2}};
    for (auto const& m : trawl::measures_named("all")) {
        CAPTURE(m.name);
        for (auto const* judged : {&none, &nothing_relevant, &some}) {
            for (auto const& r : {trawl::ranking{}, hits}) {
                auto const value = m.value(trawl::assess(r, *judged));
                CHECK(trawl::detail::is_finite(value));
                if (r.empty() && m.name.substr(0, 6) != "judged" && m.name.substr(0, 3) != "num") {
                    CHECK(value == 0);
                }
            }
        }
    }
}

TEST_CASE("measures stay in [0, 1], and grow with k where they must", "[eval][property]") {
    auto const seed = GENERATE(range(1u, 40u));
    CAPTURE(seed);
    trawl::detail::random random(seed);
    auto const q = make_query(random, seed % 2 == 0 ? -1 : 0);
    auto const seen = trawl::assess(q.ranking, q.judged);
    for (auto const& m : trawl::measures_named("all")) {
        if (m.name.substr(0, 3) == "num" || m.name == "utility") continue;
        CAPTURE(m.name);
        CHECK(m.value(seen) >= 0);
        CHECK(m.value(seen) <= 1 + 1e-12);
    }
    for (std::size_t k = 1; k < 30; ++k) {
        CHECK(trawl::recall{.k = k}(seen) <= trawl::recall{.k = k + 1}(seen));
        CHECK(trawl::hit_rate{.k = k}(seen) <= trawl::hit_rate{.k = k + 1}(seen));
        CHECK(trawl::reciprocal_rank{.k = k}(seen) <= trawl::reciprocal_rank{.k = k + 1}(seen));
        CHECK(trawl::average_precision{.k = k}(seen) <= trawl::average_precision{.k = k + 1}(seen));
    }
}

TEST_CASE(
    "the ideal ranking has nDCG 1, and swapping it down never helps", "[eval][property][ndcg]") {
    auto const seed = GENERATE(range(1u, 20u));
    CAPTURE(seed);
    trawl::detail::random random(seed);
    auto const q = make_query(random, 0);
    std::vector<trawl::judgement> best(q.judged.all().begin(), q.judged.all().end());
    std::sort(
        best.begin(), best.end(), [](auto const& a, auto const& b) { return a.grade > b.grade; });
    trawl::ranking ideal;
    for (auto const& j : best) ideal.push_back({j.id, -static_cast<float>(ideal.size())});
    if (ideal.empty() || best.front().grade == 0) return;
    for (std::size_t const k : {1ul, 3ul, 10ul, trawl::no_cutoff}) {
        CHECK_THAT(trawl::ndcg{.k = k}(ideal, q.judged), WithinAbs(1, 1e-12));
        CHECK(trawl::ndcg{.k = k}(q.ranking, q.judged) <= 1 + 1e-12);
    }
    for (std::size_t i = 1; i < ideal.size(); ++i) {
        auto swapped = ideal;
        std::swap(swapped[i - 1].id, swapped[i].id);
        CHECK(trawl::ndcg{}(swapped, q.judged) <= trawl::ndcg{}(ideal, q.judged) + 1e-12);
    }
}

TEST_CASE("measures refuse what makes no sense", "[eval][bad]") {
    auto const hits = ranked({1});
    trawl::judgements const judged{{1, 1}};
    CHECK_THROWS_AS((trawl::precision{.k = 0}(hits, judged)), trawl::error);
    CHECK_THROWS_AS((trawl::recall{.k = 0}(hits, judged)), trawl::error);
    CHECK_THROWS_AS((trawl::ndcg{.k = 0}(hits, judged)), trawl::error);
    CHECK_THROWS_AS((trawl::hit_rate{.k = 0}(hits, judged)), trawl::error);
    CHECK_THROWS_AS((trawl::reciprocal_rank{.k = 0}(hits, judged)), trawl::error);
    CHECK_THROWS_AS((trawl::average_precision{.k = 0}(hits, judged)), trawl::error);
    CHECK_THROWS_AS((trawl::interpolated_precision{.recall = 1.5}(hits, judged)), trawl::error);
    CHECK_THROWS_AS(
        (trawl::interpolated_precision{.recall = std::nan("")}(hits, judged)), trawl::error);
    CHECK_THROWS_AS((trawl::rank_biased_precision{.p = 1}(hits, judged)), trawl::error);
    CHECK_THROWS_AS((trawl::r_precision{.factor = 0}(hits, judged)), trawl::error);
    CHECK_THROWS_AS(
        (trawl::ndcg{.gain = trawl::gain::exponential}(hits, {{1, 5000}})), trawl::error);
    CHECK(trawl::ndcg{}(hits, {{1, 2147483647}}) == 1);
    CHECK_THROWS_AS(trawl::assess(ranked({1, 2, 1}), judged), trawl::error);
    CHECK_THROWS_AS(trawl::assess(hits, judged, {.level = -1}), trawl::error);
    CHECK_THROWS_AS((trawl::judgements{{1, 1}, {2, 0}, {1, 0}}), trawl::error);
}
