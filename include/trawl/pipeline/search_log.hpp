// SPDX-License-Identifier: MIT
#pragma once

/// What a run of a pipeline writes down beside its ranking.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/pipeline/arm.hpp>
#include <trawl/pipeline/report.hpp>

namespace trawl::inline v0_1::detail {

struct search_log {
    log_level level = log_level::result;
    query question = {}; ///< as arms and stages see it
    std::vector<float> embedding = {};
    std::vector<stage_trace> trace = {};
    std::vector<arm_failure> failures = {};
    bool partial = false;
    std::vector<ranking> arms = {};
    std::vector<ranking> steps = {}; ///< after the fusion, then after each stage

    /// Takes the answers of all arms over, in their order.
    void take(std::span<arm_answer> answers) {
        for (std::size_t i = 0; i < answers.size(); ++i) {
            auto& answer = answers[i];
            if (answer.error != nullptr) {
                partial = true;
                failures.push_back({i, std::move(answer.failure)});
            }
            partial = partial || answer.trace.partial;
            arms.push_back(std::move(answer.hits));
            if (level == log_level::result) continue;
            answer.trace.name = join("arm ", i);
            if (!answer.asked) answer.trace.notes.push_back("not asked: its weight is 0");
            trace.push_back(std::move(answer.trace));
        }
    }

    /// Closes a step after the arms.
    void close(stage_trace step, std::size_t in, ranking const& out) {
        partial = partial || step.partial;
        if (level == log_level::result) return;
        step.candidates_in = in;
        step.candidates_out = out.size();
        trace.push_back(std::move(step));
        if (level == log_level::steps) steps.push_back(out);
    }
};

} // namespace trawl::inline v0_1::detail
