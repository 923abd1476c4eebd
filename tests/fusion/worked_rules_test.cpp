// SPDX-License-Identifier: MIT
// Rules with figures worked by hand, and what each refuses.
#include "fusion/rules.hpp"

#include <cmath>
#include <limits>

#include "support/catch.hpp"

#include "fusion/arms.hpp"

using namespace trawl;

TEST_CASE("The Comb rules, by hand", "[fusion][comb]") {
    std::vector<ranking> const arms{{{1, 4}, {2, 2}}, {{1, 1}}, {{1, -2}, {2, -3}}, {}};
    auto const none = normaliser::none;
    CHECK(comb_sum{.norm = none}(arms) == ranking{{1, 3.0f}, {2, -1.0f}});
    // Rules that multiply are defined for scores >= 0: the third arm's are shifted by 3, to 1 and
    // 0. (4 + 1 + 1) * 3 and (2 + 0) * 2
    CHECK(comb_mnz{.norm = none}(arms) == ranking{{1, 18.0f}, {2, 4.0f}});
    CHECK(comb_anz{.norm = none}(arms) == ranking{{1, 1.0f}, {2, -0.5f}});
    CHECK(comb_med{.norm = none}(arms) == ranking{{1, 1.0f}, {2, -0.5f}});
    CHECK(comb_min{.norm = none}(arms) == ranking{{1, -2.0f}, {2, -3.0f}});
    CHECK(comb_max{.norm = none}(arms) == ranking{{1, 4.0f}, {2, 2.0f}});
    CHECK(comb_gmnz{.gamma = 2, .norm = none}(arms) == ranking{{1, 54.0f}, {2, 8.0f}});
    // 6 * (1 + 2 + 3) and 2 * (1 + 3)
    CHECK(wmnz{.weights = {1, 2, 3, 9}, .norm = none}(arms) == ranking{{1, 36.0f}, {2, 8.0f}});
    auto const h2 = static_cast<float>(std::sqrt(2.0) * 2);
    auto const h3 = static_cast<float>(std::sqrt(3.0) * 9); // 4 + 2 * 1 + 3 * 1
    CHECK(mixed{.weights = {1, 2, 3, 9}, .norm = none}(arms) == ranking{{1, h3}, {2, h2}});
    CHECK_THROWS_AS(comb_gmnz{.gamma = std::nan("")}.validate(1), trawl::error);
    CHECK_THROWS_WITH(wmnz{.weights = {1}}.validate(2), "wmnz: 1 weights for 2 arms");
    CHECK_THROWS_WITH(
        (mixed{.weights = {1, -1}}.validate(2)), "mixed: weight 1 is -1, must be finite and >= 0");
}

TEST_CASE("The rules of inverse squares, by hand", "[fusion][isr]") {
    std::vector<ranking> const arms{{{1, 4}, {2, 2}}, {{3, 1}, {1, 0}}};
    CHECK(isr{}(arms) == ranking{{1, 2.5f}, {3, 1.0f}, {2, 0.25f}});
    auto const two = static_cast<float>(std::log(2.0) * 1.25);
    // found once is worth nothing
    CHECK(log_isr()(arms) == ranking{{1, two}, {2, 0.0f}, {3, 0.0f}});
    auto const fused = logn_isr{}(arms);
    CHECK_THAT(fused[1].score, WithinRel(std::log(1.01), 1e-6));
    std::vector<ranking> const tied{{{1, 4}, {2, 4}}};
    CHECK(isr{.ties = tied_ranks::shared}(tied) == ranking{{1, 1.0f}, {2, 1.0f}});
    CHECK_THROWS_WITH(logn_isr{.sigma = 2}.validate(1), "logn_isr: sigma is 2, must be in [0, 1]");
    CHECK_THROWS_AS(logn_isr{.sigma = std::nan("")}(arms), trawl::error);
}

TEST_CASE("Rank-biased centroid, by hand", "[fusion][rbc]") {
    std::vector<ranking> const arms{{{1, 4}, {2, 2}, {3, 1}}, {{3, 1}}};
    // phi 1/2: 1/2, 1/4, 1/8
    CHECK(rbc{.phi = 0.5}(arms) == ranking{{3, 0.625f}, {1, 0.5f}, {2, 0.25f}});
    for (double const phi : {0.0, 1.0, -1.0, std::nan("")})
        CHECK_THROWS_AS(rbc{.phi = phi}(arms), trawl::error);
    CHECK_THROWS_WITH(rbc{.phi = 1}.validate(1), "rbc: phi is 1, must be in (0, 1)");
}

TEST_CASE("Borda's count shares what is left among the missing", "[fusion][borda]") {
    // four documents: 4, 3 points, then 1.5 each; 4, 3, 2 points, then 1
    std::vector<ranking> const arms{{{1, 9}, {2, 8}}, {{3, 3}, {4, 2}, {1, 1}}};
    CHECK(borda{}(arms) == ranking{{1, 6.0f}, {3, 5.5f}, {4, 4.5f}, {2, 4.0f}});
    CHECK(borda{.weights = {2, 1}}(arms) == ranking{{1, 10.0f}, {2, 7.0f}, {3, 7.0f}, {4, 6.0f}});
    CHECK(borda{.weights = {2, 0}}(arms) == ranking{{1, 4.0f}, {2, 2.0f}});
}

TEST_CASE(
    "Condorcet: pairs won, then ids, where votes run in cycles or tie", "[fusion][condorcet]") {
    // 1 beats 2, 2 beats 3, 3 beats 1, all beat 4
    std::vector<ranking> const cycle{{{1, 4}, {2, 3}, {3, 2}, {4, 1}},
        {{2, 4}, {3, 3}, {1, 2}, {4, 1}}, {{3, 4}, {1, 3}, {2, 2}, {4, 1}}};
    CHECK(condorcet{}(cycle) == ranking{{1, 2.0f}, {2, 2.0f}, {3, 2.0f}, {4, 0.0f}});
    // the second arm outweighs the others together
    CHECK(condorcet{.weights = {1, 3, 1}}(cycle)
          == ranking{{2, 3.0f}, {3, 2.0f}, {1, 1.0f}, {4, 0.0f}});
    std::vector<ranking> const two{{{1, 2}, {2, 1}}, {{2, 2}, {1, 1}}};
    CHECK(condorcet{}(two) == ranking{{1, 0.0f}, {2, 0.0f}});
    // what an arm returned stands above what it did not; of two that it lacks it has no opinion
    std::vector<ranking> const parts{{{5, 1}}, {{3, 2}, {2, 1}}, {{2, 1}}};
    // 2 beats 5 by two to one; 2 and 3, 3 and 5 tie
    CHECK(condorcet{}(parts) == ranking{{2, 1.0f}, {3, 0.0f}, {5, 0.0f}});
    std::vector<ranking> const tied{{{2, 1}, {1, 1}, {3, 0}}};
    CHECK(condorcet{}(tied) == ranking{{2, 2.0f}, {1, 1.0f}, {3, 0.0f}});
    CHECK(condorcet{.ties = tied_ranks::shared}(tied) == ranking{{1, 1.0f}, {2, 1.0f}, {3, 0.0f}});
}

TEST_CASE("TM2C2: theoretical bounds, by hand", "[fusion][tm2c2]") {
    std::vector<ranking> const arms{{{1, 8}, {2, 4}}, {{2, 0.5f}, {3, 0.0f}}};
    // BM25 from 0 to 8; cosines from -1 to the highest, .5, or to 1
    tm2c2 const convex{.weights = {0.25, 0.75}, .bounds = {{0}, {-1}}};
    CHECK(convex(arms) == ranking{{2, 0.875f}, {3, 0.5f}, {1, 0.25f}});
    tm2c2 const fixed{.weights = {0.25, 0.75}, .bounds = {{0}, {-1, 1}}};
    CHECK(fixed(arms) == ranking{{2, 0.6875f}, {3, 0.375f}, {1, 0.25f}});
    // a list at its lowest bound is worth nothing; below it scores are negative
    std::vector<ranking> const lowest{{{1, 0}, {2, 0}}};
    CHECK(tm2c2{}(lowest) == ranking{{1, 0.0f}, {2, 0.0f}});
    std::vector<ranking> const below{{{1, 2}, {2, -1}}};
    CHECK(tm2c2{}(below) == ranking{{1, 1.0f}, {2, -0.5f}});
    // all below it: told apart by their own range
    std::vector<ranking> const all_below{{{1, -1}, {2, -2}, {3, -3}}};
    CHECK(tm2c2{}(all_below) == ranking{{1, 1.0f}, {2, 0.5f}, {3, 0.0f}});
    CHECK_THROWS_WITH((tm2c2{.bounds = {{0}}}.validate(2)), "tm2c2: 1 bounds for 2 arms");
    CHECK_THROWS_WITH((tm2c2{.bounds = {{2, 1}}}.validate(1)),
        "tm2c2: arm 0 has the bounds 2 and 1, must be finite, the second above the first");
    CHECK_THROWS_AS((tm2c2{.bounds = {{std::nan(""), 1}}}.validate(1)), trawl::error);
}

TEST_CASE("A floor takes hits out of an arm before its ranks and its scale are made",
    "[fusion][floored]") {
    std::vector<ranking> const arms{{{1, 9}, {2, 5}, {3, 1}}, {{2, 0.9f}, {3, 0.3f}}};
    floored const rule{weighted_sum{}, {5, no_floor}};
    CHECK(rule(arms) == ranking{{1, 1.0f}, {2, 1.0f}, {3, 0.0f}}); // 1, 0 and 1, 0
    static_assert(decltype(rule)::uses_scores && !floored<rrf>::uses_scores);
    floored const ranks{rrf{.k = 1}, {0, 0.5f}};
    CHECK(score_of(ranks(arms), 3) == 0.25f);
    for (auto const& h : rule(arms)) {
        auto const why = rule.explain(arms, h.id);
        CHECK(adds_up(why));
        CHECK(why.value == static_cast<double>(h.score));
    }
    CHECK(floored{rrf{}, {100, 100}}(arms).empty());
    CHECK_THROWS_WITH((floored{rrf{}, {1}}.validate(2)), "floored: 1 floors for 2 arms");
    CHECK_THROWS_AS(
        (floored{rrf{}, {1, std::numeric_limits<float>::quiet_NaN()}}.validate(2)), trawl::error);
    CHECK_THROWS_AS(
        (floored{rrf{}, {1, std::numeric_limits<float>::infinity()}}.validate(2)), trawl::error);
    CHECK_THROWS_AS((floored{rrf{.k = 0}, {1, 1}}.validate(2)), trawl::error);
    std::vector<ranking> const bad{{{1, -std::numeric_limits<float>::infinity()}}, {}};
    CHECK_THROWS_AS((floored{rrf{}, {1, 1}}(bad)), trawl::error);
}
