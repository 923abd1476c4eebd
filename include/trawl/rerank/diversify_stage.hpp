// SPDX-License-Identifier: MIT
#pragma once

/// Diversifying: a rule picks among the first candidates so that they differ, the others follow.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/core/placed.hpp>
#include <trawl/rerank/stage.hpp>

TRAWL_BEGIN_NAMESPACE

struct diversify_options {
    std::size_t depth = 100; ///< candidates among which the rule picks, at most
    /// hits that leave the stage, at most
    std::size_t keep = (std::numeric_limits<std::size_t>::max)();
};

/// Lets a rule pick among the first min(depth, candidates) hits, all of them, whatever k: the
/// beginning of the pick is the same for any k. What it does not pick and what lies beyond depth
/// follows in its old order, each one float step below the hit before. The rule is copied; vectors
/// are borrowed, owned or shared as they are given.
/// @throws trawl::error (model) if the rule picks what is no candidate or picks it twice.
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

    [[nodiscard]] ranking operator()(
        query const& q, ranking candidates, search_options const& options = {}) const {
        stage_trace trace;
        return (*this)(q, std::move(candidates), options, trace);
    }

    [[nodiscard]] ranking operator()(query const& q, ranking candidates,
        search_options const& options, stage_trace& trace) const {
        trace.name = "diversify";
        trace.partial = options.stopped();
        auto const depth = (std::min)(options_.depth, candidates.size());
        if (depth > 0 && !trace.partial) {
            auto const considered = std::span<hit const>(candidates).first(depth);
            auto const matrix = gather(considered, trace);
            auto picked = rule_(q, considered, matrix.view(), depth);
            trace.scored = picked.size();
            candidates = picked_first(std::move(picked), candidates, depth);
            place_rest(candidates, trace.scored);
        }
        if (candidates.size() > options_.keep) candidates.resize(options_.keep);
        return candidates;
    }

    /// The rule's own explanation, where it has a member explain(q, candidates, vectors, k, id)
    /// whose value is the score to the bit. Why the document was a candidate is hung under the node
    /// whose role is relevance; where there is none, the two stand beside each other.
    [[nodiscard]] explanation explain(
        query const& q, stage_step const& step, std::size_t position, explanation given) const {
        if (position >= step.trace.scored)
            return detail::explain_rest(step, position, std::move(given));
        auto const picked = step.out[position];
        if constexpr (requires(std::span<hit const> candidates, matrix_view<float const> rows) {
                          {
                              rule_.explain(q, candidates, rows, std::size_t{}, picked.id)
                          } -> std::same_as<explanation>;
                      }) {
            stage_trace unused;
            auto const depth = (std::min)(options_.depth, step.in.size());
            auto const considered = std::span<hit const>(step.in).first(depth);
            auto const matrix = gather(considered, unused);
            auto own = rule_.explain(q, considered, matrix.view(), depth, picked.id);
            if (detail::same_bits(own.value, static_cast<double>(picked.score))) {
                if (hang(own, given)) return own;
                auto node = detail::opaque_score(
                    picked.score, "diversify: the pick's value", std::move(given));
                node.children.insert(node.children.begin(), std::move(own));
                return node;
            }
        }
        return detail::opaque_score(picked.score, "diversify: the pick's value", std::move(given));
    }

private:
    struct gathered {
        std::vector<float> values;
        std::size_t rows;
        std::size_t dim;
        [[nodiscard]] matrix_view<float const> view() const noexcept {
            return {values.data(), rows, dim};
        }
    };

    [[nodiscard]] gathered gather(std::span<hit const> hits, stage_trace& trace) const {
        auto const& source = vectors_.get();
        std::size_t const dim = source.dim();
        gathered matrix{std::vector<float>(hits.size() * dim), hits.size(), dim};
        std::size_t absent = 0;
        for (std::size_t i = 0; i < hits.size(); ++i) {
            auto const row = std::span(matrix.values).subspan(i * dim, dim);
            if (!source.copy_vector(hits[i].id, row)) {
                std::fill(row.begin(), row.end(), 0.0f);
                ++absent;
            }
        }
        if (absent > 0) trace.notes.push_back(detail::join(absent, " candidates have no vector"));
        return matrix;
    }

    // Hangs `given` under the first node of role relevance that is given, not computed.
    [[nodiscard]] static bool hang(explanation& node, explanation& given) {
        auto const given_as = node.op == operation::leaf || node.op == operation::opaque;
        if (given_as && node.role == node_role::relevance) {
            node.op = operation::opaque;
            node.children.push_back(std::move(given));
            return true;
        }
        return std::any_of(node.children.begin(), node.children.end(),
            [&](explanation& part) { return hang(part, given); });
    }

    // The picks, then all others in their old order and with their old scores.
    [[nodiscard]] static ranking picked_first(
        ranking picked, ranking const& all, std::size_t depth) {
        struct slot {
            doc_id id;
            std::size_t position;
        };
        std::vector<slot> slots;
        slots.reserve(depth);
        for (std::size_t i = 0; i < depth; ++i) slots.push_back({all[i].id, i});
        auto const by_id = [](slot const& a, slot const& b) { return a.id < b.id; };
        std::sort(slots.begin(), slots.end(), by_id);
        std::vector<char> taken(depth);
        for (auto const& h : picked) {
            auto const at = std::lower_bound(slots.begin(), slots.end(), slot{h.id, 0}, by_id);
            if (at == slots.end() || at->id != h.id)
                detail::fail(errc::model,
                    detail::join("diversify: picked document ", h.id, " is no candidate"));
            if (std::exchange(taken[at->position], char{1}) != 0)
                detail::fail(
                    errc::model, detail::join("diversify: document ", h.id, " was picked twice"));
        }
        picked.reserve(all.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            if (i >= depth || taken[i] == 0) picked.push_back(all[i]);
        return picked;
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
