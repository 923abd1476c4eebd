// SPDX-License-Identifier: MIT
#include <trawl/collection/metadata_json.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "collection/support.hpp"
#include "support/catch.hpp"
#include "support/error_of.hpp"

using json = nlohmann::ordered_json;

TEST_CASE("any metadata survives JSON", "[collection][metadata_json]") {
    std::uint64_t const seed = 1;
    CAPTURE(seed);
    support::metadata_by_chance chance(seed);
    for (int i = 0; i < 500; ++i) {
        auto const made = chance.metadata();
        auto const text = json(made).dump();
        CAPTURE(text);
        CHECK(converted(trawl::json_metadata(json::parse(text)), support::fields) == made);
    }
    CHECK(trawl::json_metadata_fields(json::parse(trawl::fields_as_json(support::fields).dump()))
          == support::fields);
}

TEST_CASE("metadata is written as people would", "[collection][metadata_json]") {
    trawl::metadata const given = {{"version", "3.1"}, {"tags", {"api", "refunds"}}, {"pages", 12},
        {"price", 3.0}, {"draft", false}, {"published", trawl::date(2024, 2, 29)}};
    auto const* const text = R"({"version":"3.1","tags":["api","refunds"],"pages":12,"price":3.0,)"
                             R"("draft":false,"published":"2024-02-29"})";
    CHECK(json(given).dump() == text);
    CHECK(trawl::fields_as_json(std::vector<trawl::metadata_field>{
                                    {"a", trawl::text_field}, {"b", trawl::float_field}})
              .dump()
          == R"({"a":"text","b":"float"})");
    CHECK(trawl::json_metadata(json::parse(R"({"a": null, "b": []})"))
          == trawl::metadata{{"b", std::vector<std::string>{}}});
}

TEST_CASE("JSON that is no metadata is refused", "[collection][metadata_json]") {
    struct refused {
        char const* text;
        char const* says;
    };
    for (auto const& [text, says] : std::vector<refused>{
             {"[]", "at \"\": must be an object, is an array"},
             {R"({"a": {}})", "at /a: a value must be a text, an array of texts, a number, true or "
                              "false, is an object"},
             {R"({"a": ["x", 1]})", "at /a/1: an element must be a text, is 1"},
             {R"({"a": 18446744073709551615})",
                 "at /a: an integer must be below 2^63, is 18446744073709551615"},
         }) {
        auto const problem =
            support::error_of([&] { static_cast<void>(trawl::json_metadata(json::parse(text))); });
        CAPTURE(problem.text);
        CHECK(problem.code == trawl::errc::parse);
        CHECK(problem.names(says));
    }
    for (auto const* const text : {"3", R"({"a": "string"})", R"({"a": 1})"}) {
        CHECK(support::error_of([&] {
            static_cast<void>(trawl::json_metadata_fields(json::parse(text)));
        }).names("metadata, at "));
    }
    CHECK(support::error_of([] {
        static_cast<void>(trawl::json_metadata_fields(json{{"$a", "text"}}));
    }).code
          == trawl::errc::invalid_argument);
}
