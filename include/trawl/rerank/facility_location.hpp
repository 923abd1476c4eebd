// SPDX-License-Identifier: MIT
#pragma once

/// Facility location: picks what is relevant and speaks for candidates that nothing picked speaks
/// for.

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

/// Facility location: again and again picks the candidate with the highest
///     lambda * relevance + (1 - lambda) * how much it raises coverage,
/// where coverage is the mean over all candidates of their largest cosine to what has been picked,
/// at least
/// 0. The gain never grows from pick to pick. Ties go to the candidate that came first. A candidate
///    without a vector (a row of zeros) covers nothing.
/// @par Source Wei, Iyer, Bilmes, "Submodularity in data subset selection and active learning",
/// ICML 2015.
struct facility_location {
    double lambda = 0.5; ///< in [0, 1]; 1: relevance alone, 0: diversity alone
    trawl::relevance relevance = trawl::relevance::cosine;

    /// As mmr's.
    /// @throws trawl::error as mmr's does.
    /// @par Complexity  O(n^2 (dim + k)) time, O(n^2) memory.
    [[nodiscard]] ranking operator()(query const& q, std::span<hit const> candidates,
        matrix_view<float const> vectors, std::size_t k) const {
        return detail::ranking_of(picks(q, candidates, vectors, k), candidates);
    }

    /// Why a picked document has its score; 0 if it was not picked. The arguments are those of the
    /// pick.
    [[nodiscard]] explanation explain(query const& q, std::span<hit const> candidates,
        matrix_view<float const> vectors, std::size_t k, doc_id id) const {
        return detail::explain_greedy("facility_location", picks(q, candidates, vectors, k),
            candidates, id, lambda, relevance, "coverage gained");
    }

private:
    [[nodiscard]] std::vector<detail::pick> picks(query const& q, std::span<hit const> candidates,
        matrix_view<float const> vectors, std::size_t k) const {
        detail::check_lambda("facility_location", lambda);
        if (candidates.empty()) return {};
        detail::check_candidates("facility_location", q, candidates, vectors, relevance);
        detail::cosines const cosines(vectors);
        auto const relevances = detail::relevances_of(q, candidates, cosines, relevance);
        auto const n = candidates.size();
        std::vector<std::vector<double>> similar; // [n x n]
        for (std::size_t i = 0; i < n; ++i) similar.push_back(cosines.with_row(i));
        std::vector<double> covered(n, 0.0);
        std::vector<double> gains(n);
        auto const weigh = [&] {
            for (std::size_t i = 0; i < n; ++i) {
                double gain = 0;
                for (std::size_t v = 0; v < n; ++v) {
                    if (similar[i][v] > covered[v])
                        gain = detail::rounded(gain + detail::rounded(similar[i][v] - covered[v]));
                }
                gains[i] = detail::divided(gain, static_cast<double>(n));
            }
        };
        weigh();
        return detail::pick_greedily(lambda, relevances, gains, k, [&](std::size_t pick) {
            for (std::size_t v = 0; v < n; ++v)
                covered[v] = (std::max)(covered[v], similar[pick][v]);
            weigh();
        });
    }
};

static_assert(diversifier<facility_location>);

TRAWL_END_NAMESPACE
