// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of fusion/detail/arm_scale.hpp.

#include <trawl/fusion/detail/arm_scale.hpp>

#include <algorithm>
#include <string_view>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/normaliser.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE double arm_scale::operator()(float score, std::size_t rank) const noexcept {
    if (scale == 0) return constant;
    auto const x = of == input::rank    ? static_cast<double>(rank)
                   : of == input::score ? static_cast<double>(score)
                                        : rounded(math::atan(static_cast<double>(score)));
    return divided(rounded(x - shift), scale);
}

TRAWL_INLINE std::string arm_scale::describe(float score, std::size_t rank) const {
    auto const hit = join("rank ", rank, ", score ", score);
    if (scale == 0) return join(hit, ": all are equal");
    constexpr std::string_view names[] = {"score", "rank", "atan(score)"};
    return join(hit, ": (", names[static_cast<std::size_t>(of)], " - ", shift, ") / ", scale);
}

// The sum of the differences from `middle`.
[[nodiscard]] inline double sum_about(double middle, std::span<float const> scores) noexcept {
    double total = 0;
    for (float const s : scores) total = rounded(total + rounded(static_cast<double>(s) - middle));
    return total;
}

TRAWL_INLINE double squares_about(double middle, std::span<float const> scores) noexcept {
    double total = 0;
    for (float const s : scores) {
        auto const apart = rounded(static_cast<double>(s) - middle);
        total = rounded(total + rounded(apart * apart));
    }
    return total;
}

TRAWL_INLINE double mean_of(std::span<float const> scores) noexcept {
    return divided(sum_about(0, scores), static_cast<double>(scores.size()));
}

TRAWL_INLINE double lowest_below_0(std::span<double const> values) noexcept {
    double lowest = 0;
    for (double const value : values) lowest = (std::min)(lowest, value);
    return lowest;
}

TRAWL_INLINE arm_scale scale_of(
    normaliser norm, std::span<float const> scores, std::size_t documents) {
    if (scores.empty()) return {};
    auto const n = static_cast<double>(scores.size());
    auto const all = static_cast<double>(documents);
    auto const [low, high] = std::minmax_element(scores.begin(), scores.end());
    auto const lowest = static_cast<double>(*low);
    auto const highest = static_cast<double>(*high);
    constexpr double pi = 3.141592653589793;
    switch (norm) {
    case normaliser::none:
        return {};
    case normaliser::min_max:
        return {lowest, rounded(highest - lowest), 1};
    case normaliser::z_score: {
        if (lowest == highest) return {lowest, 0, 0};
        auto const mean = mean_of(scores);
        return {mean, rounded(math::sqrt(divided(squares_about(mean, scores), n))), 0};
    }
    case normaliser::max:
        return {0, (std::max)(highest, -lowest), 0};
    case normaliser::sum:
        return {lowest, sum_about(lowest, scores), 1};
    case normaliser::l2:
        return {0, rounded(math::sqrt(squares_about(0, scores))), 0};
    case normaliser::rank:
        return {n + 1, -n, 0, arm_scale::input::rank};
    case normaliser::borda:
        return {all + 1, -all, 0, arm_scale::input::rank, divided(rounded(all - n + 1), 2 * all)};
    case normaliser::milvus_cosine:
        return {-1, 2};
    case normaliser::milvus_inner_product:
        return {-pi / 2, pi, 0, arm_scale::input::arctangent};
    case normaliser::milvus_bm25:
        return {0, pi / 2, 0, arm_scale::input::arctangent};
    case normaliser::milvus_l2:
        return {-pi / 2, pi / 2, 0, arm_scale::input::arctangent};
    }
    return {};
}

} // namespace detail
TRAWL_END_NAMESPACE
