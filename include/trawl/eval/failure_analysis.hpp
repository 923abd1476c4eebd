// SPDX-License-Identifier: MIT
#pragma once

/// The stage in which a search loses the answer to a query.

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include <trawl/core/enum_count.hpp>
#include <trawl/core/filter.hpp>
#include <trawl/core/words.hpp>
#include <trawl/eval/judgements.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE

enum class lost_in : unsigned char {
    nowhere,      ///< a relevant document is among the first k
    unanswerable, ///< the query has no relevant document
    filtering,    ///< there are relevant documents, but the filter admits none of them
    finding,      ///< no arm found a relevant document that the filter admits
    ordering,     ///< one was found, but ranked below what the next stage, or the reader, gets
    reranking,    ///< the reranker or a later stage got one, and ranked it below k
};

template <>
inline constexpr std::size_t enum_count<lost_in> = 6;

/// "nowhere", "no answer", "filtering", "finding", "ranking" (ordering), "reranking".
[[nodiscard]] constexpr std::string_view name_of(lost_in stage) noexcept {
    constexpr std::string_view names[enum_count<lost_in>] = {
        "nowhere", "no answer", "filtering", "finding", "ranking", "reranking"};
    return names[static_cast<unsigned char>(stage)];
}

/// What a search did for one query. The rankings are borrowed.
struct searched_query {
    std::span<ranking const> arms = {};    ///< of each arm
    std::span<hit const> ranked = {};      ///< after fusion, before any later stage
    std::optional<std::size_t> depth = {}; ///< candidates of the first later stage, if there is one
    std::span<hit const> result = {};      ///< after all stages
    std::size_t k = 10;                    ///< how many results the reader sees, at least 1
    filter where = {};
};

/// Ranks, from 1, of the best relevant document that the filter admits; none if it is not there.
struct failure {
    lost_in stage = lost_in::nowhere;
    std::optional<std::size_t> arm_rank = {};    ///< in any arm
    std::optional<std::size_t> ranked_rank = {}; ///< after fusion
    std::optional<std::size_t> result_rank = {}; ///< after all stages
};

/// Follows the relevant documents of a query through a search.
/// @throws trawl::error (invalid_argument) if k is 0.
/// @par Complexity O(n log m), n hits of all rankings and m judgements.
[[nodiscard]] failure find_failure(
    searched_query const& q, judgements const& judged, int level = 1);

/// The number of queries lost in each stage, and what to do about it.
[[nodiscard]] table to_table(std::span<failure const> failures);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/failure_analysis_inl.hpp>
#endif
