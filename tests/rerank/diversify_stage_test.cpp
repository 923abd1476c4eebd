// SPDX-License-Identifier: MIT
#include <trawl/rerank/diversify_stage.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "support/tiny.hpp"

#include <string>
#include <vector>

#include <trawl/rerank/mmr.hpp>

using support::error_of;
using support::ids_of;
using support::point_source;
using namespace trawl;

namespace {

// The five documents of worked_examples, section 9: q = (1, 0), a and b the same point.
point_source const points{{{0.8f, 0.6f}, {0.8f, 0.6f}, {0.6f, -0.8f}, {0.6f, 0.8f}, {0.0f, 1.0f}}};
ranking const five{{0, 5.0f}, {1, 4.0f}, {2, 3.0f}, {3, 2.0f}, {4, 1.0f}};
std::vector<float> const right{1, 0};

struct reversing {
    std::size_t most = 100;
    ranking operator()(query const&, std::span<hit const> candidates, matrix_view<float const>,
        std::size_t k) const {
        ranking picked(candidates.rbegin(), candidates.rend());
        float score = 0;
        for (auto& h : picked) h.score = score -= 1.0f;
        picked.resize((std::min)({k, most, picked.size()}));
        return picked;
    }
};

struct broken {
    ranking hits;
    ranking operator()(
        query const&, std::span<hit const>, matrix_view<float const>, std::size_t) const {
        return hits;
    }
};

} // namespace

TEST_CASE(
    "the rule picks among depth candidates, the others follow in their old order", "[diversify]") {
    diversify_stage const stage(reversing{}, points, {.depth = 3});
    stage_trace trace;
    auto const hits = stage({}, five, {}, trace);
    REQUIRE(ids_of(hits) == std::vector<doc_id>{2, 1, 0, 3, 4});
    REQUIRE(trace.scored == 3);
    // One float step below -3 is -3 - 2^-22.
    REQUIRE(hits[3].score == -3.0f - 0x1p-22f);
    REQUIRE(hits[4].score == -3.0f - 0x1p-21f);
}

TEST_CASE("what a rule does not pick stands before what lies beyond depth", "[diversify]") {
    diversify_stage const stage(reversing{.most = 2}, points, {.depth = 4});
    REQUIRE(ids_of(stage({}, five)) == std::vector<doc_id>{3, 2, 0, 1, 4});
}

TEST_CASE("MMR in a stage picks as worked by hand", "[diversify][mmr]") {
    diversify_stage const stage(mmr{.lambda = 0.5, .relevance = relevance::cosine}, points);
    auto const hits = stage({.vector = right}, five);
    // lambda .5: a, then c (.3), then b (-.1); then d: .3 - .5 * .96 and e: 0 - .5 * .6 = -.3 <
    // -.18.
    REQUIRE(ids_of(hits) == std::vector<doc_id>{0, 2, 1, 3, 4});
    REQUIRE_THAT(hits[1].score, WithinAbs(0.3, 1e-6));
    REQUIRE_THAT(hits[2].score, WithinAbs(-0.1, 1e-6));
}

TEST_CASE("depth 0, no candidates, and keep", "[diversify]") {
    REQUIRE(diversify_stage(reversing{}, points, {.depth = 0})({}, five) == five);
    REQUIRE(diversify_stage(reversing{}, points)({}, {}).empty());
    REQUIRE(ids_of(diversify_stage(reversing{}, points, {.keep = 2})({}, five))
            == std::vector<doc_id>{4, 3});
    REQUIRE(diversify_stage(reversing{}, points, {.keep = 0})({}, five).empty());
}

TEST_CASE(
    "a row belongs to its candidate, and is zero where a document has no vector", "[diversify]") {
    struct checking {
        ranking operator()(query const&, std::span<hit const> candidates,
            matrix_view<float const> vectors, std::size_t) const {
            REQUIRE(vectors.rows == candidates.size());
            REQUIRE(vectors.cols == 2);
            REQUIRE(vectors.row(0)[1] == -0.8f);
            REQUIRE(vectors.row(1)[0] == 0.0f);
            REQUIRE(vectors.row(1)[1] == 0.0f);
            return {candidates.begin(), candidates.end()};
        }
    };
    stage_trace trace;
    (void)diversify_stage(checking{}, points)({}, {{2, 2.0f}, {77, 1.0f}}, {}, trace);
    REQUIRE(trace.notes == std::vector<std::string>{"1 candidates have no vector"});
}

TEST_CASE("a rule that invents or repeats a document is named", "[diversify]") {
    auto const run = [&](ranking picks) {
        return error_of(
            [&] { (void)diversify_stage(broken{picks}, points, {.depth = 2})({}, five); });
    };
    REQUIRE(run({{9, 1.0f}}).names("document 9"));
    REQUIRE(run({{3, 1.0f}}).names("document 3")); // beyond depth
    REQUIRE(run({{0, 1.0f}, {0, 0.0f}}).names("document 0"));
}

TEST_CASE("a stopped search is not diversified", "[diversify]") {
    search_options options;
    options.stop = [](void*) { return true; };
    stage_trace trace;
    REQUIRE(diversify_stage(reversing{}, points)({}, five, options, trace) == five);
    REQUIRE(trace.partial);
}

TEST_CASE("explanations of picks hold the rule's own where there is one", "[diversify][explain]") {
    stage_trace trace;
    diversify_stage const by_mmr(mmr{.relevance = relevance::cosine}, points, {.depth = 4});
    query const q{.vector = right};
    auto const hits = by_mmr(q, five, {}, trace);
    for (std::size_t i = 0; i < hits.size(); ++i) {
        auto const tree = by_mmr.explain(q, {five, hits, trace}, i, {.label = "before"});
        REQUIRE(tree.value == static_cast<double>(hits[i].score));
        REQUIRE(adds_up(tree));
        if (i < 4) {
            REQUIRE(tree.op == (i == 0 ? operation::round : operation::placed));
            auto const& relevance = tree.children.at(0).children.at(0).children.at(1);
            REQUIRE(relevance.label == "relevance: cosine to the query");
            REQUIRE(relevance.children.at(0).label == "before");
        }
    }
}

TEST_CASE(
    "a rule that names no relevance stands beside the score before, one that errs is not believed",
    "[diversify][explain]") {
    struct short_telling : reversing {
        [[nodiscard]] explanation explain(query const&, std::span<hit const>,
            matrix_view<float const>, std::size_t, doc_id id) const {
            return {.label = "rule", .value = id == 3 ? -2.0 : 0.0};
        }
    };
    struct erring : reversing {
        [[nodiscard]] explanation explain(query const&, std::span<hit const>,
            matrix_view<float const>, std::size_t, doc_id) const {
            return {.label = "wrong", .value = 77};
        }
    };
    auto const tree_of = [](auto rule) {
        stage_trace trace;
        diversify_stage const stage(rule, points);
        auto const hits = stage({}, five, {}, trace);
        return stage.explain({}, {five, hits, trace}, 1, {.label = "before"});
    };
    auto const beside = tree_of(short_telling{});
    REQUIRE(beside.op == operation::opaque);
    REQUIRE(beside.value == -2);
    REQUIRE(beside.children.at(0).label == "rule");
    REQUIRE(beside.children.at(1).label == "before");
    auto const mistrusted = tree_of(erring{});
    REQUIRE(mistrusted.value == -2);
    REQUIRE(mistrusted.children.size() == 1);
    REQUIRE(mistrusted.children[0].label == "before");
}
