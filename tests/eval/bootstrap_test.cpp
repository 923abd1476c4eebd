// SPDX-License-Identifier: MIT
#include <trawl/eval/bootstrap.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <trawl/core/thread_executor.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/detail/paired.hpp>

#include "eval/statistics.hpp"
#include "support/catch.hpp"
#include "support/error_of.hpp"

TEST_CASE("bootstrap intervals are scipy's", "[eval][bootstrap][golden]") {
    auto golden = support::read_statistics();
    auto const& values = golden.cases.at("skewed").first;
    for (auto const method : {trawl::bootstrap_method::percentile, trawl::bootstrap_method::bca}) {
        std::string const name = method == trawl::bootstrap_method::bca ? "bca" : "percentile";
        CAPTURE(name);
        auto const got = trawl::bootstrap_interval(values, {.samples = 200'000, .method = method});
        CHECK_THAT(got.low, WithinAbs(golden.figures[name]["low"], 1.2e-3));
        CHECK_THAT(got.high, WithinAbs(golden.figures[name]["high"], 1.2e-3));
    }
    CHECK(golden.figures["bca"]["low"] - golden.figures["percentile"]["low"]
          > 2.5e-3); // the two can be told apart
}

TEST_CASE("an interval of 95 % holds the true mean in about 95 of 100 cases",
    "[eval][bootstrap][simulation]") {
    trawl::detail::random random(5);
    std::size_t normal = 0;
    std::size_t skewed = 0;
    constexpr std::size_t trials = 800;
    for (std::size_t i = 0; i < trials; ++i) {
        std::vector<double> a(60);
        std::vector<double> b(60);
        for (auto& v : a) v = random.normal();
        // mean 1, skewed as many measures are
        for (auto& v : b) v = -std::log(1 - random.uniform());
        normal += trawl::bootstrap_interval(a, {.samples = 1000, .seed = i}).contains(0) ? 1u : 0u;
        skewed += trawl::bootstrap_interval(b, {.samples = 1000, .seed = i}).contains(1) ? 1u : 0u;
    }
    // The standard deviation of the counts is 6; small samples make intervals a little narrow.
    CHECK((normal > 735 && normal < 784));
    CHECK((skewed > 720 && skewed < 784));
}

TEST_CASE("threads change no interval, more confidence widens it", "[eval][bootstrap][property]") {
    trawl::detail::random random(7);
    std::vector<double> values(40);
    for (auto& v : values) v = random.uniform();
    trawl::thread_executor const threads(3);
    auto const once = trawl::bootstrap_interval(values, {.seed = 9});
    CHECK(once == trawl::bootstrap_interval(values, {.seed = 9, .pool = &threads}));
    CHECK(once != trawl::bootstrap_interval(values, {.seed = 10}));
    auto const wide = trawl::bootstrap_interval(values, {.confidence = .99, .seed = 9});
    CHECK((wide.low < once.low && wide.high > once.high));
    auto const mean = trawl::detail::mean_of(values);
    CHECK((once.low < mean && mean < once.high));
}

TEST_CASE("values that are all the same leave no doubt", "[eval][bootstrap]") {
    std::vector<double> const same{.25, .25, .25};
    CHECK(trawl::bootstrap_interval(same) == trawl::interval{.25, .25});
    CHECK(trawl::bootstrap_difference(same, same) == trawl::interval{0, 0});
    std::vector<double> const one{.5};
    CHECK(trawl::bootstrap_interval(one) == trawl::interval{.5, .5});
}

TEST_CASE("a bootstrap refuses no values, NaN, odd confidence and few samples",
    "[eval][bootstrap][bad]") {
    std::vector<double> const two{1, 2};
    std::vector<double> const broken{1, std::numeric_limits<double>::infinity()};
    CHECK(support::error_of([] { (void)trawl::bootstrap_interval({}); }).names("no values"));
    CHECK(support::error_of([&] { (void)trawl::bootstrap_interval(broken); }).code
          == trawl::errc::not_finite);
    CHECK(support::error_of([&] {
        (void)trawl::bootstrap_interval(two, {.confidence = 1});
    }).names("is 1"));
    CHECK(support::error_of([&] {
        (void)trawl::bootstrap_interval(two, {.confidence = std::nan("")});
    }).names("nan"));
    CHECK(support::error_of([&] {
        (void)trawl::bootstrap_interval(two, {.samples = 10});
    }).names("is 10"));
    CHECK(support::error_of([&] { (void)trawl::bootstrap_difference(two, {}); }).code
          == trawl::errc::dimension_mismatch);
}
