// SPDX-License-Identifier: MIT
#pragma once

/// A stage that keeps the best few chunks of each document.

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include <trawl/core/explanation.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/error.hpp>
#include <trawl/rerank/stage.hpp>

TRAWL_BEGIN_NAMESPACE

/// Keeps the first `best` candidates of each parent, in their order, with their scores. In a pipeline,
/// the arms are asked for more until as many candidates are kept as the window is large, or the
/// matches are used up.
///     .then(trawl::group_by_parent{[&](trawl::doc_id id) { return parents[id]; }})
/// @tparam Parent Held as pipelines hold their parts: callable with a doc_id, gives the parent:
/// anything that
///                 std::hash takes, such as an id or a view of a key that lives through the search.
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
        if (best == 0)
            detail::fail(errc::invalid_argument, "group_by_parent: best is 0, must be >= 1");
    }

    /// It drops hits and leaves the scores of the others as they are.
    static constexpr bool keeps_scores = true;

    [[nodiscard]] ranking operator()(
        query const& q, ranking candidates, search_options const& options = {}) const {
        stage_trace trace;
        return (*this)(q, std::move(candidates), options, trace);
    }

    /// O(n).
    [[nodiscard]] ranking operator()(
        query const&, ranking candidates, search_options const&, stage_trace& trace) const {
        trace.name = "group_by_parent";
        std::unordered_map<parent, std::size_t> seen;
        std::size_t kept = 0;
        for (auto const& h : candidates) {
            if (++seen[parent_of_.get()(h.id)] <= best_) candidates[kept++] = h;
        }
        if (kept < candidates.size()) {
            trace.notes.push_back(detail::join(candidates.size() - kept,
                " candidates dropped, their parents have ", best_, " before them"));
        }
        candidates.resize(kept);
        return candidates;
    }

    /// How many of these candidates it keeps, in whatever order they come. A pipeline reads it.
    [[nodiscard]] std::size_t count_kept(std::span<doc_id const> candidates) const {
        std::unordered_map<parent, std::size_t> seen;
        std::size_t kept = 0;
        for (auto const id : candidates)
            if (++seen[parent_of_.get()(id)] <= best_) ++kept;
        return kept;
    }

    [[nodiscard]] explanation explain(
        query const&, stage_step const&, std::size_t, explanation given) const {
        return given;
    }

private:
    using parent = std::decay_t<decltype(std::declval<Parent const&>().get()(doc_id{}))>;

    Parent parent_of_;
    std::size_t best_;
};

template <class P>
group_by_parent(P&&) -> group_by_parent<detail::held<P>>;
template <class P>
group_by_parent(P&&, std::size_t) -> group_by_parent<detail::held<P>>;

TRAWL_END_NAMESPACE
