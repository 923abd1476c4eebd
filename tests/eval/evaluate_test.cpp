// SPDX-License-Identifier: MIT
#include <trawl/eval/evaluate.hpp>

#include <algorithm>
#include <array>
#include <string>

#include <trawl/core/thread_executor.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>
#include <trawl/formats/detail/columns.hpp>
#include <trawl/formats/lines.hpp>
#include <trawl/formats/trec.hpp>
#include <trawl/storage/file.hpp>

#include "support/catch.hpp"

namespace {

std::string const golden = "tests/golden/eval/";

trawl::run const small_run{
    {"a", "d1", 3}, {"a", "d2", 2}, {"a", "d3", 1}, {"b", "d2", 1}, {"x", "d9", 1}};
trawl::qrels const small_qrels{{"a", "d2", 1}, {"b", "d2", 1}, {"c", "d1", 1}};

double mean_of(trawl::run const& run, trawl::qrels const& qrels, std::string_view name,
    trawl::evaluate_options const& options = {}) {
    return trawl::evaluate(run, qrels, trawl::measures_named(name), options).summaries.at(0);
}

} // namespace

TEST_CASE("random runs measure as pytrec_eval and ir-measures measure them", "[eval][golden]") {
    auto const run = trawl::read_run(golden + "random.run");
    auto const qrels = trawl::read_qrels(golden + "random.qrels");
    auto const measures = trawl::measures_named("map,recip_rank,bpref,infAP,Rprec,ndcg,set_P,set_"
                                                "recall,set_F,set_map,num_ret,num_rel,num_rel_ret,"
                                                "binG,"
                                                "G,Rndcg,ndcg_rel,P.5,10,recall.5,10,ndcg_cut.5,10,"
                                                "map_cut.5,10,success.1,5,relative_P.5,10,err@20");
    auto const e = trawl::evaluate(run, qrels, measures);
    auto const text = trawl::read_file(golden + "random.tsv");
    trawl::line_reader lines(text);
    std::size_t compared = 0;
    for (std::string_view line; lines.next(line);) {
        std::array<std::string_view, 3> field;
        REQUIRE(trawl::detail::split_tabs(line, field) == 3);
        CAPTURE(field[0], field[1]);
        auto const m = std::find_if(e.measures.begin(), e.measures.end(),
            [&](auto const& x) { return x.name == field[0]; });
        auto const q = std::find(e.queries.begin(), e.queries.end(), field[1]);
        REQUIRE(m != e.measures.end());
        REQUIRE(q != e.queries.end());
        auto const got = e.row(static_cast<std::size_t>(
            q - e.queries.begin()))[static_cast<std::size_t>(m - e.measures.begin())];
        // ERR comes from gdeval, which prints five digits.
        CHECK_THAT(got,
            WithinAbs(*trawl::detail::parse_double(field[2]), field[0] == "err_20" ? 6e-6 : 1e-9));
        ++compared;
    }
    CHECK(compared == measures.size() * e.queries.size());
}

TEST_CASE("a missing query counts 0, or not, or is an error", "[eval][missing]") {
    auto const e = trawl::evaluate(small_run, small_qrels, trawl::measures_named("mrr,num_q"));
    CHECK(e.missing == std::vector<std::string>{"c"});
    CHECK(e.unjudged == std::vector<std::string>{"x"});
    CHECK(e.queries == std::vector<std::string>{"a", "b", "c"});
    CHECK_THAT(e.summaries[0], WithinRel((.5 + 1 + 0) / 3, 1e-15));
    CHECK(e.summaries[1] == 3);
    CHECK_THAT(mean_of(small_run, small_qrels, "mrr", {.missing = trawl::missing_queries::skip}),
        WithinRel(.75, 1e-15));
    CHECK_THROWS_WITH(
        mean_of(small_run, small_qrels, "mrr", {.missing = trawl::missing_queries::fail}),
        "evaluate: the run has no query 'c', which is judged");
}

TEST_CASE("conventions order ties their own way", "[eval][convention]") {
    trawl::run const tied{{"q", "d1", 1}, {"q", "d2", 1}, {"q", "d0", 2}};
    trawl::qrels const judged{{"q", "d2", 1}};
    CHECK(mean_of(tied, judged, "mrr") == .5); // trec_eval: d0, d2, d1
    CHECK_THAT(mean_of(tied, judged, "mrr", {.convention = trawl::convention::library}),
        WithinRel(1.0 / 3, 1e-15));
    // Scores that only double tells apart are no ties.
    trawl::run const close{{"q", "d2", 0.6898301657029192}, {"q", "d1", 0.6898301657029193}};
    CHECK(mean_of(close, judged, "mrr") == .5);
    CHECK(mean_of(close, judged, "mrr", {.convention = trawl::convention::library}) == .5);
}

TEST_CASE("no queries give zeros", "[eval]") {
    auto const e = trawl::evaluate({}, {}, trawl::measures_named("all"));
    for (double const value : e.summaries) CHECK(value == 0);
    auto const empty = trawl::evaluate({}, small_qrels, trawl::measures_named("map,gm_map"));
    CHECK(empty.summaries[0] == 0);
    CHECK_THAT(empty.summaries[1], WithinRel(1e-5, 1e-12));
    CHECK(empty.missing.size() == 3);
}

TEST_CASE("the order of rows and the number of threads change nothing", "[eval][property]") {
    auto const seed = GENERATE(1u, 2u, 3u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    std::vector<std::string> names;
    for (int i = 0; i < 60; ++i) names.push_back("k" + std::to_string(i));
    std::vector<trawl::run_row> rows;
    std::vector<trawl::qrels_row> grades;
    for (std::size_t q = 0; q < 30; ++q) {
        for (std::size_t d = 0; d < 60; ++d) {
            if (random.below(2) == 0)
                rows.push_back({names[q], names[d], static_cast<double>(random.below(9))});
            if (random.below(3) == 0)
                grades.push_back({names[q], names[d], static_cast<int>(random.below(3))});
        }
    }
    auto const measures = trawl::measures_named("all");
    auto const once = trawl::evaluate(trawl::run(rows), trawl::qrels(grades), measures);
    random.shuffle(std::span(rows));
    random.shuffle(std::span(grades));
    trawl::thread_executor const threads(3);
    auto const again =
        trawl::evaluate(trawl::run(rows), trawl::qrels(grades), measures, {.pool = &threads});
    CHECK(once.values == again.values);
    CHECK(once.summaries == again.summaries);
}

TEST_CASE("80 of 100 queries with a hit in the first three have Hit@3 .8", "[eval][worked]") {
    std::vector<std::string> queries;
    for (int i = 0; i < 100; ++i) queries.push_back("q" + std::to_string(i));
    std::vector<trawl::run_row> rows;
    std::vector<trawl::qrels_row> grades;
    for (std::size_t i = 0; i < 100; ++i) {
        for (auto const* key : {"a", "b", "c", "d"})
            rows.push_back({queries[i], key, -static_cast<double>(key[0])});
        grades.push_back({queries[i], i < 80 ? "c" : "d", 1});
    }
    CHECK_THAT(mean_of(trawl::run(rows), trawl::qrels(grades), "hit@3"), WithinAbs(.8, 1e-15));
}

TEST_CASE("the worked queries' MRR over both arms", "[eval][worked]") {
    trawl::qrels const judged{{"q_cursor", "D022-2", 1}, {"q_token", "D002-1", 1}};
    trawl::run const dense{{"q_cursor", "D022-2", -.5347}, {"q_cursor", "D022-1", -.9571},
        {"q_token", "D004-2", -.6811}, {"q_token", "D033-1", -.7536},
        {"q_token", "D002-1", -.7755}};
    trawl::run const lexical{{"q_cursor", "D021-1", 10.8383}, {"q_cursor", "D022-2", 8.7907},
        {"q_token", "D021-1", 10.2086}, {"q_token", "D002-1", 9.5342}};
    CHECK_THAT(mean_of(dense, judged, "mrr"), WithinRel(2.0 / 3, 1e-14));
    CHECK_THAT(mean_of(lexical, judged, "mrr"), WithinRel(.5, 1e-14));
}

TEST_CASE("a run refuses scores that are no numbers and documents that come twice", "[eval][bad]") {
    auto const nan = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS((trawl::run{{"q", "d", nan}}), trawl::error);
    CHECK_THROWS_AS(
        (trawl::run{{"q", "d", std::numeric_limits<double>::infinity()}}), trawl::error);
    CHECK_THROWS_WITH((trawl::run{{"q", "d", 1}, {"p", "d", 1}, {"q", "d", 2}}),
        "run: document 'd' is retrieved twice for query 'q'");
    CHECK_THROWS_WITH((trawl::qrels{{"q", "d", 1}, {"q", "d", 1}}),
        "qrels: document 'd' is judged twice for query 'q'");
    CHECK_THROWS_AS(small_run.entries(3), trawl::error);
    CHECK_THROWS_AS(small_run.query(3), trawl::error);
    CHECK_THROWS_AS(small_qrels.judgements(3), trawl::error);
}

TEST_CASE("keys are numbered in byte order", "[eval][keys]") {
    trawl::run const run{{"q", "b", 1}, {"q", "a\xff", 1}, {"q", "", 1}, {"q", "a", 1},
        {"q", "B", 1}, {"q", std::string_view("a\0", 2), 1}, {"q", "abcdefghijk2", 1},
        {"q", "abcdefghijk10", 1}};
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < run.documents().size(); ++i)
        keys.emplace_back(run.documents().key(i));
    CHECK(keys.size() == 8);
    CHECK(std::is_sorted(keys.begin(), keys.end()));
    for (std::size_t i = 0; i < keys.size(); ++i) CHECK(run.documents().find(keys[i]) == i);
    CHECK(!run.documents().find("c"));
    CHECK(!run.documents().find("aa"));
    CHECK(run.find("q") == 0);
    CHECK(!run.find("p"));
}

TEST_CASE("a run that judgements know nothing of is not measured without a word", "[eval]") {
    trawl::qrels const judged{{"q1", "DOC-1", 1}, {"q1", "DOC-2", 0}};
    auto const said = [&](trawl::run const& run) {
        auto const e = trawl::evaluate(run, judged, trawl::measures_named("map"));
        auto const all = trawl::warnings(e, run, judged);
        return all.empty() ? std::string() : all.at(0);
    };
    CHECK(said({{"q1", "doc-1", 2}, {"q1", "doc-2", 1}})
          == "No retrieved document is judged: the run has documents like 'doc-1', the judgements "
             "like 'DOC-1'.");
    CHECK(said({{"1", "DOC-1", 2}})
          == "No query of the run is judged: the run has queries like '1', the judgements like "
             "'q1'.");
    CHECK(said(trawl::run{}) == "The run is empty.");
    CHECK(said({{"q1", "DOC-2", 2}, {"q1", "other", 1}}).empty()); // judged, not relevant
    // A document that only another query's judgements know is not judged here.
    trawl::qrels const two{{"q1", "a", 1}, {"q2", "b", 1}};
    trawl::run const crossed{{"q1", "b", 1}, {"q2", "a", 1}};
    auto const e = trawl::evaluate(crossed, two, trawl::measures_named("map"));
    CHECK(e.retrieved == 2);
    CHECK(e.known == 0);
    CHECK(trawl::warnings(e, crossed, two).size() == 1);
}
