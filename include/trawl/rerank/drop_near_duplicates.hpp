// SPDX-License-Identifier: MIT
#pragma once

/// A stage that drops what is almost the same as a hit before it.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/rerank/detail/cosines.hpp>
#include <trawl/rerank/stage.hpp>

TRAWL_BEGIN_NAMESPACE

struct near_duplicate_options {
    double cosine = 0.95;    ///< at least so similar to a hit that is kept: dropped; in (0, 1]
    std::size_t depth = 100; ///< candidates that are compared, at most; those beyond stay
};

/// Drops every candidate whose vector has at least the given cosine to one that is kept before it;
/// order and scores of the others stay. A candidate without a vector (or of zeros) stays. The
/// vectors are held as pipelines hold their parts.
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
        if (!detail::is_finite(options.cosine) || options.cosine <= 0 || options.cosine > 1) {
            detail::fail(errc::invalid_argument, detail::join("drop_near_duplicates: cosine is ",
                                                     options.cosine, ", must be in (0, 1]"));
        }
    }

    /// It drops hits and leaves the scores of the others as they are.
    static constexpr bool keeps_scores = true;

    [[nodiscard]] ranking operator()(
        query const& q, ranking candidates, search_options const& options = {}) const {
        stage_trace trace;
        return (*this)(q, std::move(candidates), options, trace);
    }

    /// O(n kept dim) time, O(n dim) memory for n = min(depth, candidates).
    [[nodiscard]] ranking operator()(
        query const&, ranking candidates, search_options const&, stage_trace& trace) const {
        trace.name = "drop_near_duplicates";
        auto const& source = vectors_.get();
        std::size_t const dim = source.dim();
        auto const depth = (std::min)(options_.depth, candidates.size());
        std::vector<float> values(depth * dim);
        for (std::size_t i = 0; i < depth; ++i) {
            auto const row = std::span(values).subspan(i * dim, dim);
            if (!source.copy_vector(candidates[i].id, row)) std::fill(row.begin(), row.end(), 0.0f);
            auto const bad = detail::first_not_finite(row);
            if (bad < dim) {
                detail::fail(errc::not_finite,
                    detail::join("drop_near_duplicates: the vector of document ", candidates[i].id,
                        " has the value ", row[bad], " at ", bad));
            }
        }
        detail::cosines const cosines(matrix_view<float const>{values.data(), depth, dim});
        std::vector<std::size_t> kept; // positions below depth
        std::size_t end = 0;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            auto const same = [&](std::size_t earlier) {
                return cosines.between(earlier, i) >= options_.cosine;
            };
            if (i < depth && std::any_of(kept.begin(), kept.end(), same)) continue;
            if (i < depth) kept.push_back(i);
            candidates[end++] = candidates[i];
        }
        if (end < candidates.size()) {
            trace.notes.push_back(
                detail::join(candidates.size() - end, " candidates dropped, almost as one before"));
        }
        candidates.resize(end);
        return candidates;
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
