// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of rerank/max_sum_dispersion.hpp.

#include <trawl/rerank/max_sum_dispersion.hpp>

#include <vector>

#include <trawl/detail/buffer.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/rerank/detail/picks.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline diversifier_parameters parameters_of(max_sum_dispersion const& rule) noexcept {
    return {"max_sum_dispersion", rule.lambda, rule.relevance};
}

[[nodiscard]] inline buffer<pick> picks_of(max_sum_dispersion const& rule, query const& q,
    std::span<hit const> candidates, matrix_view<float const> vectors, std::size_t k) {
    auto const by = parameters_of(rule);
    check_lambda(by);
    if (candidates.empty()) return {};
    candidate_table table(by, q, candidates, vectors);
    std::vector<double> distances(table.size());
    return pick_greedily(by.lambda, table.relevances, distances, k, [&](std::size_t pick) {
        auto const similar = table.similar.with_row(pick);
        for (std::size_t i = 0; i < distances.size(); ++i) {
            if (table.has_vector(i)) distances[i] = rounded(distances[i] + rounded(1 - similar[i]));
        }
    });
}

} // namespace detail

TRAWL_INLINE ranking max_sum_dispersion::operator()(query const& q, std::span<hit const> candidates,
    matrix_view<float const> vectors, std::size_t k) const {
    return detail::ranking_of(detail::picks_of(*this, q, candidates, vectors, k), candidates);
}

TRAWL_INLINE explanation max_sum_dispersion::explain(query const& q,
    std::span<hit const> candidates, matrix_view<float const> vectors, std::size_t k,
    doc_id id) const {
    auto const by = detail::parameters_of(*this);
    auto const picks = detail::picks_of(*this, q, candidates, vectors, k);
    return detail::explain_greedy(
        by, picks, candidates, id, "sum of the distances to what was picked before");
}

TRAWL_END_NAMESPACE
