// SPDX-License-Identifier: MIT
#pragma once

/// Sums of contributions that depend on no order.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include <trawl/core/explanation.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// How BM25's contributions become a score with the same bits in every order of adding them.
///
/// A contribution is one float product, weight of the term in the query * tf factor of the document,
/// where the tf factor is at most 1: so the sum of the weights' magnitudes bounds every score. It is
/// the same for every document, k, filter and layout of the index. The bound chooses a power of
/// two, the step, so that it is below 2^30 steps. Each contribution is rounded to whole steps, ties
/// to even; these integers are added (32 bits suffice, for even half a step more a term cannot
/// double the bound), and the sum becomes a float once. Every rounding is monotone, so that a bound
/// on contributions is a bound on scores, to the bit.
///
/// Each operation (float product, exact scaling by a power of two, conversion to the nearest int32,
/// conversion of an int32 to the nearest float) is one vector instruction too, with the same
/// result.
class score_quantizer {
public:
    /// @param bound  >= 0, finite.
    explicit score_quantizer(double bound) noexcept {
        int exponent = 0;
        static_cast<void>(math::frexp(bound, &exponent)); // bound < 2^exponent
        // Far above the denormal numbers, which a program with -ffast-math may flush to zero.
        exponent = (std::max)(exponent - 30, -100);
        step_ = math::ldexp(1.0f, exponent);
        steps_ = math::ldexp(1.0f, -exponent);
    }

    [[nodiscard]] float step() const noexcept { return step_; }
    [[nodiscard]] float steps() const noexcept { return steps_; } ///< 1 / step

    [[nodiscard]] static float contribution(float weight, float tf_factor) noexcept {
        return rounded(weight * tf_factor);
    }

    [[nodiscard]] std::int32_t in_steps(float contribution) const noexcept {
        return static_cast<std::int32_t>(
            nearest_integer(static_cast<double>(contribution) * static_cast<double>(steps_)));
    }

    [[nodiscard]] float score(std::int32_t sum) const noexcept {
        return rounded(static_cast<float>(sum) * step_);
    }

    /// The largest sum >= 0 whose score is below this one, or at most this one if `or_equal`; 0 if
    /// there is none.
    [[nodiscard]] std::int32_t last_sum(float score, bool or_equal) const noexcept {
        constexpr std::int64_t most = (std::numeric_limits<std::int32_t>::max)() - 1;
        // A score is the float nearest to the sum, times a power of two.
        float const scaled = rounded(score * steps_);
        if (!(scaled >= 1)) return 0;
        auto const bits = std::bit_cast<std::uint32_t>(scaled) - (or_equal ? 0u : 1u);
        auto const exponent = static_cast<int>(bits >> 23) - 127;
        auto const significand = std::int64_t{(bits & 0x7FFFFFu) | 0x800000u};
        if (exponent < 0) return 0;
        if (exponent <= 23) return static_cast<std::int32_t>(significand >> (23 - exponent));
        if (exponent > 30) return static_cast<std::int32_t>(most);
        // Here floats are 2, 4, ... apart: half of that above this float still rounds to it, the
        // half itself if the significand is even.
        auto const apart = exponent - 23;
        auto const last =
            (significand << apart) + (std::int64_t{1} << (apart - 1)) - significand % 2;
        return static_cast<std::int32_t>((std::min)(last, most));
    }

private:
    float step_;
    float steps_;
};

} // namespace detail
TRAWL_END_NAMESPACE
