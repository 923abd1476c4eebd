// SPDX-License-Identifier: MIT
#include <trawl/collection/condition.hpp>

#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/error_of.hpp"

using trawl::condition;
using trawl::condition_op;
using trawl::field;

namespace {

std::vector<trawl::metadata_field> const fields = {{"version", trawl::text_field},
    {"tags", trawl::text_list_field}, {"pages", trawl::integer_field},
    {"price", trawl::float_field}, {"draft", trawl::bool_field}, {"published", trawl::date_field}};

} // namespace

TEST_CASE("an expression is a tree of comparisons", "[collection][condition]") {
    auto const c = field("version") == "3.1" && field("pages") > 5 && !field("tags").exists();
    CHECK(c.op() == condition_op::all_of);
    REQUIRE(c.children().size() == 3); // a chain is one node
    CHECK(c.children()[0] == condition(condition_op::equal, "version", {"3.1"}));
    CHECK(c.children()[1] == condition(condition_op::greater, "pages", {5}));
    CHECK(c.children()[2].op() == condition_op::negation);
    CHECK(c.depth() == 3);
    CHECK((field("a") != 1) == condition(condition_op::not_equal, "a", {1}));
    CHECK((field("a") <= 1).op() == condition_op::less_equal);
    CHECK((field("a") >= 1).op() == condition_op::greater_equal);
    CHECK((field("a") < 1).op() == condition_op::less);
    CHECK(field("a").in({1, 2}).values().size() == 2);
    CHECK(field("a").not_in({1}).op() == condition_op::not_in);
    CHECK((!(!c)) == c);
    CHECK_FALSE(c == (field("version") == "3.1"));
}

TEST_CASE("everything and nothing fold away", "[collection][condition]") {
    condition const everything;
    auto const a = field("a") == 1;
    CHECK(everything.op() == condition_op::everything);
    CHECK(((everything && a) == a && (a && everything) == a));
    CHECK(((everything || a) == everything && (a || everything) == everything));
    CHECK(trawl::all_of({}) == everything);
    CHECK(trawl::any_of({}) == !everything);
    CHECK(everything.name().empty());
    CHECK(everything.children().empty());
}

TEST_CASE("a condition is nested at most 64 deep", "[collection][condition]") {
    auto deep = field("a") == 0;
    for (int i = 1; i < 64; ++i)
        deep = i % 2 == 0 ? deep && field("a") == i : deep || field("a") == i;
    CHECK(deep.depth() == condition::max_depth);
    auto const problem = support::error_of([&] { static_cast<void>(!deep); });
    CHECK((problem.code == trawl::errc::invalid_argument && problem.names("64")));
    auto wide = field("a") == 0;
    for (int i = 1; i < 1000; ++i) wide = wide || field("a") == i;
    CHECK((wide.depth() == 2 && wide.children().size() == 1000));
}

TEST_CASE("a comparison has the values that its operator takes", "[collection][condition]") {
    for (auto const& make : std::vector<std::vector<trawl::metadata_value>>{{}, {1, 2}}) {
        CHECK(support::error_of([&] {
            condition made(condition_op::equal, "a", make);
        }).names("'a'"));
    }
    CHECK(
        support::error_of([] { condition made(condition_op::exists, "a", {1}); }).names("exists"));
    CHECK(
        support::error_of([] { condition made(condition_op::all_of, "a", {1}); }).names("all_of"));
    CHECK(support::error_of([] { condition made(condition_op::equal, "", {1}); }).names("empty"));
    CHECK(support::error_of([] {
        static_cast<void>(field("tags") == std::vector<std::string>{"a"});
    }).names("contains or in"));
    condition const none(condition_op::in, "a", {});
    CHECK(none.values().empty());
}

TEST_CASE("a condition is checked against the fields", "[collection][condition]") {
    for (auto const& good : {field("version") >= "3", field("version").contains("3"),
             field("tags").contains("api"), field("tags").in({"a", "b"}), field("tags").exists(),
             field("pages") > 5, field("pages") > 5.0, field("pages").not_in({1, 2}),
             field("price") < 3, field("price") < 3.5, field("draft") != true,
             field("published") < trawl::date(2024, 1, 1), field("published") < "2024-01-01",
             condition(), !condition()}) {
        trawl::validate(good, fields);
    }
    struct refused {
        condition asked;
        std::vector<char const*> says;
    };
    for (auto const& [asked, says] : std::vector<refused>{
             {field("vresion") == "3", {"\"vresion\"", "version (text)", "published (date)"}},
             {field("version") == 3, {"'version'", "type text", "integer 3"}},
             {field("pages") == "3", {"'pages'", "type integer", "text \"3\""}},
             {field("pages") > 2.5, {"'pages'", "type integer", "float 2.5"}},
             {field("pages").contains("3"), {"'pages'", "contains does not apply"}},
             {field("tags") == "a", {"'tags'", "equal does not apply", "use contains or in"}},
             {field("tags") < "a", {"'tags'", "less does not apply"}},
             {field("tags").in({1}), {"'tags'", "type text_list", "integer 1"}},
             {field("draft") < true, {"'draft'", "less does not apply"}},
             {field("draft") == 1, {"'draft'", "type boolean", "integer 1"}},
             {field("published") == "yesterday", {"'published'", "type date", "\"yesterday\""}},
             {field("version") == "\xFF", {"'version'", "UTF-8"}},
             {field("version") == "3" || !(field("pages") == "x"), {"'pages'"}},
         }) {
        auto const problem = support::error_of([&] { trawl::validate(asked, fields); });
        CAPTURE(problem.text);
        for (auto const* const part : says) CHECK(problem.names(part));
    }
}
