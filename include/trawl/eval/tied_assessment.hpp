// SPDX-License-Identifier: MIT
#pragma once

/// A ranking whose equal scores have no order, for the expected values of measures.

#include <cstddef>
#include <span>
#include <vector>

#include <trawl/eval/assessment.hpp>

TRAWL_BEGIN_NAMESPACE

/// Hits with equal scores, in any order.
struct tied_hits {
    std::size_t before = 0;       ///< the number of hits above them
    std::size_t size = 0;         ///< at least 1
    std::vector<int> grades = {}; ///< of the hits that have a judgement, including negative grades
    std::size_t relevant = 0;     ///< the number of relevant ones

    /// How many of them are among the first k hits of the ranking.
    [[nodiscard]] std::size_t within(std::size_t k) const noexcept {
        auto const room = k <= before ? 0 : k - before;
        return room < size ? room : size;
    }
};

/// An assessment of a ranking with ties. The expected value of a measure is its mean over all orders
/// of the tied hits. It is computed in closed form, without enumerating the orders.
/// @par Source McSherry, Najork, "Computing information retrieval performance measures efficiently
/// in the presence of tied scores", ECIR 2008.
struct tied_assessment {
    std::vector<tied_hits> groups = {}; ///< best score first
    std::size_t retrieved = 0;          ///< all hits
    std::size_t relevant = 0;           ///< relevant documents, retrieved or not
    std::span<int const> grades = {};   ///< of all judged documents, highest first
    int level = 1;                      ///< the lowest grade of a relevant document
};

TRAWL_END_NAMESPACE
