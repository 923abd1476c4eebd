// SPDX-License-Identifier: MIT
#include <trawl/text/surface.hpp>

#include <trawl/text/analyzers/any_analyzer.hpp>
#include <trawl/text/analyzers/composed_analyzer.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>
#include <trawl/text/stemmers/porter_stemmer.hpp>
#include <trawl/text/synonyms.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace {

/// "surface>term@position" of each word, a blank between them.
template <class A>
std::string words(A const& a, std::string_view text) {
    std::string all;
    trawl::analyze_surface(a, text, [&](trawl::surface_token const& t) {
        if (!all.empty()) all += ' ';
        all += std::string(t.surface) + ">" + std::string(t.indexed.term) + "@"
               + std::to_string(t.indexed.position);
    });
    return all;
}

} // namespace

TEST_CASE("Surfaces are folded, but neither stemmed nor removed", "[text][surface]") {
    trawl::english_analyzer const english;
    CHECK(words(english, "The Dog's horses") == "the>@0 dog>dog@1 horses>hors@2");
    CHECK(words(english, "run-for-it") == "run-for-it>run-for-it@0 run>run@0 for>@0 it>@0");
    CHECK(words(trawl::standard_analyzer{}, "The Caf\u00E9s") == "the>the@0 cafes>cafes@1");
    CHECK(words(trawl::any_analyzer(english), "Any horses") == "any>ani@0 horses>hors@1");
    auto const composed = trawl::composed_analyzer{trawl::standard_analyzer{}, trawl::possessive{},
        trawl::stop_words::english(), trawl::porter_stemmer{}};
    CHECK(words(composed, "The Dog's horses") == words(english, "The Dog's horses"));
    // A synonym did not stand in the text.
    trawl::synonym_analyzer const synonyms{english, {{"car", "automobile"}}};
    CHECK(words(synonyms, "Cars") == "cars>car@0 >automobil@0");
}

TEST_CASE("The words that are kept are the analyzer's tokens", "[text][surface]") {
    for (auto const name : trawl::any_analyzer::names()) {
        auto const a = trawl::any_analyzer::named(name);
        constexpr std::string_view text =
            "The cats' PROD-4817 and l'avion des \u00E9coles, die H\u00E4user \u6771\u4EAC\u90FD";
        std::vector<std::string> expected;
        a.analyze(text, [&](trawl::token const& t) {
            expected.push_back(std::string(t.term) + std::to_string(t.begin));
        });
        std::vector<std::string> kept;
        a.analyze_surface(text, [&](trawl::surface_token const& t) {
            if (!t.indexed.term.empty())
                kept.push_back(std::string(t.indexed.term) + std::to_string(t.indexed.begin));
        });
        CAPTURE(name);
        CHECK(kept == expected);
    }
}
