// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of rerank/facility_location.hpp.

#include <trawl/rerank/facility_location.hpp>

#include <algorithm>
#include <vector>

#include <trawl/detail/buffer.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/rerank/detail/picks.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline diversifier_parameters parameters_of(facility_location const& rule) noexcept {
    return {"facility_location", rule.lambda, rule.relevance};
}

[[nodiscard]] inline buffer<pick> picks_of(facility_location const& rule, query const& q,
    std::span<hit const> candidates, matrix_view<float const> vectors, std::size_t k) {
    auto const by = parameters_of(rule);
    check_lambda(by);
    if (candidates.empty()) return {};
    candidate_table table(by, q, candidates, vectors);
    auto const n = table.size();
    std::vector<std::vector<double>> similar; // [n x n]
    for (std::size_t i = 0; i < n; ++i) similar.push_back(table.similar.with_row(i));
    std::vector<double> covered(n);
    std::vector<double> gains(n);
    auto const weigh = [&] {
        for (std::size_t i = 0; i < n; ++i) {
            double gain = 0;
            for (std::size_t v = 0; v < n; ++v) {
                if (similar[i][v] > covered[v])
                    gain = rounded(gain + rounded(similar[i][v] - covered[v]));
            }
            gains[i] = divided(gain, static_cast<double>(n));
        }
    };
    weigh();
    return pick_greedily(by.lambda, table.relevances, gains, k, [&](std::size_t pick) {
        for (std::size_t v = 0; v < n; ++v) covered[v] = (std::max)(covered[v], similar[pick][v]);
        weigh();
    });
}

} // namespace detail

TRAWL_INLINE ranking facility_location::operator()(query const& q, std::span<hit const> candidates,
    matrix_view<float const> vectors, std::size_t k) const {
    return detail::ranking_of(detail::picks_of(*this, q, candidates, vectors, k), candidates);
}

TRAWL_INLINE explanation facility_location::explain(query const& q, std::span<hit const> candidates,
    matrix_view<float const> vectors, std::size_t k, doc_id id) const {
    auto const by = detail::parameters_of(*this);
    auto const picks = detail::picks_of(*this, q, candidates, vectors, k);
    return detail::explain_greedy(by, picks, candidates, id, "coverage gained");
}

TRAWL_END_NAMESPACE
