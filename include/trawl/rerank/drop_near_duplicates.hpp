// SPDX-License-Identifier: MIT
#pragma once

/// A stage that drops hits that are almost the same as one before them.

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include <trawl/core/concepts.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/rerank/stage.hpp>

TRAWL_BEGIN_NAMESPACE

struct near_duplicate_options {
    /// A candidate at least this similar to one that is kept is dropped; in (0, 1].
    double cosine = 0.95;
    std::size_t depth = 100; ///< at most so many candidates are compared; those beyond stay
};

namespace detail {

void check_near_duplicates(near_duplicate_options const& options);

[[nodiscard]] ranking drop_similar(ranking candidates, std::size_t dim,
    function_ref<bool(doc_id, std::span<float>)> copy_vector, near_duplicate_options const& how,
    trace_ref trace);

} // namespace detail

/// Drops every candidate whose vector has at least the given cosine to that of a candidate kept
/// before it. Order and scores of the others stay. A candidate without a vector (or with zeros)
/// stays. In a pipeline, the arms are asked for more until as many candidates are kept as the
/// window is large, or the matches are used up. The vectors are held as pipelines hold their parts
/// (core/holding.hpp).
///
///     .then(trawl::drop_near_duplicates{dense, {.cosine = 0.97}})
template <class Vectors>
class drop_near_duplicates {
public:
    /// @throws trawl::error (invalid_argument) if the cosine is outside (0, 1] or vectors a null
    /// shared_ptr.
    template <class V>
        requires(!std::same_as<std::remove_cvref_t<V>, drop_near_duplicates>
                    && std::same_as<detail::held<V>, Vectors>
                    && vector_source<detail::held_target<V>>)
    explicit drop_near_duplicates(V&& vectors, near_duplicate_options options = {})
        : vectors_((detail::require_object(vectors, "drop_near_duplicates: the vector source"),
            std::forward<V>(vectors))),
          options_(options) {
        detail::check_near_duplicates(options);
    }

    /// It drops hits and leaves the scores of the others as they are.
    static constexpr bool keeps_scores = true;

    /// O(n kept dim) time, O(n dim) memory for n = min(depth, candidates).
    /// @throws trawl::error (not_finite) naming the document whose vector has NaN or infinity.
    [[nodiscard]] ranking operator()(query const&, ranking const& candidates,
        search_options const& = {}, trace_ref trace = {}) const {
        auto const copy = [&](doc_id id, std::span<float> out) {
            return vectors_.get().copy_vector(id, out);
        };
        return detail::drop_similar(candidates, vectors_.get().dim(), copy, options_, trace);
    }

    /// How many of these candidates it keeps; exact for the order given. A pipeline reads it.
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
    Vectors vectors_;
    near_duplicate_options options_;
};

template <class V>
drop_near_duplicates(V&&) -> drop_near_duplicates<detail::held<V>>;
template <class V>
drop_near_duplicates(V&&, near_duplicate_options) -> drop_near_duplicates<detail::held<V>>;

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/rerank/detail/drop_near_duplicates_inl.hpp>
#endif
