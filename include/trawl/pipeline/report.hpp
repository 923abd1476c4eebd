// SPDX-License-Identifier: MIT
#pragma once

/// What a search has to say beside its ranking.

#include <cstddef>
#include <string>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/rerank/stage.hpp>

TRAWL_BEGIN_NAMESPACE

/// An arm that was left out. std::bad_alloc is never one: it passes through.
struct arm_failure {
    std::size_t arm = 0; ///< counted from 0, in the order in which the pipeline was given them
    std::string message = {};
    std::size_t variant = 0; ///< of the question: 0 is the question itself
};

struct search_report {
    trawl::ranking ranking = {};
    std::vector<stage_trace> trace = {};    ///< [rewrite, embed, variants,] one for each arm
                                            ///< and way to ask, fusion, one for each stage
    std::vector<arm_failure> failures = {}; ///< by arm, ascending
    bool partial = false; ///< a step was cut short by search_options::stop, or an arm was left out
};

TRAWL_END_NAMESPACE
