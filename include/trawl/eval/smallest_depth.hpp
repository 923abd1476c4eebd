// SPDX-License-Identifier: MIT
#pragma once

/// How many candidates a later stage must be given.

#include <cstddef>
#include <optional>
#include <span>

#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// The smallest N such that the share of questions whose right answer is among the first N is at
/// least the target. Count / total is compared in double: 7 of 25 reach .28.
/// @param ranks   One a question, from 1: where its right answer stands; none if it is never found.
/// All count
///                in the total.
/// @param target  A share, in (0, 1].
/// @return None if no depth reaches the target, and for no questions.
/// @throws trawl::error (invalid_argument) for a rank of 0 or a target outside (0, 1].
/// @par Complexity O(n log n).
[[nodiscard]] std::optional<std::size_t> smallest_depth(
    std::span<std::optional<std::size_t> const> ranks, double target);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/smallest_depth_inl.hpp>
#endif
