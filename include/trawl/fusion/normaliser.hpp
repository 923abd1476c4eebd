// SPDX-License-Identifier: MIT
#pragma once

/// Normalisers put the scores of one arm on a scale that other arms share.

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <trawl/config.hpp>
#include <trawl/core/enum_count.hpp>

TRAWL_BEGIN_NAMESPACE

/// How the scores s of an arm, its n hits of ranks 1 to n, become comparable to those of other
/// arms. C is the number of documents in all arms.
enum class normaliser : unsigned char {
    none, ///< s as it is
    /// (s - lowest) / (highest - lowest), in [0, 1]; 1 where all are equal, as for a single hit
    min_max,
    z_score, ///< (s - mean) / population standard deviation; 0, the mean, where all are equal
    max,     ///< s / largest magnitude, in [-1, 1]; 0 where all are 0
    sum,     ///< (s - lowest) / sum of (s - lowest), which add up to 1; 1 where all are equal
    l2,      ///< s / square root of the sum of s^2; 0 where all are 0
    rank,    ///< 1 - (rank - 1) / n, whatever the scores
    /// 1 - (rank - 1) / C; documents that the arm lacks share what is left evenly, instead of 0
    borda,

    // Milvus' functions of one score alone: no other hit changes them.
    milvus_cosine,        ///< (1 + s) / 2
    milvus_inner_product, ///< 1/2 + atan(s) / pi
    milvus_bm25,          ///< 2 atan(s) / pi, for s >= 0
    milvus_l2,            ///< 1 + 2 atan(s) / pi, for s the negative of a distance
};

template <>
inline constexpr std::size_t enum_count<normaliser> = 12;

/// "none", "min-max", "z-score", …
[[nodiscard]] constexpr std::string_view name_of(normaliser norm) noexcept {
    constexpr std::string_view names[enum_count<normaliser>] = {"none", "min-max", "z-score", "max",
        "sum", "l2", "rank", "borda", "milvus-cosine", "milvus-inner-product", "milvus-bm25",
        "milvus-l2"};
    return names[static_cast<std::size_t>(norm)];
}

/// What a rule adds for a document that an arm did not return.
enum class missing_score : unsigned char {
    /// never more than for a document that the arm returned: 0, or the lowest value that the arm
    /// gives where that is below 0. Two normalisers decide it themselves: under z_score it is 0,
    /// the mean, under borda the mean of the points that the arm has left to give
    standard,
    zero,   ///< 0, whatever values the arm gives; under borda as standard
    lowest, ///< the lowest value that the arm gives
};

template <>
inline constexpr std::size_t enum_count<missing_score> = 3;

/// "standard", "zero", "lowest".
[[nodiscard]] constexpr std::string_view name_of(missing_score missing) noexcept {
    constexpr std::string_view names[enum_count<missing_score>] = {"standard", "zero", "lowest"};
    return names[static_cast<std::size_t>(missing)];
}

/// The normalised values of one arm's scores.
/// @param scores  Finite, best first.
/// @param documents  The number of documents in all arms, which borda reads.
/// @par Complexity  O(n).
[[nodiscard]] std::vector<double> normalised(
    normaliser norm, std::span<float const> scores, std::size_t documents = 0);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/fusion/detail/normaliser_inl.hpp>
#endif
