// SPDX-License-Identifier: MIT
#include <trawl/text/stemmers/porter2_stemmer.hpp>

#include <trawl/detail/random.hpp>

#include "support/catch.hpp"
#include "text/tokens.hpp"
#include "text/vocabulary.hpp"

namespace {

std::string stem(std::string word) {
    CHECK(trawl::porter2_stemmer{}(word));
    return word;
}

} // namespace

TEST_CASE("Porter 2 on a sample of Snowball's vocabulary", "[text][porter2]") {
    auto const rows = golden("porter2.tsv");
    REQUIRE(rows.size() == 1962);
    for (auto const& row : rows) {
        CAPTURE(row[0]);
        CHECK(stem(row[0]) == row[1]);
    }
}

TEST_CASE("Porter 2 on Snowball's whole vocabulary", "[text][porter2]") {
    check_vocabulary("english", [](std::string& word) { trawl::porter2_stemmer{}(word); });
}

TEST_CASE("Porter 2 leaves what is not an English word as it is", "[text][porter2]") {
    for (std::string const word :
        {"", "a", "as", "v3", "running-shoes", "жинг", "Cats", "caf\u00E9s", "\xFF\xFEing"}) {
        CAPTURE(word);
        CHECK(stem(word) == word);
    }
}

TEST_CASE("Porter 2 keeps letters, never makes more than two of them", "[text][porter2]") {
    auto const seed = GENERATE(1u, 2u, 3u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    static constexpr std::string_view pieces[] = {"s", "e", "y", "ed", "ing", "ation", "al", "li",
        "'", "iz", "ness", "ful", "t", "b", "o", "ll", "'s", "Y"};
    for (int round = 0; round < 5000; ++round) {
        std::string word;
        for (auto n = random.below(7); n > 0; --n) word += pieces[random.below(std::size(pieces))];
        auto stemmed = word;
        trawl::porter2_stemmer{}(stemmed);
        auto const again =
            stemmed.find('Y') != std::string::npos && word.find('Y') == std::string::npos;
        if (stemmed.size() > word.size() + 1 || again) FAIL(word << " became '" << stemmed << "'");
    }
}
