// SPDX-License-Identifier: MIT
#include <trawl/text/analyzers/composed_analyzer.hpp>

#include <trawl/text/analyzers/english_analyzer.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>
#include <trawl/text/analyzers/technical_analyzer.hpp>
#include <trawl/text/elision.hpp>
#include <trawl/text/stemmers/porter2_stemmer.hpp>
#include <trawl/text/stemmers/porter_stemmer.hpp>

#include "support/catch.hpp"
#include "text/tokens.hpp"

namespace {

struct filter_archetype {
    bool operator()(std::string&) const { return true; }
};
struct not_const {
    bool operator()(std::string&) { return true; }
};
struct gives_nothing {
    void operator()(std::string&) const {}
};
struct move_only {
    move_only() = default;
    move_only(move_only&&) = default;
    bool operator()(std::string&) const { return true; }
};

static_assert(trawl::token_filter<trawl::folding> && trawl::token_filter<trawl::lower_case>
              && trawl::token_filter<trawl::possessive> && trawl::token_filter<trawl::stop_words>
              && trawl::token_filter<trawl::elision> && trawl::token_filter<trawl::porter_stemmer>
              && trawl::token_filter<trawl::porter2_stemmer>);
static_assert(trawl::token_filter<filter_archetype>);
static_assert(!trawl::token_filter<not_const>);
static_assert(!trawl::token_filter<gives_nothing>);
static_assert(!trawl::token_filter<move_only>);

/// An analyzer that folds nothing: what blanks separate.
struct blanks {
    void analyze(std::string_view text, trawl::token_sink sink) const {
        std::uint32_t position = 0;
        for (std::size_t at = 0; at < text.size();) {
            auto const end = (std::min)(text.find(' ', at), text.size());
            if (end > at) {
                sink({text.substr(at, end - at), position++, static_cast<std::uint32_t>(at),
                    static_cast<std::uint32_t>(end)});
            }
            at = end + 1;
        }
    }
};

using trawl::composed_analyzer;

} // namespace

TEST_CASE("filters run in the order given", "[text][composed]") {
    auto const add = [](char c) {
        return [c](std::string& term) {
            term += c;
            return true;
        };
    };
    CHECK(terms(composed_analyzer{blanks{}, add('1'), add('2')}, "a b") == "a12 | b12");
    CHECK(terms(composed_analyzer{blanks{}}, "a b") == "a | b");
    CHECK(terms(composed_analyzer{composed_analyzer{blanks{}, add('1')}, add('2')}, "a") == "a12");
}

TEST_CASE("a word left out keeps its position empty, and later filters do not see it",
    "[text][composed]") {
    int seen = 0;
    auto const count = [&seen](std::string&) {
        ++seen;
        return true;
    };
    auto const analyzer = composed_analyzer{blanks{}, trawl::stop_words{"the"}, count};
    std::vector<std::uint32_t> positions;
    analyzer.analyze(
        "the cat the dog the", [&](trawl::token const& t) { positions.push_back(t.position); });
    CHECK(positions == std::vector<std::uint32_t>{1, 3});
    CHECK(seen == 2);

    auto const emptied = composed_analyzer{blanks{},
        [](std::string& term) {
            term.clear();
            return true;
        },
        count};
    CHECK(terms(emptied, "a b").empty());
    CHECK(seen == 2);
}

TEST_CASE("offsets stay those of the text when terms change", "[text][composed]") {
    auto const analyzer = composed_analyzer{blanks{}, trawl::folding{}, trawl::possessive{}};
    CHECK(terms(analyzer, "Straße's ÉTÉ") == "strasse | ete");
    CHECK(covered(analyzer, "Straße's ÉTÉ") == "Straße's | ÉTÉ");
}

TEST_CASE("stop words are folded as terms are, and any list will do", "[text][composed]") {
    CHECK(terms(composed_analyzer{trawl::standard_analyzer{}, trawl::stop_words{"ÜBER", "die"}},
              "Über die Straße")
          == "strasse");
    CHECK(terms(composed_analyzer{blanks{}, trawl::stop_words{}}, "the a") == "the | a");
    std::vector<std::string_view> const list{"b", "a", "b"};
    CHECK(terms(composed_analyzer{blanks{}, trawl::stop_words{list}}, "a b c") == "c");
}

TEST_CASE("only a term's own 's at its end is a possessive", "[text][composed]") {
    auto const analyzer = composed_analyzer{trawl::standard_analyzer{}, trawl::possessive{}};
    CHECK(terms(analyzer, "dog's dog\u2019S dogs' don't its s")
          == "dog | dog | dogs | don't | its | s");
}

TEST_CASE("english: possessives, 33 stop words, stems; identifiers stay exact as wholes",
    "[text][english]") {
    trawl::english_analyzer const english;
    CHECK(terms(english, "The dog's running-shoes") == "dog | running-shoes run shoe");
    CHECK(terms(english, "It's the state-of-the-art") == "state-of-the-art state art");
    CHECK(terms(english, "GET /api/keys and PROD-4817")
          == "get | api/keys api kei | prod-4817 prod 4817");
    CHECK(terms(english, "caresses, Relational; hopping!") == "caress | relat | hop");
    CHECK(terms(english, "a an and are as at be but by for if in into is it no not of on or such "
                         "that the their then "
                         "there these they this to was will with")
              .empty());
    CHECK(terms(english, "he we from who") == "he | we | from | who");

    std::vector<std::uint32_t> positions;
    english.analyze(
        "cats and dogs", [&](trawl::token const& t) { positions.push_back(t.position); });
    CHECK(positions == std::vector<std::uint32_t>{0, 2});
}
