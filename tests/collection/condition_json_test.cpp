// SPDX-License-Identifier: MIT
#include <trawl/collection/condition_json.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <trawl/collection/condition_text.hpp>

#include "collection/support.hpp"
#include "support/catch.hpp"
#include "support/damaged.hpp"
#include "support/error_of.hpp"

using trawl::condition;
using trawl::field;
using trawl::parse_json_condition;

TEST_CASE(
    "Chroma's filters mean what Chroma's documentation says", "[collection][condition_json]") {
    // docs.trychroma.com, "Metadata filtering" and "Where filters": $eq is the default; $and and $or
    // take arrays; $in and $nin arrays of values; $contains and $not_contains a value of an array.
    struct pair {
        char const* text;
        condition meant;
    };
    for (auto const& [text, meant] : std::vector<pair>{
             {"{}", condition()},
             {R"({"page": 10})", field("page") == 10},
             {R"({"metadata_field": "search_string"})", field("metadata_field") == "search_string"},
             {R"({"metadata_field": {"$eq": "search_string"}})",
                 field("metadata_field") == "search_string"},
             {R"({"page": {"$gt": 10}})", field("page") > 10},
             {R"({"$and": [{"page": {"$gte": 5}}, {"page": {"$lte": 10}}]})",
                 field("page") >= 5 && field("page") <= 10},
             {R"({"$or": [{"color": "red"}, {"color": "blue"}]})",
                 field("color") == "red" || field("color") == "blue"},
             {R"({"author": {"$in": ["Rowling", "Fitzgerald"]}})",
                 field("author").in({"Rowling", "Fitzgerald"})},
             {R"({"author": {"$nin": ["Rowling", 3]}})", field("author").not_in({"Rowling", 3})},
             {R"({"a": {"$ne": true}, "b": {"$lt": 1.5}})", field("a") != true && field("b") < 1.5},
             {R"({"tags": {"$contains": "action"}})", field("tags").contains("action")},
             {R"({"tags": {"$not_contains": "action"}})", !field("tags").contains("action")},
             {R"({"a": {"$gte": 1, "$lt": 3}})", field("a") >= 1 && field("a") < 3},
             {R"({"a": {"$exists": true}, "b": {"$exists": false}})",
                 field("a").exists() && !field("b").exists()},
             {R"({"a": {"$not": {"$in": [1]}}})", !field("a").in({1})},
             {R"({"$not": {"a": 1, "b": 2}})", !(field("a") == 1 && field("b") == 2)},
             {R"({"$not": {}})", !condition()},
             {R"({"a": -9223372036854775808})",
                 field("a") == (std::numeric_limits<std::int64_t>::min)()},
             {R"({"a": 3.0})", field("a") == 3.0},
         }) {
        CAPTURE(text);
        CHECK(parse_json_condition(text) == meant);
    }
}

TEST_CASE("Qdrant's clauses are understood", "[collection][condition_json]") {
    // qdrant.tech, "Filtering": must, should and must_not with match, range and is_empty. Match looks for
    // an element where the value is an array.
    struct pair {
        char const* text;
        condition meant;
    };
    for (auto const& [text, meant] :
        std::vector<pair>{
            {R"({"must": [{"key": "city", "match": {"value": "London"}}, {"key": "color", "match": {"value": "red"}}]})",
                field("city").in({"London"}) && field("color").in({"red"})},
            {R"({"should": [{"key": "city", "match": {"any": ["London", "Berlin"]}}, {"key": "n", "match": {"text": "x"}}]})",
                field("city").in({"London", "Berlin"}) || field("n").contains("x")},
            {R"({"must_not": [{"key": "a", "match": {"value": 1}}, {"is_empty": {"key": "b"}}]})",
                !(field("a").in({1}) || !field("b").exists())},
            {R"({"must": {"key": "price", "range": {"gt": null, "gte": 100.0, "lte": 450.0}}})",
                field("price") >= 100.0 && field("price") <= 450.0},
            {R"({"must": [{"should": [{"a": 1}, {"b": {"$gt": 2}}]}], "c": 3})",
                (field("a") == 1 || field("b") > 2) && field("c") == 3},
            {R"({"must": "a field", "should": {"$gt": 5}})",
                field("must") == "a field" && field("should") > 5},
        }) {
        CAPTURE(text);
        CHECK(parse_json_condition(text) == meant);
    }
}

TEST_CASE("what is no condition is refused with a pointer to it", "[collection][condition_json]") {
    struct refused {
        std::string text;
        char const* says;
    };
    for (auto const& [text, says] : std::vector<refused>{
             {"3", "at \"\": must be an object, is 3"},
             {"[]", "at \"\": must be an object, is []"},
             {R"({"a": [1]})", "at /a: a field is compared with several values by {\"$in\""},
             {R"({"a": null})", "at /a: null is no value"},
             {R"({"a": {}})", "at /a: must have an operator"},
             {R"({"a": {"b": 1}})", "at /a/b: there is no such operator, only $eq, $ne"},
             {R"({"a": {"$gtt": 1}})", "at /a/$gtt: there is no such operator"},
             {R"({"$nor": [{"a": 1}]})",
                 "at /$nor: there is no such operator here, only $and, $or and $not"},
             {R"({"$and": {"a": 1}})", "at /$and: must be an array of conditions, is an object"},
             {R"({"$or": []})", "at /$or: must have at least one condition"},
             {R"({"$and": [{"a": 1}, {"b/~": {"$in": [1, [2]]}}]})",
                 "at /$and/1/b~1~0/$in/1: must be a text, a number, true or false, is an array"},
             {R"({"a": {"$in": 1}})", "at /a/$in: must be an array of values, is 1"},
             {R"({"a": {"$exists": 1}})", "at /a/$exists: must be true or false, is 1"},
             {R"({"a": {"$contains": 1}})", "at /a/$contains: must be a text, is 1"},
             {R"({"a": {"$not": 1}})", "at /a/$not: must be an object of operators, is 1"},
             {R"({"a": 9223372036854775808})",
                 "at /a: must be an integer below 2^63, or a float, is 9223372036854775808"},
             {R"({"": 1})", "the name of a field is empty"},
             {R"({"a": 1, "a": 2})", "the member \"a\" twice"},
             {R"({"a": {"$gt": 1, "$gt": 2}})", "the member \"$gt\" twice"},
             {R"({"a": 1)", "parse error at line 1"},
             {R"({"a": 1e999})", "number overflow"},
             {"{\"a\": \"\xFF\"}", "parse error"},
             {R"({"must": [{"key": "a", "match": {"values": 1}}]})",
                 "at /must/0/match/values: there is no such match, only value, any and text"},
             {R"({"must": [{"key": "a", "match": {"value": 1, "any": []}}]})",
                 "at /must/0/match: must be an object with one of"},
             {R"({"must": [{"key": 1, "match": {"value": 1}}]})",
                 "at /must/0/key: must be the name of a field, is 1"},
             {R"({"must": [{"key": "a", "match": {"value": 1}, "x": 2}]})",
                 "at /must/0/x: is no member"},
             {R"({"must": [{"key": "a", "range": {"ge": 1}}]})",
                 "at /must/0/range/ge: there is no such bound"},
             {R"({"must": [{"key": "a", "range": {"gt": null}}]})",
                 "at /must/0/range: must have a bound"},
             {R"({"must": [3]})", "at /must/0: must be an object, is 3"},
         }) {
        CAPTURE(text);
        auto const problem =
            support::error_of([&] { static_cast<void>(parse_json_condition(text)); });
        CAPTURE(problem.text);
        CHECK(problem.code == trawl::errc::parse);
        CHECK(problem.text.starts_with("condition"));
        CHECK(problem.names(says));
    }
}

TEST_CASE("JSON cannot be nested so deep that reading it overflows the stack",
    "[collection][condition_json]") {
    for (std::string const open :
        {"[", "{\"$not\":", "{\"$and\":[", "{\"a\":{\"$not\":", "{\"must\":["}) {
        std::string text;
        for (int i = 0; i < 50'000; ++i) text += open;
        auto const problem =
            support::error_of([&] { static_cast<void>(parse_json_condition(text)); });
        CHECK(problem.code == trawl::errc::parse);
        CHECK(problem.names("64 deep"));
    }
    std::string deep = R"({"a": 1})";
    for (int i = 0; i < 70; ++i)
        deep = R"({"$or": [{"b": 1}, )" + deep + "]}"; // chains are one level
    CHECK(
        support::error_of([&] { static_cast<void>(parse_json_condition(deep)); }).names("64 deep"));
}

TEST_CASE("any condition survives JSON", "[collection][condition_json]") {
    for (std::uint64_t const seed : {1u, 2u, 3u}) {
        CAPTURE(seed);
        support::metadata_by_chance chance(seed);
        for (int i = 0; i < 500; ++i) {
            auto const made = chance.condition(4);
            nlohmann::ordered_json const json = made;
            CAPTURE(json.dump());
            // Dates have become texts: of them the condition is true all the same.
            auto const again = parse_json_condition(json.dump());
            CHECK(nlohmann::ordered_json(again) == json);
            trawl::validate(again, support::fields);
            if (to_text(made).find("published") == std::string::npos) CHECK(again == made);
            CHECK(trawl::json_condition(json) == again);
        }
    }
    auto deep = field("a") == 0;
    for (int i = 1; i < 64; ++i)
        deep = i % 2 == 0 ? deep && field("a") == i : deep || field("a") == i;
    CHECK(parse_json_condition(nlohmann::json(deep).dump()) == deep);
}

TEST_CASE("any bytes are JSON of a condition or an error", "[collection][condition_json]") {
    std::uint64_t const seed = 4;
    CAPTURE(seed);
    support::metadata_by_chance chance(seed);
    trawl::detail::random random(seed);
    for (int i = 0; i < 1000; ++i) {
        auto const text = support::damaged(nlohmann::json(chance.condition(3)).dump(), i, random);
        try {
            static_cast<void>(parse_json_condition(text));
        } catch (trawl::error const& e) {
            CHECK(e.code() == trawl::errc::parse);
        }
    }
}
