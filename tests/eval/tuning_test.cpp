// SPDX-License-Identifier: MIT
#include <trawl/eval/tuning.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>

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

// 60 queries that all like alpha = peak best, some more, some less.
std::vector<double> hill(double alpha, double peak) {
    std::vector<double> out;
    for (int i = 0; i < 60; ++i)
        out.push_back(1 - (alpha - peak) * (alpha - peak) - (i % 7) / 100.0);
    return out;
}

} // namespace

TEST_CASE("tuning tries every combination and names the best", "[eval][tuning]") {
    std::vector<trawl::tuned_parameter> const parameters{
        {"k", {1, 10, 60}}, {"alpha", tenths(), true}};
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
    CHECK(t.held_out == t.points[t.best].outcome.values);
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

TEST_CASE("weights share 1 exactly, with every combination of the parameters",
    "[eval][tuning][weights]") {
    std::vector<trawl::tuned_parameter> const parameters{{"k", {10, 60}}};
    std::size_t calls = 0;
    auto const t = trawl::tune(parameters,
        [&](std::span<double const> at) {
            ++calls;
            CHECK(at.size() == 4);
            CHECK_THAT(at[1] + at[2] + at[3], WithinAbs(1, 1e-12));
            return hill(
                // the first of those that are right: k 60, .1, .3, .6
                at[1] + 2 * at[2] + at[0] / 600, .8);
        },
        {}, {.weights = {.names = {"BM25", "titles", "dense"}}});
    CHECK(calls == 2 * 66); // a simplex of three weights at tenths has 66 points
    CHECK(t.names == std::vector<std::string>{"k", "BM25", "titles", "dense"});
    CHECK(t.points[t.best].parameters == std::vector<double>{60, .1, .3, .6});
    CHECK(
        t.warnings
        == std::vector<std::string>{"The best value of k, 60, lies on the edge of what was tried: "
                                    "look further, or at what the edge means."});
    auto const out =
        trawl::tune(parameters, [](std::span<double const> at) { return hill(at[1], 2); }, {},
            {.weights = {.names = {"BM25", "titles", "dense"}, .steps = 2}});
    CHECK(out.points[out.best].parameters == std::vector<double>{10, 1, 0, 0});
    CHECK(warns(out, "best weight of titles is 0"));
    CHECK(warns(out, "best weight of dense is 0"));
    CHECK(!warns(out, "best weight of BM25"));
}

TEST_CASE("of two weights one parameter is left, which is searched between the steps",
    "[eval][tuning][weights]") {
    auto const t = trawl::tune(std::span<trawl::tuned_parameter const>{},
        [](std::span<double const> at) {
            CHECK(at[0] + at[1] == 1);
            return hill(at[1], .437);
        },
        {}, {.weights = {.names = {"BM25", "dense"}}});
    CHECK(t.grid == 11);
    CHECK_THAT(t.points[t.best].parameters[1], WithinAbs(.437, .01));
}

TEST_CASE("a combination that makes no sense is left out", "[eval][tuning]") {
    std::vector<trawl::tuned_parameter> const parameters{
        {"chunk", {32, 64}}, {"overlap", {0, 16, 32, 48}}};
    auto const t = trawl::tune(
        parameters, [](std::span<double const> at) -> std::optional<trawl::search_outcome> {
            if (at[1] >= at[0]) return std::nullopt;
            return trawl::search_outcome{
                .values = hill(at[1] / 100, .16), .seconds = at[0] / 100, .calls = 7};
        });
    CHECK(t.grid == 2 + 4);
    CHECK(t.points[t.best].parameters == std::vector<double>{32, 16});
    auto const table = trawl::to_table(t);
    CHECK(
        table.columns == std::vector<std::string>{"chunk", "overlap", "mean", "seconds", "calls"});
    CHECK(table.rows[0][3].number() == .32);
    CHECK(table.rows[0][4].number() == 7);
    auto const never = [](std::span<double const>) -> std::optional<trawl::search_outcome> {
        return std::nullopt;
    };
    CHECK(support::error_of([&] {
        (void)trawl::tune(parameters, never);
    }).names("no setting has an outcome"));
}

TEST_CASE(
    "a table of settings shows how much of what they find may not be used", "[eval][tuning]") {
    std::vector<trawl::tuned_parameter> const parameters{{"alpha", {0, 1}}};
    auto const t = trawl::tune(
        parameters, [](std::span<double const> at) -> std::optional<trawl::search_outcome> {
            return trawl::search_outcome{.values = hill(at[0], 0), .ineligible = at[0] / 4};
        });
    auto const table = trawl::to_table(t);
    CHECK(table.columns.back() == "ineligible");
    CHECK(table.rows[1].back().number() == .25);
}

TEST_CASE("choices are scored on queries that did not make them", "[eval][tuning]") {
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
    std::vector<trawl::tuning_reference> const references{
        {"BM25", hill(.2, .5)}, {"dense", better}};
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

    CHECK(
        warns(trawl::tune(parameters, [](std::span<double const> at) { return hill(at[0], 1.5); }),
            "alpha, 1, lies on the edge"));
    CHECK(warns(trawl::tune(parameters,
                    [](std::span<double const>) {
                        return std::vector<double>{1, 2, 3};
                    }),
        "only 3 queries"));
}

TEST_CASE("tuning refuses odd grids and values", "[eval][tuning][bad]") {
    auto const fine = [](std::span<double const> at) { return hill(at[0], .5); };
    auto const refused = [&](std::vector<trawl::tuned_parameter> parameters, auto measured,
                             std::vector<trawl::tuning_reference> references = {},
                             trawl::tune_options options = {}) {
        return support::error_of(
            [&] { (void)trawl::tune(parameters, measured, references, options); });
    };
    CHECK(refused({{"alpha", {}}}, fine).names("'alpha' has no values"));
    CHECK(refused({{"alpha", {1, .5}}}, fine).names("see 0.5"));
    CHECK(refused({{"alpha", {.5, std::nan("")}}}, fine).names("see nan"));
    CHECK(refused({{"alpha", {.5}}}, fine, {{"BM25", {1, 2}}}).names("2 values, there are 60"));
    CHECK(refused({{"alpha", {.5}}}, fine, {}, {.folds = 1}).names("has 1 and 60"));
    CHECK(refused({{"alpha", {.5}}}, fine, {}, {.weights = {.names = {"a"}, .steps = 0}})
              .names("1 and 0"));
    CHECK(refused({{"alpha", std::vector<double>(tenths())}, {"b", tenths()}}, fine, {},
        {.weights = {.names = {"a", "b", "c", "d"}, .steps = 50}})
              .names("million"));
    CHECK(refused({{"alpha", {.5}}}, [](std::span<double const>) {
        return std::vector<double>{};
    }).names("and 0"));
    CHECK(refused({{"alpha", {.5, 1}}}, [](std::span<double const> at) {
        return std::vector<double>(at[0] < 1 ? 4 : 5);
    }).names("5 values where there were 4"));
    CHECK(refused({{"alpha", {.5}}},
              [](std::span<double const>) { return std::vector<double>(4, std::nan("")); })
              .code
          == trawl::errc::not_finite);
}

TEST_CASE("a usual setting stays unless another is better beyond one standard error",
    "[eval][tuning][usual]") {
    // Two settings that differ by +-1 in n queries: the mean difference is d, the standard deviation
    // of the differences 1, that of their mean 1 / sqrt(n) = .1 for n = 100.
    std::vector<trawl::tuned_parameter> const parameters{{"alpha", {0, .5}}};
    auto const with_gain = [&](double gain) {
        auto const measured = [&](std::span<double const> at) {
            std::vector<double> out(100, 2.0);
            for (std::size_t i = 0; i < out.size(); ++i)
                if (at[0] > 0) out[i] += gain + (i % 2 == 0 ? 1 : -1);
            return out;
        };
        auto const t = trawl::tune(parameters, measured, {}, {.usual = {0}});
        CHECK(t.best == (gain > 0 ? 1u : 0u));
        return t.recommended;
    };
    CHECK(with_gain(-.01) == 0);
    CHECK(with_gain(.099) == 0); // the standard error, divided by n - 1 = 99, is .1005
    CHECK(with_gain(.102) == 1);
}

TEST_CASE("of the settings within one standard error the nearest to the usual one is recommended",
    "[eval][tuning][usual]") {
    std::vector<trawl::tuned_parameter> const parameters{{"alpha", tenths()}, {"b", {0, .75}}};
    // All queries agree: there is no error, so that only the best counts; ties go to the nearest.
    auto const measured = [](std::span<double const> at) {
        return hill((std::max)(at[0], .6), .3);
    };
    auto const t = trawl::tune(parameters, measured, {}, {.usual = {.4, .75}});
    CHECK(t.points[t.recommended].parameters == std::vector<double>{.4, .75});
    CHECK(t.points[t.best].parameters == std::vector<double>{0, 0});
    CHECK(t.chosen == std::vector<std::size_t>(5, t.recommended));
    CHECK(t.held_out == t.points[t.recommended].outcome.values);
    CHECK(t.points.size() == t.grid);
    auto const table = trawl::to_table(t);
    CHECK(std::any_of(table.notes.begin(), table.notes.end(), [](std::string const& note) {
        return note.find("one standard error of the best: alpha 0.4, b 0.75") != note.npos;
    }));
}

TEST_CASE("without a usual setting the best one is recommended", "[eval][tuning][usual]") {
    std::vector<trawl::tuned_parameter> const parameters{{"alpha", tenths()}};
    auto const t =
        trawl::tune(parameters, [](std::span<double const> at) { return hill(at[0], .3); });
    CHECK(t.recommended == t.best);
    auto const wrong = support::error_of([&] {
        static_cast<void>(trawl::tune(parameters,
            [](std::span<double const> at) { return hill(at[0], .3); }, {}, {.usual = {1, 2}}));
    });
    CHECK(wrong.text == "tune: usual has 2 values, there are 1 parameters and weights");
}
