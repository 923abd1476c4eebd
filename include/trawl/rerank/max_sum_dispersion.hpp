// SPDX-License-Identifier: MIT
#pragma once

/// Max-sum dispersion: picks what is relevant and far from all that has been picked.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/rerank/detail/cosines.hpp>
#include <trawl/rerank/detail/picks.hpp>

TRAWL_BEGIN_NAMESPACE

/// Max-sum dispersion: again and again picks the candidate with the highest
///     lambda * relevance + (1 - lambda) * sum of its distances to what has been picked,
/// distance being 1 - cosine: greedily, the pick whose relevances and pairwise distances add up to
/// the most. The sum grows with the pick, so that distance counts more and more. Ties go to the
/// candidate that came first. A candidate without a vector (a row of zeros) has distance 1 to
/// everything.
/// @par Source Gollapudi, Sharma, "An axiomatic approach for result diversification", WWW 2009;
/// Borodin, Lee, Ye, "Max-sum diversification, monotone submodular functions and dynamic updates",
/// PODS 2012.
struct max_sum_dispersion {
    double lambda = 0.5; ///< in [0, 1]; 1: relevance alone, 0: diversity alone
    trawl::relevance relevance = trawl::relevance::cosine;

    /// As mmr's.
    /// @throws trawl::error as mmr's does.
    /// @par Complexity  O(n k dim) time, O(n) memory.
    [[nodiscard]] ranking operator()(query const& q, std::span<hit const> candidates,
        matrix_view<float const> vectors, std::size_t k) const {
        return detail::ranking_of(picks(q, candidates, vectors, k), candidates);
    }

    /// Why a picked document has its score; 0 if it was not picked. The arguments are those of the
    /// pick.
    [[nodiscard]] explanation explain(query const& q, std::span<hit const> candidates,
        matrix_view<float const> vectors, std::size_t k, doc_id id) const {
        return detail::explain_greedy("max_sum_dispersion", picks(q, candidates, vectors, k),
            candidates, id, lambda, relevance, "sum of the distances to what was picked before");
    }

private:
    [[nodiscard]] std::vector<detail::pick> picks(query const& q, std::span<hit const> candidates,
        matrix_view<float const> vectors, std::size_t k) const {
        detail::check_lambda("max_sum_dispersion", lambda);
        if (candidates.empty()) return {};
        detail::check_candidates("max_sum_dispersion", q, candidates, vectors, relevance);
        detail::cosines const cosines(vectors);
        auto const relevances = detail::relevances_of(q, candidates, cosines, relevance);
        std::vector<double> distances(candidates.size(), 0.0);
        return detail::pick_greedily(lambda, relevances, distances, k, [&](std::size_t pick) {
            auto const similar = cosines.with_row(pick);
            for (std::size_t i = 0; i < distances.size(); ++i) {
                distances[i] = detail::rounded(distances[i] + detail::rounded(1 - similar[i]));
            }
        });
    }
};

static_assert(diversifier<max_sum_dispersion>);

TRAWL_END_NAMESPACE
