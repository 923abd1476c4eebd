// SPDX-License-Identifier: MIT
#include <trawl/text/analyzers/technical_analyzer.hpp>

#include "support/catch.hpp"
#include "text/tokens.hpp"

namespace {
trawl::technical_analyzer const technical;
}

TEST_CASE("technical yields the worked tokens", "[text][technical]") {
    auto const rows = golden("worked_tokens.tsv");
    REQUIRE(rows.size() == 20);
    for (auto const& row : rows) {
        CAPTURE(row[0]);
        std::string wanted;
        for (auto const& whole : split_at(row[1], ' '))
            wanted += (wanted.empty() ? "" : " | ") + whole;
        CHECK(terms(technical, row[0]) == wanted);
    }
}

TEST_CASE("twins share no token", "[text][technical]") {
    CHECK(terms(technical, "PROD-4817 PROD-4871") == "prod-4817 | prod-4871");
    CHECK(terms(technical, "GPT-4o GPT-4") == "gpt-4o | gpt-4");
}

TEST_CASE("only . _ / - join, and only one at a time", "[text][technical]") {
    CHECK(terms(technical, "a:b a#b a.b a_b a/b a-b") == "a | b | a | b | a.b | a_b | a/b | a-b");
    CHECK(terms(technical, "a--b a.-b a' 1,000 don't") == "a | b | a | b | a | 1 | 000 | don | t");
}

TEST_CASE("technical keeps the signs of C++ and C#", "[text][technical]") {
    CHECK(terms(technical, "C C++ C# a#b x:y") == "c | c++ | c# | a | b | x | y");
}

TEST_CASE("letters that do not fold to ASCII separate", "[text][technical]") {
    CHECK(terms(technical, "aжb 漢1 Größe") == "a | b | 1 | grosse");
    CHECK(covered(technical, "(Größe-e\u0301)") == "Größe-e\u0301");
}
