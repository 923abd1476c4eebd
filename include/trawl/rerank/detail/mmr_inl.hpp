// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of rerank/mmr.hpp.

#include <trawl/rerank/mmr.hpp>

#include <algorithm>
#include <cstddef>

#include <trawl/detail/buffer.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/rerank/detail/picks.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline diversifier_parameters parameters_of(mmr const& rule) noexcept {
    return {"mmr", rule.lambda, rule.relevance};
}

// A candidate whose value is known as of the first `seen` picks. More picks can only lower it.
struct mmr_entry {
    double value;
    std::size_t candidate;
    std::size_t seen;

    // Whether it comes after another: a lower value, or the same further down.
    [[nodiscard]] bool operator<(mmr_entry const& other) const noexcept {
        return value != other.value ? value < other.value : candidate > other.candidate;
    }
};

// Lazily: the values of a heap are upper bounds, and only its top is brought up to date.
[[nodiscard]] inline buffer<pick> picks_of(mmr const& rule, query const& q,
    std::span<hit const> candidates, matrix_view<float const> vectors, std::size_t k) {
    auto const by = parameters_of(rule);
    check_lambda(by);
    if (candidates.empty()) return {};
    candidate_table table(by, q, candidates, vectors);
    auto const n = table.size();
    auto const wanted = (std::min)(k, n);
    if (wanted == 0) return {};

    auto const rest = rounded(by.lambda - 1);
    auto const value_of = [&](std::size_t i, double redundancy) {
        return weighed(by.lambda, table.relevances[i], rest, redundancy);
    };
    mmr_entry first{value_of(0, 0), 0, 0};
    for (std::size_t i = 1; i < n; ++i) {
        mmr_entry const other{value_of(i, 0), i, 0};
        if (first < other) first = other;
    }
    buffer<pick> picked;
    picked.push_back({first.candidate, table.relevances[first.candidate], 0, first.value});

    auto redundancies = table.similar.with_row(first.candidate);
    buffer<mmr_entry> heap;
    for (std::size_t i = 0; i < n; ++i) {
        if (!table.has_vector(i)) redundancies[i] = 1;
        if (i != first.candidate) heap.push_back({value_of(i, redundancies[i]), i, 1});
    }
    std::make_heap(heap.begin(), heap.end());
    while (picked.size() < wanted) {
        std::pop_heap(heap.begin(), heap.end());
        auto& best = heap.back();
        auto const i = best.candidate;
        if (best.seen == picked.size()) {
            picked.push_back({i, table.relevances[i], redundancies[i], best.value});
            heap.pop_back();
            continue;
        }
        for (; best.seen < picked.size(); ++best.seen) {
            redundancies[i] =
                (std::max)(redundancies[i], table.similar.between(picked[best.seen].candidate, i));
        }
        best.value = value_of(i, redundancies[i]);
        std::push_heap(heap.begin(), heap.end());
    }
    return picked;
}

[[nodiscard]] inline explanation redundancy_node(std::span<hit const> candidates,
    matrix_view<float const> vectors, array_ref<pick const> earlier, std::size_t candidate) {
    if (earlier.empty()) return {operation::leaf, "redundancy: nothing picked before", 0, {}};
    cosines const similar(vectors);
    if (similar.is_zero(candidate))
        return {operation::leaf, "redundancy: it has no vector, counts as a duplicate", 1, {}};
    explanation node{operation::max, "redundancy", 0, {}};
    for (auto const& p : earlier) {
        node.children.push_back(
            {operation::leaf, join("cosine to document ", candidates[p.candidate].id),
                similar.between(p.candidate, candidate), {}});
    }
    node.value = recompute(node);
    return node;
}

} // namespace detail

TRAWL_INLINE ranking mmr::operator()(query const& q, std::span<hit const> candidates,
    matrix_view<float const> vectors, std::size_t k) const {
    return detail::ranking_of(detail::picks_of(*this, q, candidates, vectors, k), candidates);
}

TRAWL_INLINE explanation mmr::explain(query const& q, std::span<hit const> candidates,
    matrix_view<float const> vectors, std::size_t k, doc_id id) const {
    auto const by = detail::parameters_of(*this);
    auto const picks = detail::picks_of(*this, q, candidates, vectors, k);
    auto const gained = [&](std::size_t place) {
        return detail::weighted("lambda - 1", detail::rounded(lambda - 1),
            detail::redundancy_node(
                candidates, vectors, {picks.data(), place}, picks[place].candidate));
    };
    return detail::explain_picks(by, picks, candidates, id, gained);
}

TRAWL_END_NAMESPACE
