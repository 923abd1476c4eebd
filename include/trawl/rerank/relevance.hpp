// SPDX-License-Identifier: MIT
#pragma once

/// What a diversifier takes for the relevance of a candidate.

#include <cstddef>
#include <string_view>

#include <trawl/config.hpp>
#include <trawl/core/enum_count.hpp>

TRAWL_BEGIN_NAMESPACE

/// The relevance of a candidate to a diversifier.
enum class relevance : unsigned char {
    /// the cosine of its vector to the query's; a candidate without a vector gets the lowest of the
    /// candidates' cosines, at most 0
    cosine,
    stage_score, ///< the score of the stage before, min-max scaled over the candidates
};

template <>
inline constexpr std::size_t enum_count<relevance> = 2;

/// "cosine", "stage_score".
[[nodiscard]] constexpr std::string_view name_of(relevance kind) noexcept {
    constexpr std::string_view names[enum_count<relevance>] = {"cosine", "stage_score"};
    return names[static_cast<std::size_t>(kind)];
}

TRAWL_END_NAMESPACE
