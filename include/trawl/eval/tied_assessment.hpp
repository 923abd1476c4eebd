// SPDX-License-Identifier: MIT
#pragma once

/// A ranking whose equal scores have no order yet: what the expected value of a measure computes
/// from.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <trawl/eval/assessment.hpp>

TRAWL_BEGIN_NAMESPACE

/// Hits of one score, in any order.
struct tied_hits {
    std::size_t before = 0;       ///< hits that stand above all of them
    std::size_t size = 0;         ///< how many they are, >= 1
    std::vector<int> grades = {}; ///< of those that the judgements know, negative ones too
    std::size_t relevant = 0;     ///< of at least the level

    /// How many of them stand among the first k.
    [[nodiscard]] std::size_t within(std::size_t k) const noexcept {
        return k <= before ? 0 : (std::min)(size, k - before);
    }
};

/// As assessment, but for a ranking with ties. The expected value of a measure is its mean over all
/// orders that the ties allow; measures that know it take a tied_assessment, without going through
/// the orders.
/// @par Source McSherry, Najork, "Computing information retrieval performance measures efficiently
/// in the presence of tied scores", ECIR 2008.
struct tied_assessment {
    std::vector<tied_hits> groups = {}; ///< best first
    std::size_t retrieved = 0;
    std::size_t relevant = 0;         ///< documents of at least the level, retrieved or not
    std::span<int const> grades = {}; ///< of all judged documents, best first
    int level = 1;
};

TRAWL_END_NAMESPACE
