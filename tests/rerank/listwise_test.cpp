// SPDX-License-Identifier: MIT
#include <trawl/rerank/listwise.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "support/tiny.hpp"

#include <string>
#include <vector>

#include <trawl/rerank/rerank_stage.hpp>

using support::error_of;
using support::ids_of;
using namespace trawl;

namespace {

ranking const four{{10, 4.0f}, {20, 3.0f}, {30, 2.0f}, {40, 1.0f}};

auto ordering(std::vector<int> order) {
    return listwise([order](query const&, std::span<candidate const>) { return order; });
}

} // namespace

TEST_CASE("a list's order becomes the ranking", "[rerank][listwise]") {
    stage_trace trace;
    auto const hits = rerank_stage(ordering({2, 0, 3, 1}), no_text{})({}, four, {}, trace);
    REQUIRE(hits == ranking{{30, 0.0f}, {10, -1.0f}, {40, -2.0f}, {20, -3.0f}});
    REQUIRE(trace.notes.empty());
}

TEST_CASE(
    "an order that is no permutation is repaired, and the trace says how", "[rerank][listwise]") {
    struct repair {
        std::vector<int> order;
        std::vector<doc_id> ids;
        std::string counts;
    };
    for (auto const& r : {repair{{3, 3, 0}, {40, 10, 20, 30}, "0 outside, 1 repeated, 2 missing"},
             repair{{4, -1, 1, 100, 2, 0, 3}, {20, 30, 10, 40}, "3 outside, 0 repeated, 0 missing"},
             repair{{}, {10, 20, 30, 40}, "0 outside, 0 repeated, 4 missing"}}) {
        CAPTURE(r.order);
        stage_trace trace;
        REQUIRE(ids_of(rerank_stage(ordering(r.order), no_text{})({}, four, {}, trace)) == r.ids);
        REQUIRE(trace.notes
                == std::vector<std::string>{"listwise: the order of 4 was repaired: " + r.counts});
    }
}

TEST_CASE("it sees the whole list in one call, whatever the batch size", "[rerank][listwise]") {
    std::vector<std::size_t> sizes;
    auto const reversing = listwise([&](query const&, std::span<candidate const> list) {
        sizes.push_back(list.size());
        std::vector<std::size_t> order;
        for (std::size_t i = list.size(); i-- > 0;) order.push_back(i);
        return order;
    });
    auto const hits = rerank_stage(reversing, no_text{}, {.depth = 3, .batch_size = 1})({}, four);
    REQUIRE(ids_of(hits) == std::vector<doc_id>{30, 20, 10, 40});
    REQUIRE(sizes == std::vector<std::size_t>{3});
    (void)rerank_stage(reversing, no_text{})({}, {});
    REQUIRE(sizes.size() == 1);
}

TEST_CASE("as a plain reranker it scores by place; room for other than the list is refused",
    "[rerank][listwise]") {
    std::vector<candidate> const list(3);
    std::vector<float> scores(3);
    ordering({1, 0, 2})({}, list, scores);
    REQUIRE(scores == std::vector<float>{-1, 0, -2});
    std::vector<float> few(2);
    REQUIRE(error_of([&] { ordering({})({}, list, few); }).code == errc::dimension_mismatch);
}
