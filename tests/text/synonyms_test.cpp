// SPDX-License-Identifier: MIT
#include <trawl/text/synonyms.hpp>

#include <trawl/text/analyzers/english_analyzer.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>

#include "support/catch.hpp"
#include "text/tokens.hpp"

using trawl::synonym_analyzer;

TEST_CASE("synonyms stand at the position of the word, with its offsets", "[text][synonyms]") {
    synonym_analyzer const analyzer{trawl::english_analyzer{}, {{"car", "automobile"}}};
    CHECK(terms(analyzer, "fast cars here") == "fast | car automobil | here");
    CHECK(terms(analyzer, "automobiles") == "automobil car");
    CHECK(covered(analyzer, "fast cars") == "fast | cars cars");
}

TEST_CASE("a phrase replaces but is not replaced", "[text][synonyms]") {
    synonym_analyzer const analyzer{
        trawl::standard_analyzer{}, {{"TV", "television", "goggle box"}}};
    CHECK(terms(analyzer, "a tv set") == "a | tv television goggle box | set");
    CHECK(terms(analyzer, "goggle box") == "goggle | box");
}

TEST_CASE("a word in two groups has the synonyms of both, once each", "[text][synonyms]") {
    synonym_analyzer const analyzer{
        trawl::standard_analyzer{}, {{"a", "b", "c"}, {"a", "b", "d"}, {"x"}}};
    CHECK(terms(analyzer, "a d x") == "a b c d | d a b | x");
}

TEST_CASE("a word twice in a group is one synonym", "[text][synonyms]") {
    synonym_analyzer const analyzer{
        trawl::standard_analyzer{}, {{"a", "b", "a", "b"}, {"c", "b", "a"}}};
    CHECK(terms(analyzer, "a") == "a b c");
    CHECK(terms(analyzer, "c") == "c b a");
    auto const copy = analyzer;
    CHECK(terms(copy, "b") == "b a c");
}

TEST_CASE("a word that the analyzer drops is no synonym", "[text][synonyms]") {
    try {
        static_cast<void>(synonym_analyzer{trawl::english_analyzer{}, {{"the", "article"}}});
        FAIL("no error");
    } catch (trawl::error const& e) {
        CHECK(e.code() == trawl::errc::invalid_argument);
        CHECK(std::string(e.what())
              == "synonym_analyzer: the analyzer leaves nothing of the word 'the'");
    }
    synonym_analyzer const none{trawl::standard_analyzer{}, {}};
    CHECK(terms(none, "a b") == "a | b");
}
