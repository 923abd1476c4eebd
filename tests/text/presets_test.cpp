// SPDX-License-Identifier: MIT
#include <trawl/text/analyzers/bm25s_analyzer.hpp>
#include <trawl/text/analyzers/composed_analyzer.hpp>
#include <trawl/text/analyzers/lucene_english_analyzer.hpp>
#include <trawl/text/analyzers/tantivy_default_analyzer.hpp>
#include <trawl/text/analyzers/whitespace_analyzer.hpp>
#include <trawl/text/analyzers/word_analyzer.hpp>

#include "support/catch.hpp"
#include "text/tokens.hpp"

namespace {

template <trawl::analyzer A>
std::string with_positions(A const& analyzer, std::string_view text) {
    std::string out;
    analyzer.analyze(text, [&](trawl::token const& t) {
        out += (out.empty() ? "" : " ") + std::to_string(t.position) + ':' + std::string(t.term);
    });
    return out;
}

template <trawl::analyzer A>
std::string blank_between(A const& analyzer, std::string_view text) {
    std::string out;
    analyzer.analyze(text,
        [&](trawl::token const& t) { out += (out.empty() ? "" : " ") + std::string(t.term); });
    return out;
}

} // namespace

// lucene.tsv: text, Lucene's StandardAnalyzer, its EnglishAnalyzer.
TEST_CASE("lucene_english and its words are Lucene's own", "[text][preset]") {
    auto const rows = golden("lucene.tsv");
    REQUIRE(rows.size() == 19);
    trawl::composed_analyzer const words{trawl::word_analyzer{}, trawl::lower_case{}};
    for (auto const& row : rows) {
        CAPTURE(row[0]);
        CHECK(with_positions(words, row[0]) == row[1]);
        CHECK(with_positions(trawl::lucene_english_analyzer{}, row[0]) == row[2]);
    }
}

// presets.tsv: text, bm25s, tantivy, str.split().
TEST_CASE("bm25s, tantivy_default and whitespace give those tools' terms", "[text][preset]") {
    auto const rows = golden("presets.tsv");
    REQUIRE(rows.size() == 19);
    for (auto const& row : rows) {
        CAPTURE(row[0]);
        CHECK(blank_between(trawl::bm25s_analyzer{}, row[0]) == row[1]);
        CHECK(blank_between(trawl::tantivy_default_analyzer{}, row[0]) == row[2]);
        CHECK(blank_between(trawl::whitespace_analyzer{}, row[0]) == row[3]);
    }
}

TEST_CASE(
    "a long word leaves a gap in tantivy_default, a stop word none in bm25s", "[text][preset]") {
    CHECK(with_positions(trawl::tantivy_default_analyzer{}, "a " + std::string(40, 'x') + " b")
          == "0:a 2:b");
    CHECK(with_positions(trawl::bm25s_analyzer{}, "cats and dogs") == "0:cats 1:dogs");
}

TEST_CASE("offsets cover the words as written", "[text][preset]") {
    CHECK(covered(trawl::lucene_english_analyzer{}, "The CAFÉS\u2019s Running")
          == "CAFÉS\u2019s | Running");
    CHECK(covered(trawl::bm25s_analyzer{}, "x İSTANBUL-Ab") == "STANBUL | Ab");
    CHECK(covered(trawl::tantivy_default_analyzer{}, "É!x\xFFy") == "É | x | y");
    CHECK(covered(trawl::whitespace_analyzer{}, " a\u3000b\xFF \n") == "a | b\xFF");
}

TEST_CASE("nothing in, nothing out of the presets", "[text][preset]") {
    for (std::string const text : {"", " ", "\n\t"}) {
        CHECK(terms(trawl::lucene_english_analyzer{}, text).empty());
        CHECK(terms(trawl::bm25s_analyzer{}, text).empty());
        CHECK(terms(trawl::tantivy_default_analyzer{}, text).empty());
        CHECK(terms(trawl::whitespace_analyzer{}, text).empty());
    }
}
