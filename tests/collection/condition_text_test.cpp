// SPDX-License-Identifier: MIT
#include <trawl/collection/condition_text.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "collection/support.hpp"
#include "support/catch.hpp"
#include "support/damaged.hpp"
#include "support/error_of.hpp"

using trawl::condition;
using trawl::field;
using trawl::parse_condition;

TEST_CASE(
    "people's conditions are the expressions that they mean", "[collection][condition_text]") {
    struct pair {
        char const* text;
        condition meant;
    };
    auto const version = field("version") == "3.0";
    auto const pages = field("pages") >= 5;
    auto const draft = field("draft") == true;
    for (auto const& [text, meant] : std::vector<pair>{
             {"", condition()},
             {" \t\r\n", condition()},
             {"true", condition()},
             {"false", !condition()},
             {"version = \"3.0\"", version},
             {"version=='3.0'", version},
             {"version = '3.0' and pages >= 5", version && pages},
             {"version = '3.0' or pages >= 5 and draft = true", version || (pages && draft)},
             {"(version = '3.0' or pages >= 5) AND draft = TRUE", (version || pages) && draft},
             {"not version = '3.0' and pages >= 5", !version && pages},
             {"not (version = '3.0' and pages >= 5)", !(version && pages)},
             {"not not draft = true", draft},
             {"a != 1 and b <> 2", field("a") != 1 && field("b") != 2},
             {"a<1 and b<=2 and c>3", field("a") < 1 && field("b") <= 2 && field("c") > 3},
             {"a in (1, 2.5, 'x', true, 2024-02-29)",
                 field("a").in({1, 2.5, "x", true, trawl::date(2024, 2, 29)})},
             {"a not in ()", field("a").not_in({})},
             {"tags contains 'api'", field("tags").contains("api")},
             {"tags not contains 'api'", !field("tags").contains("api")},
             {"exists(tags) or not exists ( `my field` )",
                 field("tags").exists() || !field("my field").exists()},
             {"date > 2024-02-29T12:30+02:00",
                 field("date") > trawl::date::parse("2024-02-29T10:30Z")},
             {"a = -9223372036854775808", field("a") == (std::numeric_limits<std::int64_t>::min)()},
             {"a = +5 and b = -0.5e-3 and c = .5",
                 field("a") == 5 && field("b") == -0.0005 && field("c") == 0.5},
             {"a = 1.0", field("a") == 1.0},
             {"`a``b` = 1", field("a`b") == 1},
             {"`not` = 1 and order-2.x_y = 2", field("not") == 1 && field("order-2.x_y") == 2},
             {R"(a = "\\ \" \' \n\r\t" and b = '"')",
                 field("a") == "\\ \" ' \n\r\t" && field("b") == "\""},
             {"gr\xC3\xB6\xC3\x9F"
              "e = '\xE6\x9D\xB1'",
                 field("gr\xC3\xB6\xC3\x9F"
                       "e")
                     == "\xE6\x9D\xB1"},
         }) {
        CAPTURE(text);
        CHECK(parse_condition(text) == meant);
    }
}

TEST_CASE("what is no condition is refused where it goes wrong", "[collection][condition_text]") {
    struct refused {
        std::string text;
        char const* says;
    };
    for (auto const& [text, says] : std::vector<refused>{
             {"version", "column 8: expected =, !=, <, <=, >, >=, 'in', 'not in' or 'contains', "
                         "found the end"},
             {"version =", "column 10: expected a value: a text in quotes, a number, true, false "
                           "or a date, found the end"},
             {"version = 3.0.1", "column 11: expected a number or a date such as 2024-02-29 or "
                                 "2024-02-29T12:30Z, found 3.0.1"},
             {"a = beta",
                 "column 5: expected a value, found beta; a text stands in quotes: \"beta\""},
             {"a = 2024-02-30", "column 5: expected a number or a date"},
             {"a = 9223372036854775808",
                 "column 5: 9223372036854775808 does not fit an integer of 64 bits"},
             {"a = 1e400", "column 5: expected a number"},
             {"a = -inf", "column 5: expected a number"},
             {"a = 1 b", "column 7: expected 'and', 'or' or the end, found b"},
             {"(a = 1", "column 7: expected 'and', 'or' or ), found the end"},
             {"a = 1)", "column 6: expected 'and', 'or' or the end, found )"},
             {"and a = 1", "column 1: expected the name of a field, found and"},
             {"a = 1 and", "column 10: expected the name of a field, found the end"},
             {"5 = a", "column 1: expected the name of a field, found 5"},
             {"'a' = 1", "column 1: expected the name of a field, found 'a'"},
             {"a ! 1", "column 3: expected !=, found !"},
             {"a & 1", "column 3: unexpected &"},
             {"a = 'x", "column 5: the text that begins here has no closing '"},
             {"a = 'x\\", "column 5: the text that begins here has no closing '"},
             {"a = '\\x'", "column 6: expected \\\\"},
             {"`a = 1", "column 1: the name that begins here has no closing `"},
             {"`` = 1", "column 1: expected the name of a field, found ``"},
             {"a in 1", "column 6: expected ( after 'in', found 1"},
             {"a in (1 2)", "column 9: expected , or ), found 2"},
             {"a not = 1", "column 7: expected 'in' or 'contains' after 'not', found ="},
             {"a contains 1", "column 12: expected a text in quotes after 'contains', found 1"},
             {"exists a", "column 8: expected ( after exists, found a"},
             {"exists(a", "column 9: expected ), found the end"},
             {"\xC3\xA4\xC3\xB6 = ?", "column 6: unexpected ?"},
             {"a = '\xFF'", "column 6: the text is not UTF-8"},
         }) {
        CAPTURE(text);
        auto const problem = support::error_of([&] { static_cast<void>(parse_condition(text)); });
        CAPTURE(problem.text);
        CHECK(problem.code == trawl::errc::parse);
        CHECK(problem.text.starts_with("condition, column "));
        CHECK(problem.names(says));
    }
}

TEST_CASE("a condition cannot be nested so deep that reading it overflows the stack",
    "[collection][condition_text]") {
    for (std::string const open : {"(", "not ", "not ("}) {
        std::string text;
        for (int i = 0; i < 100'000; ++i) text += open;
        auto const problem = support::error_of([&] { static_cast<void>(parse_condition(text)); });
        CHECK(problem.names("64 deep"));
    }
    std::string nested = "a = 0";
    for (int i = 1; i < 40; ++i)
        nested = "(" + nested + (i % 2 == 0 ? ") and a = 1" : ") or a = 1");
    CHECK(parse_condition(nested).depth() == 40);
    for (int i = 40; i < 66; ++i)
        nested = "(" + nested + (i % 2 == 0 ? ") and a = 1" : ") or a = 1");
    CHECK(support::error_of([&] { static_cast<void>(parse_condition(nested)); }).names("64 deep"));
    std::string wide = "a = 0";
    for (int i = 0; i < 20'000; ++i) wide += " or a = 1";
    CHECK(parse_condition(wide).children().size() == 20'001);
}

TEST_CASE("any condition survives text", "[collection][condition_text]") {
    for (std::uint64_t const seed : {1u, 2u, 3u}) {
        CAPTURE(seed);
        support::metadata_by_chance chance(seed);
        for (int i = 0; i < 500; ++i) {
            auto const made = chance.condition(4);
            auto const text = to_text(made);
            CAPTURE(text);
            CHECK(parse_condition(text) == made);
        }
    }
    auto deep = field("a") == 0;
    for (int i = 1; i < 64; ++i) deep = i % 2 == 0 ? deep && field("a") == i : !deep;
    CHECK(parse_condition(to_text(deep)) == deep);
    CHECK(to_text(condition()).empty());
    CHECK(to_text(!condition()) == "false");
    CHECK(to_text(field("a") == 1 && (field("b") == 1.0 || !field("c").exists()))
          == "a = 1 and (b = 1.0 or not exists(c))");
}

TEST_CASE("any bytes are a condition or an error", "[collection][condition_text]") {
    std::uint64_t const seed = 4;
    CAPTURE(seed);
    support::metadata_by_chance chance(seed);
    trawl::detail::random random(seed);
    for (int i = 0; i < 2000; ++i) {
        auto const text = support::damaged(to_text(chance.condition(3)) + " ", i, random);
        try {
            auto const made = parse_condition(text);
            CHECK(parse_condition(to_text(made)) == made);
        } catch (trawl::error const& e) {
            CHECK(e.code() == trawl::errc::parse);
        }
    }
}
