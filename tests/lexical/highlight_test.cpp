// SPDX-License-Identifier: MIT
#include <trawl/lexical/highlight.hpp>

#include <trawl/lexical/query_syntax.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>

#include "support/catch.hpp"

#include <limits>
#include <string>
#include <string_view>

using namespace trawl;
using namespace trawl::ask;

namespace {

constexpr highlight_options brackets{.before = "[", .after = "]", .length = 10000000};

template <class A = standard_analyzer>
std::string marked(std::string_view text, lexical_query const& q, std::string_view field = {}) {
    return highlight(text, q, A{}, brackets, field).text;
}

std::string english(std::string_view text, std::string_view asked) {
    return marked<english_analyzer>(text, parse_query(asked));
}

} // namespace

TEST_CASE("patterns are marked, exclusions are not", "[lexical][highlight]") {
    // Issue 15, D7: the query marked printer and not money.
    CHECK(english("Money back: refunds, no printer", "mon* -printer refnds~")
          == "[Money] back: [refunds], no printer");
    CHECK(english("Anything for you", "any* for*") == "[Anything] [for] you");
    CHECK(english("running and ran", "running*") == "[running] and ran");
    CHECK(english("the dogs bark", "+dog") == "the [dogs] bark");
    CHECK(marked("stdio, std::vector, std vector", prefix("std::vec"))
          == "stdio, [std::vector], [std vector]");
    CHECK(marked("max_retry_count", prefix("retr")) == "max_[retry]_count");
    CHECK(marked("max_retry_count", prefix("retry_c")) == "[max_retry_count]");
}

TEST_CASE("a phrase is marked where it occurs, as one", "[lexical][highlight]") {
    CHECK(marked("dead lock, a lock, dead", phrase("dead lock")) == "[dead lock], a lock, dead");
    CHECK(marked("dead old lock. lock dead. dead x y z lock", phrase("dead lock", 1))
          == "[dead] old [lock]. lock dead. dead x y z lock");
    CHECK(marked("lock dead", phrase("dead lock", 2)) == "[lock] [dead]");
    CHECK(marked("a a b", phrase("a b", 2)) == "a [a] [b]");
    CHECK(marked("a a", phrase("a a")) == "[a a]");
    CHECK(marked("a", phrase("a a", 3)) == "a");
    CHECK(english("state of the art, state art", "\"state of the art\"")
          == "[state of the art], state art");
    // Issue 15, D5: identifiers are their words, and the reverse.
    CHECK(marked("open-source", phrase("open source")) == "[open-source]");
    CHECK(marked("open source", phrase("open-source")) == "[open source]");
    CHECK(marked("max_retry_count", phrase("retry count")) == "max_[retry_count]");
    CHECK(english("state-of-the-art", "\"state of the art\"") == "[state-of-the-art]");
    CHECK(english("state of the art", "\"state-of-the-art\"") == "[state of the art]");
    CHECK(marked("a-b c-d e", phrase("b c d e")) == "a-[b c-d e]");
    CHECK(marked("東京都庁", phrase("京都")) == "東[京都]庁");
}

TEST_CASE("fields, weights and single characters", "[lexical][highlight]") {
    auto const q = any_of({words("cat").in("title"), words("dog")});
    CHECK(marked("a cat, a dog", q) == "a [cat], a [dog]");
    CHECK(marked("a cat, a dog", q, "text") == "a cat, a [dog]");
    CHECK(marked("a cat, a dog", q, "title") == "a [cat], a [dog]");
    std::string const text = "One cat here. " + std::string(60, '.') + " One dog there.";
    auto const best = [&](double cat, double dog) {
        return highlight(text, any_of({words("cat").times(cat), words("dog").times(dog)}),
            standard_analyzer{}, {.length = 20})
            .text;
    };
    CHECK(best(2, 1) == "One <b>cat</b> here.");
    CHECK(best(1, 2) == "One <b>dog</b> there.");
    CHECK(marked("首都京", words("東京都")) == "首都京");
    CHECK(marked("首都京", words("京")) == "首都[京]");
    CHECK(marked("a", {}) == "a");
    CHECK(marked("", words("a")).empty());
    CHECK(marked("a", phrase("")) == "a");
    CHECK(marked("a", prefix("")) == "a");
}

TEST_CASE("bad queries are refused as in a search", "[lexical][highlight]") {
    CHECK_THROWS_AS(highlight("a", words("a").times(-1)), error);
    CHECK_THROWS_AS(
        highlight("a", words("a").times(std::numeric_limits<double>::infinity())), error);
    CHECK_THROWS_AS(highlight("a", fuzzy("a", 3)), error);
    auto deep = words("a");
    for (int i = 0; i < 200; ++i) deep = all_of({deep});
    CHECK_THROWS_AS(highlight("a", deep), error);
}

TEST_CASE("a phrase or words that are the text are marked in linear time", "[lexical][highlight]") {
    for (std::size_t const n : {50000u, 100000u}) {
        std::string text;
        for (std::size_t i = 0; i < n; ++i) text += "w" + std::to_string(i) + ' ';
        CHECK(marked(text, phrase(text)).size() == text.size() + 2);
        CHECK(marked(text, words(text)).size() == text.size() + 2 * n);
        std::string const same(2 * n, ' ');
        auto repeated = same;
        for (std::size_t i = 0; i < n; ++i) repeated[2 * i] = 'a';
        CHECK(marked(repeated, phrase(repeated)).size() == repeated.size() + 2);
    }
}
