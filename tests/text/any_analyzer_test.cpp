// SPDX-License-Identifier: MIT
#include <trawl/text/analyzers/any_analyzer.hpp>

#include <trawl/text/analyzers/bm25s_analyzer.hpp>
#include <trawl/text/analyzers/composed_analyzer.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>
#include <trawl/text/analyzers/french_analyzer.hpp>
#include <trawl/text/analyzers/german_analyzer.hpp>
#include <trawl/text/analyzers/lucene_english_analyzer.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>
#include <trawl/text/analyzers/tantivy_default_analyzer.hpp>
#include <trawl/text/analyzers/technical_analyzer.hpp>
#include <trawl/text/analyzers/whitespace_analyzer.hpp>
#include <trawl/text/analyzers/word_analyzer.hpp>

#include "support/catch.hpp"
#include "text/tokens.hpp"

using trawl::any_analyzer;

namespace {

template <class... A>
concept analyzers = (trawl::analyzer<A> && ...);
static_assert(analyzers<trawl::any_analyzer, trawl::bm25s_analyzer, trawl::english_analyzer,
    trawl::french_analyzer, trawl::german_analyzer, trawl::lucene_english_analyzer,
    trawl::standard_analyzer, trawl::tantivy_default_analyzer, trawl::technical_analyzer,
    trawl::whitespace_analyzer, trawl::word_analyzer>);

} // namespace

TEST_CASE(
    "the names of the command line give the analyzers of the same name", "[text][any_analyzer]") {
    auto const text = "The dogs' /api/v3 a#b";
    CHECK(terms(any_analyzer::named("standard"), text) == terms(trawl::standard_analyzer{}, text));
    CHECK(
        terms(any_analyzer::named("technical"), text) == terms(trawl::technical_analyzer{}, text));
    CHECK(terms(any_analyzer::named("english"), text) == terms(trawl::english_analyzer{}, text));
    CHECK(terms(any_analyzer::named("bm25s"), "a C++ cat") == "cat");
    CHECK(terms(any_analyzer::named("lucene_english"), "1990s cats") == "1990 | cat");
    CHECK(terms(any_analyzer::named("tantivy_default"), "The_Cats") == "the | cats");
    CHECK(terms(any_analyzer::named("whitespace"), "The_Cats, x") == "The_Cats, | x");
    for (auto const name : any_analyzer::names()) CHECK_NOTHROW(any_analyzer::named(name));
}

TEST_CASE("an unknown name is an error that tells the known ones", "[text][any_analyzer]") {
    for (std::string const name : {"", "German", "Standard", "standard "}) {
        CAPTURE(name);
        try {
            static_cast<void>(any_analyzer::named(name));
            FAIL("no error");
        } catch (trawl::error const& e) {
            CHECK(e.code() == trawl::errc::invalid_argument);
            CHECK(e.what()
                  == "any_analyzer::named: no analyzer '" + name
                         + "', known are standard, technical, english, german, french, "
                           "lucene_english, "
                           "tantivy_default, bm25s, "
                           "whitespace");
        }
    }
}

TEST_CASE("by default it is the standard analyzer", "[text][any_analyzer]") {
    CHECK(terms(any_analyzer{}, "GPT-4o") == terms(trawl::standard_analyzer{}, "GPT-4o"));
}

TEST_CASE("it holds any analyzer, and copies share it", "[text][any_analyzer]") {
    auto const counted = std::make_shared<int>(0);
    auto held =
        any_analyzer{trawl::composed_analyzer{trawl::standard_analyzer{}, [counted](std::string&) {
                                                  ++*counted;
                                                  return true;
                                              }}};
    CHECK(counted.use_count() == 2);
    auto const copy = held;
    CHECK(counted.use_count() == 2);
    CHECK(terms(copy, "a b") == "a | b");
    CHECK(*counted == 2);
    held = any_analyzer{};
    CHECK(terms(copy, "c") == "c");
    any_analyzer const nested = copy; // copied, not wrapped
    CHECK(counted.use_count() == 2);
}
