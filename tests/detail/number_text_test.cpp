// SPDX-License-Identifier: MIT
#include <trawl/detail/number_text.hpp>

#include <cmath>
#include <cstdlib>
#include <string>

#include <trawl/detail/random.hpp>

#include "support/catch.hpp"

using trawl::detail::parse_double;

TEST_CASE("numbers are those of strtod, bit for bit", "[detail][property]") {
    auto const seed = GENERATE(range(1u, 40u));
    CAPTURE(seed);
    trawl::detail::random random(seed);
    for (int round = 0; round < 500; ++round) {
        std::string text = random.below(3) == 0 ? "-" : "";
        auto const digits = 1 + random.below(20);
        auto const point = random.below(digits + 4);
        for (std::size_t i = 0; i < digits; ++i) {
            if (i == point && i > 0) text += '.';
            text += static_cast<char>('0' + random.below(10));
        }
        if (random.below(4) == 0) text += "e-" + std::to_string(random.below(30));
        CAPTURE(text);
        auto const got = parse_double(text);
        REQUIRE(got.has_value());
        auto const expected = std::strtod(text.c_str(), nullptr);
        REQUIRE(*got == expected);
        REQUIRE(std::signbit(*got) == std::signbit(expected));
    }
}

TEST_CASE("what is no number is none", "[detail]") {
    for (std::string const text : {"", "-", "+", ".", "-.", "1.2.3", "1,5", "0x10", "1 ", " 1",
             "--1", "+-1", "1e", "12345678901234567x", "1-"}) {
        CAPTURE(text);
        CHECK(!parse_double(text));
    }
    CHECK(parse_double("+2.50") == 2.5);
    CHECK(parse_double("5.") == 5.0);
    CHECK(parse_double(".5") == 0.5);
    CHECK(parse_double("9007199254740993") == 9007199254740992.0); // 2^53 + 1: to even
    CHECK(parse_double("9999999999999999") == 1e16);
}
