// SPDX-License-Identifier: MIT
#include <trawl/detail/simd/transformer_kernels.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <trawl/detail/random.hpp>
#include <trawl/detail/simd/scalar/matrix_product.hpp>
#include <trawl/detail/simd/scalar/transformer.hpp>

#include "support/catch.hpp"

namespace {

namespace detail = trawl::detail;

std::vector<detail::transformer_kernels> levels() {
    std::vector<detail::transformer_kernels> found;
    for (auto const level : detail::kernel_levels) {
        if (!detail::transformer_kernels_named(level).name.empty())
            found.push_back(detail::transformer_kernels_named(level));
    }
    return found;
}

std::vector<float> normals(detail::random& random, std::size_t count, double scale = 1) {
    std::vector<float> made(count);
    for (auto& v : made) v = static_cast<float>(scale * random.normal());
    return made;
}

bool same_bits(std::vector<float> const& a, std::vector<float> const& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), 4 * a.size()) == 0;
}

// The largest difference, as a multiple of max(1, |expected|).
double error_of(std::vector<float> const& actual, std::vector<double> const& expected) {
    double worst = actual.size() == expected.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < expected.size() && i < actual.size(); ++i)
        worst = (std::max)(worst, std::abs(static_cast<double>(actual[i]) - expected[i])
                                      / (std::max)(1.0, std::abs(expected[i])));
    return worst;
}

} // namespace

TEST_CASE("a product of two small matrices is what a hand finds", "[detail][simd]") {
    // [1 2; 3 4] * [5 6; 7 8] = [19 22; 43 50], and with a bias of 1 and 2: [20 24; 44 52].
    float const a[] = {1, 2, 3, 4};
    std::vector<float> b(32), bias(16);
    b[0] = 5, b[1] = 6, b[16] = 7, b[17] = 8;
    bias[0] = 1, bias[1] = 2;
    for (auto const& level : levels()) {
        std::vector<float> c(32, 9.0f);
        detail::float_product m{.a = a,
            .a_stride = 2,
            .b = b.data(),
            .b_panel = 32,
            .c = c.data(),
            .c_stride = 16,
            .rows = 2,
            .panels = 1,
            .depth = 2};
        level.float_matrix_product(m);
        CHECK((c[0] == 19 && c[1] == 22 && c[16] == 43 && c[17] == 50 && c[2] == 0));
        m.add = true;
        level.float_matrix_product(m);
        CHECK((c[0] == 38 && c[17] == 100));
        m.add = false;
        m.bias = bias.data();
        level.float_matrix_product(m);
        CHECK((c[0] == 20 && c[1] == 24 && c[16] == 44 && c[17] == 52));
    }
}

TEST_CASE("products of any shape are one chain of fused multiply-adds, the same at every level",
    "[detail][simd]") {
    detail::random random(1);
    for (std::size_t const rows : {1u, 2u, 3u, 5u, 6u, 7u, 13u, 14u, 15u, 28u, 29u, 31u}) {
        for (std::size_t const panels : {1u, 2u, 3u}) {
            for (std::size_t const depth : {0u, 1u, 3u, 4u, 7u, 33u}) {
                auto const a_stride = depth + 3, c_stride = 16 * panels + 5;
                auto const b_step = random.below(2) == 0 ? std::size_t{16} : std::size_t{21};
                auto const b_panel = b_step * depth + 2;
                auto const a = normals(random, rows * a_stride);
                auto const b = normals(random, panels * b_panel + 16);
                auto const bias = normals(random, 16 * panels);
                auto const before = normals(random, rows * c_stride);
                bool const add = random.below(2) == 0;
                auto expected = before;
                for (std::size_t r = 0; r < rows; ++r) {
                    for (std::size_t j = 0; j < 16 * panels; ++j) {
                        auto sum = add ? before[r * c_stride + j] : bias[j];
                        for (std::size_t i = 0; i < depth; ++i)
                            sum = std::fma(a[r * a_stride + i],
                                b[j / 16 * b_panel + i * b_step + j % 16], sum);
                        expected[r * c_stride + j] = sum;
                    }
                }
                for (auto const& level : levels()) {
                    auto c = before;
                    level.float_matrix_product({.a = a.data(),
                        .a_stride = a_stride,
                        .b = b.data(),
                        .b_step = b_step,
                        .b_panel = b_panel,
                        .c = c.data(),
                        .c_stride = c_stride,
                        .bias = bias.data(),
                        .rows = rows,
                        .panels = panels,
                        .depth = depth,
                        .add = add});
                    CAPTURE(level.name, rows, panels, depth, b_step, add);
                    CHECK(same_bits(c, expected));
                }
            }
        }
    }
}

TEST_CASE("products of bytes are exact, and scaled the same at every level", "[detail][simd]") {
    detail::random random(2);
    for (std::size_t const rows : {1u, 2u, 3u, 4u, 5u, 13u, 14u, 15u, 29u}) {
        for (std::size_t const panels : {1u, 2u, 3u}) {
            for (std::size_t const depth : {4u, 8u, 16u, 20u, 1536u}) {
                bool const extreme = depth == 1536 && random.below(2) == 0;
                auto const a_stride = depth + 5, c_stride = 16 * panels + 3;
                std::vector<std::int8_t> a(rows * a_stride);
                for (auto& v : a)
                    v = static_cast<std::int8_t>(
                        extreme ? -127 : static_cast<int>(random.below(255)) - 127);
                std::vector<std::uint8_t> b(panels * 16 * depth);
                for (auto& v : b)
                    v = static_cast<std::uint8_t>(extreme ? 255 : 1 + random.below(255));
                auto const b_scales = normals(random, 16 * panels);
                auto const bias = normals(random, 16 * panels);
                auto const a_scales = normals(random, rows);
                std::vector<std::int32_t> sums(rows);
                std::vector<float> expected(rows * c_stride, 7.0f);
                for (std::size_t r = 0; r < rows; ++r) {
                    for (std::size_t i = 0; i < depth; ++i) sums[r] += a[r * a_stride + i];
                    for (std::size_t j = 0; j < 16 * panels; ++j) {
                        std::int64_t sum = 0;
                        for (std::size_t i = 0; i < depth; ++i) {
                            auto const at = j / 16 * 16 * depth + i / 4 * 64 + j % 16 * 4 + i % 4;
                            sum += std::int64_t{a[r * a_stride + i]} * (b[at] - 128);
                        }
                        float const scale = a_scales[r] * b_scales[j];
                        expected[r * c_stride + j] =
                            std::fma(static_cast<float>(sum), scale, bias[j]);
                    }
                }
                for (auto const& level : levels()) {
                    std::vector<float> c(rows * c_stride, 7.0f);
                    level.int8_matrix_product({.a = a.data(),
                        .a_stride = a_stride,
                        .a_scales = a_scales.data(),
                        .a_sums = sums.data(),
                        .b = b.data(),
                        .b_panel = 16 * depth,
                        .b_scales = b_scales.data(),
                        .bias = bias.data(),
                        .c = c.data(),
                        .c_stride = c_stride,
                        .rows = rows,
                        .panels = panels,
                        .depth = depth});
                    CAPTURE(level.name, rows, panels, depth);
                    CHECK(same_bits(c, expected));
                }
            }
        }
    }
}

TEST_CASE(
    "GELU is x times the normal distribution function, within 2e-7 max(1, |x|)", "[detail][simd]") {
    std::vector<float> x;
    for (int i = -150'000; i <= 150'000; ++i) x.push_back(static_cast<float>(i) * 1e-4f);
    x.insert(x.end(), {-1e30f, -100.0f, 0.0f, -0.0f, 100.0f, 1e30f, 1e-30f});
    std::vector<double> expected;
    for (double const v : x) expected.push_back(0.5 * v * std::erfc(-v * std::sqrt(0.5)));
    std::vector<float> first;
    for (auto const& level : levels()) {
        auto made = x;
        level.gelu(made.data(), made.size());
        double worst = 0;
        for (std::size_t i = 0; i < x.size(); ++i)
            worst = (std::max)(worst, std::abs(static_cast<double>(made[i]) - expected[i])
                                          / (std::max)(1.0, std::abs(static_cast<double>(x[i]))));
        CHECK(worst <= 2e-7);
        if (first.empty()) first = made;
        CHECK(same_bits(made, first));
    }
}

TEST_CASE("softmax terms are exponentials, the largest 1, and their sum", "[detail][simd]") {
    detail::random random(3);
    for (std::size_t n = 1; n <= 70; ++n) {
        auto const scores = normals(random, (n + 15) / 16 * 16, n % 7 == 0 ? 300 : 3);
        auto const largest =
            *std::max_element(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(n));
        std::vector<double> expected;
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
            expected.push_back(std::exp(0.25 * (static_cast<double>(scores[i]) - largest)));
            sum += expected.back();
        }
        std::vector<float> first;
        for (auto const& level : levels()) {
            auto made = scores;
            auto const total = level.softmax_terms(made.data(), n, 0.25f);
            made.resize(n);
            CAPTURE(level.name, n);
            CHECK(error_of(made, expected) <= 3e-6); // of the differences, which are rounded
            made.push_back(total);
            CHECK(std::abs(total - sum) <= 3e-6 * sum);
            if (first.empty()) first = made;
            CHECK(same_bits(made, first));
        }
    }
}

TEST_CASE("layer normalisation gives mean 0 and variance 1, weighted", "[detail][simd]") {
    detail::random random(4);
    for (std::size_t const n : {1u, 7u, 16u, 17u, 31u, 32u, 48u, 384u, 387u}) {
        auto const x = normals(random, n, 2), more = normals(random, n);
        auto const weight = normals(random, n), bias = normals(random, n);
        for (bool const adds : {false, true}) {
            double mean = 0, variance = 0;
            std::vector<double> expected(n);
            for (std::size_t i = 0; i < n; ++i) {
                expected[i] = static_cast<double>(x[i]) + (adds ? static_cast<double>(more[i]) : 0);
                mean += expected[i] / static_cast<double>(n);
            }
            for (auto const v : expected)
                variance += (v - mean) * (v - mean) / static_cast<double>(n);
            for (std::size_t i = 0; i < n; ++i)
                expected[i] = (expected[i] - mean) / std::sqrt(variance + 1e-5)
                                  * static_cast<double>(weight[i])
                              + static_cast<double>(bias[i]);
            std::vector<float> first;
            for (auto const& level : levels()) {
                auto made = x;
                level.layer_norm(made.data(), adds ? more.data() : nullptr, weight.data(),
                    bias.data(), 1e-5f, n);
                CAPTURE(level.name, n, adds);
                CHECK(error_of(made, expected) <= 4e-6);
                if (first.empty()) first = made;
                CHECK(same_bits(made, first));
            }
        }
    }
}

TEST_CASE("a row becomes bytes by its largest value", "[detail][simd]") {
    // 127 / 2 = 63.5: 1 becomes 63.5, which rounds to the even 64, and -0.25 becomes -15.875.
    std::vector<float> const hand{2, 1, -0.25f, 0, -2};
    detail::random random(5);
    for (auto const& level : levels()) {
        std::vector<std::int8_t> out(9, 9);
        auto const row = level.quantise(hand.data(), hand.size(), out.data());
        CHECK(out == std::vector<std::int8_t>{127, 64, -16, 0, -127, 0, 0, 0, 9});
        CHECK((row.scale == 2.0f / 127 && row.sum == 48));
    }
    for (std::size_t const n : {1u, 3u, 8u, 15u, 16u, 17u, 31u, 48u, 384u, 385u}) {
        for (double const scale : {0.0, 1e-35, 1.0, 1e30}) {
            auto const x = normals(random, n, scale);
            std::vector<std::int8_t> first;
            for (auto const& level : levels()) {
                std::vector<std::int8_t> out((n + 3) / 4 * 4);
                auto const row = level.quantise(x.data(), n, out.data());
                std::int32_t sum = 0;
                double worst = 0;
                for (std::size_t i = 0; i < n; ++i) {
                    sum += out[i];
                    worst = (std::max)(worst, std::abs(static_cast<double>(x[i])
                                                       - out[i] * static_cast<double>(row.scale)));
                }
                CAPTURE(level.name, n, scale);
                CHECK(row.sum == sum);
                if (scale >= 1) CHECK(worst <= 0.5001 * static_cast<double>(row.scale));
                if (first.empty()) first = out;
                CHECK(out == first);
            }
        }
    }
}

TEST_CASE("rows are interleaved sixteen by sixteen, and filled with zeros", "[detail][simd]") {
    for (auto const& level : levels()) {
        for (std::size_t const rows : {1u, 15u, 16u, 17u, 40u}) {
            for (std::size_t const width : {1u, 7u, 8u, 9u, 24u}) {
                auto const stride = width + 2;
                std::vector<std::uint32_t> from(rows * stride),
                    to((rows + 15) / 16 * 16 * width + 1, 5);
                for (std::size_t i = 0; i < from.size(); ++i)
                    from[i] = 1 + static_cast<std::uint32_t>(i);
                level.interleave(from.data(), stride, rows, width, to.data());
                std::size_t wrong = 0;
                for (std::size_t r = 0; r < (rows + 15) / 16 * 16; ++r) {
                    for (std::size_t i = 0; i < width; ++i)
                        wrong += to[r / 16 * 16 * width + 16 * i + r % 16]
                                 != (r < rows ? from[r * stride + i] : 0);
                }
                CAPTURE(level.name, rows, width);
                CHECK((wrong == 0 && to.back() == 5));
            }
        }
    }
}

TEST_CASE("rows are added and scaled", "[detail][simd]") {
    for (auto const& level : levels()) {
        std::vector<float> x(19), more(19);
        for (std::size_t i = 0; i < 19; ++i) x[i] = static_cast<float>(i), more[i] = 0.5f;
        level.add(x.data(), more.data(), 19);
        level.scale(x.data(), 4, 19);
        for (std::size_t i = 0; i < 19; ++i) CHECK(x[i] == 4 * static_cast<float>(i) + 2);
    }
}
