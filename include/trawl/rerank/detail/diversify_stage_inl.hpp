// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of rerank/diversify_stage.hpp.

#include <trawl/rerank/diversify_stage.hpp>

#include <algorithm>
#include <vector>

#include <trawl/core/placed.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// The vectors of hits, row by row, zero where a document has none.
struct gathered_vectors {
    gathered_vectors(diversify_calls const& calls, std::span<hit const> hits)
        : values(hits.size() * calls.dim), rows(hits.size()), dim(calls.dim) {
        for (std::size_t i = 0; i < rows; ++i) {
            auto const row = std::span(values).subspan(i * dim, dim);
            if (calls.copy_vector(hits[i].id, row)) continue;
            std::fill(row.begin(), row.end(), 0.0f);
            ++absent;
        }
    }

    [[nodiscard]] matrix_view<float const> view() const noexcept {
        return {values.data(), rows, dim};
    }

    std::vector<float> values;
    std::size_t rows;
    std::size_t dim;
    std::size_t absent = 0;
};

// The picks, then all others in their old order and with their old scores.
[[nodiscard]] inline ranking picked_first(ranking picked, ranking const& all, std::size_t depth) {
    struct slot {
        doc_id id;
        std::size_t position;
    };
    buffer<slot> slots;
    slots.reserve(depth);
    for (std::size_t i = 0; i < depth; ++i) slots.push_back({all[i].id, i});
    auto const by_id = [](slot const& a, slot const& b) { return a.id < b.id; };
    std::sort(slots.begin(), slots.end(), by_id);
    buffer<char> taken(depth);
    for (auto const& h : picked) {
        auto const at = std::lower_bound(slots.begin(), slots.end(), slot{h.id, 0}, by_id);
        if (at == slots.end() || at->id != h.id)
            fail(errc::model, join("diversify: picked document ", h.id, " is no candidate"));
        if (std::exchange(taken[at->position], char{1}) != 0)
            fail(errc::model, join("diversify: document ", h.id, " was picked twice"));
    }
    picked.reserve(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        if (i >= depth || taken[i] == 0) picked.push_back(all[i]);
    return picked;
}

TRAWL_INLINE ranking diversify(diversify_calls const& calls, ranking candidates,
    search_options const& options, diversify_options const& how, trace_ref trace) {
    stage_trace unread;
    auto& log = trace.or_else(unread);
    log.name = "diversify";
    log.partial = options.stopped();
    log.left = log.given;
    if (log.partial) log.left->stale = true;
    auto const depth = (std::min)(how.depth, candidates.size());
    if (depth > 0 && !log.partial) {
        auto const considered = std::span<hit const>(candidates).first(depth);
        gathered_vectors const vectors(calls, considered);
        if (vectors.absent > 0)
            log.notes.push_back(join(vectors.absent, " candidates have no vector"));
        auto picked = calls.pick(considered, vectors.view(), depth);
        log.scored = picked.size();
        candidates = picked_first(std::move(picked), candidates, depth);
        place_rest(candidates, log.scored);
        if (log.scored > 0) log.left = score_origin{.own = log.scored};
    }
    if (candidates.size() > how.keep) candidates.resize(how.keep);
    return candidates;
}

// Hangs `given` under the first node of role relevance that was given, not computed, if there is
// one.
[[nodiscard]] inline bool hang_under_relevance(explanation& node, explanation& given) {
    auto const given_as = node.op == operation::leaf || node.op == operation::opaque;
    if (given_as && node.role == node_role::relevance) {
        node.op = operation::opaque;
        node.children.push_back(std::move(given));
        return true;
    }
    for (auto& child : node.children)
        if (hang_under_relevance(child, given)) return true;
    return false;
}

TRAWL_INLINE explanation explain_diversified(diversify_calls const& calls,
    diversify_options const& how, stage_step const& step, std::size_t position, explanation given) {
    if (position >= step.trace.scored) return explain_rest(step, position, std::move(given));
    auto const picked = step.out[position];
    if (calls.explain != nullptr) {
        auto const depth = (std::min)(how.depth, step.in.size());
        auto const considered = std::span<hit const>(step.in).first(depth);
        gathered_vectors const vectors(calls, considered);
        auto own = (*calls.explain)(considered, vectors.view(), depth, picked.id);
        if (same_bits(own.value, static_cast<double>(picked.score))) {
            if (hang_under_relevance(own, given)) return own;
            auto node = opaque_score(picked.score, "diversify: the pick's value", std::move(given));
            node.children.insert(node.children.begin(), std::move(own));
            return node;
        }
    }
    return opaque_score(picked.score, "diversify: the pick's value", std::move(given));
}

} // namespace detail
TRAWL_END_NAMESPACE
