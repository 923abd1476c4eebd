// SPDX-License-Identifier: MIT
#pragma once

/// How alike two vectors are.

#include <cstddef>
#include <string_view>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// Higher is more alike, always. All scores are finite.
enum class metric : unsigned char {
    /// the cosine of the angle, in [-1, 1]; 0 with a zero vector; the length plays no part
    cosine,
    dot_product, ///< the sum of products; for unit vectors the cosine
    euclidean,   ///< minus the squared Euclidean distance, <= 0
};

/// "cosine", "dot_product", "euclidean"
[[nodiscard]] constexpr std::string_view name_of(metric m) noexcept {
    constexpr std::string_view names[] = {"cosine", "dot_product", "euclidean"};
    return names[static_cast<std::size_t>(m)];
}

TRAWL_END_NAMESPACE
