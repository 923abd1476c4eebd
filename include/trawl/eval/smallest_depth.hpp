// SPDX-License-Identifier: MIT
#pragma once

/// How many candidates a later stage needs.

#include <cstddef>
#include <optional>
#include <span>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

/// The smallest N such that at least the target share of queries has a right answer among the first
/// N. The quotient count / total is compared as a double: 7 of 25 reach .28.
/// @param ranks  For each query the rank of its first right answer, from 1; none if it is never
/// found. Queries without an answer count in the total.
/// @param target  A share, in (0, 1].
/// @return None if no depth reaches the target, and for no queries.
/// @throws trawl::error (invalid_argument) for a rank of 0 or a target outside (0, 1].
/// @par Complexity O(n log n).
[[nodiscard]] std::optional<std::size_t> smallest_depth(
    std::span<std::optional<std::size_t> const> ranks, double target);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/smallest_depth_inl.hpp>
#endif
