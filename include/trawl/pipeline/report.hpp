// SPDX-License-Identifier: MIT
#pragma once

/// What a search reports besides its ranking.

#include <cstddef>
#include <string>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/rerank/stage.hpp>

TRAWL_BEGIN_NAMESPACE

/// An arm that was left out. std::bad_alloc is never one: it is thrown on.
struct arm_failure {
    std::size_t arm = 0; ///< counted from 0, in the order in which the pipeline was given them
    std::string message = {};
    std::size_t variant = 0; ///< of the query; 0 is the query itself
};

/// A ranking, and how it came about.
struct search_report {
    trawl::ranking ranking = {};
    std::vector<stage_trace> trace = {};    ///< [rewrite, embed, variants,] one for each arm
                                            ///< and variant, fusion, one for each stage
    std::vector<arm_failure> failures = {}; ///< by arm, ascending
    bool partial = false; ///< a step was cut short by search_options::stop, or an arm was left out
    /// the fusion had fewer than k candidates because the arms were asked for no more: raise the
    /// window
    bool window_reached = false;
};

TRAWL_END_NAMESPACE
