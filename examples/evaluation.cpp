// SPDX-License-Identifier: MIT
// Did the change help? Two systems on the same queries: how far apart they are, and whether that
// is sure.
#include <cstdio>
#include <string>
#include <vector>

#include <trawl/eval.hpp>
#include <trawl/formats.hpp>

int main() {
    // -- compare
    // Rankings and judgements by key; trawl::read_run and trawl::read_qrels take them from files.
    std::vector<std::string> names;
    for (int i = 0; i < 40; ++i) names.push_back(std::string("q").append(std::to_string(i)));
    std::vector<trawl::run_row> before;
    std::vector<trawl::run_row> after;
    std::vector<trawl::qrels_row> right;
    for (std::size_t i = 0; i < names.size(); ++i) {
        right.push_back({names[i], "answer", 1});
        before.insert(
            before.end(), {{names[i], "other", 2}, {names[i], "answer", i % 3 == 0 ? 3.0 : 1.0}});
        after.insert(
            after.end(), {{names[i], "other", 2}, {names[i], "answer", i % 2 == 0 ? 3.0 : 1.0}});
    }

    trawl::qrels const judged(right);
    auto const measures = trawl::measures_named("mrr,hit@1");
    auto const old_values = trawl::evaluate(trawl::run(before), judged, measures);
    auto const new_values = trawl::evaluate(trawl::run(after), judged, measures);
    std::vector<trawl::measured_system> const systems{
        {"before", &old_values}, {"after", &new_values}};
    for (auto const& r : trawl::compare(systems)) {
        std::printf("%s: %.3f, was %.3f; difference in [%.3f, %.3f], p %.4f\n", r.measure.c_str(),
            r.mean, r.baseline, r.difference.low, r.difference.high, r.p_holm);
    }
    // -- end
}
