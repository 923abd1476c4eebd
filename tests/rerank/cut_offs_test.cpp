// SPDX-License-Identifier: MIT
// Stages that drop candidates and leave the others as they are.
#include <trawl/rerank/autocut.hpp>
#include <trawl/rerank/drop_near_duplicates.hpp>
#include <trawl/rerank/group_by_parent.hpp>
#include <trawl/rerank/score_floor.hpp>

#include <limits>
#include <memory>
#include <string>

#include "support/catch.hpp"
#include "support/tiny.hpp"

namespace {

using namespace trawl;

ranking scored(std::vector<float> const& scores) {
    ranking hits;
    for (float const s : scores) hits.push_back({static_cast<doc_id>(10 + hits.size()), s});
    return hits;
}

ranking first(ranking hits, std::size_t n) {
    hits.resize(n);
    return hits;
}

} // namespace

TEST_CASE("A score floor keeps what is at least as high", "[rerank][score_floor]") {
    auto const hits = scored({3, 2, 2, 1});
    CHECK(score_floor{2}({}, hits) == first(hits, 3));
    CHECK(score_floor{3.5f}({}, hits).empty());
    CHECK(score_floor{-1}({}, hits) == hits);
    CHECK(score_floor{0}({}, {}).empty());
    CHECK_THROWS_WITH(score_floor{std::numeric_limits<float>::infinity()},
        "score_floor: the floor is inf, must be finite");
    CHECK_THROWS_AS(score_floor{std::numeric_limits<float>::quiet_NaN()}, error);
}

TEST_CASE("Autocut drops what follows a jump, by hand", "[rerank][autocut]") {
    // Scaled drops 0 .1 .2 .9 1 less 0 .25 .5 .75 1: 0 -.15 -.3 .15 0: a jump before the fourth.
    auto const hits = scored({10, 9, 8, 1, 0});
    CHECK(autocut{1}({}, hits) == first(hits, 3));
    CHECK(autocut{2}({}, hits) == hits);
    // Two jumps, before the third and the fifth: 0 .05 .45 .5 .95 1 less fifths: 0 -.15 .05 -.1 .15
    // 0
    auto const twice = scored({20, 19, 11, 10, 1, 0});
    CHECK(autocut{1}({}, twice) == first(twice, 2));
    CHECK(autocut{2}({}, twice) == first(twice, 4));
    CHECK(autocut{3}({}, twice) == twice);
    // The last hit may be the drop: 0 .1 .2 1 less thirds: 0 -.23 -.47 0
    auto const last = scored({10, 9, 8, 0});
    CHECK(autocut{1}({}, last) == first(last, 3));
    stage_trace trace;
    static_cast<void>(autocut{1}({}, last, {}, trace));
    CHECK(trace.notes == std::vector<std::string>{"cut after 3 hits, at jump 1"});
}

TEST_CASE(
    "Autocut leaves straight lines, equal scores and short lists alone", "[rerank][autocut]") {
    for (auto const& hits :
        {scored({4, 3, 2, 1}), scored({2, 2, 2}), scored({7}), scored({7, 1}), scored({})}) {
        CHECK(autocut{}({}, hits) == hits);
    }
    CHECK_THROWS_WITH(autocut{0}, "autocut: jumps is 0, must be >= 1");
    static_assert(autocut::needs_scores && autocut::keeps_scores);
}

TEST_CASE("Grouping keeps the best chunks of each parent, in order", "[rerank][group_by_parent]") {
    std::vector<std::string> const parents{"a", "a", "b", "a", "b", "c"};
    auto const parent_of = [&](doc_id id) -> std::string const& { return parents[id - 10]; };
    auto const hits = scored({6, 5, 4, 3, 2, 1});
    CHECK(group_by_parent{parent_of}({}, hits) == ranking{{10, 6}, {12, 4}, {15, 1}});
    CHECK(group_by_parent{parent_of, 2}({}, hits)
          == ranking{{10, 6}, {11, 5}, {12, 4}, {14, 2}, {15, 1}});
    CHECK(group_by_parent{parent_of}({}, {}).empty());
    CHECK(group_by_parent{[](doc_id id) { return id % 2; }}({}, hits) == ranking{{10, 6}, {11, 5}});
    CHECK_THROWS_AS(group_by_parent(parent_of, 0), error);
    stage_trace trace;
    static_cast<void>(group_by_parent{parent_of}({}, hits, {}, trace));
    CHECK(trace.notes
          == std::vector<std::string>{"3 candidates dropped, their parents have 1 before them"});
}

TEST_CASE("Near-duplicates of a hit that is kept are dropped", "[rerank][drop_near_duplicates]") {
    // 0 and 1 the same direction; 2 has cosine .8 to 0; 3 has no vector; 4 has cosine .96 to 2, .6
    // to 0
    support::point_source const points{{{1, 0}, {2, 0}, {0.8f, 0.6f}, {}, {0.6f, 0.8f}}};
    ranking const hits{{0, 5}, {1, 4}, {2, 3}, {3, 2}, {4, 1}};
    CHECK(drop_near_duplicates{points}({}, hits) == ranking{{0, 5}, {2, 3}, {3, 2}});
    CHECK(drop_near_duplicates{points, {.cosine = 1}}({}, hits)
          == ranking{{0, 5}, {2, 3}, {3, 2}, {4, 1}});
    // 2 is dropped for 0, so that nothing stands against 4
    CHECK(
        drop_near_duplicates{points, {.cosine = 0.7}}({}, hits) == ranking{{0, 5}, {3, 2}, {4, 1}});
    CHECK(drop_near_duplicates{points, {.depth = 1}}({}, hits) == hits);
    CHECK(drop_near_duplicates{points}({}, {}).empty());
    for (double const bad : {0.0, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
        CHECK_THROWS_AS(drop_near_duplicates(points, {.cosine = bad}), error);
    }
    support::point_source const broken{{{1, std::numeric_limits<float>::quiet_NaN()}}};
    CHECK_THROWS_WITH((drop_near_duplicates{broken}({}, {{0, 1}})), Catch::Contains("document 0"));
    std::shared_ptr<support::point_source const> const none;
    CHECK_THROWS_AS(drop_near_duplicates{none}, error);
}

TEST_CASE("Stages that drop explain a hit by what explained it before", "[rerank][explanation]") {
    auto const hits = scored({10, 9, 8, 1, 0});
    stage_trace trace;
    autocut const stage;
    auto const out = stage({}, hits, {}, trace);
    auto const why = stage.explain({}, {hits, out, trace}, 1, {.label = "before", .value = 9});
    CHECK(why.label == "before");
    CHECK(why.value == 9.0);
}
