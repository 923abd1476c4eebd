// SPDX-License-Identifier: MIT
#include <trawl/fusion/weighted_sum.hpp>

#include <cmath>
#include <limits>
#include <numeric>

#include "support/catch.hpp"

#include "fusion/arms.hpp"

namespace {

using trawl::normaliser;
using trawl::ranking;
using trawl::weighted_sum;

std::vector<trawl::doc_id> ids_of(ranking const& hits) {
    std::vector<trawl::doc_id> ids;
    for (auto const& h : hits) ids.push_back(h.id);
    return ids;
}

} // namespace

TEST_CASE("A weighted min-max sum, by hand", "[fusion][weighted_sum]") {
    // arm 0: 10, 6, 2 -> 1, 1/2, 0; arm 1: 0.75, 0.25 -> 1, 0
    std::vector<ranking> const arms{{{1, 10}, {2, 6}, {3, 2}}, {{3, 0.75f}, {4, 0.25f}}};
    auto const fused = weighted_sum{.weights = {0.5, 0.25}}(arms);
    CHECK(fused == ranking{{1, 0.5f}, {2, 0.25f}, {3, 0.25f}, {4, 0.0f}});
}

TEST_CASE("A weighted z-score sum, by hand", "[fusion][weighted_sum]") {
    // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, population sigma 2 (the textbook example)
    std::vector<ranking> const arms{
        {{0, 9}, {1, 7}, {2, 5}, {3, 5}, {4, 4}, {5, 4}, {6, 4}, {7, 2}}, {{9, 3}, {7, 1}}};
    auto const fused = weighted_sum{.norm = normaliser::z_score}(arms);
    // 7: -1.5 + -1; 9: +1
    CHECK(fused
          == ranking{{0, 2.0f}, {1, 1.0f}, {9, 1.0f}, {2, 0.0f}, {3, 0.0f}, {4, -0.5f}, {5, -0.5f},
              {6, -0.5f}, {7, -2.5f}});
}

TEST_CASE("Without a normaliser scores are added as they are, negative ones too", "[fusion][weighted_sum]") {
    std::vector<ranking> const arms{{{1, -1}, {2, -3}}, {{2, 0.5f}}};
    CHECK(weighted_sum{.norm = normaliser::none}(arms) == ranking{{1, -1.0f}, {2, -2.5f}});
    CHECK(weighted_sum{.weights = {2, 4}, .norm = normaliser::none}(arms) == ranking{{1, -2.0f}, {2, -4.0f}});
}

TEST_CASE("A constant or single-hit arm normalises to 1 under min-max and to 0 under z-score",
    "[fusion][weighted_sum]") {
    for (float const score : {0.1f, -7.3f, 0.0f, 3e38f, 1e-45f}) {
        CAPTURE(score);
        std::vector<ranking> arms{{{5, score}}};
        CHECK(weighted_sum{}(arms) == ranking{{5, 1.0f}});
        CHECK(weighted_sum{.norm = normaliser::z_score}(arms) == ranking{{5, 0.0f}});
        arms[0] = ranking{{5, score}, {6, score}, {7, score}};
        CHECK(weighted_sum{}(arms) == ranking{{5, 1.0f}, {6, 1.0f}, {7, 1.0f}});
        CHECK(weighted_sum{.norm = normaliser::z_score}(arms) == ranking{{5, 0.0f}, {6, 0.0f}, {7, 0.0f}});
    }
}

TEST_CASE("Scores as far apart as floats go normalise to [0, 1]", "[fusion][weighted_sum]") {
    constexpr auto most = (std::numeric_limits<float>::max)();
    std::vector<ranking> const arms{{{1, most}, {2, 0}, {3, -most}}};
    CHECK(weighted_sum{}(arms) == ranking{{1, 1.0f}, {2, 0.5f}, {3, 0.0f}});
    CHECK(ids_of(weighted_sum{.norm = normaliser::z_score}(arms)) == std::vector<trawl::doc_id>{1, 2, 3});
}

TEST_CASE("The weighted sum gives ranx's scores under each normaliser", "[fusion][weighted_sum][golden]") {
    int cases = 0;
    for (auto const& one : golden("fusion/ranx.json")) {
        weighted_sum rule{.weights = one["weights"]};
        if (one["rule"] == "rrf") continue;
        if (one["rule"] == "none") rule.norm = normaliser::none;
        if (one["rule"] == "z-score") rule.norm = normaliser::z_score;
        std::vector<ranking> arms;
        for (auto const& list : one["arms"]) {
            arms.emplace_back();
            for (auto const& h : list) arms.back().push_back({h[0], h[1]});
        }
        auto const fused = rule(arms);
        REQUIRE(fused.size() == one["fused"].size());
        for (auto const& h : one["fused"]) {
            CHECK_THAT(score_of(fused, h[0]), WithinAbs(h[1].get<double>(), 2e-6));
        }
        ++cases;
    }
    CHECK(cases == 36);
}

TEST_CASE("A weighted sum does not depend on the order of the arms", "[fusion][weighted_sum]") {
    auto const seed = GENERATE(1u, 2u, 3u, 4u);
    auto const norm = GENERATE(normaliser::none, normaliser::min_max, normaliser::z_score);
    CAPTURE(seed, name_of(norm));
    trawl::detail::random random(seed);
    for (int round = 0; round < 30; ++round) {
        auto const arms = random_arms(random, round < 28 ? 40 : 2000);
        weighted_sum rule{.norm = norm};
        for (std::size_t a = 0; a < arms.size(); ++a) rule.weights.push_back(0.1 + random.uniform());
        auto const fused = rule(arms);
        CHECK(std::is_sorted(fused.begin(), fused.end(), trawl::by_rank{}));
        std::vector<std::size_t> order(arms.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        random.shuffle(std::span(order));
        std::vector<ranking> moved;
        weighted_sum moved_rule{.norm = norm};
        for (auto const a : order) {
            moved.push_back(arms[a]);
            moved_rule.weights.push_back(rule.weights[a]);
        }
        CHECK(moved_rule(moved) == fused);
    }
}

TEST_CASE("Scaling an arm's scores changes no min-max sum, and of a power of two not a bit",
    "[fusion][weighted_sum]") {
    auto const seed = GENERATE(1u, 2u, 3u, 4u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    for (int round = 0; round < 30; ++round) {
        auto const arms = random_arms(random, 40);
        auto const fused = weighted_sum{}(arms);
        auto scaled = arms;
        for (auto& arm : scaled) {
            auto const factor = std::ldexp(1.0f, static_cast<int>(random.below(20)) - 10);
            for (auto& h : arm) h.score *= factor;
        }
        CHECK(weighted_sum{}(scaled) == fused);
        scaled = arms;
        for (auto& arm : scaled) { // eighths times 3 plus 5 are exact, the quotients may round otherwise
            for (auto& h : arm) h.score = 3 * h.score + 5;
        }
        for (auto const& h : weighted_sum{}(scaled))
            CHECK_THAT(h.score, WithinAbs(score_of(fused, h.id), 1e-6));
    }
}

TEST_CASE("In a weighted sum only an arm's first hit of a document counts, in its normaliser too",
    "[fusion][weighted_sum]") {
    std::vector<ranking> const twice{{{1, 3}, {2, 2}, {1, -9}, {3, 1}}, {{3, 5}, {3, 4}}};
    std::vector<ranking> const once{{{1, 3}, {2, 2}, {3, 1}}, {{3, 5}}};
    for (auto const norm : {normaliser::none, normaliser::min_max, normaliser::z_score}) {
        CHECK(weighted_sum{.norm = norm}(twice) == weighted_sum{.norm = norm}(once));
    }
}

TEST_CASE("A weighted sum leaves out empty arms and arms of weight 0, documents and all",
    "[fusion][weighted_sum]") {
    std::vector<ranking> const arms{{{4, 9}, {2, 8}}, {}, {{7, 1}, {4, 0}}};
    CHECK(weighted_sum{}({}).empty());
    CHECK(weighted_sum{}(std::vector<ranking>(2)).empty());
    CHECK(ids_of(weighted_sum{.weights = {1, 1, 0}}(arms)) == std::vector<trawl::doc_id>{4, 2});
    CHECK(ids_of(weighted_sum{.weights = {0, 0, 0.1}}(arms)) == std::vector<trawl::doc_id>{7, 4});
}

TEST_CASE("A weighted sum's explanation adds up and has the bits of the score",
    "[fusion][weighted_sum][explanation]") {
    auto const seed = GENERATE(1u, 2u, 3u);
    auto const norm = GENERATE(normaliser::none, normaliser::min_max, normaliser::z_score);
    CAPTURE(seed, name_of(norm));
    trawl::detail::random random(seed);
    for (int round = 0; round < 20; ++round) {
        auto const arms = random_arms(random, 25);
        weighted_sum rule{.norm = norm};
        for (std::size_t a = 0; a < arms.size(); ++a)
            rule.weights.push_back(a == 1 ? 0 : 0.1 + random.uniform());
        for (auto const& h : rule(arms)) {
            auto const why = rule.explain(arms, h.id);
            CHECK(adds_up(why));
            CHECK(why.value == static_cast<double>(h.score));
        }
        CHECK(rule.explain(arms, 3).value == 0.0);
    }
}

TEST_CASE("A weighted sum refuses what makes no sense and names it", "[fusion][weighted_sum]") {
    constexpr auto nan = std::numeric_limits<float>::quiet_NaN();
    CHECK_THROWS_WITH((weighted_sum{.weights = {1}}.validate(2)), "weighted_sum: 1 weights for 2 arms");
    CHECK_THROWS_AS((weighted_sum{.weights = {1, -1}}.validate(2)), trawl::error);
    std::vector<ranking> arms{{{4, 9}}, {{2, nan}}};
    try {
        static_cast<void>(weighted_sum{}(arms));
        FAIL("NaN was accepted");
    } catch (trawl::error const& e) {
        CHECK(e.code() == trawl::errc::not_finite);
    }
    arms[1][0].score = 3e38f;
    CHECK_THROWS_WITH((weighted_sum{.weights = {1, 2}, .norm = normaliser::none}(arms)),
        "weighted_sum: the fused score of document 2 does not fit a float");
}
