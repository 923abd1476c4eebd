// SPDX-License-Identifier: MIT
#pragma once

/// What a search did on judged queries. Tuning and ablation compare such outcomes.

#include <cstddef>
#include <optional>
#include <vector>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

struct search_outcome {
    /// The measure of each query; the same queries in the same order in every outcome.
    std::vector<double> values = {};
    double seconds = 0;    ///< for all queries
    std::size_t calls = 0; ///< expensive calls, for all queries
    /// The mean of ineligible@k: the share of the first hits that must not be used.
    std::optional<double> ineligible = {};
};

TRAWL_END_NAMESPACE
