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

TEST_CASE("Without a normaliser scores are added as they are, negative ones too",
    "[fusion][weighted_sum]") {
    std::vector<ranking> const arms{{{1, -1}, {2, -3}}, {{2, 0.5f}}};
    CHECK(weighted_sum{.norm = normaliser::none}(arms) == ranking{{1, -1.0f}, {2, -2.5f}});
    CHECK(weighted_sum{.weights = {2, 4}, .norm = normaliser::none}(arms)
          == ranking{{1, -2.0f}, {2, -4.0f}});
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
        CHECK(weighted_sum{.norm = normaliser::z_score}(arms)
              == ranking{{5, 0.0f}, {6, 0.0f}, {7, 0.0f}});
    }
}

TEST_CASE("Scores as far apart as floats go normalise to [0, 1]", "[fusion][weighted_sum]") {
    constexpr auto most = (std::numeric_limits<float>::max)();
    std::vector<ranking> const arms{{{1, most}, {2, 0}, {3, -most}}};
    CHECK(weighted_sum{}(arms) == ranking{{1, 1.0f}, {2, 0.5f}, {3, 0.0f}});
    CHECK(ids_of(weighted_sum{.norm = normaliser::z_score}(arms))
          == std::vector<trawl::doc_id>{1, 2, 3});
}

TEST_CASE("Each normaliser, by hand", "[fusion][weighted_sum]") {
    using trawl::normaliser;
    std::vector<ranking> const arms{
        {{1, 4}, {2, 0}, {3, -3}}, {{9, 1}}}; // C = 4, the second arm's own hit aside
    auto const gives = [&](normaliser norm, float first, float second, float third) {
        auto const fused = weighted_sum{.weights = {1, 0.001}, .norm = norm}(arms);
        CHECK_THAT(score_of(fused, 1), WithinAbs(first, 1e-3));
        CHECK_THAT(score_of(fused, 2), WithinAbs(second, 1e-3));
        CHECK_THAT(score_of(fused, 3), WithinAbs(third, 1e-3));
    };
    gives(normaliser::max, 1.0f, 0.0f, -0.75f);
    gives(normaliser::sum, 0.7f, 0.3f, 0.0f); // 7, 3, 0 of 10
    gives(normaliser::l2, 0.8f, 0.0f, -0.6f); // of sqrt(16 + 9)
    gives(normaliser::rank, 1.0f, 2.0f / 3, 1.0f / 3);
    gives(normaliser::borda, 1.0f, 0.75f, 0.5f);
    gives(normaliser::milvus_cosine, 2.5f, 0.5f, -1.0f);
    gives(normaliser::milvus_inner_product, 0.922021f, 0.5f,
        0.102416f); // atan(4) = 1.325818, atan(3) = 1.249046
    gives(normaliser::milvus_bm25, 0.844042f, 0.0f, -0.795167f);
    gives(normaliser::milvus_l2, 1.844042f, 1.0f, 0.204833f);
    // 9 is missing in the first arm, where one of four places is left: (4 - 3 + 1) / 8
    CHECK_THAT(
        score_of(weighted_sum{.norm = normaliser::borda}(arms), 9), WithinAbs(0.25 + 1, 1e-6));
    // all negative: the largest magnitude, so that the order stays
    std::vector<ranking> const negative{{{1, -1}, {2, -4}}};
    CHECK(weighted_sum{.norm = normaliser::max}(negative) == ranking{{1, -0.25f}, {2, -1.0f}});
    std::vector<ranking> const zeros{{{1, 0}, {2, 0}}};
    CHECK(weighted_sum{.norm = normaliser::max}(zeros) == ranking{{1, 0.0f}, {2, 0.0f}});
    CHECK(weighted_sum{.norm = normaliser::l2}(zeros) == ranking{{1, 0.0f}, {2, 0.0f}});
    CHECK(weighted_sum{.norm = normaliser::sum}(zeros) == ranking{{1, 1.0f}, {2, 1.0f}});
}

TEST_CASE("Constant lists, last hits, missing documents and a norm for each arm are options",
    "[fusion][weighted_sum]") {
    std::vector<ranking> const arms{{{1, 4}, {2, 2}, {3, 1}}, {{4, 7}}};
    CHECK(score_of(weighted_sum{.constant = 0.25}(arms), 4) == 0.25f);
    CHECK(score_of(weighted_sum{}(arms), 3) == 0.0f);
    CHECK(score_of(weighted_sum{.least = 0.001}(arms), 3) == 0.001f);
    auto const z =
        weighted_sum{.norm = normaliser::z_score, .missing = trawl::missing_score::lowest};
    // 4 gets the first arm's lowest z-score, that of 3; the others get the second arm's lowest, 0
    CHECK(score_of(z(arms), 4) == score_of(z(arms), 3));
    CHECK(score_of(weighted_sum{.norm = normaliser::z_score}(arms), 4) == 0.0f);
    auto const fused = weighted_sum{.norms = {normaliser::none, normaliser::min_max}}(arms);
    CHECK(fused == ranking{{1, 4.0f}, {2, 2.0f}, {3, 1.0f}, {4, 1.0f}});
    for (auto const& h : z(arms)) {
        auto const why = z.explain(arms, h.id);
        CHECK(adds_up(why));
        CHECK(why.value == static_cast<double>(h.score));
    }
    CHECK_THROWS_WITH((weighted_sum{.norms = {normaliser::none}}.validate(2)),
        "weighted_sum: 1 norms for 2 arms");
    CHECK_THROWS_AS(weighted_sum{.least = std::nan("")}.validate(2), trawl::error);
    CHECK_THROWS_AS(weighted_sum{.constant = HUGE_VAL}.validate(2), trawl::error);
}

TEST_CASE("A weighted sum does not depend on the order of the arms", "[fusion][weighted_sum]") {
    auto const seed = GENERATE(1u, 2u, 3u, 4u);
    auto const norm = GENERATE(normaliser::none, normaliser::min_max, normaliser::z_score);
    CAPTURE(seed, name_of(norm));
    trawl::detail::random random(seed);
    for (int round = 0; round < 30; ++round) {
        auto const arms = random_arms(random, round < 28 ? 40 : 2000);
        weighted_sum rule{.norm = norm};
        for (std::size_t a = 0; a < arms.size(); ++a)
            rule.weights.push_back(0.1 + random.uniform());
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
        // eighths times 3 plus 5 are exact, the quotients may round otherwise
        for (auto& arm : scaled) {
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
    CHECK_THROWS_WITH(
        (weighted_sum{.weights = {1}}.validate(2)), "weighted_sum: 1 weights for 2 arms");
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
