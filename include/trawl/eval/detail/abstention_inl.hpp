// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of abstention.hpp.

#include <trawl/eval/abstention.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_INLINE double abstention::balanced_accuracy() const noexcept {
    auto const with = answered + silenced;
    auto const without = abstained + invented;
    auto const share = [](std::size_t part, std::size_t all) {
        return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
    };
    auto const sum = share(answered, with) + share(abstained, without);
    return with > 0 && without > 0 ? sum / 2 : sum;
}

namespace detail {

inline void judge_floor(
    abstention& out, answerable const& query, std::optional<float> floor) noexcept {
    bool const answers = query.best_score && (!floor || *query.best_score >= *floor);
    ++(query.has_answer ? (answers ? out.answered : out.silenced)
                        : (answers ? out.invented : out.abstained));
}

} // namespace detail

TRAWL_INLINE abstention judge_abstention(
    std::span<answerable const> queries, std::optional<float> floor) noexcept {
    abstention out;
    for (auto const& q : queries) detail::judge_floor(out, q, floor);
    return out;
}

namespace detail {

// The effect of a floor at `score`, one of those found; the lowest has the effect of no floor.
struct floor_effect {
    float score = 0;
    std::size_t queries = 0; ///< whose best score this is
    abstention counts = {};
};

// Of every distinct best score, ascending.
[[nodiscard]] inline std::vector<floor_effect> floor_effects(
    std::span<answerable const> queries, std::string_view function) {
    struct point {
        float score;
        bool has_answer;
    };
    std::vector<point> points;
    for (auto const& q : queries) {
        if (!q.best_score) continue;
        if (!is_finite(*q.best_score))
            fail(errc::not_finite, join(function, ": a score is ", *q.best_score));
        points.push_back({*q.best_score, q.has_answer});
    }
    std::sort(points.begin(), points.end(),
        [](point const& a, point const& b) { return a.score < b.score; });
    auto counts = judge_abstention(queries, std::nullopt);
    std::vector<floor_effect> out;
    for (std::size_t i = 0; i < points.size();) {
        auto& floor = out.emplace_back(floor_effect{points[i].score, 0, counts});
        for (; i < points.size() && points[i].score == floor.score; ++i, ++floor.queries) {
            if (points[i].has_answer) {
                --counts.answered;
                ++counts.silenced;
            } else {
                --counts.invented;
                ++counts.abstained;
            }
        }
    }
    return out;
}

// The balanced accuracy if one query is left out, of this kind, that was answered or not.
[[nodiscard]] inline double accuracy_without(
    abstention counts, bool has_answer, bool answers) noexcept {
    auto& count = has_answer ? (answers ? counts.answered : counts.silenced)
                             : (answers ? counts.invented : counts.abstained);
    if (count == 0) return 0; // there is no such query
    --count;
    return counts.balanced_accuracy();
}

} // namespace detail

TRAWL_INLINE std::optional<float> calibrated_floor(std::span<answerable const> queries) {
    auto best = judge_abstention(queries, std::nullopt).balanced_accuracy();
    std::optional<float> floor;
    for (auto const& f : detail::floor_effects(queries, "calibrated_floor")) {
        auto const accuracy = f.counts.balanced_accuracy();
        if (accuracy <= best) continue;
        best = accuracy;
        floor = f.score;
    }
    return floor;
}

TRAWL_INLINE abstention leave_one_out_abstention(std::span<answerable const> queries) {
    // Leaving a query out changes the counts of all floors that answer it alike, and those of all
    // that silence it. So it is answered if the best of the former, no floor included, is at least
    // as good as the best of the latter: of equal floors the lowest is taken.
    auto const floors = detail::floor_effects(queries, "leave_one_out_abstention");
    auto const n = floors.size();
    abstention out;
    for (bool const kind : {false, true}) {
        std::vector<double> answering(n);     // the best of floors 0 to f
        std::vector<double> silencing(n + 1); // the best of floors from f on
        for (std::size_t f = 0; f < n; ++f) {
            auto const own = detail::accuracy_without(floors[f].counts, kind, true);
            answering[f] = f == 0 ? own : (std::max)(own, answering[f - 1]);
        }
        silencing[n] = -1; // no floor is that high
        for (auto f = n; f-- > 0;) {
            silencing[f] = (std::max)(
                detail::accuracy_without(floors[f].counts, kind, false), silencing[f + 1]);
        }
        for (auto const& q : queries) {
            if (q.has_answer != kind) continue;
            bool answers = false;
            if (q.best_score) {
                auto const own = static_cast<std::size_t>(
                    std::lower_bound(floors.begin(), floors.end(), *q.best_score,
                        [](detail::floor_effect const& f, float s) { return f.score < s; })
                    - floors.begin());
                // Its own score is no floor if no other query has it; 0 stands for no floor.
                auto const last = floors[own].queries > 1 || own == 0 ? own : own - 1;
                answers = answering[last] >= silencing[own + 1];
            }
            ++(kind ? (answers ? out.answered : out.silenced)
                    : (answers ? out.invented : out.abstained));
        }
    }
    return out;
}

TRAWL_END_NAMESPACE
