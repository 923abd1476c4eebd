// SPDX-License-Identifier: MIT
#include <trawl/core/placed.hpp>

#include <cmath>
#include <limits>

#include "support/catch.hpp"

namespace {
constexpr float infinity = std::numeric_limits<float>::infinity();
}

TEST_CASE(
    "placed keeps a value below the one before, and steps below it otherwise", "[core][placed]") {
    CHECK(trawl::placed(0.5f, 1.0f) == 0.5f);
    CHECK(trawl::placed(1.0f, 1.0f) == std::nextafter(1.0f, -infinity));
    CHECK(trawl::placed(2.0f, -1.0f) == std::nextafter(-1.0f, -infinity));
    CHECK(trawl::placed(0.0f, 0.0f) == -std::numeric_limits<float>::denorm_min());
    CHECK(trawl::placed(0.0f, -0.0f) == -std::numeric_limits<float>::denorm_min());
}

TEST_CASE("next_below is the next float down for any float", "[core][placed]") {
    for (float const value :
        {1.0f, -1.0f, 0.1f, 1e-45f, -1e-45f, 3.4e38f, 1.17549435e-38f, infinity}) {
        CAPTURE(value);
        CHECK(trawl::detail::next_below(value) == std::nextafter(value, -infinity));
    }
    CHECK(trawl::detail::next_below(-infinity) == -infinity);
}

TEST_CASE(
    "What a stage did not score follows, each one float step below the last", "[core][placed]") {
    trawl::ranking hits{{3, 0.5f}, {1, 0.25f}, {9, 7.0f}, {2, 0.1f}};
    trawl::place_rest(hits, 2);
    auto const third = std::nextafter(0.25f, -infinity);
    CHECK(hits
          == trawl::ranking{
              {3, 0.5f}, {1, 0.25f}, {9, third}, {2, std::nextafter(third, -infinity)}});

    trawl::ranking untouched{{3, 0.5f}, {1, 0.75f}};
    trawl::place_rest(untouched, 0);
    trawl::place_rest(untouched, 2);
    CHECK(untouched == trawl::ranking{{3, 0.5f}, {1, 0.75f}});
}
