// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of rerank/boost_stage.hpp.

#include <trawl/rerank/boost_stage.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <trawl/core/placed.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE void check_boost(boost_options const& options) {
    if (!is_finite(options.weight))
        fail(errc::invalid_argument, join("boost: weight is ", options.weight, ", must be finite"));
    if (!is_finite(options.missing.value_or(0)))
        fail(errc::invalid_argument,
            join("boost: missing is ", *options.missing, ", must be finite"));
}

// The scores before a boost, of the first `own` candidates.
[[nodiscard]] inline std::vector<double> scores_before(
    ranking const& candidates, std::size_t own, normaliser norm) {
    std::vector<float> scores;
    for (std::size_t i = 0; i < own; ++i) scores.push_back(candidates[i].score);
    return normalised(norm, scores, own);
}

[[nodiscard]] inline std::optional<double> number_of(boost_calls const& calls, doc_id id) {
    auto const number = calls.number(id);
    if (number && !is_finite(*number)) {
        fail(errc::not_finite,
            join("boost: the number of document ", id, " is ", *number, ", must be finite"));
    }
    return number;
}

[[nodiscard]] inline double boost_factor(
    boost_calls const& calls, boost_options const& how, std::optional<double> number) {
    return number ? calls.function(*number) : *how.missing;
}

// As the explanation computes it.
[[nodiscard]] inline float boosted(boost_calls const& calls, boost_options const& how,
    double before, std::optional<double> number) {
    if (!number && !how.missing) return static_cast<float>(before);
    auto const boost = rounded(how.weight * boost_factor(calls, how, number));
    if (how.mode == boost_mode::multiply) return static_cast<float>(rounded(before * boost));
    double const terms[] = {before, boost};
    return static_cast<float>(sum_of(terms));
}

TRAWL_INLINE ranking boost(
    boost_calls const& calls, ranking candidates, boost_options const& how, trace_ref trace) {
    stage_trace unread;
    auto& log = trace.or_else(unread);
    log.name = "boost";
    log.left = log.given;
    bool const other_scale = how.mode == boost_mode::add && how.norm == normaliser::none;
    if (log.given.stale && other_scale) {
        log.notes.push_back("nothing boosted: the scores are those of an earlier stage");
        return candidates;
    }
    auto const own = own_of(log.given, candidates.size());
    log.scored = own;
    auto const before = scores_before(candidates, own, how.norm);
    std::size_t absent = 0;
    for (std::size_t i = 0; i < own; ++i) {
        auto& h = candidates[i];
        if (how.mode == boost_mode::multiply && before[i] < 0) {
            fail(errc::invalid_argument,
                join("boost: the score of document ", h.id, " is ", before[i],
                    ", multiply needs scores >= 0: set norm to min_max, or mode to add"));
        }
        auto const number = number_of(calls, h.id);
        absent += number ? 0u : 1u;
        h.score = boosted(calls, how, before[i], number);
        if (!is_finite(h.score)) {
            fail(errc::not_finite, join("boost: the score of document ", h.id, " becomes ", h.score,
                                       ", must be finite"));
        }
    }
    if (absent > 0) log.notes.push_back(join(absent, " documents have no number"));
    auto const end = candidates.begin() + static_cast<std::ptrdiff_t>(own);
    std::stable_sort(
        candidates.begin(), end, [](hit const& a, hit const& b) { return a.score > b.score; });
    place_rest(candidates, own);
    return candidates;
}

TRAWL_INLINE explanation explain_boost(boost_calls const& calls, boost_options const& how,
    stage_step const& step, std::size_t position, explanation given) {
    if (position >= step.trace.scored) return explain_rest(step, position, std::move(given));
    auto const id = step.out[position].id;
    auto before = std::move(given);
    if (how.norm != normaliser::none) {
        auto const scores = scores_before(step.in, step.trace.scored, how.norm);
        explanation scaled{operation::opaque, join("score before, ", name_of(how.norm)),
            scores[position_of(step.in, id)], {}};
        scaled.children.push_back(std::move(before));
        before = std::move(scaled);
    }
    auto const number = number_of(calls, id);
    if (!number && !how.missing) {
        explanation same{operation::round, "boost: no number, nothing changes", 0, {}};
        same.children.push_back(std::move(before));
        same.value = recompute(same);
        return same;
    }
    explanation boost{operation::product, "boost", 0, {}};
    boost.children.push_back({operation::leaf, "weight", how.weight, {}});
    boost.children.push_back({operation::leaf,
        number ? join(calls.function_name, " of ", *number)
               : std::string("for documents without a number"),
        boost_factor(calls, how, number), {}});
    boost.value = recompute(boost);
    auto const multiply = how.mode == boost_mode::multiply;
    explanation both{multiply ? operation::product : operation::sum, "boosted", 0, {}};
    both.children.push_back(std::move(before));
    both.children.push_back(std::move(boost));
    both.value = recompute(both);
    explanation score{operation::round, "boost", 0, {}};
    score.children.push_back(std::move(both));
    score.value = recompute(score);
    return score;
}

} // namespace detail
TRAWL_END_NAMESPACE
