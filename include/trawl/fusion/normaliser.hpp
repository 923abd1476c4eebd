// SPDX-License-Identifier: MIT
#pragma once

/// Puts the scores of one arm on a scale that other arms share.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>

#include <trawl/detail/floating_point.hpp>

namespace trawl::inline v0_1 {

/// How the scores of an arm are put on a common scale before they are added.
enum class normaliser : unsigned char {
    none,    ///< as they are
    min_max, ///< (s - lowest) / (highest - lowest), in [0, 1]; 1 where all are equal, as for a single hit
    z_score, ///< (s - mean) / population standard deviation; 0, the mean, where all are equal
};

/// "none", "min-max", "z-score".
[[nodiscard]] constexpr std::string_view name_of(normaliser norm) noexcept {
    constexpr std::string_view names[] = {"none", "min-max", "z-score"};
    return names[static_cast<std::size_t>(norm)];
}

namespace detail {

// s -> (s - shift) / scale; where all scores are equal and the scale is 0, a constant.
struct arm_scale {
    double shift = 0;
    double scale = 1;
    double constant = 0;

    [[nodiscard]] double operator()(float score) const noexcept {
        if (scale == 0) return constant;
        return divided(rounded(static_cast<double>(score) - shift), scale);
    }
};

[[nodiscard]] inline arm_scale min_max_scale(std::span<float const> scores) noexcept {
    auto const [lowest, highest] = std::minmax_element(scores.begin(), scores.end());
    return {*lowest, rounded(static_cast<double>(*highest) - static_cast<double>(*lowest)), 1};
}

[[nodiscard]] inline arm_scale z_score_scale(std::span<float const> scores) noexcept {
    auto const n = static_cast<double>(scores.size());
    double total = 0;
    for (float const score : scores) total = rounded(total + static_cast<double>(score));
    auto const mean = divided(total, n);
    double squares = 0;
    for (float const score : scores) {
        auto const apart = rounded(static_cast<double>(score) - mean);
        squares = rounded(squares + rounded(apart * apart));
    }
    return {mean, rounded(std::sqrt(divided(squares, n))), 0};
}

/// The scale of an arm, from its finite scores; any scale if there are none.
[[nodiscard]] inline arm_scale scale_of(normaliser norm, std::span<float const> scores) noexcept {
    if (scores.empty() || norm == normaliser::none) return {};
    return norm == normaliser::min_max ? min_max_scale(scores) : z_score_scale(scores);
}

} // namespace detail
} // namespace trawl::inline v0_1
