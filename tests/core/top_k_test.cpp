// SPDX-License-Identifier: MIT
#include <trawl/core/top_k.hpp>

#include <trawl/detail/random.hpp>

#include "support/catch.hpp"

TEST_CASE("top_k keeps what a full sort would put first, whatever the order of arrival",
    "[core][top_k]") {
    auto const seed = GENERATE(1u, 2u, 3u, 4u, 5u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    trawl::ranking hits;
    for (trawl::doc_id id = 0; id < 500; ++id)
        hits.push_back({id, static_cast<float>(random.below(40))});
    auto sorted = hits;
    std::sort(sorted.begin(), sorted.end(), trawl::by_rank{});

    for (std::size_t const k : {0u, 1u, 2u, 3u, 10u, 499u, 500u, 501u, 4000u}) {
        random.shuffle(std::span(hits));
        trawl::top_k best(k);
        for (auto const& h : hits) best.push(h);
        CAPTURE(k);
        CHECK(best.take()
              == trawl::ranking(sorted.begin(),
                  sorted.begin() + static_cast<std::ptrdiff_t>((std::min)(k, sorted.size()))));
    }
}

TEST_CASE("top_k's threshold never refuses a hit that belongs in", "[core][top_k]") {
    trawl::top_k best(2);
    CHECK(best.threshold() == -std::numeric_limits<float>::infinity());
    for (trawl::doc_id id = 9; id > 0; --id) best.push({id, 1.0f});
    CHECK(best.threshold() == 1.0f);
    CHECK(best.kth() == trawl::hit{2, 1.0f});
    CHECK(best.take() == trawl::ranking{{1, 1.0f}, {2, 1.0f}});
}

TEST_CASE("top_k knows its k-th hit as soon as there are k, and of few at once", "[core][top_k]") {
    trawl::top_k best(3);
    CHECK_FALSE(best.kth().has_value());
    best.push({5, 1.0f});
    best.push({6, 2.0f});
    CHECK_FALSE(best.kth().has_value());
    best.push({7, 3.0f});
    CHECK(best.kth() == trawl::hit{5, 1.0f});
    best.push({8, 4.0f});
    CHECK(best.kth() == trawl::hit{6, 2.0f});
}
