// SPDX-License-Identifier: MIT
#pragma once

/// A stage that keeps the best few chunks of each document.

#include <concepts>
#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <trawl/core/holding.hpp>
#include <trawl/rerank/stage.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

void check_best_of_group(std::size_t best);

/// Keeps the first `best` hits of each group.
/// @param hashes  One for each candidate.
/// @param same    Whether two candidates, by position, are of one group.
[[nodiscard]] ranking keep_best_of_groups(ranking candidates, std::span<std::size_t const> hashes,
    function_ref<bool(std::size_t, std::size_t)> same, std::size_t best, trace_ref trace);

} // namespace detail

/// Keeps the first `best` candidates of each parent, in their order, with their scores. In a
/// pipeline, the arms are asked for more until as many candidates are kept as the window is large,
/// or the matches are used up.
///
///     .then(trawl::group_by_parent{[&](trawl::doc_id id) { return parents[id]; }})
/// @tparam Parent  The holder of a callable (core/holding.hpp); deduced. Called with a doc_id, it
/// returns the parent: anything that std::hash takes, such as an id, or a view of a key that lives
/// through the search.
template <class Parent>
class group_by_parent {
public:
    /// @throws trawl::error (invalid_argument) if best is 0 or parent_of a null shared_ptr.
    template <class P>
        requires(!std::same_as<std::remove_cvref_t<P>, group_by_parent>
                    && std::same_as<detail::held<P>, Parent>
                    && std::invocable<detail::held_target<P> const&, doc_id>)
    explicit group_by_parent(P&& parent_of, std::size_t best = 1)
        : parent_of_((detail::require_object(parent_of, "group_by_parent: parent_of"),
            std::forward<P>(parent_of))),
          best_(best) {
        detail::check_best_of_group(best);
    }

    /// It drops hits and leaves the scores of the others as they are.
    static constexpr bool keeps_scores = true;

    /// O(n).
    [[nodiscard]] ranking operator()(query const&, ranking const& candidates,
        search_options const& = {}, trace_ref trace = {}) const {
        using parent = std::decay_t<decltype(parent_of_.get()(doc_id{}))>;
        std::vector<parent> parents;
        std::vector<std::size_t> hashes;
        for (auto const& h : candidates) {
            parents.push_back(parent_of_.get()(h.id));
            hashes.push_back(std::hash<parent>{}(parents.back()));
        }
        auto const same = [&](std::size_t a, std::size_t b) { return parents[a] == parents[b]; };
        return detail::keep_best_of_groups(candidates, hashes, same, best_, trace);
    }

    /// How many of these candidates it keeps, whatever their order. A pipeline reads it.
    [[nodiscard]] std::size_t count_kept(std::span<doc_id const> candidates) const {
        ranking hits;
        for (auto const id : candidates) hits.push_back({id, 0});
        return (*this)({}, std::move(hits)).size();
    }

    [[nodiscard]] explanation explain(
        query const&, stage_step const&, std::size_t, explanation given) const {
        return given;
    }

private:
    Parent parent_of_;
    std::size_t best_;
};

template <class P>
group_by_parent(P&&) -> group_by_parent<detail::held<P>>;
template <class P>
group_by_parent(P&&, std::size_t) -> group_by_parent<detail::held<P>>;

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/rerank/detail/group_by_parent_inl.hpp>
#endif
