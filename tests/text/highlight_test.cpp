// SPDX-License-Identifier: MIT
#include <trawl/text/passages/highlight.hpp>

#include <limits>
#include <set>

#include <trawl/detail/random.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>
#include <trawl/text/utf8.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "text/tokens.hpp"

namespace {

constexpr std::string_view policy =
    "Dogs bark. Our refund policy is simple. You may return PROD-4817 for a refund "
    "within 30 days. Cats sleep all day long and never pay.";

trawl::highlighted_passage passage(
    std::string_view text, std::string_view question, std::size_t length) {
    return trawl::highlight(text, {.text = question}, trawl::english_analyzer{},
        {.before = "[", .after = "]", .length = length});
}

std::string marked(std::string_view text, std::string_view question, std::size_t length = 1000) {
    return passage(text, question, length).text;
}

} // namespace

TEST_CASE("matches are marked as they are written", "[text][highlight]") {
    CHECK(marked("The dog's refunds.", "dogs refund") == "The [dog's] [refunds].");
    CHECK(marked("Über Straße, STRASSE", "strasse") == "Über [Straße], [STRASSE]");
    CHECK(marked("no match", "zebra") == "no match");
    CHECK(marked("", "zebra").empty());
    CHECK(marked("the text", "").find('[') == std::string::npos);
    CHECK(trawl::highlight("a cat", {.text = "cat"}).text == "a <b>cat</b>");
}

TEST_CASE("matches that overlap or touch are one", "[text][highlight]") {
    CHECK(marked("GET /api/v3/cursors", "api/v3") == "GET /[api/v3]/cursors");
    CHECK(marked("GET /api/v3/cursors", "api cursors") == "GET /[api]/v3/[cursors]");
    CHECK(marked("東京都庁", "京都庁") == "東[京都庁]");
}

TEST_CASE(
    "the passage has the most distinct words, cut at sentences or words", "[text][highlight]") {
    auto const question = "refunds PROD-4817";
    CHECK(marked(policy, question, 90)
          == "Our [refund] policy is simple. You may return [PROD-4817] for a [refund] within 30 "
             "days.");
    CHECK(marked(policy, question, 40) == "You may return [PROD-4817] for a [refund]");
    CHECK(marked(policy, question, 30) == "[PROD-4817] for a [refund] within");
    auto const cut = passage(policy, question, 40);
    CHECK(policy.substr(cut.begin, cut.end - cut.begin) == "You may return PROD-4817 for a refund");
}

TEST_CASE("weights choose the passage", "[text][highlight]") {
    std::string const text = "One cat here. " + std::string(60, '.') + " One dog there.";
    auto const heavy = [&](double cat, double dog) {
        std::vector<trawl::weighted_term> const terms{{"cat", cat}, {"dog", dog}};
        return trawl::highlight(text, {.terms = terms}, trawl::standard_analyzer{}, {.length = 20})
            .text;
    };
    CHECK(heavy(2, 1) == "One <b>cat</b> here.");
    CHECK(heavy(1, 2) == "One <b>dog</b> there.");
    CHECK(heavy(1, 1) == "One <b>cat</b> here."); // the first of equal ones
}

TEST_CASE(
    "without a match, or room for one, it is the beginning of the text", "[text][highlight]") {
    CHECK(marked(policy, "zebra", 30) == "Dogs bark. Our refund policy");
    CHECK(marked("longestword and more", "longestword", 4) == "long");
    CHECK(marked("日本語", "x", 4) == "日");
    CHECK(marked("日本語", "x", 2).empty());
    CHECK(marked("a b", "a", 0).empty());
}

TEST_CASE("a weight that is not finite is an error", "[text][highlight]") {
    for (auto const weight :
        {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        std::vector<trawl::weighted_term> const terms{{"cat", weight}};
        CHECK_THROWS_AS(trawl::highlight("a cat", {.terms = terms}), trawl::error);
    }
}

TEST_CASE("any passage is short enough, whole in its characters, and no window is better",
    "[text][highlight][law]") {
    static constexpr std::string_view pieces[] = {"a", "b", "cat", "dog", " ", " ", ". ", "B", "é",
        "漢", "字", "カ", "/", "-", "\n", "! ", "\u0301", "👍", "\xFF", "\xC3"};
    auto const seed = GENERATE(1u, 2u, 3u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    for (int round = 0; round < 1500; ++round) {
        std::string text;
        for (auto n = random.below(60); n > 0; --n) text += pieces[random.below(std::size(pieces))];
        auto const length = random.below(40);
        std::string_view const question = "a cat dog é 漢字";
        CAPTURE(round, text, length);
        trawl::standard_analyzer const standard;
        auto const found = trawl::highlight(text, {.text = question}, standard,
            {.before = "\x01", .after = "\x02", .length = length});
        REQUIRE(found.begin <= found.end);
        REQUIRE(found.end <= text.size());
        REQUIRE(found.end - found.begin <= length);
        auto bare = found.text;
        std::erase(bare, '\x01');
        std::erase(bare, '\x02');
        REQUIRE(bare == text.substr(found.begin, found.end - found.begin));

        // Never inside a character: each boundary is where decoding from the beginning stops.
        std::set<std::size_t> starts{text.size()};
        for (std::size_t at = 0; at < text.size();) {
            starts.insert(at);
            auto const bytes = trawl::decode_utf8(text, at).bytes;
            at += bytes == 0 ? 1 : bytes;
        }
        REQUIRE(starts.contains(found.begin));
        REQUIRE(starts.contains(found.end));

        std::set<std::string> wanted;
        standard.analyze(question, [&](trawl::token const& t) {
            if (t.term != "漢" && t.term != "字") wanted.emplace(t.term); // not asked alone
        });
        struct match {
            std::size_t begin, end;
            std::string term;
        };
        std::vector<match> matches;
        standard.analyze(text, [&](trawl::token const& t) {
            if (wanted.contains(std::string(t.term)))
                matches.push_back({t.begin, t.end, std::string(t.term)});
        });
        auto const distinct = [&](std::size_t begin, std::size_t end) {
            std::set<std::string> terms_inside;
            for (auto const& m : matches) {
                if (m.begin >= begin && m.end <= end) terms_inside.insert(m.term);
            }
            return terms_inside.size();
        };
        for (auto const& m : matches) {
            REQUIRE(distinct(found.begin, found.end) >= distinct(m.begin, m.begin + length));
        }
    }
}

TEST_CASE("a single character of a script without blanks is marked only if it was asked for alone",
    "[text][highlight]") {
    // Issue 15, D9: of 東京都 the analyzer makes 東京, 東, 京都, 京 and 都.
    CHECK(marked("東京都", "東京都") == "[東京都]");
    CHECK(marked("首都京", "東京都") == "首都京");
    CHECK(marked("東北と京都", "東京都") == "東北と[京都]");
    CHECK(marked("首都京", "京") == "首都[京]");
    CHECK(marked("首都京", "東京 京") == "首都[京]");
    // Thai: สวัสดี, five consonants and vowels, and a word that shares two of its letters.
    CHECK(marked("ดีมาก", "สวัสดี").find("[ด]") == std::string::npos);
    CHECK(marked("ส้ม", "สวัสดี") == "ส้ม");
}

TEST_CASE("highlighting is linear where the query is the text", "[text][highlight]") {
    // Issue 15, C: it read all of the query's terms at each match.
    auto const work = [](std::size_t words) {
        std::string text;
        for (std::size_t i = 0; i < words; ++i) text += "w" + std::to_string(i) + ' ';
        return trawl::highlight(text, {.text = text}).text.size();
    };
    CHECK(work(100000) > 240); // minutes if it were quadratic
    CHECK(work(200000) > 240);
}

TEST_CASE("matches that the caller found are checked", "[text][highlight][bad]") {
    double const weights[] = {1, 2};
    std::string_view const text = "one two";
    trawl::passage_finder const found(text,
        {{4, 7, 1}, {0, 0, 0}, {3, 2, 0}, {5, 8, 0}, {std::size_t(-1), std::size_t(-1), 0}},
        weights);
    CHECK(found.passage({}).text == "one <b>two</b>"); // the others are empty, or past the text
    auto const refused = [&](auto&& call) { return support::error_of(call); };
    auto const term = refused([&] { trawl::passage_finder(text, {{0, 3, 2}}, weights); });
    CHECK(term.code == trawl::errc::invalid_argument);
    CHECK((term.names("term 2") && term.names("there are 2")));
    double const bad[] = {1, std::numeric_limits<double>::quiet_NaN()};
    auto const weight = refused([&] { trawl::passage_finder(text, {{0, 3, 0}}, bad); });
    CHECK((weight.code == trawl::errc::invalid_argument && weight.names("weight 1")));
}
