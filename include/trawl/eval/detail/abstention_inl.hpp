// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of abstention.hpp.

#include <trawl/eval/abstention.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
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

TRAWL_INLINE std::optional<float> calibrated_floor(std::span<answerable const> queries) {
    struct point {
        float score;
        bool has_answer;
    };
    std::vector<point> points;
    for (auto const& q : queries) {
        if (!q.best_score) continue;
        if (!detail::is_finite(*q.best_score)) {
            detail::fail(
                errc::not_finite, detail::join("calibrated_floor: a score is ", *q.best_score));
        }
        points.push_back({*q.best_score, q.has_answer});
    }
    std::sort(points.begin(), points.end(),
        [](point const& a, point const& b) { return a.score < b.score; });
    auto counts = judge_abstention(queries, std::nullopt);
    auto best = counts.balanced_accuracy();
    std::optional<float> floor;
    for (std::size_t i = 0; i < points.size();) { // the floor passes all points of this score
        auto const below = points[i].score;
        for (; i < points.size() && points[i].score == below; ++i) {
            if (points[i].has_answer) {
                --counts.answered;
                ++counts.silenced;
            } else {
                --counts.invented;
                ++counts.abstained;
            }
        }
        if (i < points.size() && counts.balanced_accuracy() > best) {
            best = counts.balanced_accuracy();
            floor = points[i].score;
        }
    }
    return floor;
}

TRAWL_INLINE abstention leave_one_out_abstention(std::span<answerable const> queries) {
    abstention out;
    std::vector<answerable> others(queries.begin(), queries.end());
    for (std::size_t i = 0; i < queries.size(); ++i) {
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        detail::judge_floor(out, queries[i], calibrated_floor(others));
        others.insert(others.begin() + static_cast<std::ptrdiff_t>(i), queries[i]);
    }
    return out;
}

TRAWL_END_NAMESPACE
