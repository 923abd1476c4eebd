// SPDX-License-Identifier: MIT
#include <trawl/eval/pooling.hpp>

#include <vector>

#include <trawl/formats/trec.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

trawl::run const one{{"q", "a", 3}, {"q", "b", 2}, {"q", "c", 1}, {"r", "x", 1}};
trawl::run const two{{"q", "d", 9}, {"q", "a", 8}, {"q", "e", 7}, {"s", "y", 1}};

} // namespace

TEST_CASE("a pool holds the first documents of every run once", "[eval][pooling]") {
    std::vector<trawl::run const*> const runs{&one, &two};
    CHECK(trawl::to_text(trawl::pool(runs, 2))
          == "q 0 a -1\nq 0 b -1\nq 0 d -1\nr 0 x -1\ns 0 y -1\n");
    CHECK(trawl::to_text(trawl::pool(runs, 1)) == "q 0 a -1\nq 0 d -1\nr 0 x -1\ns 0 y -1\n");
    CHECK(trawl::pool(runs, 100).judgements(0).size() == 5);
    CHECK(trawl::pool({}, 5).size() == 0);
}

TEST_CASE("what is judged is not asked for again", "[eval][pooling]") {
    std::vector<trawl::run const*> const runs{&one, &two};
    auto const pooled = trawl::pool(runs, 2);
    trawl::qrels const judged{{"q", "a", 0}, {"q", "b", -1}, {"r", "d", 1}, {"s", "y", 3}};
    auto const left = trawl::left_to_judge(pooled, judged);
    CHECK(left == std::vector<trawl::pooled_document>{{"q", "b"}, {"q", "d"}, {"r", "x"}});
    CHECK(trawl::left_to_judge(pooled, {}).size() == 5);
    CHECK(trawl::left_to_judge({}, judged).empty());
}

TEST_CASE("a pool refuses depth 0 and a null run", "[eval][pooling][bad]") {
    std::vector<trawl::run const*> const runs{&one, nullptr};
    CHECK(support::error_of([&] { (void)trawl::pool(runs, 0); }).names("is 0"));
    CHECK(support::error_of([&] { (void)trawl::pool(runs, 1); }).names("run 1 is null"));
}
