// SPDX-License-Identifier: MIT
#include <trawl/eval/weight_choice.hpp>

#include <vector>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

using effect = trawl::arm_effect;

// 400 queries whose mean rises by `slope` from weight 0 to `peak` and then falls, with deviations
// that grow with the weight and cancel out.
trawl::weight_choice chosen(double slope, double peak, double noise) {
    return trawl::choose_weight([&](double w) {
        std::vector<double> out;
        for (int i = 0; i < 400; ++i) {
            auto const gain = slope * (w < peak ? w : 2 * peak - w);
            out.push_back(.5 + gain + (i % 2 == 0 ? noise : -noise) * w);
        }
        return out;
    });
}

} // namespace

TEST_CASE("an arm that helps gets a weight below its peak", "[eval][weight_choice]") {
    auto const c = chosen(.2, .4, .05);
    CHECK(c.effect == effect::helps);
    CHECK(c.weight > .3);
    CHECK(c.weight <= .4);
    CHECK(c.gain.low > .05); // at .4 it gains .08
    CHECK(c.gain.high < .09);
    CHECK(c.tried.points.size() == 21);
    CHECK(c.summary("BM25", "The dense arm").starts_with("The dense arm helps: of weight 0."));
    CHECK(
        trawl::to_table(c.tried).rows.size() == 10); // without the reference that it was tuned with
}

TEST_CASE("an arm that harms gets no weight, and is said to harm", "[eval][weight_choice]") {
    auto const c = chosen(-.2, 1, .05);
    CHECK(c.weight == 0);
    CHECK(c.effect == effect::harms);
    CHECK(c.equal_weights.high < 0);
    CHECK(c.gain == trawl::interval{0, 0});
    CHECK(c.summary("BM25", "The dense arm").starts_with("The dense arm harms: "));
}

TEST_CASE("an arm that changes nothing leaves the first one alone", "[eval][weight_choice]") {
    for (double const noise : {0.0, .5}) {
        auto const c = chosen(0, 1, noise);
        CAPTURE(noise);
        CHECK(c.weight == 0);
        CHECK(c.effect == effect::uncertain);
        CHECK(c.summary("BM25", "the dense arm")
                  .starts_with("The queries say nothing for or against the dense arm"));
    }
}

TEST_CASE("an odd number of steps has no equal weights", "[eval][weight_choice]") {
    auto const thrown = support::error_of([] {
        static_cast<void>(trawl::choose_weight(
            [](double) { return std::vector<double>(30, 1.0); }, {.steps = 5}));
    });
    CHECK(thrown.text == "choose_weight: steps is 5, must be even and > 0");
}

TEST_CASE(
    "a choice tells what it is worth for each group of its queries", "[eval][weight_choice]") {
    // Passages gain .4 at weight .5, titles lose .1; 3 of 4 queries are passages.
    std::vector<std::string> groups;
    for (int i = 0; i < 200; ++i) groups.emplace_back(i % 4 == 1 ? "title" : "passage");
    auto const measured = [&](double w) {
        std::vector<double> out;
        for (auto const& group : groups)
            out.push_back(group == "title" ? .5 - .2 * w : .2 + .8 * (w < .5 ? w : 1 - w));
        return out;
    };
    auto const c = trawl::choose_weight(measured, {.groups = groups});
    REQUIRE(c.groups.size() == 2);
    CHECK(c.weight == .5);
    CHECK(c.groups[0].name == "passage");
    CHECK(c.groups[0].queries == 150);
    CHECK(c.groups[0].usual == Approx(.2));
    CHECK(c.groups[0].chosen == Approx(.6));
    CHECK(c.groups[1].name == "title");
    CHECK(c.groups[1].queries == 50);
    CHECK(c.groups[1].usual == Approx(.5));
    CHECK(c.groups[1].chosen == Approx(.4));

    CHECK(trawl::choose_weight(measured).groups.empty());
    auto const thrown = support::error_of(
        [&] { static_cast<void>(trawl::choose_weight(measured, {.groups = {"title"}})); });
    CHECK(thrown.names("there are 1 groups of 200 queries"));
    std::vector<double> const two = {0, 1};
    CHECK(support::error_of([&] {
        static_cast<void>(trawl::means_of_groups(groups, two, two));
    }).names("there are 2 and 2 values of 200 queries"));
}
