// SPDX-License-Identifier: MIT
#include <trawl/eval/failure_analysis.hpp>

#include <vector>

#include <trawl/core/doc_set.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

TEST_CASE("a lost query is lost in one place", "[eval][failures]") {
    trawl::judgements const judged{{7, 1}, {8, 0}};
    std::vector<trawl::ranking> const found{{{1, 3}, {2, 2}}, {{3, 3}, {7, 2}}};
    std::vector<trawl::ranking> const without{{{1, 3}}, {{3, 3}}};
    trawl::ranking const low{{1, 4}, {3, 3}, {2, 2}, {7, 1}};
    trawl::ranking const high{{7, 4}, {1, 3}, {3, 2}, {2, 1}};
    auto const where = [&](trawl::searched_query const& q) {
        return trawl::find_failure(q, judged).stage;
    };
    using trawl::lost_in;

    CHECK(where({.arms = found, .ranked = low, .depth = 4, .result = high, .k = 1})
          == lost_in::nowhere);
    CHECK(where({.arms = without, .ranked = without[0], .result = without[0]}) == lost_in::finding);
    CHECK(where({.arms = found, .ranked = low, .result = low, .k = 3}) == lost_in::ordering);
    CHECK(where({.arms = found, .ranked = low, .depth = 3, .result = low, .k = 3})
          == lost_in::ordering);
    CHECK(where({.arms = found, .ranked = low, .depth = 4, .result = low, .k = 3})
          == lost_in::reranking);
    CHECK(where({.arms = found, .ranked = high, .depth = 4, .result = low, .k = 3})
          == lost_in::reranking);
    trawl::doc_set others(10);
    others.insert(1);
    CHECK(where({.arms = found, .ranked = low, .result = low, .k = 3, .where = others})
          == lost_in::filtering);
    CHECK(trawl::find_failure({.arms = found}, trawl::judgements{{8, 0}}).stage
          == lost_in::unanswerable);
    CHECK(trawl::find_failure({.arms = found}, judged, 2).stage == lost_in::unanswerable);

    auto const f =
        trawl::find_failure({.arms = found, .ranked = low, .result = high, .k = 1}, judged);
    CHECK((f.arm_rank == 2 && f.ranked_rank == 4 && f.result_rank == 1));
    CHECK(support::error_of([&] { (void)trawl::find_failure({.k = 0}, judged); }).names("is 0"));

    std::vector<trawl::failure> const all{
        {lost_in::finding}, {lost_in::finding}, {lost_in::nowhere}};
    auto const table = trawl::to_table(all);
    CHECK(table.rows[3][0].text() == "finding");
    CHECK(table.rows[3][1].number() == 2);
    CHECK_THAT(table.rows[3][2].number(), WithinRel(2.0 / 3, 1e-12));
    CHECK(trawl::to_table(std::span<trawl::failure const>{}).rows[0][2].number() == 0);
}
