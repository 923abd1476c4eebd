// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of rerank/dpp.hpp.

#include <trawl/rerank/dpp.hpp>

#include <cmath>
#include <vector>

#include <trawl/detail/buffer.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/rerank/detail/picks.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline diversifier_parameters parameters_of(dpp const& rule) noexcept {
    return {"dpp", rule.lambda, rule.relevance};
}

[[nodiscard]] inline buffer<pick> picks_of(dpp const& rule, query const& q,
    std::span<hit const> candidates, matrix_view<float const> vectors, std::size_t k) {
    auto const by = parameters_of(rule);
    check_lambda(by);
    if (candidates.empty()) return {};
    candidate_table table(by, q, candidates, vectors);
    auto const n = table.size();
    std::vector<double> volumes(n, 1.0); // v of each candidate
    std::vector<double> gains(n);
    // Row i of the Cholesky factor of the cosines: candidate i along the picks, made orthogonal.
    std::vector<std::vector<double>> rows(n);
    return pick_greedily(by.lambda, table.relevances, gains, k, [&](std::size_t pick) {
        if (by.lambda == 1) return; // no gain counts, not even none
        auto const similar = table.similar.with_row(pick);
        auto const height = rounded(std::sqrt(volumes[pick]));
        auto const own = rows[pick];
        gains[pick] = no_gain;
        for (std::size_t i = 0; i < n; ++i) {
            if (!table.has_vector(i)) gains[i] = no_gain;
            if (gains[i] == no_gain) continue;
            double along = similar[i];
            for (std::size_t p = 0; p < own.size(); ++p)
                along = rounded(along - rounded(own[p] * rows[i][p]));
            along = divided(along, height);
            rows[i].push_back(along);
            volumes[i] = rounded(volumes[i] - rounded(along * along));
            constexpr double nothing = 1e-6; // floats cannot tell less from 0
            gains[i] = volumes[i] < nothing ? no_gain : rounded(std::log(volumes[i]));
        }
    });
}

} // namespace detail

TRAWL_INLINE ranking dpp::operator()(query const& q, std::span<hit const> candidates,
    matrix_view<float const> vectors, std::size_t k) const {
    return detail::ranking_of(detail::picks_of(*this, q, candidates, vectors, k), candidates);
}

TRAWL_INLINE explanation dpp::explain(query const& q, std::span<hit const> candidates,
    matrix_view<float const> vectors, std::size_t k, doc_id id) const {
    auto const by = detail::parameters_of(*this);
    auto const picks = detail::picks_of(*this, q, candidates, vectors, k);
    return detail::explain_greedy(by, picks, candidates, id,
        "ln of the squared distance from the space of what was picked before");
}

TRAWL_END_NAMESPACE
