// SPDX-License-Identifier: MIT
#include <trawl/eval/parameter_search.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/catch.hpp"
#include "support/error_of.hpp"

TEST_CASE("a simplex grid loses no point to rounding", "[eval][tuning]") {
    // ranx keeps those whose float weights sum to exactly 1.0: 62 of 66 and 256 of 286 at steps of
    // a tenth.
    CHECK(trawl::simplex_grid(2, 10).size() == 11);
    CHECK(trawl::simplex_grid(3, 10).size() == 66);
    CHECK(trawl::simplex_grid(4, 10).size() == 286);
    CHECK(trawl::simplex_grid(1, 7) == std::vector<std::vector<std::size_t>>{{7}});
    CHECK(
        trawl::simplex_grid(2, 2) == std::vector<std::vector<std::size_t>>{{0, 2}, {1, 1}, {2, 0}});
    auto const grid = trawl::simplex_grid(4, 6);
    CHECK(std::is_sorted(grid.begin(), grid.end()));
    CHECK(std::adjacent_find(grid.begin(), grid.end()) == grid.end());
    for (auto const& p : grid) CHECK(std::accumulate(p.begin(), p.end(), std::size_t{0}) == 6);
    CHECK(support::error_of([] { (void)trawl::simplex_grid(0, 3); }).names("0 and 3"));
    CHECK(support::error_of([] { (void)trawl::simplex_grid(9, 100); }).names("million"));
}

TEST_CASE("golden-section finds the top of a hill, and of a slope its end", "[eval][tuning]") {
    auto const top = trawl::golden_section(0, 4, [](double x) { return -(x - 1.3) * (x - 1.3); });
    CHECK_THAT(top.at, WithinAbs(1.3, 1e-3));
    CHECK(trawl::golden_section(0, 4, [](double x) { return x; }).at == 4);
    CHECK(trawl::golden_section(0, 4, [](double x) { return -x; }).at == 0);
    CHECK(trawl::golden_section(2, 2, [](double x) { return x; }).at == 2);
    CHECK(support::error_of([] {
        (void)trawl::golden_section(1, 0, [](double x) { return x; });
    }).names("1 and 0"));
    CHECK(support::error_of([] {
        (void)trawl::golden_section(0, 1, [](double x) { return x; }, {.tolerance = 0});
    }).names("is 0"));
}
