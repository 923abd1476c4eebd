// SPDX-License-Identifier: MIT
#pragma once

/// Diversifying: a rule picks among the first candidates so that they differ, the others follow.

#include <concepts>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>

#include <trawl/core/concepts.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/rerank/stage.hpp>

TRAWL_BEGIN_NAMESPACE

struct diversify_options {
    std::size_t depth = 100; ///< candidates among which the rule picks, at most
    /// hits that leave the stage, at most
    std::size_t keep = (std::numeric_limits<std::size_t>::max)();
};

namespace detail {

/// Vectors and a rule, their types erased.
struct diversify_calls {
    using explain_pick = function_ref<explanation(
        std::span<hit const>, matrix_view<float const>, std::size_t k, doc_id id)>;

    std::size_t dim;
    function_ref<bool(doc_id, std::span<float>)> copy_vector;
    function_ref<ranking(std::span<hit const>, matrix_view<float const>, std::size_t k)> pick;
    explain_pick const* explain; ///< null: the rule cannot
};

[[nodiscard]] ranking diversify(diversify_calls const& calls, ranking candidates,
    search_options const& options, diversify_options const& how, trace_ref trace);

[[nodiscard]] explanation explain_diversified(diversify_calls const& calls,
    diversify_options const& how, stage_step const& step, std::size_t position, explanation given);

} // namespace detail

/// Lets a rule pick among the first min(depth, candidates) hits. It picks among all of them
/// whatever k is, so that a larger k never changes the first picks. What it does not pick and what
/// lies beyond depth follows in its old order, each hit one float step below the one before. The
/// rule is copied; vectors are held as pipelines hold their parts (core/holding.hpp).
/// @throws trawl::error (model) if the rule picks a document that is no candidate, or one twice.
/// @par Complexity That of the rule; O(depth * dim) memory.
template <diversifier Rule, class Vectors>
class diversify_stage {
public:
    template <class V>
        requires(std::same_as<detail::held<V>, Vectors> && vector_source<detail::held_target<V>>)
    diversify_stage(Rule rule, V&& vectors, diversify_options options = {})
        : rule_(std::move(rule)),
          vectors_((detail::require_object(vectors, "diversify: the vector source"),
              std::forward<V>(vectors))),
          options_(options) {}

    [[nodiscard]] ranking operator()(query const& q, ranking candidates,
        search_options const& options = {}, trace_ref trace = {}) const {
        return call(q, [&](detail::diversify_calls const& calls) {
            return detail::diversify(calls, std::move(candidates), options, options_, trace);
        });
    }

    /// The rule's own explanation, where it has a member explain(q, candidates, vectors, k, id)
    /// whose value is the score to the bit. The explanation of the candidate is hung under the
    /// first node of role relevance that was given, not computed; where there is none, the two
    /// stand beside each other.
    [[nodiscard]] explanation explain(
        query const& q, stage_step const& step, std::size_t position, explanation given) const {
        return call(q, [&](detail::diversify_calls const& calls) {
            return detail::explain_diversified(calls, options_, step, position, std::move(given));
        });
    }

private:
    template <class Use>
    [[nodiscard]] auto call(query const& q, Use const& use) const {
        using row = std::span<float>;
        using hits = std::span<hit const>;
        using rows = matrix_view<float const>;
        auto const copy = [&](doc_id id, row out) { return vectors_.get().copy_vector(id, out); };
        auto const pick = [&](hits all, rows vectors, std::size_t k) {
            return rule_(q, all, vectors, k);
        };
        if constexpr (requires(hits all, rows vectors, std::size_t k, doc_id id) {
                          { rule_.explain(q, all, vectors, k, id) } -> std::same_as<explanation>;
                      }) {
            auto const explain = [&](hits all, rows vectors, std::size_t k, doc_id id) {
                return rule_.explain(q, all, vectors, k, id);
            };
            detail::diversify_calls::explain_pick const own = explain;
            return use(detail::diversify_calls{vectors_.get().dim(), copy, pick, &own});
        } else {
            return use(detail::diversify_calls{vectors_.get().dim(), copy, pick, nullptr});
        }
    }

    Rule rule_;
    Vectors vectors_;
    diversify_options options_;
};

template <class Rule, class V>
diversify_stage(Rule, V&&) -> diversify_stage<Rule, detail::held<V>>;
template <class Rule, class V>
diversify_stage(Rule, V&&, diversify_options) -> diversify_stage<Rule, detail::held<V>>;

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/rerank/detail/diversify_stage_inl.hpp>
#endif
