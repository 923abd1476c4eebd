// SPDX-License-Identifier: MIT
#include <trawl/detail/simd/code_kernels.hpp>

#include <bit>
#include <vector>

#include <trawl/dense/rotation.hpp>
#include <trawl/detail/random.hpp>

#include "support/catch.hpp"

namespace {

namespace detail = trawl::detail;

std::vector<detail::code_kernels> levels() {
    std::vector<detail::code_kernels> found;
    for (auto const level : detail::kernel_levels) {
        if (!detail::kernels_named(level).name.empty()) found.push_back(detail::code_kernels_named(level));
    }
    return found;
}

std::vector<std::byte> random_bytes(detail::random& random, std::size_t count, std::byte refused) {
    std::vector<std::byte> bytes(count);
    for (auto& b : bytes) {
        do b = static_cast<std::byte>(random.below(256));
        while (b == refused);
    }
    return bytes;
}

} // namespace

TEST_CASE(
    "integer dot products are exact at every level, any dimension and the largest values", "[detail][simd]") {
    detail::random random(1);
    for (auto const& level : levels()) {
        for (std::size_t const dim : {0u, 1u, 15u, 16u, 17u, 31u, 32u, 33u, 223u, 384u, 768u, 1024u, 1536u}) {
            auto const extreme = random.below(2) == 0;
            auto const row = extreme ? std::vector<std::byte>(dim + 1, std::byte{0x81}) // -127
                                     : random_bytes(random, dim + 1, std::byte{0x80});
            std::vector<std::int16_t> query(dim);
            for (auto& q : query)
                q = static_cast<std::int16_t>(extreme ? -127 : static_cast<int>(random.below(255)) - 127);
            std::int64_t expected = 0;
            for (std::size_t i = 0; i < dim; ++i)
                expected += std::int64_t{query[i]} * static_cast<std::int8_t>(row[i + 1]);
            std::byte const* const rows[] = {row.data() + 1, row.data() + 1};
            std::int32_t out[3] = {7, 7, 7};
            level.dot_int8_rows(query.data(), rows, 2, dim, out);
            CAPTURE(dim);
            CHECK((out[0] == expected && out[1] == expected && out[2] == 7));
        }
    }
}

TEST_CASE("weights of differing bits are counted bit by bit", "[detail][simd]") {
    detail::random random(2);
    for (auto const& level : levels()) {
        for (std::size_t const words : {1u, 2u, 3u, 4u, 5u, 6u, 8u, 16u, 17u, 24u}) {
            std::vector<std::uint64_t> query(4 * words);
            for (auto& w : query) w = random.below(3) == 0 ? ~std::uint64_t{0} : random.next();
            auto const row = random_bytes(random, 8 * words, std::byte{0});
            std::int32_t expected = 0;
            for (std::size_t i = 0; i < 64 * words; ++i) {
                auto const bit = [&](std::size_t plane) {
                    return static_cast<int>(query[plane * words + i / 64] >> (i % 64) & 1);
                };
                auto const mine = static_cast<int>(row[i / 8] >> (i % 8) & std::byte{1});
                if (mine != bit(0)) expected += bit(1) + 2 * bit(2) + 4 * bit(3);
            }
            std::byte const* const rows[] = {row.data()};
            std::int32_t out = 0;
            level.weigh_mismatches(query.data(), rows, 1, words, &out);
            CAPTURE(words);
            CHECK(out == expected);
        }
    }
}

TEST_CASE("estimates have the same bits at every level", "[detail][simd]") {
    detail::random random(3);
    for (std::size_t const count : {0u, 1u, 7u, 8u, 9u, 100u}) {
        std::vector<std::int32_t> sums(count);
        std::vector<float> slopes(count), bases(count), first, estimates(count);
        std::vector<std::uint32_t> first_places, places(count);
        for (std::size_t i = 0; i < count; ++i) {
            sums[i] = static_cast<std::int32_t>(random.below(20000)) - 10000;
            slopes[i] = static_cast<float>(random.normal());
            bases[i] = static_cast<float>(random.normal());
        }
        for (auto const& level : levels()) {
            places.assign(count, 0);
            places.resize(level.select_estimates(sums.data(), slopes.data(), bases.data(), count,
                {0.37f, -1.1f}, 0.5f, estimates.data(), places.data()));
            if (first.empty()) first = estimates, first_places = places;
            CHECK((estimates == first && places == first_places));
            for (auto const place : places) CHECK(estimates[place] >= 0.5f);
        }
    }
}

TEST_CASE("a rotation keeps lengths and angles, and is the same for the same seed", "[dense][rotation]") {
    detail::random random(4);
    for (std::size_t const size : {64u, 128u, 192u, 384u, 768u, 1024u, 1536u}) {
        detail::rotation const rotate(size, 9), again(size, 9), other(size, 10);
        std::vector<float> a(size), b(size);
        for (auto& v : a) v = static_cast<float>(random.normal());
        for (auto& v : b) v = static_cast<float>(random.normal());
        auto const dot = [](std::vector<float> const& x, std::vector<float> const& y) {
            double sum = 0;
            for (std::size_t i = 0; i < x.size(); ++i)
                sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
            return sum;
        };
        auto ra = a, rb = b, same = a, different = a;
        rotate(ra);
        rotate(rb);
        again(same);
        other(different);
        CAPTURE(size);
        auto const n = static_cast<double>(size);
        CHECK_THAT(dot(ra, ra), WithinAbs(dot(a, a), 1e-4 * n));
        CHECK_THAT(dot(ra, rb), WithinAbs(dot(a, b), 1e-4 * n));
        CHECK(ra == same);
        CHECK(ra != different);
        // One value is spread over all of them: none keeps more than a few times its share.
        std::vector<float> spike(size);
        spike[size / 3] = 1;
        rotate(spike);
        for (auto const v : spike) CHECK(static_cast<double>(v * v) < 40 / n);
    }
}
