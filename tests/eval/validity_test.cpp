// SPDX-License-Identifier: MIT
#include <trawl/eval/validity.hpp>

#include <limits>
#include <optional>
#include <vector>

#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/abstention.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

using trawl::answerable;

TEST_CASE("ineligible@k is the share of the first k outside the filter", "[eval][validity]") {
    trawl::ranking const hits{{3, 5}, {0, 4}, {2, 3}, {1, 2}};
    trawl::doc_set const current(4, {0, 1});
    CHECK(trawl::ineligible{.k = 1}(hits, current) == 1);
    CHECK(trawl::ineligible{.k = 2}(hits, current) == 0.5);
    CHECK(trawl::ineligible{.k = 4}(hits, current) == 0.5);
    CHECK(trawl::ineligible{.k = 9}(hits, current) == 0.5); // over the four that there are
    CHECK(trawl::ineligible{}(hits, {}) == 0);
    CHECK(trawl::ineligible{}(hits, trawl::doc_set(4)) == 1);
    CHECK(trawl::ineligible{}(trawl::ranking{}, current) == 0);
    CHECK(support::error_of([&] { (void)trawl::ineligible{.k = 0}(hits, current); }).code
          == trawl::errc::invalid_argument);
}

TEST_CASE("a floor answers what reaches it", "[eval][abstention]") {
    std::vector<answerable> const queries{
        {.9f, true}, {.5f, true}, {.5f, false}, {.2f, false}, {{}, true}, {{}, false}};
    auto const at_half = trawl::judge_abstention(queries, .5f);
    CHECK(at_half.answered == 2);
    CHECK(at_half.silenced == 1);
    CHECK(at_half.abstained == 2);
    CHECK(at_half.invented == 1);
    CHECK_THAT(at_half.balanced_accuracy(), WithinAbs(2.0 / 3, 1e-12));
    auto const without = trawl::judge_abstention(queries, std::nullopt);
    CHECK(without.invented == 2);
    CHECK(without.answered == 2);
}

TEST_CASE("the calibrated floor is the best of all scores", "[eval][abstention]") {
    // Right above .5 both wrong ones are silent and one right one is lost: (3/4 + 1) / 2.
    std::vector<answerable> const queries{
        {.9f, true}, {.8f, true}, {.6f, true}, {.4f, true}, {.5f, false}, {.3f, false}};
    auto const floor = trawl::calibrated_floor(queries);
    REQUIRE(floor.has_value());
    CHECK(*floor == .6f);
    CHECK(trawl::judge_abstention(queries, floor).balanced_accuracy() == .875);
    for (float const other : {.3f, .4f, .5f, .8f, .9f}) {
        CHECK(trawl::judge_abstention(queries, other).balanced_accuracy() < .875);
    }
}

TEST_CASE("no floor where none helps", "[eval][abstention]") {
    CHECK(!trawl::calibrated_floor({}));
    CHECK(!trawl::calibrated_floor(std::vector<answerable>{{.1f, true}, {.9f, false}}));
    CHECK(!trawl::calibrated_floor(std::vector<answerable>{{.1f, true}, {.9f, true}}));
    CHECK(trawl::judge_abstention({}, {}).balanced_accuracy() == 0);
    float const nan = (std::numeric_limits<float>::quiet_NaN)();
    CHECK(support::error_of([&] {
        (void)trawl::calibrated_floor(std::vector<answerable>{{nan, true}});
    }).code
          == trawl::errc::not_finite);
}

TEST_CASE("leave one out judges a query by the others' floor", "[eval][abstention]") {
    // Without .5 the floor is .6, with which .5 is silent; without .6 it is .8 (from {.8, .5, .3}).
    std::vector<answerable> const queries{{.8f, true}, {.6f, true}, {.5f, false}, {.3f, false}};
    auto const out = trawl::leave_one_out_abstention(queries);
    CHECK(out.answered == 1);
    CHECK(out.silenced == 1);
    CHECK(out.abstained == 2);
    CHECK(out.invented == 0);
}

TEST_CASE("leaving one out is calibrating on all others", "[eval][abstention]") {
    auto const seed = GENERATE(range(1u, 61u));
    CAPTURE(seed);
    trawl::detail::random random(seed);
    std::vector<answerable> queries(random.below(40));
    for (auto& q : queries) {
        // Few distinct scores, so that many are equal; answers rather have high ones.
        q.has_answer = random.below(2) == 0;
        if (random.below(8) != 0)
            q.best_score = static_cast<float>(random.below(1 + seed % 12) + (q.has_answer ? 2 : 0));
    }
    trawl::abstention expected;
    for (std::size_t i = 0; i < queries.size(); ++i) {
        auto others = queries;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        auto const floor = trawl::calibrated_floor(others);
        bool const answers = queries[i].best_score && (!floor || *queries[i].best_score >= *floor);
        ++(queries[i].has_answer ? (answers ? expected.answered : expected.silenced)
                                 : (answers ? expected.invented : expected.abstained));
    }
    auto const found = trawl::leave_one_out_abstention(queries);
    CHECK(found.answered == expected.answered);
    CHECK(found.silenced == expected.silenced);
    CHECK(found.abstained == expected.abstained);
    CHECK(found.invented == expected.invented);
}
