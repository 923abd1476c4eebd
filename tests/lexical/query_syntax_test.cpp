// SPDX-License-Identifier: MIT
#include <trawl/lexical/query_syntax.hpp>

#include "lexical/whitespace.hpp"

#include <trawl/detail/random.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/lexical/bm25f_index.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>

#include "support/catch.hpp"

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace trawl;
using namespace trawl::ask;

namespace {

using ids = std::set<doc_id>;

template <class Index>
ids found(Index const& index, lexical_query const& asked) {
    ids all;
    for (auto const& h : index.search(asked, 1000)) all.insert(h.id);
    return all;
}

test::index with_positions(std::vector<std::string> const& texts) {
    test::index index({}, {.positions = true});
    for (auto const& text : texts) index.add(text);
    return index;
}

template <class Call>
std::string message(errc code, Call&& call) {
    try {
        call();
    } catch (error const& e) {
        CHECK(e.code() == code);
        return e.what();
    }
    FAIL("no error");
    return "";
}

/// A query as text, to compare trees.
std::string shown(lexical_query const& q) {
    static constexpr char const* names[] = {
        "words", "every", "phrase", "prefix", "fuzzy", "combination"};
    std::string out = names[static_cast<int>(q.what)];
    if (!q.text.empty()) out += "(" + q.text + ")";
    if (q.distance != 0) out += "~" + std::to_string(q.distance);
    if (q.weight != 1) out += "^" + detail::join(q.weight);
    if (!q.field.empty()) out = q.field + ":" + out;
    auto const list = [&](char sign, lexical_query_list const& children) {
        for (auto const& child : children) out += std::string(" ") + sign + shown(child);
    };
    list('+', q.must);
    list('?', q.should);
    list('-', q.must_not);
    return out;
}

std::string tree(std::string_view text, syntax_mode mode = syntax_mode::strict) {
    auto const all = shown(parse_query(text, {}, mode));
    return all.substr(all.find(' ') + 1);
}

} // namespace

TEST_CASE("The syntax says what the tree says", "[lexical][syntax]") {
    auto const index =
        with_positions({"dead lock", "lock dead", "refund of a lock", "c++ code", "dead refnd"});
    auto const same = [&](std::string_view text, lexical_query const& tree) {
        CAPTURE(text);
        CHECK(index.search(parse_query(text), 10) == index.search(tree, 10));
        CHECK(syntax_search(index).search(text, 10) == index.search(tree, 10));
    };
    same("dead lock", words("dead lock"));
    same("  +dead -lock ", every("dead").without(words("lock")));
    same("\"dead lock\"", phrase("dead lock"));
    same("\"dead lock\"~2^3 of", any_of({phrase("dead lock", 2).times(3), words("of")}));
    same("ref*", prefix("ref"));
    same("+ref*^2 lock", all_of({prefix("ref").times(2)}).also(words("lock")));
    same("refnd~1", fuzzy("refnd", 1));
    same("refnd~", fuzzy("refnd", 2));
    same("c++", words("c++"));
    same("\\+dead", words("+dead"));
    same("de\\*", words("de*"));
    same("-dead", {});
    same("", {});
    CHECK(found(index, parse_query("c++")) == ids{3});
    static_assert(scoring_retriever<decltype(syntax_search(index))>);
    auto const expected = index.search(every("dead"), 10);
    CHECK(syntax_search(test::index(index)).search("+dead", 10) == expected); // owned
    CHECK(
        syntax_search(std::make_shared<test::index const>(index)).search("+dead", 10) == expected);
    CHECK_THROWS_AS(syntax_search(std::shared_ptr<test::index const>()), error);
}

TEST_CASE("An error of the syntax points at its character", "[lexical][syntax]") {
    for (auto const& [text, expected] : std::vector<std::pair<std::string, std::string>>{
             {"a \"b c", "query, column 3: the quotation mark is never closed"},
             {"caf\xC3\xA9 a~3", "query, column 8: a word may be 1 or 2 edits away, not 3"},
             {"a^-1", "query, column 2: a number >= 0 must follow '^', not '-1'; for the sign "
                      "itself write \\^"},
             {"*", "query, column 1: letters must stand before '*'"}}) {
        CAPTURE(text);
        CHECK(message(errc::parse, [&, &asked = text] { (void)parse_query(asked); }) == expected);
    }
}

TEST_CASE("A sign counts only where the grammar mentions it", "[lexical][syntax]") {
    // The first five were errors (issue 15, D3).
    for (auto const& [text, expected] : std::vector<std::pair<std::string, std::string>>{
             {"http://example.org/~anna", "?words(http://example.org/~anna)"},
             {"x^y", "?words(x^y)"}, {"a~b", "?words(a~b)"},
             {"\"for notes\", anna", "?phrase(for notes) ?words(,) ?words(anna)"},
             {"linux - install", "?words(linux) ?words(-) ?words(install)"},
             {"a + b", "?words(a) ?words(+) ?words(b)"}, {"a -", "?words(a) ?words(-)"},
             {"--amend", "?words(--amend)"}, {"a -> b", "?words(a) ?words(->) ?words(b)"},
             {"->next", "?words(->next)"}, {"+-a", "?words(+-a)"}, {"c++", "?words(c++)"},
             {"- item\n- item", "?words(-) ?words(item) ?words(-) ?words(item)"},
             {"\"a b\"~x", "?phrase(a b) ?words(~x)"}, {"\"a b\"c", "?phrase(a b) ?words(c)"},
             {"\"a b\"-c", "?phrase(a b) ?words(-c)"}, {"a~1b", "?words(a~1b)"},
             {"a^2b", "?words(a^2b)"}, {"x^inf", "?words(x^inf)"}, {"^2", "?words(^2)"},
             {"~1", "?words(~1)"}, {"cd ~", "?words(cd) ?words(~)"}, {"5\"", "?words(5\")"},
             {"*.cpp", "?words(*.cpp)"}, {"a*b", "?words(a*b)"}, {"a^", "?words(a^)"},
             {"2^^3", "?words(2^)^3"}, {"10:30", "?words(10:30)"}, {"-.net", "-every(.net)"},
             {"+/api/v3", "+every(/api/v3)"}, {"-#12", "-every(#12)"}, {"+\"a b\"", "+phrase(a b)"},
             {"-a*", "-prefix(a)"}, {"+a~1^3", "+fuzzy(a)~1^3"}, {"a**", "?prefix(a)"}}) {
        CAPTURE(text);
        for (auto const mode : {syntax_mode::strict, syntax_mode::lenient})
            CHECK(tree(text, mode) == expected);
    }
}

TEST_CASE(
    "Curly quotes, fullwidth signs and every blank of Unicode are syntax", "[lexical][syntax]") {
    for (auto const& [text, expected] : std::vector<std::pair<std::string, std::string>>{
             {"“dead lock”", "?phrase(dead lock)"}, {"„dead lock“~2", "?phrase(dead lock)~2"},
             {"«dead lock»", "?phrase(dead lock)"}, {"＂dead lock＂", "?phrase(dead lock)"},
             {"\"dead “lock” x\"", "?phrase(dead “lock” x)"},
             {"“dead \"lock\" x”", "?phrase(dead \"lock\" x)"},
             {"“dead lock\" x", "?phrase(dead lock) ?words(x)"},
             {"東京\u3000-大阪", "?words(東京) -every(大阪)"},
             {"東京\u3000－大阪", "?words(東京) -every(大阪)"},
             {"a\u00A0+b", "+every(b) ?words(a)"}, {"a\u2003-b", "?words(a) -every(b)"},
             {"＋dead", "+every(dead)"}, {"\u2212dead", "-every(dead)"}, {"ref＊", "?prefix(ref)"},
             {"refnd～１", "?fuzzy(refnd)~1"}, {"refund＾２", "?words(refund)^2"},
             {"＼－dead", "?words(－dead)"}, {"\uFEFF-a", "-every(a)"},
             {"ＡＢＣ", "?words(ＡＢＣ)"}}) {
        CAPTURE(text);
        CHECK(tree(text) == expected);
    }
    // Issue 15, D4: the excluded document came back.
    bm25_index index;
    index.add("東京と大阪");
    index.add("東京");
    CHECK(found(index, parse_query("東京\u3000-大阪")) == ids{1});
    CHECK(found(index, parse_query("東京\u3000－大阪")) == ids{1});
    // Fullwidth colons name fields.
    bm25f_index fields({{"title", 2}, {"text"}});
    fields.add({"a", "b"});
    fields.add({"b", "a"});
    CHECK(found(fields, parse_query("＋title：a", fields.fields())) == ids{0});
}

TEST_CASE("A lenient query never fails, and reads what is wrong as text", "[lexical][syntax]") {
    auto const lenient = syntax_mode::lenient;
    CHECK(tree("a \"b c", lenient) == "?words(a) ?words(b) ?words(c)");
    CHECK(tree("\"", lenient) == "?combination");
    CHECK(tree("-\"b", lenient) == "-every(b)");
    CHECK(tree("\"+b", lenient) == "?words(+b)");
    CHECK(tree("a~3", lenient) == "?words(a~3)");
    CHECK(tree("a^-1", lenient) == "?words(a^-1)");
    CHECK(tree("a^1e300", lenient) == "?words(a^1e300)");
    CHECK(tree("*", lenient) == "?words(*)");
    std::vector<bm25_field> const fields{{"title", 2}, {"text"}};
    CHECK(shown(parse_query("note:x title: text:y", fields, lenient))
          == "combination ?words(note:x) ?words(title:) ?text:words(y)");
    CHECK_THROWS_AS(parse_query("note:x", fields), error);
    bm25_index index;
    index.add("a b c");
    CHECK(syntax_search(index, lenient).search("a \"b", 10).size() == 1);
    CHECK_THROWS_AS(syntax_search(index).search("a \"b", 10), error);

    bm25f_index both({{"title", 2}, {"text"}}, {}, {.positions = true});
    both.add({"a", "bc 2"});
    bm25f_index neither({{"title", 2}, {"text"}}); // has no positions
    neither.add({"a", "bc 2"});
    static constexpr std::string_view pieces[] = {"a", "bc", "+", "-", "\"", "“", "”", "*", "~",
        "^", ":", "\\", " ", "\u3000", "title", "2", "1e3", "\xFF", "東", "／", "."};
    detail::random random(5);
    for (int round = 0; round < 3000; ++round) {
        std::string text;
        for (auto n = random.below(12); n > 0; --n) text += pieces[random.below(std::size(pieces))];
        CAPTURE(text);
        auto const read = parse_query(text, fields, lenient);
        // Where the grammar is kept, both modes agree.
        std::string strictly;
        try {
            strictly = shown(parse_query(text, fields));
        } catch (error const& e) {
            REQUIRE(e.code() == errc::parse);
        }
        if (!strictly.empty()) REQUIRE(strictly == shown(read));
        REQUIRE_NOTHROW(both.search(read, 10));
        REQUIRE_NOTHROW(neither.search(read, 10));
    }
}

TEST_CASE("Without positions a lenient phrase asks for all of its words", "[lexical][syntax]") {
    basic_bm25_index<english_analyzer> index;
    for (auto const* const text : {"open source software", "the source is open", "open-source",
             "open", "getRetryCount", "count of a retry"})
        index.add(text);
    auto const lenient = [&](std::string_view text) {
        return found(index, parse_query(text, {}, syntax_mode::lenient));
    };
    CHECK(lenient("\"open source\"") == ids{0, 1, 2});
    CHECK(lenient("\"open-source\"~3") == ids{0, 1, 2}); // an identifier is its words
    CHECK(lenient("\"retry count\"") == ids{4, 5});
    CHECK(lenient("open -\"open source\"") == ids{3});
    CHECK(lenient("+\"source of\"") == ids{0, 1, 2}); // "of" is a stop word
    CHECK(lenient("\"the of\"").empty());
    // It is a condition, as a phrase is.
    CHECK(condition_filter(index, parse_query("\"open source\"", {}, syntax_mode::lenient))
          == doc_set(6, {0, 1, 2}));
    // Whoever writes strictly is told. A phrase of one word needs no positions.
    CHECK_THROWS_AS(index.search(parse_query("\"open source\""), 9), error);
    CHECK(found(index, parse_query("\"open\"")) == ids{0, 1, 2, 3});
    CHECK(index.search(phrase("open"), 9) == index.search("open", 9));

    syntax_search const typed(index, syntax_mode::lenient);
    CHECK(typed.warnings({.text = "\"open source\" \"open\""})
          == std::vector<std::string>{"the index keeps no positions: \"open source\" matches "
                                      "documents that contain its words anywhere"});
    CHECK(typed.warnings({.text = "open source"}).empty());
    CHECK(typed.warnings({}).empty());
    auto const placed = with_positions({"open source"});
    CHECK(
        syntax_search(placed, syntax_mode::lenient).warnings({.text = "\"open source\""}).empty());
}

TEST_CASE("Parsing is linear in the text", "[lexical][syntax]") {
    // Worst cases for a search of the closing quote: none comes, or only one of the other kind.
    for (std::string_view const piece :
        {"\"", "“", "\" ", "“a ", "a\" ", "a:", "\\", "+", "~", "^1", "\"\"~"}) {
        std::string text;
        for (int i = 0; i < 200000; ++i) text += piece;
        static_cast<void>(parse_query(text, {}, syntax_mode::lenient));
    }
    SUCCEED("minutes if it were quadratic");
}
