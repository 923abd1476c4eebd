// SPDX-License-Identifier: MIT
#pragma once

/// Score completion: what an arm would give the documents that only other arms found is computed,
/// not guessed.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <span>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/pipeline/detail/arm.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Every document of the answers once, ascending.
[[nodiscard]] inline std::vector<doc_id> documents_of(std::span<arm_answer const> answers) {
    std::vector<doc_id> ids;
    for (auto const& answer : answers)
        for (auto const& h : answer.hits) ids.push_back(h.id);
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

/// Adds to an arm's hits its scores of the other documents of the union, in the order of by_rank.
/// Documents that the arm lacks stay missing. An arm that found nothing stays empty: it says
/// nothing about the question, while equal scores of 0 for all would.
/// @throws trawl::error (model) if the arm scores what it was not asked for, or out of order, or
/// not finitely.
/// @par Complexity That of score() for the missing documents, and O(u log u) for a union of u.
template <retriever Arm>
void complete(Arm const& arm, arm_place place, query const& q, std::span<doc_id const> all,
    search_options const& options, log_level level, arm_answer& answer) {
    if (answer.hits.empty()) return;
    std::vector<doc_id> own;
    own.reserve(answer.hits.size());
    for (auto const& h : answer.hits) own.push_back(h.id);
    std::sort(own.begin(), own.end());
    std::vector<doc_id> missing;
    std::set_difference(
        all.begin(), all.end(), own.begin(), own.end(), std::back_inserter(missing));
    if (missing.empty()) return;
    auto const note_missing = [&] {
        if (level != log_level::result)
            answer.trace.notes.push_back(
                join("cannot score: ", missing.size(), " documents stay missing"));
    };
    if constexpr (requires {
                      { arm.can_score() } -> std::same_as<bool>;
                  }) {
        if (!arm.can_score()) return note_missing(); // known only at run time
    }
    if constexpr (scoring_retriever<Arm>) {
        stopwatch const watch(level);
        auto const scored = arm.score(q, std::span<doc_id const>(missing), options);
        auto next = missing.begin();
        for (auto const& h : scored) {
            next = std::find(next, missing.end(), h.id);
            if (next == missing.end()) {
                fail(errc::model, join("hybrid_search: ", place.name(), " scored document ", h.id,
                                      " unasked, twice or out of order"));
            }
            ++next;
            if (!is_finite(h.score))
                fail(errc::model, join("hybrid_search: ", place.name(), " scored document ", h.id,
                                      " as ", h.score));
        }
        answer.hits.insert(answer.hits.end(), scored.begin(), scored.end());
        std::sort(answer.hits.begin(), answer.hits.end(), by_rank{});
        answer.trace.scored = scored.size();
        answer.trace.candidates_out = answer.hits.size();
        answer.trace.seconds += watch.seconds();
    } else {
        note_missing();
    }
}

} // namespace detail
TRAWL_END_NAMESPACE
