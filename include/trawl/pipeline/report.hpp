// SPDX-License-Identifier: MIT
#pragma once

/// What a search has to say beside its ranking.

#include <cstddef>
#include <string>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/rerank/stage.hpp>

namespace trawl::inline v0_1 {

/// What happens to a search when one of its arms throws or breaks its contract.
enum class failure_policy : unsigned char {
    fail,      ///< the search fails with the arm's error
    leave_out, ///< the arm is left out and reported; the search fails only if all arms do
};

/// An arm that was left out. std::bad_alloc is never one: it passes through.
struct arm_failure {
    std::size_t arm = 0; ///< counted from 0, in the order in which the pipeline was given them
    std::string message = {};
};

struct search_report {
    trawl::ranking ranking = {};
    std::vector<stage_trace> trace = {};    ///< [embed,] one for each arm, fusion, one for each stage
    std::vector<arm_failure> failures = {}; ///< by arm, ascending
    bool partial = false; ///< a step was cut short by search_options::stop, or an arm was left out
};

} // namespace trawl::inline v0_1
