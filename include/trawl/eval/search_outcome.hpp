// SPDX-License-Identifier: MIT
#pragma once

/// What a search did on judged questions: what tuning and ablation compare.

#include <cstddef>
#include <optional>
#include <vector>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

struct search_outcome {
    std::vector<double> values = {}; ///< the measure, one a question; the same questions each time
    double seconds = 0;              ///< for all questions
    std::size_t calls = 0;           ///< expensive ones, for all questions
    std::optional<double> ineligible =
        {}; ///< ineligible@k, the mean: how much of what was found may not be used
};

TRAWL_END_NAMESPACE
