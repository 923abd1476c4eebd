// SPDX-License-Identifier: MIT
#include <trawl/eval/system_comparison.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <trawl/core/thread_executor.hpp>
#include <trawl/formats/json.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

// 40 queries; the relevant document stands at the rank that rank_of gives.
template <class RankOf>
trawl::run ranked(RankOf&& rank_of) {
    std::vector<std::string> queries;
    for (int q = 0; q < 40; ++q) queries.push_back("q" + std::to_string(10 + q));
    std::vector<trawl::run_row> rows;
    std::vector<std::string_view> const keys{"a", "b", "c", "d", "e"};
    for (std::size_t q = 0; q < 40; ++q) {
        for (std::size_t i = 0; i < 5; ++i) {
            rows.push_back({queries[q], i + 1 == rank_of(q) ? std::string_view("right") : keys[i],
                -static_cast<double>(i)});
        }
    }
    return trawl::run(rows);
}

trawl::qrels judged() {
    std::vector<std::string> queries;
    for (int q = 0; q < 40; ++q) queries.push_back("q" + std::to_string(10 + q));
    std::vector<trawl::qrels_row> rows;
    for (auto const& q : queries) rows.push_back({q, "right", 1});
    return trawl::qrels(rows);
}

} // namespace

TEST_CASE("systems are compared with the first", "[eval][compare]") {
    auto const measures = trawl::measures_named("mrr,hit@1");
    auto const base =
        trawl::evaluate(ranked([](std::size_t q) { return 2 + q % 2; }), judged(), measures);
    auto const good =
        trawl::evaluate(ranked([](std::size_t q) { return 1 + q % 2; }), judged(), measures);
    std::vector<trawl::measured_system> const systems{
        {"base", &base}, {"good", &good}, {"same", &base}};
    trawl::thread_executor const threads(2);
    auto const rows = trawl::compare(systems, {.pool = &threads});
    REQUIRE(rows.size() == 4);
    CHECK((rows[0].measure == "recip_rank" && rows[0].name == "good" && rows[1].name == "same"));
    // Half the queries go from 1/2 to 1, half from 1/3 to 1/2.
    CHECK_THAT(rows[0].mean - rows[0].baseline, WithinRel((.5 + 1.0 / 6) / 2, 1e-12));
    CHECK(rows[0].queries == trawl::win_tie_loss{40, 0, 0});
    CHECK(rows[0].p_holm < .001);
    CHECK(rows[0].p_holm >= rows[0].p);
    CHECK(rows[0].p_tukey < .001);
    CHECK((rows[0].difference.low > .25 && rows[0].difference.high < .4));
    CHECK(rows[1].p == 1);
    CHECK(rows[1].queries == trawl::win_tie_loss{0, 40, 0});
    CHECK(rows[1].difference == trawl::interval{0, 0});

    auto const table = trawl::to_table(rows, "base");
    CHECK(table.notes[0].find("good on recip_rank: better (0.3333") == 0);
    CHECK(table.notes[1].find("no evidence") != std::string::npos);
    nlohmann::ordered_json const json = table;
    CHECK(json["rows"][0]["wins"] == 40);
    CHECK(json["rows"][0]["p"] == rows[0].p);
}

TEST_CASE("what was measured differently is not compared", "[eval][compare][bad]") {
    auto const run = ranked([](std::size_t) { return std::size_t{1}; });
    auto const base = trawl::evaluate(run, judged(), trawl::measures_named("mrr"));
    auto const other = trawl::evaluate(run, judged(), trawl::measures_named("map"));
    auto const rules = trawl::evaluate(
        run, judged(), trawl::measures_named("mrr"), {.convention = trawl::convention::library});
    auto const less = trawl::evaluate(run, {{"q10", "right", 1}}, trawl::measures_named("mrr"));
    auto const none = trawl::evaluate(run, {}, trawl::measures_named("mrr"));
    auto const refused = [&](trawl::evaluation const& a, trawl::evaluation const& b) {
        std::vector<trawl::measured_system> const systems{{"a", &a}, {"b", &b}};
        return support::error_of([&] { (void)trawl::compare(systems); });
    };
    CHECK(refused(base, other).names("different measures"));
    CHECK(refused(base, rules).names("trec_eval"));
    CHECK(refused(base, less).names("'q11'"));
    CHECK(refused(none, none).names("no queries"));
    CHECK(support::error_of([] { (void)trawl::compare({}); }).names("has 0"));
}

TEST_CASE("a table has four forms", "[eval][table]") {
    trawl::table t{.title = "A|B", .columns = {"name", "value"}, .notes = {"So it is."}};
    t.add({"x, \"y\"", .123456789});
    t.add({"na\xC3\xAFve", 12});
    t.add({"a|b", {}});
    CHECK(trawl::to_text(t)
          == "A|B\n\nname     value\nx, \"y\"  0.1235\nna\xC3\xAFve       12\na|b\n\nSo it is.\n");
    CHECK(trawl::to_markdown(t)
          == "## A\\|B\n\n| name   |  value |\n| ------ | -----: |\n| x, \"y\" | 0.1235 |\n| "
             "na\xC3\xAFve  | "
             "    12 |\n"
             "| a\\|b   |        |\n\nSo it is.\n");
    CHECK(trawl::to_csv(t) == "name,value\n\"x, \"\"y\"\"\",0.123456789\nna\xC3\xAFve,12\na|b,\n");
    nlohmann::ordered_json const json = t;
    CHECK(json.dump()
          == "{\"title\":\"A|B\",\"rows\":[{\"name\":\"x, \\\"y\\\"\",\"value\":0.123456789},"
             "{\"name\":\"na\xC3\xAFve\",\"value\":12},{\"name\":\"a|b\",\"value\":null}],"
             "\"notes\":[\"So it is.\"]}");
    CHECK(support::error_of([&] { t.add({1}); }).names("1 cells, the table 2"));
}
