// SPDX-License-Identifier: MIT
#pragma once

/// Puts the scores of one arm on a scale that other arms share.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// How the scores s of an arm, its n hits of ranks 1 to n, become comparable to those of other
/// arms. C is the number of documents in all arms.
enum class normaliser : unsigned char {
    none, ///< s
    /// (s - lowest) / (highest - lowest), in [0, 1]; 1 where all are equal, as for a single hit
    min_max,
    z_score, ///< (s - mean) / population standard deviation; 0, the mean, where all are equal
    max,     ///< s / largest magnitude, in [-1, 1]; 0 where all are 0
    sum,     ///< (s - lowest) / sum of (s - lowest), which add up to 1; 1 where all are equal
    l2,      ///< s / square root of the sum of s^2; 0 where all are 0
    rank,    ///< 1 - (rank - 1) / n, whatever the scores
    /// 1 - (rank - 1) / C; a document that the arm lacks gets the mean of what is left, not 0
    borda,

    // Milvus' functions of one score alone: no other hit changes them.
    milvus_cosine,        ///< (1 + s) / 2
    milvus_inner_product, ///< 1/2 + atan(s) / pi
    milvus_bm25,          ///< 2 atan(s) / pi, for s >= 0
    milvus_l2,            ///< 1 + 2 atan(s) / pi, for s the negative of a distance
};

/// "none", "min-max", "z-score", ...
[[nodiscard]] constexpr std::string_view name_of(normaliser norm) noexcept {
    constexpr std::string_view names[] = {"none", "min-max", "z-score", "max", "sum", "l2", "rank",
        "borda", "milvus-cosine", "milvus-inner-product", "milvus-bm25", "milvus-l2"};
    return names[static_cast<std::size_t>(norm)];
}

/// What a rule adds for a document that an arm did not return.
enum class missing_score : unsigned char {
    zero,   ///< nothing; under borda the mean of the places that the arm leaves free
    lowest, ///< the lowest that the arm gives to one of its own
};

namespace detail {

// x -> (x - shift) / scale, where x is a hit's score, its rank or the arctangent of its score; a
// constant where the scale is 0.
struct arm_scale {
    enum class input : unsigned char { score, rank, arctangent };

    double shift = 0;
    double scale = 1;
    double constant = 0;
    input of = input::score;
    std::optional<double> missing = {}; // for a document that the arm lacks; none: it has no part

    [[nodiscard]] double operator()(float score, std::size_t rank = 1) const noexcept {
        if (scale == 0) return constant;
        auto const x = of == input::rank    ? static_cast<double>(rank)
                       : of == input::score ? static_cast<double>(score)
                                            : rounded(std::atan(static_cast<double>(score)));
        return divided(rounded(x - shift), scale);
    }

    [[nodiscard]] std::string describe(float score, std::size_t rank) const {
        auto const hit = join("rank ", rank, ", score ", score);
        if (scale == 0) return join(hit, ": all are equal");
        constexpr std::string_view names[] = {"score", "rank", "atan(score)"};
        return join(hit, ": (", names[static_cast<std::size_t>(of)], " - ", shift, ") / ", scale);
    }
};

// The sums of an arm's scores and of their squares, both about the same middle.
[[nodiscard]] inline double sum_about(double middle, std::span<float const> scores) noexcept {
    double total = 0;
    for (float const s : scores) total = rounded(total + rounded(static_cast<double>(s) - middle));
    return total;
}

[[nodiscard]] inline double squares_about(double middle, std::span<float const> scores) noexcept {
    double total = 0;
    for (float const s : scores) {
        auto const apart = rounded(static_cast<double>(s) - middle);
        total = rounded(total + rounded(apart * apart));
    }
    return total;
}

[[nodiscard]] inline double mean_of(std::span<float const> scores) noexcept {
    return divided(sum_about(0, scores), static_cast<double>(scores.size()));
}

/// The scale of an arm, from its finite scores, best first; any scale if there are none.
/// @param documents  How many documents all arms have.
[[nodiscard]] inline arm_scale scale_of(
    normaliser norm, std::span<float const> scores, std::size_t documents = 0) {
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
        return {mean, rounded(std::sqrt(divided(squares_about(mean, scores), n))), 0};
    }
    case normaliser::max:
        return {0, (std::max)(highest, -lowest), 0};
    case normaliser::sum:
        return {lowest, sum_about(lowest, scores), 1};
    case normaliser::l2:
        return {0, rounded(std::sqrt(squares_about(0, scores))), 0};
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
