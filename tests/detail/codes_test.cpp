// SPDX-License-Identifier: MIT
#include <trawl/detail/simd/dispatch.hpp>

#include <algorithm>
#include <vector>

#include <trawl/dense/detail/rotation.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/detail/simd/scalar/codes.hpp>

#include "support/catch.hpp"

namespace {

namespace detail = trawl::detail;

std::vector<detail::kernels> levels() {
    std::vector<detail::kernels> found;
    for (auto const level : detail::kernel_levels) {
        if (!detail::kernels_named(level).name.empty())
            found.push_back(detail::kernels_named(level));
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

TEST_CASE("integer dot products are exact at every level, any dimension and the largest values",
    "[detail][simd]") {
    detail::random random(1);
    for (auto const& level : levels()) {
        for (std::size_t const dim :
            {0u, 1u, 15u, 16u, 17u, 31u, 32u, 33u, 223u, 384u, 768u, 1024u, 1536u, 133'144u}) {
            // 133,144 dimensions of the largest values: the last sum below 2^31.
            auto const extreme = dim == 133'144 || random.below(2) == 0;
            auto const row = extreme ? std::vector<std::byte>(dim + 1, std::byte{0x81}) // -127
                                     : random_bytes(random, dim + 1, std::byte{0x80});
            std::vector<std::int16_t> query(dim);
            for (auto& q : query)
                q = static_cast<std::int16_t>(
                    extreme ? -127 : static_cast<int>(random.below(255)) - 127);
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

TEST_CASE("table entries are summed as each row's bits choose them", "[detail][simd]") {
    detail::random random(2);
    for (auto const& level : levels()) {
        for (std::size_t const groups : {16u, 32u, 96u, 256u, 272u, 544u}) {
            bool const extreme = random.below(3) == 0;
            std::vector<std::uint8_t> tables(16 * groups);
            for (auto& entry : tables)
                entry = static_cast<std::uint8_t>(extreme ? 252 : random.below(253));
            auto const rows = random_bytes(random, 3 * 16 * groups, std::byte{0});
            std::vector<std::int32_t> expected(96, 0), out(97, 7);
            for (std::size_t r = 0; r < 96; ++r) {
                for (std::size_t g = 0; g < groups; ++g) {
                    auto const both =
                        static_cast<unsigned>(rows[(r / 32 * groups + g) * 16 + r % 16]);
                    expected[r] += tables[16 * g + (r % 32 < 16 ? both & 15u : both >> 4)];
                }
            }
            level.sum_tables(tables.data(), rows.data(), 3, groups, out.data());
            CAPTURE(groups);
            CHECK((std::equal(expected.begin(), expected.end(), out.begin()) && out[96] == 7));
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

TEST_CASE("Hadamard transforms and products have the same bits at every level", "[detail][simd]") {
    // Of 1, 2, ..., 8: the sums, and differences that a hand can check.
    float eight[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    float const expected[8] = {36, -4, -8, 0, -16, 0, 0, 0};
    detail::scalar::hadamard(eight, 8);
    CHECK(std::equal(eight, eight + 8, expected));
    detail::random random(6);
    for (std::size_t const size : {8u, 64u, 256u, 1024u}) {
        std::vector<float> values(size + 3), by(size + 3);
        for (auto& v : values) v = static_cast<float>(random.normal());
        for (auto& v : by) v = static_cast<float>(random.normal());
        auto transformed = values, products = values;
        detail::scalar::hadamard(transformed.data(), size);
        detail::scalar::multiply(products.data(), by.data(), size + 3);
        for (auto const& level : levels()) {
            auto a = values, b = values;
            level.hadamard(a.data(), size);
            level.multiply(b.data(), by.data(), size + 3);
            CAPTURE(size);
            CHECK((a == transformed && b == products));
        }
    }
}

TEST_CASE(
    "a rotation keeps lengths and angles, and is the same for the same seed", "[dense][rotation]") {
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
