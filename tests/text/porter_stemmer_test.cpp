// SPDX-License-Identifier: MIT
#include <trawl/text/stemmers/porter_stemmer.hpp>

#include <trawl/detail/random.hpp>

#include "support/catch.hpp"
#include "text/tokens.hpp"

namespace {

std::string stem(std::string word) {
    CHECK(trawl::porter_stemmer{}(word));
    return word;
}

} // namespace

// porter.tsv: word, stem by the paper (Snowball's porter), stem by the author's program (NLTK).
TEST_CASE("stems equal those of the author's program on a large vocabulary", "[text][porter]") {
    auto const rows = golden("porter.tsv");
    REQUIRE(rows.size() == 3720);
    std::size_t departures = 0;
    for (auto const& row : rows) {
        CAPTURE(row[0]);
        CHECK(stem(row[0]) == row[2]);
        departures += row[1] != row[2] ? 1u : 0u;
    }
    CHECK(departures == 50); // -bli, -logi and words of two letters
}

TEST_CASE("the paper's own examples", "[text][porter]") {
    auto const pairs = std::vector<std::pair<std::string, std::string>>{{"caresses", "caress"},
        {"ponies", "poni"}, {"cats", "cat"}, {"feed", "feed"}, {"agreed", "agre"},
        {"plastered", "plaster"}, {"bled", "bled"}, {"motoring", "motor"}, {"sing", "sing"},
        {"conflated", "conflat"}, {"hopping", "hop"}, {"hissing", "hiss"}, {"filing", "file"},
        {"happy", "happi"}, {"sky", "sky"}, {"relational", "relat"}, {"conditional", "condit"},
        {"vietnamization", "vietnam"}, {"triplicate", "triplic"}, {"hopeful", "hope"},
        {"adjustment", "adjust"}, {"adoption", "adopt"}, {"probate", "probat"}, {"cease", "ceas"},
        {"controll", "control"}, {"roll", "roll"}};
    for (auto const& [word, wanted] : pairs) {
        CAPTURE(word);
        CHECK(stem(word) == wanted);
    }
}

TEST_CASE("what is not an English word stays as it is", "[text][porter]") {
    for (std::string const word : {"", "a", "as", "is", "v3", "4817s", "running-shoes", "api/keys",
             "don't", "жинг", "Cats", "\xFF\xFEing"}) {
        CAPTURE(word);
        CHECK(stem(word) == word);
    }
}

TEST_CASE("the shortest words that a step could empty keep a letter", "[text][porter]") {
    for (std::string const word :
        {"ing", "ies", "eed", "aed", "oed", "ion", "sss", "eee", "yyy", "yed", "ate", "ous"}) {
        CAPTURE(word);
        CHECK_FALSE(stem(word).empty());
    }
}

TEST_CASE("any letters stem to letters, never to nothing and never to more", "[text][porter]") {
    auto const seed = GENERATE(1u, 2u, 3u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    static constexpr std::string_view pieces[] = {"s", "e", "y", "ed", "ing", "ation", "al", "bli",
        "logi", "iz", "ness", "ful", "t", "b", "o", "ll", "ement"};
    for (int round = 0; round < 5000; ++round) {
        std::string word;
        for (auto n = 1 + random.below(6); n > 0; --n)
            word += pieces[random.below(std::size(pieces))];
        auto stemmed = word;
        static_cast<void>(trawl::porter_stemmer{}(stemmed));
        if (stemmed.empty() || stemmed.size() > word.size())
            FAIL(word << " became '" << stemmed << "'");
    }
}
