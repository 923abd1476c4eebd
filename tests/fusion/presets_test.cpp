// SPDX-License-Identifier: MIT
// Other systems' published formulas, worked by hand, and what they leave to chance.
#include <trawl/fusion/presets.hpp>

#include <cmath>

#include "support/catch.hpp"

#include "fusion/arms.hpp"

namespace {

using namespace trawl;

// Keyword scores 9, 5, 1 and vector scores .9, .5: 2 is in both arms, ranks 2 and 1.
std::vector<ranking> const arms{{{1, 9}, {2, 5}, {3, 1}}, {{2, 0.9f}, {4, 0.5f}}};

void gives(ranking const& fused, std::vector<std::pair<doc_id, double>> const& wanted) {
    REQUIRE(fused.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        CHECK(fused[i].id == wanted[i].first);
        CHECK_THAT(static_cast<double>(fused[i].score), WithinRel(wanted[i].second, 1e-7));
    }
}

} // namespace

TEST_CASE("elastic_rrf: 1 / (60 + rank)", "[fusion][presets]") {
    gives(elastic_rrf()(arms),
        {{2, 1.0 / 62 + 1.0 / 61}, {1, 1.0 / 61}, {4, 1.0 / 62}, {3, 1.0 / 63}});
    gives(elastic_rrf(1, {1, 3})(arms),
        {{2, 1.0 / 3 + 3.0 / 2}, {4, 3.0 / 3}, {1, 1.0 / 2}, {3, 1.0 / 4}});
}

TEST_CASE("elastic_linear: weight * none, minmax or l2_norm", "[fusion][presets]") {
    gives(elastic_linear({1, 2}, {normaliser::min_max, normaliser::min_max})(arms),
        {{2, 0.5 + 2}, {1, 1}, {3, 0}, {4, 0}});
    auto const keyword = std::sqrt(81.0 + 25 + 1);
    auto const vector = std::sqrt(double{0.9f} * double{0.9f} + 0.25);
    gives(elastic_linear({1, 1}, {normaliser::l2, normaliser::l2})(arms),
        {{2, 5 / keyword + double{0.9f} / vector}, {1, 9 / keyword}, {4, 0.5 / vector},
            {3, 1 / keyword}});
    gives(elastic_linear()(arms), {{1, 9}, {2, 5 + double{0.9f}}, {3, 1}, {4, 0.5}});
    // Since issue 128689 a single hit is 1 under minmax, not its own score.
    std::vector<ranking> const single{{{1, 7}}, {}};
    gives(elastic_linear({}, {normaliser::min_max, normaliser::min_max})(single), {{1, 1}});
}

TEST_CASE(
    "opensearch: min_max with .001 for the lowest hit, arithmetic mean", "[fusion][presets]") {
    gives(opensearch()(arms), {{2, (0.5 + 1) / 2}, {1, 1.0 / 2}, {3, 0.001 / 2}, {4, 0.001 / 2}});
    gives(opensearch({0.3, 0.7})(arms), {{2, 0.15 + 0.7}, {1, 0.3}, {4, 0.0007}, {3, 0.0003}});
    std::vector<ranking> const single{{{1, 7}}, {{2, 3}, {3, 3}}};
    gives(opensearch()(single), {{1, 0.5}, {2, 0.5}, {3, 0.5}});
    auto const keyword = std::sqrt(81.0 + 25 + 1);
    CHECK_THAT(
        score_of(opensearch({1, 1}, normaliser::l2)(arms), 1), WithinRel(9 / keyword / 2, 1e-6));
    CHECK_THROWS_AS(opensearch({1, 1}, normaliser::z_score), trawl::error);
    CHECK_THROWS_AS(opensearch({1, -1}), trawl::error);
}

TEST_CASE("qdrant_rrf: 1 / ((p + 1) / w + k - 1), p from 0, k = 2", "[fusion][presets]") {
    gives(qdrant_rrf()(arms), {{2, 1.0 / 3 + 1.0 / 2}, {1, 1.0 / 2}, {4, 1.0 / 3}, {3, 1.0 / 4}});
    // At k = 60 a weight of 3 moves the top hit by about 1 %: 1 / (1 / 3 + 59) to 1 / 60.
    auto const weighted = qdrant_rrf(60, {3, 1})(arms);
    CHECK_THAT(score_of(weighted, 1), WithinRel(1 / (1.0 / 3 + 59), 1e-6));
    CHECK_THAT(score_of(weighted, 2), WithinRel(1 / (2.0 / 3 + 59) + 1 / 60.0, 1e-6));
    CHECK(qdrant_rrf(61)(arms) == rrf{.k = 60}(arms));
    CHECK_THROWS_AS(qdrant_rrf(1)(arms), trawl::error);
}

TEST_CASE("qdrant_dbsf: sample deviation, no clamp, .5 for a single hit", "[fusion][presets]") {
    // 9, 5, 1: mean 5, sample sigma 4, so (s + 7) / 24. .9 and .5: mean .7, sigma sqrt(.08).
    auto const sigma = std::sqrt(0.08);
    auto const second = [&](double s) { return (s - (0.7 - 3 * sigma)) / (6 * sigma); };
    auto const fused = qdrant_dbsf()(arms);
    CHECK_THAT(score_of(fused, 1), WithinRel(16.0 / 24, 1e-6));
    CHECK_THAT(score_of(fused, 2), WithinRel(12.0 / 24 + second(0.9), 1e-6));
    CHECK_THAT(score_of(fused, 3), WithinRel(8.0 / 24, 1e-6));
    CHECK_THAT(score_of(fused, 4), WithinRel(second(0.5), 1e-6));
    std::vector<ranking> const single{{{1, 7}}, {{2, 3}, {3, 3}}};
    gives(qdrant_dbsf()(single), {{1, 0.5}, {2, 0.5}, {3, 0.5}});
    // A score far out is beyond 1 and stays there; clamped it is 1.
    ranking far_out{{0, 1000}};
    for (doc_id id = 1; id <= 30; ++id) far_out.push_back({id, 1});
    CHECK(qdrant_dbsf()(std::vector<ranking>{far_out}).front().score > 1);
    CHECK(dbsf{.sigma = deviation::sample}(std::vector<ranking>{far_out}).front().score == 1);
    // population: sigma of 9, 5, 1 is sqrt(32 / 3)
    CHECK_THAT(score_of(dbsf{}(arms), 1), WithinRel((4 / std::sqrt(32.0 / 3) + 3) / 6, 1e-6));
    CHECK_THROWS_AS(dbsf{.constant = HUGE_VAL}.validate(2), trawl::error);
}

TEST_CASE("weaviate_ranked: weight / (60 + p), p from 0", "[fusion][presets]") {
    gives(weaviate_ranked(0.25)(arms),
        {{2, 0.75 / 61 + 0.25 / 60}, {1, 0.75 / 60}, {3, 0.75 / 62}, {4, 0.25 / 61}});
    CHECK(weaviate_ranked(1)(arms).size() == 2); // the vector arm alone
}

TEST_CASE("weaviate_relative: min-max of each arm, alpha for the vectors", "[fusion][presets]") {
    gives(weaviate_relative()(arms), {{2, 0.25 * 0.5 + 0.75}, {1, 0.25}, {3, 0}, {4, 0}});
    std::vector<ranking> const single{{{1, 7}}, {}};
    gives(weaviate_relative()(single), {{1, 0.25}});
}

TEST_CASE("langchain: weight / (60 + rank)", "[fusion][presets]") {
    gives(
        langchain()(arms), {{2, 0.5 / 62 + 0.5 / 61}, {1, 0.5 / 61}, {4, 0.5 / 62}, {3, 0.5 / 63}});
}

TEST_CASE("ranx: a single or constant list is 0", "[fusion][presets]") {
    std::vector<ranking> const single{{{1, 7}}, {{2, 3}, {3, 3}}, {{4, 2}, {5, 1}}};
    gives(ranx({1, 1, 1})(single), {{4, 1}, {1, 0}, {2, 0}, {3, 0}, {5, 0}});
}
