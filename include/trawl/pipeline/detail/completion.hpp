// SPDX-License-Identifier: MIT
#pragma once

/// Score completion: what an arm would give the documents that only other arms found is computed,
/// not guessed.

#include <algorithm>
#include <cstddef>

#include <trawl/core/top_k.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/pipeline/detail/arm.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Every document of the answers once, ascending.
[[nodiscard]] inline buffer<doc_id> documents_of(array_ref<arm_answer const> answers) {
    std::size_t count = 0;
    for (auto const& answer : answers) count += answer.hits.size();
    buffer<doc_id> ids;
    ids.reserve(count);
    for (auto const& answer : answers)
        for (auto const& h : answer.hits) ids.push_back(h.id);
    std::sort(ids.begin(), ids.end());
    std::size_t kept = 0;
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (i == 0 || ids[i] != ids[i - 1]) ids[kept++] = ids[i];
    ids.resize(kept);
    return ids;
}

/// Adds to an arm's hits its scores of the other documents of the union, in the order of by_rank.
/// Documents that the arm lacks stay missing. An arm that found nothing stays empty: it says
/// nothing about the query, while equal scores of 0 for all would.
/// @param all  The union, ascending.
/// @throws trawl::error (model) if the arm scores a document that it was not asked for, or out of
/// order, or not finitely.
/// @par Complexity That of score() for the missing documents, and O(u log u) for a union of u.
inline void complete(arm_ref arm, arm_place place, query const& q, array_ref<doc_id const> all,
    search_options const& options, log_level level, arm_answer& answer) {
    if (answer.hits.empty()) return;
    buffer<doc_id> own;
    own.reserve(answer.hits.size());
    for (auto const& h : answer.hits) own.push_back(h.id);
    std::sort(own.begin(), own.end());
    buffer<doc_id> missing;
    std::size_t passed = 0;
    for (auto const id : all) {
        while (passed < own.size() && own[passed] < id) ++passed;
        if (passed == own.size() || own[passed] != id) missing.push_back(id);
    }
    if (missing.empty()) return;
    if (arm.call->score == nullptr) {
        if (level != log_level::result) {
            answer.trace.notes.push_back(
                join("cannot score: ", missing.size(), " documents stay missing"));
        }
        return;
    }
    stopwatch const watch(level);
    auto const scored = arm.call->score(arm.object, q, {missing.data(), missing.size()}, options);
    std::size_t next = 0;
    for (auto const& h : scored) {
        while (next < missing.size() && missing[next] != h.id) ++next;
        if (next == missing.size()) {
            fail(errc::model, join("hybrid_search: ", place.name(), " scored document ", h.id,
                                  " unasked, twice or out of order"));
        }
        ++next;
        if (!is_finite(h.score)) {
            fail(errc::model,
                join("hybrid_search: ", place.name(), " scored document ", h.id, " as ", h.score));
        }
    }
    answer.hits.insert(answer.hits.end(), scored.begin(), scored.end());
    keep_best(answer.hits, answer.hits.size());
    answer.trace.scored = scored.size();
    answer.trace.candidates_out = answer.hits.size();
    answer.trace.seconds += watch.seconds();
}

} // namespace detail
TRAWL_END_NAMESPACE
