// SPDX-License-Identifier: MIT
// The AVX-512 kernels, run on any machine with AVX2: their intrinsics are replaced by plain C++.
#include <trawl/config.hpp>

#include "support/catch.hpp"

#if TRAWL_X86_64 && defined(__GNUC__)

#include <bit>
#include <cstdint>
#include <vector>

#include <trawl/detail/random.hpp>
#include <trawl/detail/simd/scalar/vectors.hpp>

#include "detail/avx512_emulation.hpp"
#include <trawl/detail/simd/avx512/codes.hpp>
#include <trawl/detail/simd/avx512/halves.hpp>
#include <trawl/detail/simd/avx512/vector_tile.hpp>

namespace detail = trawl::detail;

TEST_CASE("the AVX-512 kernels, emulated, have the bits of the scalar ones", "[detail][simd]") {
    if (__builtin_cpu_supports("avx2") == 0 || __builtin_cpu_supports("fma") == 0) {
        WARN("skipped: this machine has no AVX2");
        return;
    }
    auto const seed = GENERATE(1u, 2u);
    CAPTURE(seed);
    detail::random random(seed);
    for (std::size_t const dim : {0u, 1u, 15u, 16u, 17u, 31u, 32u, 223u, 384u}) {
        for (std::size_t const count : {0u, 1u, 7u, 8u, 9u, 15u, 16u, 20u}) {
            CAPTURE(dim, count);
            std::vector<float> values((count + 1) * (dim + 1) + 1);
            for (auto& v : values) v = static_cast<float>(random.normal());
            std::vector<float const*> rows;
            for (std::size_t r = 0; r < count; ++r)
                rows.push_back(values.data() + (r + 1) * (dim + 1));
            std::vector<float> expected(2 * count + 1, -77.0f), actual(2 * count + 1, -77.0f);
            detail::scalar_fma::dot_rows(values.data(), rows.data(), count, dim, expected.data());
            detail::avx512::dot_rows(values.data(), rows.data(), count, dim, actual.data());
            detail::scalar_fma::squared_distance_rows(
                values.data(), rows.data(), count, dim, expected.data() + count);
            detail::avx512::squared_distance_rows(
                values.data(), rows.data(), count, dim, actual.data() + count);
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < expected.size(); ++i)
                wrong += std::bit_cast<std::uint32_t>(expected[i])
                         != std::bit_cast<std::uint32_t>(actual[i]);
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("the AVX-512 tiles, emulated, have the bits of the scalar rows", "[detail][simd]") {
    if (__builtin_cpu_supports("avx2") == 0 || __builtin_cpu_supports("fma") == 0) {
        WARN("skipped: this machine has no AVX2");
        return;
    }
    detail::random random(3);
    constexpr auto tile = detail::avx512::tile_queries;
    for (std::size_t const dim : {0u, 1u, 15u, 16u, 17u, 100u, 384u}) {
        for (std::size_t const count : {1u, 2u, 3u, 4u, 7u}) {
            CAPTURE(dim, count);
            std::vector<float> queries(tile * dim), values(count * dim + 1),
                packed((dim + 15) / 16 * 16 * tile);
            for (auto& v : queries) v = static_cast<float>(random.normal());
            for (auto& v : values) v = static_cast<float>(random.normal());
            for (std::size_t q = 0; q < tile; ++q) {
                for (std::size_t i = 0; i < dim; ++i)
                    packed[(i / 16 * tile + q) * 16 + i % 16] = queries[q * dim + i];
            }
            std::vector<float const*> rows;
            for (std::size_t r = 0; r < count; ++r) rows.push_back(values.data() + r * dim);
            std::vector<float> sums(tile * (count + 3)), one(count);
            std::size_t wrong = 0;
            for (bool const squared : {false, true}) {
                (squared ? detail::avx512::squared_distance_tile : detail::avx512::dot_tile)(
                    packed.data(), rows.data(), count, dim, sums.data(), count + 3);
                for (std::size_t q = 0; q < tile; ++q) {
                    (squared ? detail::scalar_fma::squared_distance_rows
                             : detail::scalar_fma::dot_rows)(
                        queries.data() + q * dim, rows.data(), count, dim, one.data());
                    for (std::size_t r = 0; r < count; ++r)
                        wrong += std::bit_cast<std::uint32_t>(one[r])
                                 != std::bit_cast<std::uint32_t>(sums[q * (count + 3) + r]);
                }
            }
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("the AVX-512 kernels of half-sized rows, emulated, have the bits of widened ones",
    "[detail][simd]") {
    if (__builtin_cpu_supports("avx2") == 0 || __builtin_cpu_supports("fma") == 0) {
        WARN("skipped: this machine has no AVX2");
        return;
    }
    detail::random random(4);
    for (bool const brain : {false, true}) {
        for (std::size_t const dim : {0u, 1u, 15u, 16u, 17u, 223u}) {
            for (std::size_t const count : {0u, 1u, 7u, 8u, 9u, 16u}) {
                CAPTURE(brain, dim, count);
                std::vector<std::uint16_t> halves(count * dim);
                for (auto& h : halves)
                    h = static_cast<std::uint16_t>(random.below(0x7800) | random.below(2) << 15);
                std::vector<float> query(dim), wide(count * dim), expected(count),
                    actual(count + 1, -77.0f);
                for (auto& v : query) v = static_cast<float>(random.normal());
                (brain ? detail::scalar::widen_bfloat16 : detail::scalar::widen_float16)(
                    halves.data(), halves.size(), wide.data());
                std::vector<float const*> rows;
                std::vector<std::uint16_t const*> half_rows;
                for (std::size_t r = 0; r < count; ++r) {
                    rows.push_back(wide.data() + r * dim);
                    half_rows.push_back(halves.data() + r * dim);
                }
                std::size_t wrong = 0;
                for (bool const squared : {false, true}) {
                    (squared ? detail::scalar_fma::squared_distance_rows
                             : detail::scalar_fma::dot_rows)(
                        query.data(), rows.data(), count, dim, expected.data());
                    auto const kernel =
                        squared ? (brain ? detail::avx512::squared_distance_bfloat16_rows
                                         : detail::avx512::squared_distance_float16_rows)
                                : (brain ? detail::avx512::dot_bfloat16_rows
                                         : detail::avx512::dot_float16_rows);
                    kernel(query.data(), half_rows.data(), count, dim, actual.data());
                    for (std::size_t r = 0; r < count; ++r)
                        wrong += std::bit_cast<std::uint32_t>(expected[r])
                                 != std::bit_cast<std::uint32_t>(actual[r]);
                }
                CHECK((wrong == 0 && actual[count] == -77.0f));
            }
        }
    }
}

TEST_CASE("the AVX-512 kernels of codes, emulated, sum as the scalar ones", "[detail][simd]") {
    if (__builtin_cpu_supports("avx2") == 0 || __builtin_cpu_supports("fma") == 0) {
        WARN("skipped: this machine has no AVX2");
        return;
    }
    detail::random random(5);
    for (bool const extreme : {false, true}) {
        for (std::size_t const dim : {0u, 1u, 63u, 64u, 65u, 223u, 1023u, 1024u, 1025u, 2500u}) {
            for (std::size_t const count : {0u, 1u, 3u, 4u, 5u, 8u}) {
                CAPTURE(extreme, dim, count);
                std::vector<std::int16_t> query(dim);
                for (auto& q : query)
                    q = static_cast<std::int16_t>(
                        extreme ? -127 : static_cast<int>(random.below(255)) - 127);
                std::vector<std::byte> values(count * dim);
                for (auto& v : values) // from -127 to 127
                    v = static_cast<std::byte>(extreme ? 0x81 : 0x81 + random.below(255));
                std::vector<std::byte const*> rows;
                for (std::size_t r = 0; r < count; ++r) rows.push_back(values.data() + r * dim);
                std::vector<std::int32_t> expected(count + 1, 7), actual(count + 1, 7);
                detail::scalar::dot_int8_rows(
                    query.data(), rows.data(), count, dim, expected.data());
                detail::avx512::dot_int8_rows(query.data(), rows.data(), count, dim, actual.data());
                CHECK(actual == expected);
            }
        }
        for (std::size_t const groups : {16u, 32u, 96u, 256u, 272u, 544u}) {
            CAPTURE(extreme, groups);
            std::vector<std::uint8_t> tables(16 * groups);
            for (auto& entry : tables)
                entry = static_cast<std::uint8_t>(extreme ? 252 : random.below(253));
            std::vector<std::byte> rows(3 * 16 * groups);
            for (auto& r : rows) r = static_cast<std::byte>(random.below(256));
            std::vector<std::int32_t> expected(97, 7), actual(97, 7);
            detail::scalar::sum_tables(tables.data(), rows.data(), 3, groups, expected.data());
            detail::avx512::sum_tables(tables.data(), rows.data(), 3, groups, actual.data());
            CHECK(actual == expected);
        }
    }
}

#else

TEST_CASE("the AVX-512 kernels are for x86-64", "[detail][simd]") { WARN("skipped: not x86-64"); }

#endif
