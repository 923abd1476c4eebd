// SPDX-License-Identifier: MIT
// trec_eval's own test files and the outputs that it ships with them, line by line as printed.
#include <trawl/eval/evaluate.hpp>
#include <trawl/formats/lines.hpp>
#include <trawl/formats/trec.hpp>
#include <trawl/storage/file.hpp>

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/catch.hpp"

namespace {

std::string const folder = "../shared/golden/trec_eval/";

bool absent() {
    std::FILE* const file = std::fopen((folder + "out.test").c_str(), "rb");
    if (file != nullptr) {
        std::fclose(file);
        return false;
    }
    WARN("skipped: " << folder << " is not there");
    return true;
}

// Lines of text, without those of measures that are no numbers.
std::vector<std::string> lines_of(std::string const& text) {
    std::vector<std::string> out;
    trawl::line_reader lines(text);
    for (std::string_view line; lines.next(line);) {
        if (line.substr(0, 5) != "runid" && line.substr(0, 9) != "relstring")
            out.emplace_back(line);
    }
    return out;
}

void compare(std::string const& golden, std::string const& qrels, std::string const& run,
    std::string_view measures, bool per_query, trawl::evaluate_options const& options = {}) {
    CAPTURE(golden);
    auto const wanted = lines_of(trawl::read_file(folder + golden));
    auto const e = trawl::evaluate(trawl::read_run(folder + run), trawl::read_qrels(folder + qrels),
        trawl::measures_named(measures), options);
    auto const got = lines_of(trawl::to_text(e, per_query));
    REQUIRE(got.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (got[i] != wanted[i]) CHECK(got[i] == wanted[i]);
    }
    CHECK(wanted.size() > 20);
}

} // namespace

TEST_CASE("the official measures are trec_eval's, as printed", "[eval][golden]") {
    if (absent()) return;
    compare("out.test", "qrels.test", "results.test", "official", false);
    compare("out.comment.test", "qrels.comment.test", "results.comment.test", "official", false);
}

TEST_CASE("all measures of trec_eval are its own, as printed", "[eval][golden]") {
    if (absent()) return;
    compare("out.test.a", "qrels.test", "results.test", "all_trec", false);
    compare("out.test.aq", "qrels.test", "results.test", "all_trec", true);
}

TEST_CASE(
    "a missing query counts as an empty ranking, as trec_eval -c prints it", "[eval][golden]") {
    if (absent()) return;
    compare("out.test.aqc", "qrels.test", "results.trunc", "all_trec", true);
}

TEST_CASE("a ranking is cut before it is measured, as trec_eval -M prints it", "[eval][golden]") {
    if (absent()) return;
    compare("out.test.aqcM", "qrels.test", "results.trunc", "all_trec", true,
        {.assess = {.depth = 100}});
}

TEST_CASE("a level of relevance counts as trec_eval -l prints it", "[eval][golden]") {
    if (absent()) return;
    compare("out.test.aql", "qrels.rel_level", "results.test", "all_trec", true,
        {.assess = {.level = 2}});
}

TEST_CASE("measures take parameters as trec_eval prints them", "[eval][golden]") {
    if (absent()) return;
    compare("out.test.meas_params", "qrels.test", "results.test",
        "iprec_at_recall..10,.20,.25,.75,.50,P.5,7,3,recall.20,2000,Rprec_mult.5.0,0.2,0.35,"
        "utility.2,-1,0,0,"
        "11pt_avg..25,.5,.75,ndcg.1=3,2=9,4=4.5,ndcg_cut.10,20,23,success.2,5,20",
        true);
}
