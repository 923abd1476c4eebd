// SPDX-License-Identifier: MIT
#include <trawl/eval/tuning.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <trawl/detail/random.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

bool warns(trawl::tuning const& t, std::string_view part) {
    return std::any_of(t.warnings.begin(), t.warnings.end(),
        [&](std::string const& w) { return w.find(part) != std::string::npos; });
}

std::vector<double> tenths() {
    std::vector<double> out;
    for (int i = 0; i <= 10; ++i) out.push_back(i / 10.0);
    return out;
}

// 60 questions that all like alpha = peak best, some more, some less.
std::vector<double> hill(double alpha, double peak) {
    std::vector<double> out;
    for (int i = 0; i < 60; ++i) out.push_back(1 - (alpha - peak) * (alpha - peak) - (i % 7) / 100.0);
    return out;
}

} // namespace

TEST_CASE("a simplex grid loses no point to rounding", "[eval][tuning]") {
    // ranx keeps those whose float weights sum to exactly 1.0: 62 of 66 and 256 of 286 at steps of a tenth.
    CHECK(trawl::simplex_grid(2, 10).size() == 11);
    CHECK(trawl::simplex_grid(3, 10).size() == 66);
    CHECK(trawl::simplex_grid(4, 10).size() == 286);
    CHECK(trawl::simplex_grid(1, 7) == std::vector<std::vector<std::size_t>>{{7}});
    CHECK(trawl::simplex_grid(2, 2) == std::vector<std::vector<std::size_t>>{{0, 2}, {1, 1}, {2, 0}});
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

TEST_CASE("tuning tries every combination and names the best", "[eval][tuning]") {
    std::vector<trawl::tuned_parameter> const parameters{{"k", {1, 10, 60}}, {"alpha", tenths(), true}};
    std::size_t calls = 0;
    auto const t = trawl::tune(parameters, [&](std::span<double const> at) {
        ++calls;
        auto values = hill(at[1], .4);
        for (auto& v : values) v -= at[0] == 10 ? 0 : .1;
        return values;
    });
    CHECK(calls == 33);
    CHECK(t.grid == 33);
    CHECK(t.points[t.best].parameters == std::vector<double>{10, .4});
    CHECK(t.points[1].parameters == std::vector<double>{1, .1});
    CHECK(t.chosen == std::vector<std::size_t>(5, t.best));
    CHECK(t.held_out == t.points[t.best].values);
    CHECK(t.warnings.empty());
}

TEST_CASE("one continuous parameter is searched between grid points too", "[eval][tuning]") {
    std::vector<trawl::tuned_parameter> const parameters{{"k", {60}}, {"alpha", tenths(), true}};
    auto const measured = [](std::span<double const> at) { return hill(at[1], .437); };
    auto const t = trawl::tune(parameters, measured);
    CHECK(t.grid == 11);
    CHECK(t.points.size() > t.grid);
    CHECK_THAT(t.points[t.best].parameters[1], WithinAbs(.437, .01));
    CHECK(t.chosen[0] == 4); // folds choose from the grid
    auto const plain = trawl::tune(parameters, measured, {}, {.refine = false});
    CHECK(plain.points.size() == 11);
    CHECK(plain.points[plain.best].parameters[1] == .4);
}

TEST_CASE("choices are scored on questions that did not make them", "[eval][tuning]") {
    // Pure chance: tuning finds something that is better on what it saw and no better elsewhere.
    std::vector<double> points(50);
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = static_cast<double>(i);
    std::vector<trawl::tuned_parameter> const parameters{{"x", points}};
    double best = 0;
    double held_out = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        auto const t = trawl::tune(parameters, [&](std::span<double const> at) {
            trawl::detail::random random(seed * 1000 + static_cast<std::uint64_t>(at[0]));
            std::vector<double> out(60);
            for (auto& v : out) v = random.uniform();
            return out;
        });
        best += t.points[t.best].mean / 10;
        held_out += t.cross_validated / 10;
        CHECK(warns(t, "folds"));
    }
    CHECK(best > .56);                        // the highest of 50 means of standard deviation .037
    CHECK_THAT(held_out, WithinAbs(.5, .04)); // standard deviation .012
}

TEST_CASE("tuning warns of what it cannot promise", "[eval][tuning][warnings]") {
    std::vector<trawl::tuned_parameter> const parameters{{"alpha", tenths(), true}};
    auto const measured = [](std::span<double const> at) { return hill(at[0], .5); };
    auto better = hill(.5, .5);
    for (auto& v : better) v += .1;
    std::vector<trawl::tuning_reference> const references{{"BM25", hill(.2, .5)}, {"dense", better}};
    auto const beaten = trawl::tune(parameters, measured, references);
    CHECK(beaten.best_arm == 1);
    CHECK(warns(beaten, "does not beat dense alone"));
    CHECK(!warns(beaten, "BM25"));

    auto noisy = hill(.5, .5);
    for (std::size_t i = 0; i < noisy.size(); ++i) noisy[i] += i % 2 == 0 ? .2 : -.21;
    std::vector<trawl::tuning_reference> const close{{"BM25", noisy}};
    CHECK(warns(trawl::tune(parameters, measured, close), "may be chance"));
    std::vector<trawl::tuning_reference> const clear{{"BM25", hill(0, .5)}};
    auto const good = trawl::tune(parameters, measured, clear);
    CHECK(good.warnings.empty());
    CHECK_THAT(good.gain.low, WithinAbs(.25, 1e-9));

    CHECK(warns(trawl::tune(parameters, [](std::span<double const> at) { return hill(at[0], 1.5); }),
        "alpha, 1, lies on the edge"));
    CHECK(warns(trawl::tune(parameters,
                    [](std::span<double const>) {
                        return std::vector<double>{1, 2, 3};
                    }),
        "only 3 questions"));
}

TEST_CASE("tuning refuses odd grids and values", "[eval][tuning][bad]") {
    auto const fine = [](std::span<double const> at) { return hill(at[0], .5); };
    auto const refused = [&](std::vector<trawl::tuned_parameter> parameters, auto measured,
                             std::vector<trawl::tuning_reference> references = {},
                             trawl::tune_options options = {}) {
        return support::error_of([&] { (void)trawl::tune(parameters, measured, references, options); });
    };
    CHECK(refused({{"alpha", {}}}, fine).names("'alpha' has no values"));
    CHECK(refused({{"alpha", {1, .5}}}, fine).names("see 0.5"));
    CHECK(refused({{"alpha", {.5, std::nan("")}}}, fine).names("see nan"));
    CHECK(refused({{"alpha", {.5}}}, fine, {{"BM25", {1, 2}}}).names("2 values, there are 60"));
    CHECK(refused({{"alpha", {.5}}}, fine, {}, {.folds = 1}).names("has 1 and 60"));
    CHECK(refused({{"alpha", {.5}}}, [](std::span<double const>) {
        return std::vector<double>{};
    }).names("and 0"));
    CHECK(refused({{"alpha", {.5, 1}}}, [](std::span<double const> at) {
        return std::vector<double>(at[0] < 1 ? 4 : 5);
    }).names("5 values where there were 4"));
    CHECK(refused(
              {{"alpha", {.5}}}, [](std::span<double const>) { return std::vector<double>(4, std::nan("")); })
              .code
          == trawl::errc::not_finite);
}
