// SPDX-License-Identifier: MIT
#include <trawl/collection/metadata.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/error_of.hpp"

using trawl::metadata;
using trawl::metadata_field;
using trawl::metadata_value;

namespace {

std::vector<metadata_field> const fields = {{"version", trawl::text_field},
    {"tags", trawl::text_list_field}, {"pages", trawl::integer_field},
    {"price", trawl::float_field}, {"draft", trawl::bool_field}, {"published", trawl::date_field}};

} // namespace

TEST_CASE("values come from what C++ has for them", "[collection][metadata]") {
    metadata const given = {{"version", "3.1"}, {"tags", {"api", "refunds"}}, {"one", {"api"}},
        {"pages", 12}, {"large", std::uint64_t{1} << 62}, {"price", 2.5f}, {"draft", false},
        {"published", trawl::date(2024, 2, 29)}, {"name", std::string("n")}};
    CHECK(given.at("version").as_text() == "3.1");
    CHECK(given.at("tags").as_list() == std::vector<std::string>{"api", "refunds"});
    CHECK(given.at("one").as_list() == std::vector<std::string>{"api"});
    CHECK(given.at("pages").as_integer() == 12);
    CHECK(given.at("large").as_integer() == 4611686018427387904);
    CHECK(given.at("price").as_float() == 2.5);
    CHECK_FALSE(given.at("draft").as_bool());
    CHECK(given.at("published").as_date() == trawl::date(2024, 2, 29));
    CHECK(given.at("name") == metadata_value("n"));
    CHECK(given.size() == 9);
    CHECK(to_string(given.at("tags")) == "api, refunds");
    CHECK(to_string(given.at("price")) == "2.5");
    CHECK(to_string(given.at("draft")) == "false");
    auto const problem =
        support::error_of([&] { static_cast<void>(given.at("version").as_bool()); });
    CHECK((problem.names("boolean") && problem.names("text \"3.1\"")));
    CHECK(support::error_of([&] { static_cast<void>(given.at("x")); }).names("version, tags"));
}

TEST_CASE("numbers that no field can hold are refused", "[collection][metadata]") {
    using real = std::numeric_limits<double>;
    for (double const value : {real::quiet_NaN(), real::infinity(), -real::infinity()})
        CHECK(
            support::error_of([&] { metadata_value made(value); }).code == trawl::errc::not_finite);
    CHECK(support::error_of([] {
        metadata_value made(std::uint64_t{1} << 63);
    }).names("9223372036854775808"));
    CHECK(metadata_value((std::numeric_limits<std::int64_t>::max)()).as_integer()
          == 9223372036854775807);
    CHECK_FALSE(std::signbit(metadata_value(-0.0).as_float()));
}

TEST_CASE("a name has one value", "[collection][metadata]") {
    auto const twice = support::error_of([] { metadata{{"a", 1}, {"b", 2}, {"a", 3}}; });
    CHECK((twice.code == trawl::errc::duplicate_key && twice.names("'a'")));
    metadata given = {{"a", 1}, {"b", 2}};
    given.set("a", "x");
    given.set("c", true);
    CHECK(given == metadata{{"a", "x"}, {"b", 2}, {"c", true}});
    CHECK((given.erase("b") && !given.erase("b")));
    CHECK(given == metadata{{"a", "x"}, {"c", true}});
}

TEST_CASE("a list of fields has good names, each once", "[collection][metadata]") {
    trawl::validate(fields);
    trawl::validate(std::vector<metadata_field>{});
    trawl::validate(std::vector<metadata_field>{{"ein Feld, \xC3\xA4", trawl::text_field}});
    auto const refused = [](std::string name) {
        return support::error_of([&] {
            trawl::validate(
                std::vector<metadata_field>{{"a", trawl::text_field}, {name, trawl::bool_field}});
        });
    };
    CHECK(refused("a").code == trawl::errc::duplicate_key);
    for (std::string const& name : {std::string(), std::string(256, 'x'), std::string("$and"),
             std::string("a\nb"), std::string("a\0b", 3), std::string("\xFF"), std::string("\x7F")})
        CHECK(refused(name).code == trawl::errc::invalid_argument);
    CHECK(support::error_of([] {
        std::vector<metadata_field> many;
        for (int i = 0; i < 1001; ++i) many.push_back({"f" + std::to_string(i), trawl::text_field});
        trawl::validate(many);
    }).names("1001"));
    CHECK(support::error_of([] {
        trawl::validate(std::vector<metadata_field>{{"a", static_cast<trawl::field_type>(6)}});
    }).names("6"));
}

TEST_CASE(
    "a value becomes one of its field's type where nothing is lost", "[collection][metadata]") {
    auto const as = [](metadata_value value, trawl::field_type type) {
        return converted(value, {"f", type});
    };
    CHECK(as(3, trawl::float_field) == metadata_value(3.0));
    CHECK(as(-3.0, trawl::integer_field) == metadata_value(-3));
    CHECK(as("2024-02-29", trawl::date_field) == metadata_value(trawl::date(2024, 2, 29)));
    CHECK(as("api", trawl::text_list_field) == metadata_value({"api"}));
    CHECK(as(std::int64_t{1} << 53, trawl::float_field).as_float() == 9007199254740992.0);

    struct refused {
        metadata_value value;
        trawl::field_type type;
        char const* says;
    };
    for (auto const& [value, type, says] : std::vector<refused>{
             {(std::int64_t{1} << 53) + 1, trawl::float_field, "9007199254740993"},
             {2.5, trawl::integer_field, "float 2.5"},
             {1e300, trawl::integer_field, "1e+300"},
             {true, trawl::integer_field, "boolean true"},
             {1, trawl::bool_field, "integer 1"},
             {"true", trawl::bool_field, "text \"true\""},
             {5, trawl::text_field, "integer 5"},
             {{"a", "b"}, trawl::text_field, "text_list [\"a\", \"b\"]"},
             {"2023-02-29", trawl::date_field, "text \"2023-02-29\""},
             {0, trawl::date_field, "integer 0"},
             {"\xC3", trawl::text_field, "UTF-8"},
             {{"ok", "a\xFF"}, trawl::text_list_field, "byte 1"},
         }) {
        auto const problem = support::error_of([&] { static_cast<void>(as(value, type)); });
        CAPTURE(problem.text, says);
        CHECK(problem.code == trawl::errc::invalid_argument);
        CHECK((problem.names("'f'") && problem.names(says)));
    }
}

TEST_CASE("a document's metadata is checked whole", "[collection][metadata]") {
    metadata const given = {{"pages", 3.0}, {"tags", "api"}, {"published", "2024-01-01T00:00Z"}};
    CHECK(converted(given, fields)
          == metadata{{"pages", 3}, {"tags", {"api"}},
              {"published", trawl::date::parse("2024-01-01T00:00Z")}});
    auto const unknown = support::error_of([] {
        static_cast<void>(converted(metadata{{"vresion", "3"}}, fields));
    });
    CHECK(unknown.code == trawl::errc::unknown_id);
    CHECK(unknown.names("\"vresion\""));
    CHECK(unknown.names("version (text), tags (text_list), pages (integer), price (float), draft "
                        "(boolean), published (date)"));
    CHECK(support::error_of([] {
        static_cast<void>(converted(metadata{{"a", 1}}, std::vector<metadata_field>{}));
    }).names("there are none"));
}

TEST_CASE("a long value is cut where a character begins", "[collection][metadata]") {
    std::string text;
    for (int i = 0; i < 100; ++i) text += "\xE6\x9D\xB1";
    auto const problem =
        support::error_of([&] { static_cast<void>(converted(metadata_value(text), fields[2])); });
    CHECK(problem.names(text.substr(0, 60) + "\xE2\x80\xA6\""));
}
