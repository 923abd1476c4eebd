// SPDX-License-Identifier: MIT
#include <trawl/eval/evaluate.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include <trawl/detail/number_text.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/formats/detail/columns.hpp>
#include <trawl/formats/lines.hpp>
#include <trawl/formats/trec.hpp>
#include <trawl/storage/file.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

std::string const golden = "tests/golden/eval/";

constexpr trawl::convention all_conventions[] = {trawl::convention::trec_eval,
    trawl::convention::library, trawl::convention::ranx, trawl::convention::beir,
    trawl::convention::sbert};

trawl::evaluation measured(trawl::run const& run, trawl::qrels const& judged,
    std::string_view names, trawl::evaluate_options const& options = {}) {
    return trawl::evaluate(run, judged, trawl::measures_named(names, options.convention), options);
}

} // namespace

TEST_CASE("figures are those of the tool that the convention names", "[eval][convention][golden]") {
    auto const run = trawl::read_run(golden + "convention.run");
    auto const judged = trawl::read_qrels(golden + "convention.qrels");
    std::map<std::string, trawl::evaluation, std::less<>> by_name;
    for (auto const whose : all_conventions) {
        by_name[std::string(trawl::name_of(whose))] = measured(run, judged,
            "hits,P.1,3,5,recall.1,3,5,r-precision,mrr,mrr.1,3,5,map,map.1,3,5,ndcg,ndcg.1,3,5,"
            "ndcg_burges@5,"
            "rbp@p=.95,f1,hit.1,3,5",
            {.convention = whose});
    }
    auto const text = trawl::read_file(golden + "convention.tsv");
    trawl::line_reader lines(text);
    std::map<std::string, std::size_t, std::less<>> compared;
    for (std::string_view line; lines.next(line);) {
        std::array<std::string_view, 4> field;
        REQUIRE(trawl::detail::split_tabs(line, field) == 4);
        CAPTURE(line);
        auto const& e = by_name.find(field[0])->second;
        auto const m =
            static_cast<std::size_t>(std::find_if(e.measures.begin(), e.measures.end(),
                                         [&](auto const& x) { return x.name == field[1]; })
                                     - e.measures.begin());
        REQUIRE(m < e.measures.size());
        double got = e.summaries[m];
        if (field[2] != "all") {
            auto const q = std::find(e.queries.begin(), e.queries.end(), field[2]);
            REQUIRE(q != e.queries.end());
            got = e.row(static_cast<std::size_t>(q - e.queries.begin()))[m];
        }
        CHECK_THAT(got, WithinAbs(*trawl::detail::parse_double(field[3]), 1e-12));
        ++compared[std::string(field[0])];
    }
    CHECK(compared["ranx"] == 14 * 20 + 13);
    CHECK(compared["beir"] == 6 * 3);
    CHECK(compared["sbert"] == 6 * 3);
}

TEST_CASE("a result says which convention and rules it used", "[eval][convention]") {
    trawl::run const run{{"q", "a", 1}, {"q", "b", 1}, {"r", "a", 1}};
    trawl::qrels const judged{{"q", "a", 1}, {"r", "a", 0}, {"s", "a", 1}};
    auto const beir = measured(run, judged, "mrr,map", {.convention = trawl::convention::beir});
    CHECK(beir.convention == trawl::convention::beir);
    CHECK(beir.rules == trawl::rules_of(trawl::convention::beir));
    CHECK(beir.judged == 3);
    CHECK(beir.tied == 1);
    CHECK(beir.queries == std::vector<std::string>{"q", "r"});
    // mrr by file order over all judged queries, map by key descending over those that the run
    // has.
    CHECK_THAT(beir.summaries[0], WithinRel(1.0 / 3, 1e-15));
    CHECK_THAT(beir.summaries[1], WithinRel(.5 / 2, 1e-15));
    auto const mixed = measured(run, judged, "map",
        {.convention = trawl::convention::beir, .ties = trawl::tie_order::key_ascending});
    CHECK(mixed.rules.ties == trawl::tie_order::key_ascending);
    CHECK(mixed.rules.missing == trawl::missing_queries::skip);
    CHECK(mixed.summaries[0] == .5);
    for (auto const whose : all_conventions)
        CHECK(trawl::convention_named(trawl::name_of(whose)) == whose);
    CHECK(support::error_of([] { (void)trawl::convention_named("trec"); }).names("'trec'"));
}

TEST_CASE("queries without an answer count 0 or not at all", "[eval][convention]") {
    trawl::run const run{{"q", "a", 1}, {"r", "a", 1}};
    trawl::qrels const judged{{"q", "a", 1}, {"r", "a", 0}};
    CHECK(measured(run, judged, "map").summaries[0] == .5);
    auto const skipped =
        measured(run, judged, "map", {.unanswerable = trawl::unanswerable_queries::skip});
    CHECK(skipped.summaries[0] == 1);
    CHECK(skipped.queries == std::vector<std::string>{"q"});
    CHECK(skipped.missing.empty());
}

TEST_CASE("a query's own document is dropped where it is asked for", "[eval][convention]") {
    trawl::run const run{{"q", "q", 2}, {"q", "a", 1}, {"a", "a", 1}};
    trawl::qrels const judged{{"q", "a", 1}, {"a", "a", 1}};
    CHECK(measured(run, judged, "mrr").summaries[0] == .75);
    CHECK(measured(run, judged, "mrr", {.own = trawl::own_document::drop}).summaries[0] == .5);
}

TEST_CASE(
    "the expected value is the mean over all orders of equal scores", "[eval][ties][property]") {
    auto const seed = GENERATE(range(1u, 30u));
    CAPTURE(seed);
    trawl::detail::random random(seed);
    // The documents of a query, and which of them share a score; every order by brute force.
    auto const n = 1 + random.below(7);
    std::vector<trawl::run_row> rows;
    std::vector<trawl::qrels_row> grades;
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < 10; ++i) keys.push_back("d" + std::to_string(i));
    for (std::size_t i = 0; i < n; ++i)
        rows.push_back({"q", keys[i], static_cast<double>(random.below(3))});
    for (std::size_t i = 0; i < 10; ++i) {
        auto const grade = static_cast<int>(random.below(6)) - 1;
        if (grade < 4) grades.push_back({"q", keys[i], grade});
    }
    grades.push_back({"q", "other", 1});
    trawl::qrels const judged(grades);
    auto const measures = trawl::measures_named("map,map@3,mrr,mrr@2,mrr@4,P.1,3,5,recall.1,3,5,"
                                                "hit.1,2,4,ndcg,ndcg@3,ndcg_exp@4,rbp,set_recall");

    auto const expected =
        trawl::evaluate(trawl::run(rows), judged, measures, {.ties = trawl::tie_order::expected});
    std::vector<double> sums(measures.size());
    std::vector<std::size_t> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = i;
    double orders = 0;
    do {
        auto broken = rows;
        for (std::size_t i = 0; i < n; ++i) broken[order[i]].value -= .01 * static_cast<double>(i);
        auto const e = trawl::evaluate(trawl::run(broken), judged, measures);
        for (std::size_t m = 0; m < measures.size(); ++m) sums[m] += e.values[m];
        ++orders;
    } while (std::next_permutation(order.begin(), order.end()));
    for (std::size_t m = 0; m < measures.size(); ++m) {
        CAPTURE(measures[m].name);
        CHECK_THAT(expected.values[m], WithinAbs(sums[m] / orders, 1e-12));
    }
}

TEST_CASE("a run whose scores are all equal is worth what chance is", "[eval][ties]") {
    // 10 documents, 1 relevant, its key last: key descending puts it first.
    std::vector<std::string> keys;
    for (int i = 0; i < 10; ++i) keys.push_back("d" + std::to_string(i));
    std::vector<trawl::run_row> rows;
    for (auto const& key : keys) rows.push_back({"q", key, 1});
    trawl::run const run(rows);
    trawl::qrels const judged{{"q", "d9", 1}};
    CHECK(measured(run, judged, "hit@1").summaries[0] == 1);
    CHECK(measured(run, judged, "hit@1", {.convention = trawl::convention::library}).summaries[0]
          == 0);
    auto const fair =
        measured(run, judged, "hit@1,hit@4,mrr", {.ties = trawl::tie_order::expected});
    CHECK_THAT(fair.summaries[0], WithinRel(.1, 1e-12));
    CHECK_THAT(fair.summaries[1], WithinRel(.4, 1e-12));
    CHECK_THAT(
        // the tenth harmonic number / 10
        fair.summaries[2], WithinRel(2.9289682539682538 / 10, 1e-12));
    CHECK(fair.tied == 1);
}

TEST_CASE("expected values refuse measures without a closed form, and cut rankings",
    "[eval][ties][bad]") {
    trawl::run const run{{"q", "a", 1}};
    trawl::qrels const judged{{"q", "a", 1}};
    CHECK(support::error_of([&] {
        (void)measured(run, judged, "bpref", {.ties = trawl::tie_order::expected});
    }).names("'bpref'"));
    CHECK(support::error_of([&] {
        (void)measured(
            run, judged, "map", {.ties = trawl::tie_order::expected, .assess = {.depth = 5}});
    }).names("depth is 5"));
}
