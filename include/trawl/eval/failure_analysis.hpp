// SPDX-License-Identifier: MIT
#pragma once

/// Where a search loses the answer to a question.

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

enum class lost_in : unsigned char {
    nowhere,   ///< a relevant document is among the first k
    no_answer, ///< the question has no relevant document
    filtering, ///< there are relevant documents, and the filter admits none of them
    finding,   ///< no arm found one that the filter admits
    /// one was found, and stood below what the reranker, or without one the reader, looks at
    ordering,
    reranking, ///< the reranker or a later stage was given one, and put it below k
};

[[nodiscard]] constexpr std::string_view name_of(lost_in where) noexcept {
    constexpr std::string_view names[] = {
        "nowhere", "no answer", "filtering", "finding", "ranking", "reranking"};
    return names[static_cast<unsigned char>(where)];
}

/// What a search did for one question. Rankings are borrowed.
struct searched_question {
    std::span<ranking const> arms = {}; ///< what each arm returned
    /// after fusion, before any later stage; with one arm, its ranking
    std::span<hit const> ranked = {};
    std::optional<std::size_t> depth =
        /// candidates that the first later stage is given; none without one
        {};
    std::span<hit const> result = {}; ///< in the end
    std::size_t k = 10;               ///< how much of it the reader looks at
    filter where = {};
};
struct failure {
    lost_in where = lost_in::nowhere;
    std::optional<std::size_t> arm_rank =
        {}; ///< best rank of a relevant, admitted document in any arm, from 1
    std::optional<std::size_t> ranked_rank = {}; ///< after fusion
    std::optional<std::size_t> result_rank = {}; ///< in the end
};

/// Follows the relevant documents of a question through a search.
/// @throws trawl::error (invalid_argument) if k is 0.
[[nodiscard]] failure find_failure(
    searched_question const& q, judgements const& judged, int level = 1);

/// How many questions were lost where, and what that suggests.
[[nodiscard]] table to_table(std::span<failure const> failures);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/failure_analysis_inl.hpp>
#endif
