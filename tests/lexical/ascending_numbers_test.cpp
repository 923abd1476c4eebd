// SPDX-License-Identifier: MIT
#include <trawl/lexical/detail/postings/ascending_numbers.hpp>

#include <trawl/detail/random.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "support/catch.hpp"

using trawl::detail::ascending_numbers;
using trawl::detail::packed_numbers;
using words = std::vector<std::uint64_t>;

TEST_CASE("Ascending numbers are packed as Elias and Fano say", "[lexical][ascending_numbers]") {
    // 43 / 8 = 5: two lower bits. Upper parts 0 1 1 3 3 3 5 10, their bits at 0 2 3 6 7 8 11 17;
    // lower bits 3 0 3 1 2 3 1 3.
    auto const packed = ascending_numbers::packed(words{3, 4, 7, 13, 14, 15, 21, 43});
    std::uint64_t upper = 0;
    for (auto const at : {0, 2, 3, 6, 7, 8, 11, 17}) upper |= std::uint64_t{1} << at;
    std::uint64_t const lower = 3 | 0 << 2 | 3 << 4 | 1 << 6 | 2 << 8 | 3 << 10 | 1 << 12 | 3 << 14;
    CHECK(words(packed.begin(), packed.end()) == words{8, 2, 1, 0, upper, lower, 0});
}

TEST_CASE("Ascending numbers are read as they were written, in few bits",
    "[lexical][ascending_numbers]") {
    auto const seed = GENERATE(1u, 2u, 3u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    for (std::size_t n = 0; n < 3000; n += 1 + n / 3) {
        for (auto const step : words{1, 2, 50, 1'000'000, std::uint64_t{1} << 50}) {
            words numbers(n);
            std::uint64_t last = random.below(step);
            for (auto& number : numbers) {
                number = last;
                // equal ones, too
                last += random.below(8) == 0 ? random.below(4 * step) : random.below(2);
            }
            auto const packed = ascending_numbers::packed(numbers);
            ascending_numbers const read(packed);
            REQUIRE(read.size() == n);
            for (std::size_t i = 0; i < n; ++i) {
                REQUIRE(read[i] == numbers[i]);
                if (i + 1 < n) REQUIRE(read.two_from(i) == std::pair(numbers[i], numbers[i + 1]));
            }
            auto const bits = n == 0 ? 0 : n * (3 + std::bit_width(numbers.back() / n)) + n / 2;
            CHECK(packed.size() <= 7 + bits / 64);
        }
    }
}

TEST_CASE(
    "Words that are no ascending numbers hold none, and damaged ones are read inside their bounds",
    "[lexical][ascending_numbers]") {
    auto const good = ascending_numbers::packed(words{3, 4, 7, 13, 14, 15, 21, 43});
    for (std::size_t size = 0; size < good.size(); ++size) {
        CHECK(ascending_numbers(std::span(good).first(size)).size() == 0);
    }
    for (std::size_t i = 0; i < 3; ++i) {
        for (auto const value : words{1u << 20, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
            auto damaged = good;
            damaged[i] = value;
            CHECK(ascending_numbers(damaged).size() == 0);
        }
    }
    trawl::detail::random random(4);
    words numbers(1000);
    std::iota(numbers.begin(), numbers.end(), 0);
    auto const many = ascending_numbers::packed(numbers);
    for (int round = 0; round < 300; ++round) {
        auto damaged = many;
        for (int i = 0; i < 10; ++i) damaged[3 + random.below(damaged.size() - 3)] = random.next();
        ascending_numbers const read(damaged);
        REQUIRE(read.size() == 1000);
        std::uint64_t sum = 0; // under the sanitizer of addresses
        for (std::size_t i = 0; i < 999; ++i) sum += read[i] + read.two_from(i).second;
        CHECK((sum | 1) != 0);
    }
}

TEST_CASE(
    "Packed numbers of every width are read as they were written", "[lexical][packed_numbers]") {
    auto const width = GENERATE(0u, 1u, 7u, 31u, 32u, 33u, 63u);
    CAPTURE(width);
    trawl::detail::random random(width);
    words numbers(200);
    for (auto& number : numbers) number = random.next() & ((std::uint64_t{1} << width) - 1);
    trawl::detail::buffer<std::uint64_t> packed(1, 17);
    packed_numbers::writer writer(packed, numbers.size(), width);
    for (std::size_t i = 0; i < numbers.size(); ++i) writer.set(i, numbers[i]);
    REQUIRE(packed.size() == 1 + packed_numbers::words_of(numbers.size(), width));
    packed_numbers const read{std::span(packed).subspan(1), width};
    for (std::size_t i = 0; i < numbers.size(); ++i) CHECK(read[i] == numbers[i]);
    CHECK(packed[0] == 17);
}
