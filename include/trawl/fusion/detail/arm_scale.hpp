// SPDX-License-Identifier: MIT
#pragma once

/// The function that maps an arm's scores or ranks to values.

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

// Not its header: the body of that includes this one.
enum class normaliser : unsigned char;

namespace detail {

/// x -> (x - shift) / scale, where x is a hit's score, its rank or the arctangent of its score. A
/// constant where the scale is 0.
struct arm_scale {
    enum class input : unsigned char { score, rank, arctangent };

    double shift = 0;
    double scale = 1;
    double constant = 0;
    input of = input::score;
    std::optional<double> missing = {}; ///< for a document that the arm lacks; none: no value

    [[nodiscard]] double operator()(float score, std::size_t rank) const noexcept;
    [[nodiscard]] std::string describe(float score, std::size_t rank) const;
};

/// The scale of an arm.
/// @param scores     Finite, best first. If there are none, any scale.
/// @param documents  The number of documents in all arms.
[[nodiscard]] arm_scale scale_of(
    normaliser norm, std::span<float const> scores, std::size_t documents);

/// The lowest of the values, at most 0.
[[nodiscard]] double lowest_below_0(std::span<double const> values) noexcept;

[[nodiscard]] double mean_of(std::span<float const> scores) noexcept;

/// The sum of the squared differences from `middle`.
[[nodiscard]] double squares_about(double middle, std::span<float const> scores) noexcept;

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/fusion/detail/arm_scale_inl.hpp>
#endif
