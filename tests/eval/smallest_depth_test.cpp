// SPDX-License-Identifier: MIT
#include <trawl/eval/smallest_depth.hpp>

#include <limits>

#include <trawl/error.hpp>

#include "support/catch.hpp"

namespace {

using ranks = std::vector<std::optional<std::size_t>>;
constexpr std::nullopt_t none = std::nullopt;

} // namespace

TEST_CASE("the smallest depth of the worked examples", "[eval][depth][worked]") {
    ranks const six{1, 1, 2, 4, 1, 9};
    CHECK(trawl::smallest_depth(six, .8) == 4);
    CHECK(trawl::smallest_depth(six, 1) == 9);
    CHECK(trawl::smallest_depth(six, .5) == 1);
    CHECK(trawl::smallest_depth(six, .67) == 4);
    CHECK(trawl::smallest_depth(six, 4.0 / 6) == 2);
    CHECK(trawl::smallest_depth(ranks{1, none, 2}, .8) == none);
    CHECK(trawl::smallest_depth(ranks{1, none, 2}, 2.0 / 3) == 2);
    CHECK(trawl::smallest_depth(ranks{}, .5) == none);
    CHECK(trawl::smallest_depth(ranks{none, none}, .1) == none);
    CHECK(trawl::smallest_depth(ranks{1, 1, 1, 1, none}, .8) == 1);
    ranks many(7, 1);
    many.resize(25, none);
    // 7 >= .28 * 25 is false in double, 7 / 25 >= .28 true
    CHECK(trawl::smallest_depth(many, .28) == 1);
    ranks const ten{1, 1, 2, 2, 3, 3, 8, 12, 15, none};
    CHECK(trawl::smallest_depth(ten, .6) == 3);
    CHECK(trawl::smallest_depth(ten, .9) == 15);
    CHECK(trawl::smallest_depth(ten, 1) == none);
}

TEST_CASE(
    "the smallest depth refuses a rank of 0 and a target that is no share", "[eval][depth][bad]") {
    CHECK_THROWS_AS(trawl::smallest_depth(ranks{1, 0}, .5), trawl::error);
    CHECK_THROWS_AS(trawl::smallest_depth(ranks{1}, 0), trawl::error);
    CHECK_THROWS_AS(trawl::smallest_depth(ranks{1}, 1.01), trawl::error);
    CHECK_THROWS_AS(
        trawl::smallest_depth(ranks{1}, std::numeric_limits<double>::quiet_NaN()), trawl::error);
}
