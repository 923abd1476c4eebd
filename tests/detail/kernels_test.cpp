// SPDX-License-Identifier: MIT
#include <trawl/detail/simd/dispatch.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include <trawl/detail/random.hpp>
#include <trawl/detail/simd/scalar/vectors.hpp>
#include <trawl/detail/simd/scalar/widen.hpp>

#include "support/catch.hpp"

namespace {

namespace detail = trawl::detail;

constexpr std::size_t dims[] = {
    0, 1, 2, 7, 8, 9, 15, 16, 17, 24, 31, 33, 223, 384, 768, 1024, 1536};

std::vector<detail::kernels> available_levels() {
    std::vector<detail::kernels> found;
    for (auto const level : detail::kernel_levels) {
        auto const kernels = detail::kernels_named(level);
        if (!kernels.name.empty()) found.push_back(kernels);
    }
    return found;
}

// Law 2 word by word, in a form of its own: element i in lane i mod 16, fused; then the tree, by
// recursion.
float tree(float const* lanes, std::size_t stride, std::size_t l) {
    if (stride == 16) return lanes[l];
    auto const a = tree(lanes, stride * 2, l);
    auto const b = tree(lanes, stride * 2, l + stride);
    return detail::rounded(a + b);
}

float law_two(float const* q, float const* r, std::size_t dim, bool squared) {
    float lanes[16] = {};
    for (std::size_t i = 0; i < dim; ++i) {
        auto const a = squared ? detail::rounded(q[i] - r[i]) : q[i];
        auto const b = squared ? a : r[i];
        lanes[i % 16] = std::fma(a, b, lanes[i % 16]);
    }
    return tree(lanes, 1, 0);
}

struct rows {
    std::vector<float> values;
    std::vector<float const*> at;
};

// Rows that begin `shift` floats off the alignment of the buffer, and a little further off each.
rows random_rows(detail::random& random, std::size_t count, std::size_t dim, std::size_t shift) {
    rows made{std::vector<float>(count * (dim + 1) + shift + 1), {}};
    for (auto& v : made.values) v = static_cast<float>(random.normal());
    for (std::size_t r = 0; r < count; ++r)
        made.at.push_back(made.values.data() + shift + r * (dim + 1));
    return made;
}

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

} // namespace

TEST_CASE(
    "the kernels of every level have the bits of law 2, at any dimension, count and alignment",
    "[detail][simd]") {
    auto const seed = GENERATE(1u, 2u);
    CAPTURE(seed);
    detail::random random(seed);
    for (auto const& level : available_levels()) {
        for (auto const dim : dims) {
            for (std::size_t const count : {0u, 1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 17u}) {
                auto const shift = random.below(16);
                CAPTURE(level.name, dim, count, shift);
                auto const query = random_rows(random, 1, dim, random.below(16));
                auto const data = random_rows(random, count, dim, shift);
                std::vector<float> dots(count + 1, -77.0f), distances(count + 1, -77.0f);
                level.dot_rows(query.at[0], data.at.data(), count, dim, dots.data());
                level.squared_distance_rows(
                    query.at[0], data.at.data(), count, dim, distances.data());
                std::size_t wrong = 0;
                for (std::size_t r = 0; r < count; ++r) {
                    wrong += bits(dots[r]) != bits(law_two(query.at[0], data.at[r], dim, false));
                    wrong +=
                        bits(distances[r]) != bits(law_two(query.at[0], data.at[r], dim, true));
                }
                CHECK(wrong == 0);
                CHECK((dots[count] == -77.0f && distances[count] == -77.0f));
            }
        }
    }
}

TEST_CASE("every level and the unfused kernels are close to a sum in double", "[detail][simd]") {
    detail::random random(3);
    auto levels = available_levels();
    levels.push_back(
        {"unfused", detail::unfused::dot_rows, detail::unfused::squared_distance_rows});
    for (auto const& level : levels) {
        for (auto const dim : dims) {
            CAPTURE(level.name, dim);
            auto const query = random_rows(random, 1, dim, 1);
            auto const data = random_rows(random, 5, dim, 3);
            float dots[5], distances[5];
            level.dot_rows(query.at[0], data.at.data(), 5, dim, dots);
            level.squared_distance_rows(query.at[0], data.at.data(), 5, dim, distances);
            for (std::size_t r = 0; r < 5; ++r) {
                double dot = 0, distance = 0, magnitude = 0;
                for (std::size_t i = 0; i < dim; ++i) {
                    auto const q = static_cast<double>(query.at[0][i]),
                               d = static_cast<double>(data.at[r][i]);
                    dot += q * d;
                    magnitude += std::fabs(q * d);
                    distance += (q - d) * (q - d);
                }
                // roundings on a path
                auto const unit = std::ldexp(static_cast<double>(dim) / 16 + 7, -24);
                CHECK_THAT(static_cast<double>(dots[r]), WithinAbs(dot, unit * magnitude));
                CHECK_THAT(static_cast<double>(distances[r]), WithinAbs(distance, unit * distance));
            }
        }
    }
}

TEST_CASE("sums of small integers are exact at every level", "[detail][simd]") {
    float const query[20] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
    float const ones[20] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    float const* const rows[] = {ones, query};
    for (auto const& level : available_levels()) {
        CAPTURE(level.name);
        float out[2];
        level.dot_rows(query, rows, 2, 20, out);
        CHECK((out[0] == 210 && out[1] == 2870)); // n (n + 1) / 2, n (n + 1) (2 n + 1) / 6
        level.squared_distance_rows(query, rows, 2, 20, out);
        CHECK((out[0] == 2470 && out[1] == 0)); // 0² + 1² + … + 19²
    }
}

TEST_CASE("the product is fused and the order of the lanes is the law's", "[detail][simd]") {
    // (1 + 2^-12)² = 1 + 2^-11 + 2^-24: a separate product loses the last part, a fused one keeps
    // it.
    float const a[17] = {1 + 0x1p-12f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    float const b[17] = {
        1 + 0x1p-12f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -(1 + 0x1p-11f)};
    // 2^24 + 1 is not a float: lanes 0 and 8 meet before lane 4 does, and -2^24 in lane 8 saves the
    // one.
    float const c[16] = {0x1p24f, 0, 0, 0, 1, 0, 0, 0, -0x1p24f, 0, 0, 0, 0, 0, 0, 0};
    float const d[16] = {0x1p24f, 0, 0, 0, -0x1p24f, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    float const ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    for (auto const& level : available_levels()) {
        CAPTURE(level.name);
        float const* const row_b[] = {b};
        float const* const rows_cd[] = {c, d};
        float out[2];
        // Element 16 shares lane 0 with element 0: round(1 + 2^-11 + 2^-24) - (1 + 2^-11) = 0, ties
        // to even.
        level.dot_rows(a, row_b, 1, 17, out);
        CHECK(out[0] == 0);
        float const e[17] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 + 0x1p-12f};
        float const f[17] = {
            -(1 + 0x1p-11f), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 + 0x1p-12f};
        float const* const row_f[] = {f};
        level.dot_rows(e, row_f, 1, 17, out);
        CHECK(out[0] == 0x1p-24f);
        level.dot_rows(ones, rows_cd, 2, 16, out);
        CHECK((out[0] == 1 && out[1] == 0));
    }
}

TEST_CASE("all levels agree where sums overflow or underflow", "[detail][simd]") {
    std::vector<float> const values[] = {std::vector<float>(33, 1e30f),
        std::vector<float>(33, 1e-30f), std::vector<float>(33, -1e30f),
        std::vector<float>(33, 3e38f), std::vector<float>(33, 1e-45f)};
    for (auto const& level : available_levels()) {
        for (auto const& q : values) {
            for (auto const& r : values) {
                CAPTURE(level.name, q[0], r[0]);
                float const* const row[] = {r.data()};
                float expected, actual;
                detail::scalar::dot_rows(q.data(), row, 1, 33, &expected);
                level.dot_rows(q.data(), row, 1, 33, &actual);
                CHECK(bits(actual) == bits(expected));
                detail::scalar::squared_distance_rows(q.data(), row, 1, 33, &expected);
                level.squared_distance_rows(q.data(), row, 1, 33, &actual);
                CHECK(bits(actual) == bits(expected));
            }
        }
    }
}

TEST_CASE("a tile of queries has the bits of each query alone, at any dimension and count",
    "[detail][simd]") {
    detail::random random(4);
    for (auto const& level : available_levels()) {
        if (level.tile_queries == 1) continue;
        for (std::size_t const dim : {0u, 1u, 7u, 8u, 9u, 15u, 16u, 17u, 31u, 33u, 223u, 384u, 520u,
                 1024u, 1025u, 1036u, 1536u}) {
            for (std::size_t const count : {1u, 2u, 3u, 4u, 5u, 12u, 26u}) {
                CAPTURE(level.name, dim, count);
                auto const tile = level.tile_queries;
                auto const queries = random_rows(random, tile, dim, 0);
                auto const data = random_rows(random, count, dim, random.below(16));
                std::vector<float> packed((dim + 15) / 16 * 16 * tile);
                for (std::size_t q = 0; q < tile; ++q) {
                    for (std::size_t i = 0; i < dim; ++i)
                        packed[(i / 16 * tile + q) * 16 + i % 16] = queries.at[q][i];
                }
                std::vector<float> sums(tile * (count + 3)), one(count);
                std::size_t wrong = 0;
                for (bool const squared : {false, true}) {
                    (squared ? level.squared_distance_tile : level.dot_tile)(
                        packed.data(), data.at.data(), count, dim, sums.data(), count + 3);
                    for (std::size_t q = 0; q < tile; ++q) {
                        (squared ? level.squared_distance_rows : level.dot_rows)(
                            queries.at[q], data.at.data(), count, dim, one.data());
                        for (std::size_t r = 0; r < count; ++r)
                            wrong += bits(one[r]) != bits(sums[q * (count + 3) + r]);
                    }
                }
                CHECK(wrong == 0);
            }
        }
    }
}

TEST_CASE("half-sized rows have the bits of the rows widened, at any dimension and count",
    "[detail][simd]") {
    detail::random random(6);
    for (auto const& level : available_levels()) {
        if (level.dot_bfloat16_rows == nullptr) continue;
        for (auto const dim : dims) {
            for (std::size_t const count : {1u, 2u, 3u, 4u, 5u, 9u}) {
                auto const query = random_rows(random, 1, dim, 1);
                std::vector<std::uint16_t> halves(count * (dim + 1) + 1);
                for (auto& h : halves) // no NaN, no infinity in either format
                    h = static_cast<std::uint16_t>((random.next() & 0x8FFFu) | 0x3000u);
                std::vector<std::uint16_t const*> at;
                for (std::size_t r = 0; r < count; ++r)
                    at.push_back(halves.data() + 1 + r * (dim + 1));
                std::vector<float> sums(count + 1), expected(count), wide(count * (dim + 1));
                for (bool const brain : {true, false}) {
                    std::vector<float const*> wide_at;
                    for (std::size_t r = 0; r < count; ++r) {
                        (brain ? level.widen_bfloat16 : level.widen_float16)(
                            at[r], dim, &wide[r * (dim + 1)]);
                        wide_at.push_back(&wide[r * (dim + 1)]);
                    }
                    for (bool const squared : {false, true}) {
                        sums.back() = -77;
                        (brain        ? squared ? level.squared_distance_bfloat16_rows
                                                : level.dot_bfloat16_rows
                            : squared ? level.squared_distance_float16_rows
                                      : level.dot_float16_rows)(
                            query.at[0], at.data(), count, dim, sums.data());
                        (squared ? level.squared_distance_rows : level.dot_rows)(
                            query.at[0], wide_at.data(), count, dim, expected.data());
                        std::size_t wrong = 0;
                        for (std::size_t r = 0; r < count; ++r)
                            wrong += bits(sums[r]) != bits(expected[r]);
                        CAPTURE(level.name, dim, count, brain, squared);
                        CHECK((wrong == 0 && sums.back() == -77));
                    }
                }
            }
        }
    }
}

TEST_CASE("select_scaled finds what is not below the floor, at every level", "[detail][simd]") {
    detail::random random(5);
    for (auto const& level : available_levels()) {
        for (std::size_t const count : {0u, 1u, 7u, 8u, 9u, 64u, 67u}) {
            std::vector<float> sums(count), factors(count);
            for (auto& v : sums) v = static_cast<float>(random.below(5)) - 2;
            for (auto& v : factors) v = static_cast<float>(random.below(3));
            std::vector<std::uint32_t> expected, places(count);
            for (std::uint32_t i = 0; i < count; ++i) {
                if (sums[i] * factors[i] >= 1) expected.push_back(i);
            }
            places.resize(
                level.select_scaled(sums.data(), factors.data(), count, 1, places.data()));
            CAPTURE(level.name, count);
            CHECK(places == expected);
        }
    }
}

TEST_CASE("half-sized numbers widen to the same floats at every level, all 65536 of them",
    "[detail][simd]") {
    std::vector<std::uint16_t> all(65536);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
    std::vector<float> out(all.size());
    for (auto const& level : available_levels()) {
        std::size_t wrong = 0;
        level.widen_bfloat16(all.data(), all.size(), out.data());
        for (std::uint32_t i = 0; i < all.size(); ++i) wrong += bits(out[i]) != i << 16;
        level.widen_float16(all.data(), all.size(), out.data());
        for (std::uint32_t i = 0; i < all.size(); ++i) {
            auto const exponent = static_cast<int>(i >> 10 & 31u);
            if (exponent == 31) continue; // infinities and NaN are never stored
            auto const mantissa = static_cast<float>(i & 1023u);
            auto const value = exponent == 0 ? std::ldexp(mantissa, -24)
                                             : std::ldexp(1024 + mantissa, exponent - 25);
            wrong += bits(out[i]) != bits((i & 0x8000u) != 0 ? -value : value);
        }
        CAPTURE(level.name);
        CHECK(wrong == 0);
    }
}
