// SPDX-License-Identifier: MIT
#include <trawl/pipeline/hybrid_search.hpp>

#include "support/catch.hpp"
#include "support/tiny.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/rerank/mmr.hpp>

using support::plain_arm;
using support::table_arm;
using namespace trawl;

namespace {

query const question{.text = "question"};
table_arm const first{{{1, 9.0f}, {2, 8.0f}, {3, 7.0f}}};

struct telling_arm : table_arm { // explains itself, rightly or not
    double told = 0;
    [[nodiscard]] explanation explain(query const&, doc_id, search_options const&) const {
        return {.label = "as the arm has it", .value = told};
    }
};

auto const by_id = [](query const&, std::span<candidate const> batch, std::span<float> out) {
    for (std::size_t i = 0; i < batch.size(); ++i) out[i] = static_cast<float>(batch[i].id);
};
auto const one_text = [](doc_id) { return std::string_view("same"); };

} // namespace

TEST_CASE("the tree leads from the last stage to the arms", "[pipeline][explain]") {
    telling_arm second;
    second.matches = {{2, 5.0f}};
    second.told = 5;
    auto const search = hybrid_search{first, second}.rerank(by_id, one_text, {.depth = 2});
    // Fused: 2 (1/62 + 1/61), 1 (1/61), 3 (1/63). Reranked: 2, 1; then 3 one float step below 1.
    REQUIRE(to_text(search.explain(question, 3))
            == "0.9999999403953552 placed: rerank: not scored, follows\n"
               "  1 opaque: at most the hit before\n"
               "    0.01587301678955555 round: rrf\n"
               "      0.015873015873015872 sum: arms, the largest value first\n"
               "        0.015873015873015872 product: arm 0\n"
               "          1 weight\n"
               "          0.015873015873015872 opaque: 1 / (60 + rank 3)\n"
               "            7 opaque: arm 0: its score\n"
               "  1 the hit before, document 1\n");
    auto const tree = search.explain(question, 2);
    REQUIRE(tree.label == "rerank: the model's score");
    REQUIRE(to_text(tree).find("5 as the arm has it") != std::string::npos);
    REQUIRE(adds_up(tree));
}

TEST_CASE("an arm whose explanation has another value is not believed", "[pipeline][explain]") {
    telling_arm arm;
    arm.matches = {{2, 5.0f}};
    arm.told = 4;
    auto const tree =
        hybrid_search{arm}.fuse(weighted_sum{.norm = normaliser::none}).explain(question, 2);
    REQUIRE(tree.value == 5);
    REQUIRE(adds_up(tree));
    REQUIRE(to_text(tree).find("5 opaque: arm 0: its score") != std::string::npos);
}

TEST_CASE(
    "a document that does not come out is explained by where it was lost", "[pipeline][explain]") {
    doc_set const allowed(10, {1, 2});
    auto const why = [](auto const& search, doc_id id, search_options const& options) {
        auto const tree = search.explain(question, id, options);
        REQUIRE(tree.op == operation::leaf);
        REQUIRE(tree.value == 0);
        return tree.label;
    };
    REQUIRE(why(hybrid_search{first}, 7, {}) == "no match: document 7 was returned by no arm");
    REQUIRE(why(hybrid_search{first}.window(2), 3, {})
            == "no match: document 3 was returned by no arm");
    REQUIRE(why(hybrid_search{first}, 3, {.where = allowed})
            == "no match: document 3, the filter excludes it");
    REQUIRE(why(hybrid_search{first}.rerank(by_id, one_text, {.keep = 1}), 1, {})
            == "no match: document 1 was left out by rerank");
    REQUIRE(why(hybrid_search{first}.rerank(by_id, one_text, {.deduplicate = true}), 3, {})
            == "no match: document 3 was left out by rerank");
    auto const none = [](query const&, ranking, search_options const&) { return ranking{}; };
    auto const same = [](query const&, ranking hits, search_options const&) { return hits; };
    REQUIRE(why(hybrid_search{first}.then(none).then(same), 1, {})
            == "no match: document 1 was left out by stage 0");
}

TEST_CASE(
    "k does not matter to an explanation: it is about the whole ranking", "[pipeline][explain]") {
    auto const search = hybrid_search{first};
    REQUIRE(search.explain(question, 3, {.k = 1}).value
            == static_cast<double>(search(question).at(2).score));
}

TEST_CASE("a document that a stage brings in is explained by the stage", "[pipeline][explain]") {
    auto const bring = [](query const&, ranking hits, search_options const&) {
        hits.push_back({50, -1.0f});
        return hits;
    };
    auto const tree = hybrid_search{first}.then(bring).explain(question, 50);
    REQUIRE(tree.op == operation::opaque);
    REQUIRE(tree.value == -1);
    REQUIRE(tree.children.at(0).label == "no match: document 50 was returned by no arm");
}

TEST_CASE("a nested pipeline explains itself inside the outer one", "[pipeline][explain]") {
    auto const inner = hybrid_search{first, plain_arm{first}};
    auto const outer = hybrid_search{inner, first}.fuse(weighted_sum{.norm = normaliser::none});
    auto const tree = outer.explain(question, 2);
    REQUIRE(tree.value == static_cast<double>(outer(question).at(1).score));
    REQUIRE(adds_up(tree));
    REQUIRE(to_text(tree).find("round: rrf") != std::string::npos);
}
