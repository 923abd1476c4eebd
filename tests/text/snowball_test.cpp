// SPDX-License-Identifier: MIT
#include <trawl/text/stemmers/snowball.hpp>

#include <thread>

#include <trawl/text/analyzers/composed_analyzer.hpp>
#include <trawl/text/analyzers/word_analyzer.hpp>
#include <trawl/text/elision.hpp>

#include "support/catch.hpp"
#include "text/tokens.hpp"
#include "text/vocabulary.hpp"

TEST_CASE("Snowball's stems are those of its vocabularies", "[text][snowball]") {
    auto const language = GENERATE(as<std::string>{}, "german", "french", "english");
    trawl::snowball_stemmer const stemmer(language);
    check_vocabulary(language, [&](std::string& word) { stemmer(word); });
}

TEST_CASE("Snowball in an analyzer: stem first, fold afterwards", "[text][snowball]") {
    trawl::composed_analyzer const german{trawl::word_analyzer{}, trawl::lower_case{},
        trawl::snowball_stemmer{"german"}, trawl::folding{}};
    CHECK(terms(german, "Die Häuser, Gültigkeit") == "die | haus | gultig");
    CHECK(covered(german, "Die Häuser") == "Die | Häuser");
    trawl::composed_analyzer const french{trawl::word_analyzer{}, trawl::lower_case{},
        trawl::elision::french(), trawl::snowball_stemmer{"french"}, trawl::folding{}};
    CHECK(terms(french, "L\u2019été des chanteuses") == "ete | de | chanteux");
}

TEST_CASE(
    "a language that Snowball has not is an error that tells those it has", "[text][snowball]") {
    try {
        static_cast<void>(trawl::snowball_stemmer("klingon"));
        FAIL("no error");
    } catch (trawl::error const& e) {
        CHECK(e.code() == trawl::errc::invalid_argument);
        CHECK(std::string(e.what()).starts_with(
            "snowball_stemmer: no language 'klingon', known are "));
        CHECK(std::string(e.what()).find("german") != std::string::npos);
    }
}

TEST_CASE("threads may share a Snowball stemmer", "[text][snowball][thread]") {
    trawl::snowball_stemmer const stemmer("german");
    std::vector<int> wrong(4);
    std::vector<std::thread> threads;
    for (auto& count : wrong) {
        threads.emplace_back([&stemmer, &count, copy = stemmer] {
            for (int i = 0; i < 20000; ++i) {
                std::string word = i % 2 == 0 ? "häuser" : "gültigkeit";
                (i % 3 == 0 ? copy : stemmer)(word);
                count += word != (i % 2 == 0 ? "haus" : "gultig") ? 1 : 0;
            }
        });
    }
    for (auto& thread : threads) thread.join();
    CHECK(wrong == std::vector<int>(4, 0));
}
