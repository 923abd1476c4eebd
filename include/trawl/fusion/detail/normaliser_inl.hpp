// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of fusion/normaliser.hpp.

#include <trawl/fusion/normaliser.hpp>

#include <trawl/fusion/detail/arm_scale.hpp>

TRAWL_BEGIN_NAMESPACE

TRAWL_INLINE std::vector<double> normalised(
    normaliser norm, std::span<float const> scores, std::size_t documents) {
    auto const scale = detail::scale_of(norm, scores, documents);
    std::vector<double> values(scores.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = scale(scores[i], i + 1);
    return values;
}

TRAWL_END_NAMESPACE
