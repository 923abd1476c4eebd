// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of failure_analysis.hpp.

#include <trawl/eval/failure_analysis.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

#include <trawl/core/filter.hpp>
#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/judgements.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_INLINE failure find_failure(searched_query const& q, judgements const& judged, int level) {
    if (q.k == 0) detail::fail(errc::invalid_argument, "find_failure: k must be >= 1, is 0");
    auto const relevant = [&](doc_id id) {
        return judged.grade(id).value_or(-1) >= (std::max)(level, 0);
    };
    auto const rank_in = [&](std::span<hit const> hits) -> std::optional<std::size_t> {
        for (std::size_t i = 0; i < hits.size(); ++i) {
            if (relevant(hits[i].id) && q.where.admits(hits[i].id)) return i + 1;
        }
        return std::nullopt;
    };
    failure out;
    for (auto const& arm : q.arms) {
        auto const rank = rank_in(arm);
        if (rank && (!out.arm_rank || *rank < *out.arm_rank)) out.arm_rank = rank;
    }
    out.ranked_rank = rank_in(q.ranked);
    out.result_rank = rank_in(q.result);
    auto const known = judged.all();
    auto const passes = [&](judgement const& j) { return relevant(j.id) && q.where.admits(j.id); };
    if (out.result_rank && *out.result_rank <= q.k) {
        out.stage = lost_in::nowhere;
    } else if (judged.count(level) == 0) {
        out.stage = lost_in::unanswerable;
    } else if (std::none_of(known.begin(), known.end(), passes)) {
        out.stage = lost_in::filtering;
    } else if (!out.arm_rank && !out.ranked_rank) {
        out.stage = lost_in::finding;
    } else if (!q.depth || !out.ranked_rank || *out.ranked_rank > *q.depth) {
        out.stage = lost_in::ordering;
    } else {
        out.stage = lost_in::reranking;
    }
    return out;
}

TRAWL_INLINE table to_table(std::span<failure const> failures) {
    constexpr std::string_view advice[] = {"", "abstain below a floor",
        "check the filter and the metadata", "widen the window, add an arm, improve the texts",
        "rerank more candidates, tune the fusion, add a reranker", "another reranker, or none"};
    static_assert(std::size(advice) == enum_count<lost_in>);
    table out{
        .title = "Where queries are lost", .columns = {"lost in", "queries", "share", "remedy"}};
    for (std::size_t i = 0; i < enum_count<lost_in>; ++i) {
        auto const stage = static_cast<lost_in>(i);
        auto const count = std::count_if(
            failures.begin(), failures.end(), [&](failure const& f) { return f.stage == stage; });
        auto const share = failures.empty()
                               ? 0
                               : static_cast<double>(count) / static_cast<double>(failures.size());
        out.add({name_of(stage), count, share, advice[i]});
    }
    return out;
}

TRAWL_END_NAMESPACE
