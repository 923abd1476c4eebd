// SPDX-License-Identifier: MIT
#include <trawl/core/sort_by_rank.hpp>

#include <algorithm>
#include <limits>
#include <vector>

#include <trawl/detail/random.hpp>

#include "support/catch.hpp"

TEST_CASE("Rank keys are sorted as std::sort sorts them, however they are spread", "[core][sort]") {
    auto const seed = GENERATE(1u, 2u, 3u);
    auto const size = GENERATE(0u, 1u, 2u, 399u, 400u, 401u, 3000u);
    CAPTURE(seed, size);
    trawl::detail::random random(seed);
    auto const any = [&] { return random.below(1ull << 32) << 32 | random.below(1ull << 32); };
    auto const check = [&](char const* spread, auto const& key) {
        CAPTURE(spread);
        std::vector<std::uint64_t> keys;
        for (std::uint64_t i = 0; i < size; ++i) keys.push_back(key(i));
        auto expected = keys;
        std::sort(expected.begin(), expected.end());
        trawl::sort_rank_keys(keys);
        CHECK(keys == expected);
    };
    check("evenly", [&](std::uint64_t) { return any(); });
    check("all equal", [](std::uint64_t) { return 7u; });
    check("ascending", [](std::uint64_t i) { return i; });
    check("descending", [](std::uint64_t i) { return ~i; });
    check("of the same score", [&](std::uint64_t) { return 5ull << 32 | random.below(1000); });
    check("pairs of one score", [&](std::uint64_t i) { return i / 2 << 32 | random.below(1000); });
    check("few scores", [&](std::uint64_t) { return random.below(3) << 32 | random.below(1000); });
    check("close together, but for one",
        [&](std::uint64_t i) { return i == 1 ? ~0ull : 3ull << 40 | random.below(1000); });
    check("by the square", [&](std::uint64_t) {
        auto const x = random.below(1ull << 32);
        return x * x;
    });
}

TEST_CASE("sort_by_rank sorts by score, then by id, whatever the signs", "[core][sort]") {
    constexpr float infinite = std::numeric_limits<float>::max();
    trawl::ranking hits = {
        {4, -1.0f}, {9, 0.0f}, {2, -0.0f}, {1, infinite}, {7, 2.0f}, {3, 2.0f}, {0, -infinite}};
    trawl::sort_by_rank(hits);
    CHECK(hits
          == trawl::ranking{{1, infinite}, {3, 2.0f}, {7, 2.0f}, {2, 0.0f}, {9, 0.0f}, {4, -1.0f},
              {0, -infinite}});
}
