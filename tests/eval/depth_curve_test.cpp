// SPDX-License-Identifier: MIT
#include <trawl/eval/depth_curve.hpp>

#include <limits>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/eval/cost.hpp>
#include <trawl/eval/smallest_depth.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

trawl::run const found{
    {"p", "a", 3}, {"p", "b", 2}, {"p", "c", 1}, {"q", "a", 2}, {"q", "b", 1}, {"r", "c", 1}};
trawl::qrels const judged{
    {"p", "b", 1}, {"p", "c", 2}, {"q", "b", 1}, {"r", "a", 1}, {"s", "a", 1}};

} // namespace

TEST_CASE(
    "a depth curve shows what can be found, what is found and what it costs", "[eval][depth]") {
    std::vector<std::size_t> const depths{1, 2, 3};
    auto const curve = trawl::depth_curve(found, judged, depths);
    REQUIRE(curve.size() == 3);
    CHECK(curve[0].recall == 0);
    CHECK_THAT(curve[1].recall, WithinRel((.5 + 1) / 4, 1e-12));
    CHECK_THAT(curve[2].recall, WithinRel((1 + 1) / 4.0, 1e-12));
    CHECK(curve[1].hit == .5);
    CHECK(!curve[0].metric);
    auto const whole = trawl::depth_curve(found, judged, depths, [](std::size_t depth) {
        return trawl::depth_outcome{
            .metric = .1 * static_cast<double>(depth), .cost = static_cast<double>(depth)};
    });
    CHECK(whole[2].cost == 3.0);
    CHECK(trawl::to_table(whole).rows[2][4].number() == 3);
    CHECK(trawl::to_table(curve).rows[2][4].empty());
    std::vector<std::size_t> const zero{0};
    CHECK(support::error_of([&] { (void)trawl::depth_curve(found, judged, zero); }).names("is 0"));
}

TEST_CASE("first ranks lead to the smallest depth", "[eval][depth]") {
    auto const ranks = trawl::first_ranks(found, judged);
    CHECK(ranks == std::vector<std::optional<std::size_t>>{2, 2, std::nullopt, std::nullopt});
    CHECK(trawl::smallest_depth(ranks, .5) == 2);
    CHECK(!trawl::smallest_depth(ranks, .75));
    CHECK(trawl::first_ranks(found, judged, 2)[0] == 3);
}

TEST_CASE("success at cost counts queries answered within so many calls", "[eval][cost]") {
    std::vector<trawl::query_cost> const queries{{true, 0}, {true, 20}, {false, 0}, {true, 3}};
    CHECK(trawl::success_at_cost(queries, 0) == .25);
    CHECK(trawl::success_at_cost(queries, 3) == .5);
    CHECK(trawl::success_at_cost(queries, 19) == .5);
    CHECK(trawl::success_at_cost(queries, 20) == .75);
    CHECK(trawl::success_at_cost({}, 5) == 0);
}

TEST_CASE("only systems that no other beats are on the Pareto front", "[eval][cost]") {
    std::vector<trawl::quality_and_cost> const systems{
        {.5, 1}, {.6, 10}, {.5, 2}, {.4, .5}, {.6, 10}, {.55, 12}};
    CHECK(trawl::pareto(systems) == std::vector<std::size_t>{3, 0, 1});
    CHECK(trawl::pareto({}).empty());
    std::vector<trawl::quality_and_cost> const bad{{std::numeric_limits<double>::quiet_NaN(), 1}};
    CHECK(support::error_of([&] { (void)trawl::pareto(bad); }).code == trawl::errc::not_finite);
}
