// SPDX-License-Identifier: MIT
#include <cmath>
#include <trawl/lexical/detail/scoring/score_quantizer.hpp>

#include <trawl/detail/random.hpp>

#include <cstdint>
#include <limits>
#include <vector>

#include "support/catch.hpp"

using trawl::detail::score_quantizer;

TEST_CASE(
    "A score quantiser's step is the power of two that puts the bound into 2^29 to 2^30 steps",
    "[lexical][score_quantizer]") {
    CHECK(score_quantizer(1.0).step() == 0x1p-29f); // 1 < 2^1
    CHECK(score_quantizer(0.75).step() == 0x1p-30f);
    CHECK(score_quantizer(1e6).step() == 0x1p-10f); // 1e6 < 2^20
    CHECK(score_quantizer(0).step() == 0x1p-30f);
    CHECK(score_quantizer(1e-300).step() == 0x1p-100f);
    CHECK(score_quantizer(0x1p126).step() == 0x1p97f);
}

TEST_CASE("Contributions are rounded to whole steps, ties to even, either side of zero",
    "[lexical][score_quantizer]") {
    score_quantizer const quantizer(0x1p30 - 1); // steps of 1
    REQUIRE(quantizer.step() == 1.0f);
    CHECK(quantizer.in_steps(2.5f) == 2);
    CHECK(quantizer.in_steps(3.5f) == 4);
    CHECK(quantizer.in_steps(-2.5f) == -2);
    CHECK(quantizer.in_steps(-0.4f) == 0);
    CHECK(quantizer.in_steps(1e9f) == 1000000000);
    // 2^24 + 1 is no float: the sum becomes one once, to even.
    CHECK(quantizer.score((1 << 24) + 1) == 16777216.0f);
}

TEST_CASE("Sums of contributions are near the exact sum and within 31 bits",
    "[lexical][score_quantizer]") {
    auto const seed = GENERATE(1u, 2u, 3u, 4u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    for (int round = 0; round < 200; ++round) {
        std::vector<float> weights(1 + random.below(200));
        auto const magnitude =
            static_cast<float>(std::ldexp(1.0, static_cast<int>(random.below(60)) - 30));
        double bound = 0;
        for (auto& weight : weights) {
            weight = magnitude * static_cast<float>(random.uniform());
            bound += static_cast<double>(weight);
        }
        score_quantizer const quantizer(bound);
        std::int64_t total = 0;
        std::int64_t most = 0;
        double exact = 0;
        for (float const weight : weights) {
            auto const part = static_cast<float>(random.uniform());
            total += quantizer.in_steps(score_quantizer::contribution(weight, part));
            most += quantizer.in_steps(weight);
            exact += static_cast<double>(weight) * static_cast<double>(part);
        }
        CHECK(total <= most);
        REQUIRE(most <= (std::numeric_limits<std::int32_t>::max)());
        CHECK_THAT(static_cast<double>(quantizer.score(static_cast<std::int32_t>(total))),
            WithinRel(exact, 4e-6));
    }
}

TEST_CASE("last_sum is the last sum whose score stays below a score, or reaches it",
    "[lexical][score_quantizer]") {
    auto const bound = GENERATE(0.75, 30.0, 1e6, 1e-300, 0x1p120);
    score_quantizer const quantizer(bound);
    constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max() - 1;
    auto const check = [&](std::int32_t sum) {
        CAPTURE(bound, sum);
        auto const score = quantizer.score(sum);
        for (bool const or_equal : {false, true}) {
            auto const last = quantizer.last_sum(score, or_equal);
            auto const stays = [&](std::int32_t other) {
                return quantizer.score(other) < score
                       || (or_equal && quantizer.score(other) == score);
            };
            if (last > 0) CHECK(stays(last));
            if (last < most) CHECK_FALSE(stays(last + 1));
        }
    };
    for (std::int32_t sum = 0; sum < 300; ++sum) check(sum);
    for (int exponent = 8; exponent <= 30; ++exponent) {
        for (std::int32_t near = -70; near <= 70; ++near) check((1 << exponent) + near);
        for (std::int32_t near = -70; near <= 70; ++near) check((1 << exponent) / 3 * 2 + near);
    }
    for (std::int32_t near = 0; near < 300; ++near) check(most - near);
}
