// SPDX-License-Identifier: MIT
#pragma once

/// What a run of a pipeline records beside its ranking.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/doc_set.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/pipeline/detail/arm.hpp>
#include <trawl/pipeline/report.hpp>
#include <trawl/pipeline/variants.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

struct search_log {
    log_level level = log_level::result;
    query asked_for = {};       ///< the query as stages see it
    std::string rewritten = {}; ///< what its views may point to
    std::vector<float> embedding = {};
    std::vector<query_variant> variants = {};
    bool with_original = true;
    /// as arms see it: the query, unless it is left out, and the variants
    buffer<query> asked = {};
    std::vector<double> weights = {}; ///< of these
    doc_set allowed = {};             ///< where the query has conditions: what meets them
    bool has_conditions = false;
    buffer<char> reads_conditions = {};    ///< of each arm; empty: of none
    std::vector<std::size_t> windows = {}; ///< of each arm, in the end
    bool may_have_more = false;            ///< an arm returned as many hits as its window
    std::vector<stage_trace> trace = {};
    std::vector<arm_failure> failures = {};
    bool partial = false;
    std::vector<ranking> arms = {};  ///< of the first asked, then of the second, …
    std::vector<ranking> steps = {}; ///< after the fusion, then after each stage
    score_origin origin = {};        ///< of the latest ranking

    /// The arm whose answer stands at `index`, of so many arms.
    [[nodiscard]] arm_place place(std::size_t index, std::size_t arm_count) const noexcept {
        return {index % arm_count, index / arm_count + (with_original ? 0 : 1)};
    }

    void add(stage_trace step) {
        if (level != log_level::result) trace.push_back(std::move(step));
    }

    /// Takes the answers over, in their order.
    void take(array_ref<arm_answer> answers, std::size_t arm_count) {
        arms.reserve(answers.size());
        for (std::size_t i = 0; i < answers.size(); ++i) {
            auto& answer = answers[i];
            auto const at = place(i, arm_count);
            if (answer.error != nullptr) {
                partial = true;
                failures.push_back({at.arm, std::move(answer.failure), at.variant});
            }
            partial = partial || answer.trace.partial;
            may_have_more = may_have_more || answer.full;
            arms.push_back(std::move(answer.hits));
            if (level == log_level::result) continue;
            answer.trace.name = at.name();
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

} // namespace detail
TRAWL_END_NAMESPACE
