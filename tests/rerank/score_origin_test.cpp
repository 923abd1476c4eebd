// SPDX-License-Identifier: MIT
// Whose scores a ranking holds: stages judge only those that are on their scale.
#include <trawl/rerank/stage.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/tiny.hpp"

#include <trawl/detail/floating_point.hpp>
#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/autocut.hpp>
#include <trawl/rerank/boost_stage.hpp>
#include <trawl/rerank/group_by_parent.hpp>
#include <trawl/rerank/mmr.hpp>
#include <trawl/rerank/score_floor.hpp>

using support::ids_of;
using support::table_arm;
using namespace trawl;

namespace {

ranking const four{{10, 4}, {20, 3}, {30, 2}, {40, 1}};

// The probability that a document is relevant: a tenth of its number's first digit.
void tenths(query const&, std::span<candidate const> batch, std::span<float> out) {
    for (std::size_t i = 0; i < batch.size(); ++i) out[i] = static_cast<float>(batch[i].id) / 100;
}

void failing(query const&, std::span<candidate const>, std::span<float>) {
    throw std::runtime_error("the model is down");
}

score_origin left_by(stage_trace const& trace) { return trace.left.value_or(score_origin{}); }

auto searching() { return hybrid_search{table_arm{.matches = four}}; }

} // namespace

TEST_CASE("A reranker says how many hits it scored, a failed one that the scores are older",
    "[rerank][score_origin]") {
    stage_trace read;
    auto const hits = rerank_stage(&tenths, no_text{}, {.depth = 2})({}, four, {}, read);
    CHECK(left_by(read) == score_origin{.own = 2});
    CHECK(ids_of(hits) == std::vector<doc_id>{20, 10, 30, 40});

    rerank_options const lenient{.on_failure = failure_policy::leave_out};
    stage_trace failed;
    CHECK(rerank_stage(&failing, no_text{}, lenient)({}, four, {}, failed) == four);
    CHECK(left_by(failed) == score_origin{.stale = true});
    stage_trace none;
    CHECK(rerank_stage(&tenths, no_text{}, {.depth = 0})({}, four, {}, none) == four);
    CHECK(left_by(none) == score_origin{});
}

TEST_CASE(
    "What no model read passes no floor of its scale", "[rerank][score_origin][score_floor]") {
    // Of four candidates the model reads two: .2 and .1. The others stand just below .1.
    auto const floored_at = [](float floor) {
        return ids_of(searching()
                          .rerank(&tenths, no_text{}, {.depth = 2})
                          .then(score_floor{floor})({.text = "q"}));
    };
    CHECK(floored_at(0.15f) == std::vector<doc_id>{20});
    CHECK(floored_at(0.05f) == std::vector<doc_id>{20, 10});
    CHECK(floored_at(0.5f).empty());
    // So through stages that keep scores, and through a filter of the caller's that leaves no
    // trace.
    auto const even = [](query const&, ranking hits, search_options const&) {
        std::erase_if(hits, [](hit const& h) { return h.id == 20; });
        return hits;
    };
    auto const search = searching()
                            .rerank(&tenths, no_text{}, {.depth = 2})
                            .then(group_by_parent{[](doc_id id) { return id; }})
                            .then(even)
                            .then(score_floor{0.05f});
    CHECK(ids_of(search({.text = "q"})) == std::vector<doc_id>{10});
    // Without a reranker the floor judges the fused scores, 1 to 0 here.
    auto const fused = searching().fuse(weighted_sum{}).then(score_floor{0.5f});
    CHECK(ids_of(fused({.text = "q"})) == std::vector<doc_id>{10, 20});
}

TEST_CASE("Where a reranker failed, its floor judges nothing", "[rerank][score_origin]") {
    rerank_options const lenient{.on_failure = failure_policy::leave_out};
    auto const search = searching().rerank(&failing, no_text{}, lenient).then(score_floor{0.5f});
    // RRF's scores are 1/61 at most.
    CHECK(ids_of(search({.text = "q"})) == ids_of(four));
    auto const report = search.report({.text = "q"});
    CHECK(report.trace.back().notes
          == std::vector<std::string>{"nothing dropped: the scores are those of an earlier stage"});
    auto const cut =
        searching().fuse(weighted_sum{}).rerank(&failing, no_text{}, lenient).then(autocut{1});
    CHECK(cut({.text = "q"}).size() == 4);
    // A stage that scores again makes the scores its own.
    support::point_source const points{{}};
    auto const picked = searching()
                            .rerank(&failing, no_text{}, lenient)
                            .diversify(mmr{}, points)
                            .then(score_floor{0.4f});
    CHECK(ids_of(picked({.text = "q"})) == std::vector<doc_id>{10});
}

TEST_CASE("Autocut looks for jumps among the scores that a model gave", "[rerank][score_origin]") {
    // 9 8 7 6 is a straight line: no jump. With the three that were not read, which stand just
    // below 6, it would bend at the fourth: dropped 0 .33 .67 1 1 1 1 less sixths.
    ranking hits{{1, 9}, {2, 8}, {3, 7}, {4, 6}};
    for (doc_id id = 5; id < 8; ++id) hits.push_back({id, detail::next_below(hits.back().score)});
    stage_trace all_own;
    CHECK(autocut{1}({}, hits, {}, all_own).size() == 3);
    stage_trace trace;
    trace.given = {.own = 4};
    CHECK(autocut{1}({}, hits, {}, trace) == hits);
    CHECK(left_by(trace) == score_origin{.own = 4});
    // A jump among those that were read drops all that follows: 10 9 8 0 in cut_offs_test.cpp.
    ranking jump{{1, 10}, {2, 9}, {3, 8}, {4, 0}, {5, detail::next_below(0.0f)}};
    stage_trace second;
    second.given = {.own = 4};
    CHECK(ids_of(autocut{1}({}, jump, {}, second)) == std::vector<doc_id>{1, 2, 3});
}

TEST_CASE("Boosts change the scores that are a candidate's own", "[rerank][score_origin]") {
    auto const number = [](doc_id id) -> std::optional<double> { return id == 40 ? 100 : 1; };
    auto const same = [](double x) { return x; };
    auto const hits =
        searching()
            .rerank(&tenths, no_text{}, {.depth = 2})
            .then(boost_stage(same, number, {.mode = boost_mode::add}))({.text = "q"});
    // 40, which no model read, does not overtake: .2 + 1, .1 + 1, then one float step each.
    CHECK(ids_of(hits) == std::vector<doc_id>{20, 10, 30, 40});
    CHECK(hits[1].score == 0.1f + 1.0f);
    CHECK(hits[3].score == detail::next_below(detail::next_below(hits[1].score)));
    // Where the reranker failed, what is added belongs to another scale; a factor does not.
    rerank_options const lenient{.on_failure = failure_policy::leave_out};
    auto const failed = [&](boost_mode mode) {
        return ids_of(searching()
                          .rerank(&failing, no_text{}, lenient)
                          .then(boost_stage(same, number, {.mode = mode}))({.text = "q"}));
    };
    CHECK(failed(boost_mode::add) == ids_of(four));
    CHECK(failed(boost_mode::multiply) == std::vector<doc_id>{40, 10, 20, 30});
}

TEST_CASE(
    "A mixture normalises the scores before that are a candidate's own", "[rerank][score_origin]") {
    // The first model read 10 and 20 (scores 8 and 4), the others follow just below 4. Min-max over
    // 8 and 4 gives 1 and 0, and 0 for the others; over all four it would be the same but for 20,
    // 30 and 40 at a hair above 0.
    ranking const given{{10, 8}, {20, 4}, {30, detail::next_below(4.0f)},
        {40, detail::next_below(detail::next_below(4.0f))}};
    auto const constant = [](query const&, std::span<candidate const> batch, std::span<float> out) {
        for (std::size_t i = 0; i < batch.size(); ++i) out[i] = 1;
    };
    stage_trace trace;
    trace.given = {.own = 2};
    auto const hits = rerank_stage(constant, no_text{},
        {.mix = {.before = 0.5, .norm = normaliser::z_score}})({}, given, {}, trace);
    // z-scores of 8 and 4: 1 and -1; the others get -1; the model's, all equal, 0.
    CHECK(hits == ranking{{10, 0.5f}, {20, -0.5f}, {30, -0.5f}, {40, -0.5f}});
    CHECK(left_by(trace) == score_origin{.own = 4});
}
