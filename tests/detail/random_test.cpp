// SPDX-License-Identifier: MIT
#include <trawl/detail/random.hpp>

#include <array>
#include <numeric>
#include <vector>

#include "support/catch.hpp"

TEST_CASE("random gives SplitMix64's numbers", "[detail][random]") {
    // The reference implementation (Vigna, splitmix64.c) started from 0 and from 1234567.
    trawl::detail::random zero(0);
    CHECK(zero.next() == 0xE220A8397B1DCDAFu);
    CHECK(zero.next() == 0x6E789E6AA1B965F4u);
    CHECK(zero.next() == 0x06C45D188009454Fu);
    trawl::detail::random other(1234567);
    for (std::uint64_t const expected : {6457827717110365317u, 3203168211198807973u,
             9817491932198370423u, 4593380528125082431u, 16408922859458223821u}) {
        CHECK(other.next() == expected);
    }
}

TEST_CASE("below stays below its bound and is spread evenly", "[detail][random]") {
    trawl::detail::random random(7);
    CHECK(random.below(1) == 0);
    std::array<int, 6> counts = {};
    for (int i = 0; i < 60000; ++i) ++counts[random.below(6)];
    for (int const count : counts) CHECK(std::abs(count - 10000) < 500); // five sigma are 456
}

TEST_CASE("uniform lies in [0, 1) and normal has mean 0 and variance 1", "[detail][random]") {
    trawl::detail::random random(11);
    double uniform = 0, normal = 0, squares = 0;
    constexpr int n = 100000;
    for (int i = 0; i < n; ++i) {
        auto const u = random.uniform();
        REQUIRE((u >= 0 && u < 1));
        uniform += u;
        auto const x = random.normal();
        normal += x;
        squares += x * x;
    }
    CHECK_THAT(uniform / n, WithinAbs(0.5, 0.005));
    CHECK_THAT(normal / n, WithinAbs(0, 0.016));
    CHECK_THAT(squares / n, WithinAbs(1, 0.023));
}

TEST_CASE("shuffle keeps the items, and reaches every order about as often", "[detail][random]") {
    trawl::detail::random random(3);
    std::array<int, 6> counts = {};
    for (int i = 0; i < 6000; ++i) {
        std::array<int, 3> items = {0, 1, 2};
        random.shuffle(std::span<int>(items));
        REQUIRE(items[0] + items[1] + items[2] == 3);
        ++counts[static_cast<std::size_t>(2 * items[0] + (items[1] > items[2] ? 1 : 0))];
    }
    for (int const count : counts) CHECK(std::abs(count - 1000) < 150);
    std::vector<int> none;
    random.shuffle(std::span<int>(none));
    CHECK(none.empty());
}
