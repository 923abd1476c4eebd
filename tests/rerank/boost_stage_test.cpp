// SPDX-License-Identifier: MIT
#include <trawl/rerank/boost_stage.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "support/tiny.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

using support::error_of;
using support::ids_of;
using namespace trawl;

namespace {

auto const not_a_number = std::numeric_limits<double>::quiet_NaN();

// Document i has the number 10 i; from 4 on none.
std::optional<double> tens(doc_id id) { return id < 4 ? std::optional(10.0 * id) : std::nullopt; }

ranking const five{{0, 5.0f}, {1, 4.0f}, {2, 4.0f}, {4, 3.0f}, {3, 2.0f}};

} // namespace

TEST_CASE("decay is 1 within the offset and at_scale one scale beyond", "[rerank][decay]") {
    for (auto const shape : {decay_shape::gauss, decay_shape::exp, decay_shape::linear}) {
        CAPTURE(name_of(shape));
        decay const d{.origin = 100, .scale = 10, .offset = 5, .at_scale = 0.3, .shape = shape};
        for (double const inside : {95.0, 97.0, 100.0, 105.0}) REQUIRE(d(inside) == 1);
        REQUIRE_THAT(d(115), WithinAbs(0.3, 1e-15));
        REQUIRE_THAT(d(85), WithinAbs(0.3, 1e-15));
        REQUIRE(d(110) > d(111));
        REQUIRE(d(1e300) == 0);
    }
}

TEST_CASE("the three shapes by Elasticsearch's formulas", "[rerank][decay]") {
    // decay .5, scale 10, distance 5: gauss s^2 = -100 / (2 ln .5) = 72.13475..., exp(-25 /
    // 144.2695...) = .5^(1/4) = .8408964; exp: .5^(1/2) = .7071068; linear: s = 20, (20 - 5) / 20 =
    // .75.
    REQUIRE_THAT(
        (decay{.scale = 10, .shape = decay_shape::gauss}(5)), WithinAbs(0.8408964152537145, 1e-15));
    REQUIRE_THAT(
        (decay{.scale = 10, .shape = decay_shape::exp}(5)), WithinAbs(0.7071067811865476, 1e-15));
    REQUIRE((decay{.scale = 10, .shape = decay_shape::linear}(5)) == 0.75);
    // Distance 20: .5^4, .5^2, and nothing left.
    REQUIRE_THAT((decay{.scale = 10, .shape = decay_shape::gauss}(-20)), WithinAbs(0.0625, 1e-15));
    REQUIRE_THAT((decay{.scale = 10, .shape = decay_shape::exp}(-20)), WithinAbs(0.25, 1e-15));
    REQUIRE((decay{.scale = 10, .shape = decay_shape::linear}(-20)) == 0);
    // The formulas as they stand in Elasticsearch's manual, on many values.
    for (double x = -50; x <= 50; x += 0.7) {
        decay const g{.origin = 3, .scale = 7, .offset = 2, .at_scale = 0.33};
        auto const distance = std::max(0.0, std::fabs(x - 3) - 2);
        auto const variance = -49 / (2 * std::log(0.33));
        REQUIRE_THAT(g(x), WithinAbs(std::exp(-distance * distance / (2 * variance)), 1e-14));
    }
}

TEST_CASE("value_factor by its modifiers", "[rerank][boost]") {
    REQUIRE(value_factor{.factor = 1.5}(4) == 6);
    REQUIRE_THAT((value_factor{.factor = 9, .modifier = modifier::log1p}(11)), WithinAbs(2, 1e-15));
    REQUIRE_THAT(
        (value_factor{.modifier = modifier::ln1p}(std::exp(1.0) - 1)), WithinAbs(1, 1e-15));
    REQUIRE(value_factor{.factor = 2, .modifier = modifier::square}(-3) == 36);
    REQUIRE(value_factor{.factor = 3, .modifier = modifier::sqrt}(3) == 3);
    REQUIRE(value_factor{.factor = 2, .modifier = modifier::reciprocal}(2) == 0.25);
    REQUIRE(error_of([] { value_factor{.factor = not_a_number}.validate(); }).code
            == errc::invalid_argument);
}

TEST_CASE("multiplying scores, sorting anew, ties in the order given", "[rerank][boost]") {
    boost_stage const stage(decay{.origin = 30, .scale = 10, .shape = decay_shape::exp}, tens);
    stage_trace trace;
    // 0: 5/8; 1: 4/4; 2: 4/2; 4 has no number: 3; 3: 2.
    auto const hits = stage({}, five, {}, trace);
    REQUIRE(ids_of(hits) == std::vector<doc_id>{4, 2, 3, 1, 0});
    REQUIRE_THAT(hits[4].score, WithinAbs(0.625, 1e-6));
    REQUIRE(trace.notes == std::vector<std::string>{"1 documents have no number"});
    REQUIRE(trace.scored == 5);
}

TEST_CASE("adding, with a weight and a value for documents without a number", "[rerank][boost]") {
    value_factor const tenth{.factor = 0.1};
    // Half of 0 1 2 3, and 4 for document 4: 5, 4.5, 5, 5, 3.5.
    REQUIRE(
        boost_stage(tenth, tens, {.mode = boost_mode::add, .weight = 0.5, .missing = 4})({}, five)
        == ranking{{0, 5.0f}, {2, 5.0f}, {4, 5.0f}, {1, 4.5f}, {3, 3.5f}});
    // Any callable is a function; under min-max 1, 2/3, 2/3, 1/3, 0.
    auto const one = [](double) { return 1.0; };
    auto const hits =
        boost_stage(one, tens, {.weight = 2, .missing = 0, .norm = normaliser::min_max})({}, five);
    REQUIRE(ids_of(hits) == std::vector<doc_id>{0, 1, 2, 4, 3});
    REQUIRE(hits[0].score == 2);
    REQUIRE_THAT(hits[1].score, WithinAbs(4.0 / 3, 1e-6));
    REQUIRE(hits[3].score == 0);
    REQUIRE(boost_stage(one, tens)({}, {}).empty());
}

TEST_CASE("explanations of boosted scores add up, with the score before inside",
    "[rerank][boost][explain]") {
    for (auto const mode : {boost_mode::multiply, boost_mode::add}) {
        for (auto const norm : {normaliser::none, normaliser::min_max}) {
            for (std::optional<double> const missing :
                {std::optional<double>(), std::optional(0.7)}) {
                boost_stage const stage(decay{.origin = 17, .scale = 9}, tens,
                    {.mode = mode, .weight = 0.3, .missing = missing, .norm = norm});
                stage_trace trace;
                auto const hits = stage({}, five, {}, trace);
                for (std::size_t i = 0; i < hits.size(); ++i) {
                    auto const at = detail::position_of(five, hits[i].id);
                    auto const tree = stage.explain({}, {five, hits, trace}, i,
                        {.label = "before", .value = static_cast<double>(five[at].score)});
                    REQUIRE(tree.value == static_cast<double>(hits[i].score));
                    REQUIRE(adds_up(tree));
                    REQUIRE(to_text(tree).find(" before\n") != std::string::npos);
                }
            }
        }
    }
}

TEST_CASE("a negative score is not multiplied, NaN and infinity are refused", "[rerank][boost]") {
    decay const d{};
    auto const negative = error_of([&] {
        (void)boost_stage(d, tens)({}, {{1, 1.0f}, {2, -1.0f}});
    });
    REQUIRE(negative.code == errc::invalid_argument);
    REQUIRE(negative.names("document 2"));
    REQUIRE(negative.names("min_max"));
    REQUIRE(boost_stage(d, tens, {.norm = normaliser::min_max})({}, {{1, 1.0f}, {2, -1.0f}}).size()
            == 2);

    auto const bad_number = [](doc_id) { return not_a_number; };
    REQUIRE(error_of([&] {
        (void)boost_stage(d, bad_number)({}, five);
    }).names("number of document 0"));
    auto const inverse = value_factor{.modifier = modifier::reciprocal};
    auto const infinite = error_of([&] { (void)boost_stage(inverse, tens)({}, five); });
    REQUIRE(infinite.code == errc::not_finite);
    REQUIRE(infinite.names("document 0"));

    for (auto const& wrong :
        {decay{.origin = not_a_number}, decay{.scale = 0}, decay{.scale = -1}, decay{.offset = -1},
            decay{.at_scale = 0}, decay{.at_scale = 1}, decay{.at_scale = not_a_number}})
        REQUIRE(error_of([&] { (void)boost_stage(wrong, tens); }).code == errc::invalid_argument);
    REQUIRE(error_of([&] {
        (void)boost_stage(d, tens, {.weight = not_a_number});
    }).names("weight is nan"));
    REQUIRE(error_of([&] {
        (void)boost_stage(d, tens, {.missing = not_a_number});
    }).names("missing is nan"));
    std::shared_ptr<decltype(bad_number) const> const none;
    REQUIRE(error_of([&] { (void)boost_stage(d, none); }).code == errc::invalid_argument);
    STATIC_REQUIRE(explaining_stage<decltype(boost_stage(d, tens))>);
}
