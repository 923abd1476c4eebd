// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of failure_analysis.hpp.

#include <trawl/eval/failure_analysis.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include <trawl/core/filter.hpp>
#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/judgements.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_INLINE failure find_failure(searched_question const& q, judgements const& judged, int level) {
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
        out.where = lost_in::nowhere;
    } else if (judged.count(level) == 0) {
        out.where = lost_in::no_answer;
    } else if (std::none_of(known.begin(), known.end(), passes)) {
        out.where = lost_in::filtering;
    } else if (!out.arm_rank && !out.ranked_rank) {
        out.where = lost_in::finding;
    } else if (!q.depth || !out.ranked_rank || *out.ranked_rank > *q.depth) {
        out.where = lost_in::ordering;
    } else {
        out.where = lost_in::reranking;
    }
    return out;
}

TRAWL_INLINE table to_table(std::span<failure const> failures) {
    constexpr std::array all{lost_in::nowhere, lost_in::no_answer, lost_in::filtering,
        lost_in::finding, lost_in::ordering, lost_in::reranking};
    constexpr std::array<std::string_view, 6> advice{"", "score by abstention",
        "look at the filter and the metadata", "widen the window, add an arm, mend the texts",
        "more depth, tune the fusion, add a reranker", "another reranker, or none"};
    table out{.title = "Where questions are lost",
        .columns = {"lost in", "questions", "share", "look at"}};
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto const count = std::count_if(
            failures.begin(), failures.end(), [&](failure const& f) { return f.where == all[i]; });
        auto const share = failures.empty()
                               ? 0
                               : static_cast<double>(count) / static_cast<double>(failures.size());
        out.add({name_of(all[i]), count, share, advice[i]});
    }
    return out;
}

TRAWL_END_NAMESPACE
