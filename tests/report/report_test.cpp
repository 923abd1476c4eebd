// SPDX-License-Identifier: MIT
#include <trawl/report/html.hpp>
#include <trawl/report/make.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/detail/number_text.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>
#include <trawl/formats/trec.hpp>
#include <trawl/report/detail/chart_axis.hpp>
#include <trawl/report/svg.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

std::size_t count_of(std::string_view text, std::string_view part) {
    std::size_t n = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++n;
    return n;
}

// What stands between two marks after the place; the place moves past it.
std::string_view between(
    std::string_view text, std::size_t& at, std::string_view first, std::string_view last) {
    auto const begin = text.find(first, at);
    if (begin == text.npos) {
        at = text.npos;
        return {};
    }
    auto const end = text.find(last, begin + first.size());
    at = end;
    return text.substr(begin + first.size(), end - begin - first.size());
}

// Every tag that is opened is closed, in order.
void check_nesting(std::string_view html) {
    std::vector<std::string> open;
    for (std::size_t at = 0; (at = html.find('<', at)) != html.npos;) {
        auto const end = html.find('>', at);
        auto tag = html.substr(at + 1, end - at - 1);
        at = end;
        if (tag.substr(0, 1) == "!" || tag.back() == '/') continue;
        auto const name = std::string(tag.substr(0, tag.find_first_of(" \n")));
        if (name == "meta" || name == "input") continue;
        if (name.front() == '/') {
            REQUIRE(!open.empty());
            if (open.back() != name.substr(1)) CHECK(open.back() == name.substr(1));
            open.pop_back();
            continue;
        }
        open.push_back(name);
        if (name == "script" || name == "style") at = html.find("</" + name, at);
    }
    CHECK(open.empty());
}

trawl::run random_run(std::uint64_t seed) {
    trawl::detail::random random(seed);
    std::vector<std::string> keys;
    for (int i = 0; i < 40; ++i) keys.push_back("d" + std::to_string(i));
    std::vector<trawl::run_row> rows;
    static std::vector<std::string> const queries{"q1", "q2", "q3", "q4", "q5"};
    std::vector<std::size_t> order(keys.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (auto const& q : queries) {
        random.shuffle(std::span(order));
        for (std::size_t i = 0; i < 20; ++i) rows.push_back({q, keys[order[i]], random.uniform()});
    }
    return trawl::run(rows);
}

trawl::qrels judged_five() {
    return trawl::qrels{{"q1", "d1", 1}, {"q1", "d2", 2}, {"q2", "d3", 1}, {"q3", "d4", 0},
        {"q3", "d5", 1}, {"q4", "d6", 1}, {"q5", "d7", 1}, {"q5", "d8", 1}};
}

} // namespace

TEST_CASE("a page's figures are those of evaluate, to the last bit", "[eval][report]") {
    auto const a = random_run(1);
    auto const b = random_run(2);
    auto const judged = judged_five();
    std::vector<trawl::reported_system> const systems{{"one", &a, 1.0}, {"two", &b, 2.0}};
    auto const report = trawl::make_report(systems, judged, {.metrics = "ndcg@10,map"});
    auto const page = trawl::to_html(report);
    auto const measures = trawl::measures_named("ndcg@10,map");
    auto const first = trawl::evaluate(a, judged, measures);
    auto const second = trawl::evaluate(b, judged, measures);

    std::size_t at = page.find("<section id=\"queries\">");
    REQUIRE(at != page.npos);
    for (std::size_t q = 0; q < first.queries.size(); ++q) {
        auto row = between(page, at, "<tr><th scope=\"row\">", "</tr>");
        CHECK(row.find(">" + first.queries[q] + "<") != row.npos);
        std::size_t cell = 0;
        for (double const wanted :
            {first.row(q)[0], second.row(q)[0], second.row(q)[0] - first.row(q)[0]}) {
            CHECK(trawl::detail::parse_double(between(row, cell, "data-v=\"", "\"")) == wanted);
        }
    }
    // The means, in the first table.
    at = page.find("<h2>Means</h2>");
    for (auto const* const e : {&first, &second}) {
        auto row = between(page, at, "<tr><th scope=\"row\">", "</tr>");
        std::size_t cell = 0;
        for (double const wanted : e->summaries) {
            CHECK(trawl::detail::parse_double(between(row, cell, "data-v=\"", "\"")) == wanted);
        }
    }
    // The values behind the drill-down.
    for (std::size_t q = 0; q < first.queries.size(); ++q) {
        auto const values = trawl::detail::join("\"values\":[[", first.row(q)[0], ",",
            first.row(q)[1], "],[", second.row(q)[0], ",", second.row(q)[1], "]]");
        CHECK(page.find(values) != page.npos);
    }
}

TEST_CASE("a page opens without a network and closes every tag", "[eval][report]") {
    auto const a = random_run(3);
    auto const b = random_run(4);
    std::vector<trawl::reported_system> const systems{{"one", &a, 1.0}, {"two", &b, 2.0}};
    auto const page = trawl::to_html(trawl::make_report(systems, judged_five()));
    for (char const* const outside : {"http:", "https:", "//cdn", "src=", "@import", "url(",
             "<link", "<iframe", "fetch(", "XMLHttpRequest", "innerHTML", "eval("}) {
        CAPTURE(outside);
        CHECK(page.find(outside) == page.npos);
    }
    CHECK(page.find("default-src 'none'") != page.npos);
    CHECK(page.substr(0, 15) == "<!DOCTYPE html>");
    check_nesting(page);
    // Intervals, a query by query chart, recall, precision, quality and cost.
    CHECK(count_of(page, "<svg ") == 5);
    CHECK(count_of(page, "<rect ") == 5);
    CHECK(count_of(page, "<button type=\"button\" class=\"q\"") == 5);
    CHECK(page.find("prefers-color-scheme:dark") != page.npos);
    CHECK(page.find("nan") == page.npos);
}

TEST_CASE("what comes from files is escaped everywhere", "[eval][report]") {
    std::string const evil = "</script><script>alert('x')</script>\"&<b>";
    trawl::run const a{{evil, evil + "1", 2}, {evil, "d", 1}, {"q", "d", 1}};
    trawl::run const b{{evil, "d", 2}, {"q", evil + "1", 1}};
    trawl::qrels const judged{{evil, evil + "1", 1}, {"q", "d", 1}};
    std::vector<trawl::reported_system> const systems{{evil + "A", &a, 1.0}, {evil + "B", &b, 2.0}};
    trawl::report_options options{.title = evil, .cost = evil};
    options.tables.push_back({.title = evil, .columns = {evil}, .rows = {{evil}}, .notes = {evil}});
    options.query_text = [&](std::string_view) { return evil; };
    options.document_title = [&](std::string_view) { return evil; };
    options.explain = [&](std::size_t, std::string_view, std::string_view) {
        return std::optional(trawl::explanation{.op = trawl::operation::sum,
            .label = evil,
            .value = 1,
            .children = {{.label = evil, .value = 1}}});
    };
    auto const page = trawl::to_html(trawl::make_report(systems, judged, options));
    CHECK(page.find("<script>alert") == page.npos);
    CHECK(count_of(page, "<script") == 2);
    CHECK(count_of(page, "</script") == 2);
    CHECK(page.find("<b>") == page.npos);
    CHECK(page.find("&lt;/script&gt;&lt;script&gt;alert(&#39;x&#39;)") != page.npos);
    CHECK(page.find("\\u003c/script\\u003e") != page.npos);
    CHECK(page.find("[1,\"sum\",") != page.npos); // the explanation
    check_nesting(page);
}

TEST_CASE("a query shows its rankings in the convention's order and where its answers are",
    "[eval][report]") {
    // Equal scores: trec_eval takes the higher key first, the library the lower one.
    trawl::run const a{{"q", "x", 1}, {"q", "y", 1}, {"q", "z", 1}};
    trawl::run const b{{"other", "x", 1}};
    trawl::qrels const judged{{"q", "x", 2}, {"q", "y", 0}, {"q", "w", 1}};
    std::vector<trawl::reported_system> const systems{{"a", &a, {}}, {"b", &b, {}}};
    auto const report = trawl::make_report(systems, judged, {.hits = 2});
    REQUIRE(report.queries.size() == 1);
    auto const& q = report.queries[0];
    auto const key = [&](std::size_t d) { return report.documents[d].key; };
    CHECK(q.retrieved == std::vector<std::size_t>{3, 0});
    REQUIRE(q.hits[0].size() == 2);
    CHECK(key(q.hits[0][0].document) == "z");
    CHECK(!q.hits[0][0].grade);
    CHECK(key(q.hits[0][1].document) == "y");
    CHECK(q.hits[0][1].grade == 0);
    CHECK(q.hits[1].empty());
    REQUIRE(q.answers.size() == 2);
    CHECK(key(q.answers[0].document) == "x");
    CHECK(q.answers[0].ranks == std::vector<std::size_t>{3, 0});
    CHECK(key(q.answers[1].document) == "w");
    CHECK(q.answers[1].ranks == std::vector<std::size_t>{0, 0});
    CHECK(report.results[1].missing.size() == 1);
    auto const other =
        trawl::make_report(systems, judged, {.convention = trawl::convention::library});
    CHECK(other.documents[other.queries[0].hits[0][0].document].key == "x");
    CHECK(other.charts.size() == 4); // no costs
}

TEST_CASE("what may not be found stands beside every measure", "[eval][report][validity]") {
    trawl::run const a{{"q", "x", 3}, {"q", "y", 2}, {"q", "z", 1}, {"r", "x", 1}};
    trawl::run const b{{"q", "x", 3}, {"r", "x", 1}};
    trawl::qrels const judged{{"q", "x", 1}, {"r", "x", 1}, {"s", "x", 1}};
    std::vector<std::string_view> const keys{"x", "z"};
    auto const eligible = trawl::ordered_keys::from_ascending(keys);
    std::vector<trawl::reported_system> const systems{{"a", &a, {}}, {"b", &b, {}}};
    auto const report = trawl::make_report(
        systems, judged, {.metrics = "mrr", .eligible = &eligible, .eligible_k = 2});
    CHECK(report.tables[0].columns[2] == "ineligible_2");
    CHECK_THAT(report.results[0].summaries[1], WithinAbs(.5 / 3, 1e-12)); // of three queries
    CHECK(report.results[1].summaries[1] == 0);
    CHECK(trawl::to_csv(report).find("a,q,1,0.5\n") != std::string::npos);
    auto const& comparison = report.sentences;
    REQUIRE(comparison.size() == 2);
    // less is better
    CHECK(comparison[1].find("b on ineligible_2: no evidence that it is better") == 0);
}

TEST_CASE("a report calibrates a floor for each system where queries have no answer",
    "[eval][report][validity]") {
    // By hand. Best scores of a: 9, 8 with an answer; 3 (judged, none relevant), 5 and nothing
    // without one.
    trawl::run const a{{"q", "x", 9}, {"r", "x", 8}, {"s", "x", 3}, {"u", "x", 5}};
    trawl::run const b{{"q", "x", 1}, {"r", "x", 1}, {"s", "x", 1}, {"u", "x", 1}, {"v", "x", 1}};
    trawl::qrels const judged{{"q", "x", 1}, {"r", "x", 1}, {"s", "x", 0}};
    std::vector<std::string_view> const keys{"u", "v"};
    auto const unanswerable = trawl::ordered_keys::from_ascending(keys);
    std::vector<trawl::reported_system> const systems{{"a", &a, {}}, {"b", &b, {}}};
    auto const floors = [](trawl::evaluation_report const& r) {
        return std::find_if(r.tables.begin(), r.tables.end(), [](trawl::table const& t) {
            return t.title == "Saying nothing where there is no answer";
        });
    };
    auto const report =
        trawl::make_report(systems, judged, {.metrics = "mrr", .unanswerable = &unanswerable});
    auto const table = floors(report);
    REQUIRE(table != report.tables.end());
    auto const row = [&](std::size_t s) {
        std::vector<double> out;
        for (auto const& cell : table->rows[s])
            out.push_back(cell.is_number() ? cell.number() : -1);
        return out;
    };
    // The floor 8 is right on all five, and so is that of any four on the fifth but for r itself:
    // calibrated without r it is 9, which silences r: (1/2 + 3/3) / 2.
    CHECK(row(0) == std::vector<double>{-1, 8, 2, 0, 3, 0, 1, .75});
    // no floor is better than none
    CHECK(row(1) == std::vector<double>{-1, -1, 2, 0, 0, 3, .5, .5});
    trawl::qrels const answered{{"q", "x", 1}};
    auto const without = trawl::make_report(systems, answered, {.metrics = "mrr"});
    CHECK(floors(without) == without.tables.end());
}

TEST_CASE("a report tells how deep the answers stand", "[eval][report]") {
    std::vector<trawl::run_row> rows;
    for (auto const query : {"q", "r", "s", "t", "u"}) rows.push_back({query, "other", 2});
    for (auto const query : {"q", "r", "s", "t"}) rows.push_back({query, "right", 1});
    std::vector<trawl::qrels_row> known;
    for (auto const query : {"q", "r", "s", "t", "u"}) known.push_back({query, "right", 1});
    trawl::run const found(rows);
    std::vector<trawl::reported_system> const systems{{"a", &found, {}}};
    CHECK(trawl::to_text(trawl::make_report(systems, trawl::qrels(known), {.metrics = "mrr"}))
              .find("a: share of queries with a relevant document: 80 % by rank 2, 90 % "
                    "never, 95 % never.")
          != std::string::npos);
}

TEST_CASE("a report is text, Markdown and comma-separated values too", "[eval][report]") {
    auto const a = random_run(5);
    std::vector<trawl::reported_system> const systems{{"only one", &a, {}}};
    auto const report =
        trawl::make_report(systems, judged_five(), {.title = "Mine", .metrics = "map"});
    CHECK(report.sentences.empty());
    CHECK(trawl::to_text(report).find("Mine\n\n\nMeans\n\nsystem") == 0);
    CHECK(trawl::to_markdown(report).find("# Mine\n\n\n## Means\n") == 0);
    auto const csv = trawl::to_csv(report);
    CHECK(csv.find("system,query,map\nonly one,q1,") == 0);
    CHECK(count_of(csv, "\n") == 7);
    check_nesting(trawl::to_html(report));
}

TEST_CASE(
    "axes go from round number to round number and hold every value", "[eval][report][property]") {
    auto const seed = GENERATE(range(1u, 200u));
    CAPTURE(seed);
    trawl::detail::random random(seed);
    auto const low = random.normal() * std::pow(10, random.uniform() * 8 - 4);
    auto const high = low + random.uniform() * std::pow(10, random.uniform() * 8 - 4);
    auto const axis = trawl::detail::axis_over(low, high, 0, 100);
    auto const ticks = trawl::detail::ticks_of(axis);
    CHECK((ticks.size() >= 3 && ticks.size() <= 12));
    CHECK((axis.at(low) >= -1e-6 && axis.at(high) <= 100 + 1e-6));
}

TEST_CASE("charts of one point, of one query and of equal values are drawn", "[eval][report]") {
    for (auto const kind : {trawl::chart_kind::lines, trawl::chart_kind::bars,
             trawl::chart_kind::marks, trawl::chart_kind::intervals}) {
        trawl::report_chart chart{.kind = kind, .title = "t", .series = {{"s", {{0, 0, "p"}}}}};
        auto const svg = trawl::to_svg(chart);
        CHECK(svg.find("<svg ") == 0);
        CHECK(svg.find("nan") == svg.npos);
        CHECK(svg.find("inf") == svg.npos);
    }
    CHECK(trawl::to_svg({.title = "nothing"}).find("<svg ") == 0);
}

TEST_CASE("a report refuses nothing to report", "[eval][report][bad]") {
    auto const a = random_run(6);
    std::vector<trawl::reported_system> const good{{"a", &a, {}}};
    std::vector<trawl::reported_system> const null{{"a", nullptr, {}}};
    CHECK(
        support::error_of([] { (void)trawl::make_report({}, judged_five()); }).names("no systems"));
    CHECK(support::error_of([&] {
        (void)trawl::make_report(null, judged_five());
    }).names("'a' has no run"));
    CHECK(support::error_of([&] { (void)trawl::make_report(good, {}); }).names("no queries"));
    CHECK(support::error_of([&] {
        (void)trawl::make_report(good, judged_five(), {.metrics = "luck"});
    }).names("luck"));
    CHECK(support::error_of([] {
        (void)trawl::to_html(trawl::evaluation_report{});
    }).names("no results"));
}
