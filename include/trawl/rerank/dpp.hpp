// SPDX-License-Identifier: MIT
#pragma once

/// A determinantal point process: picks what is relevant and spans much room.

#include <algorithm>
#include <cmath>
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

/// Determinantal point process, greedily: again and again picks the candidate with the highest
///     lambda * relevance + (1 - lambda) * ln(v),
/// where v, in [0, 1], is the square of its distance, as a vector of length 1, from the space that
/// the picked vectors span: their determinant grows by the factor v. Unlike MMR it sees that a
/// candidate is a mixture of several picks. What lies within that space (v < 1e-6, such as
/// duplicates) is not picked, so there may be fewer than k. Ties go to the candidate that came
/// first. A candidate without a vector (a row of zeros) is unlike everything.
/// @par Source Chen, Zhang, Zhou, "Fast greedy MAP inference for determinantal point process to
/// improve recommendation diversity", NeurIPS 2018.
struct dpp {
    double lambda = 0.5; ///< in [0, 1]; 1: relevance alone, 0: diversity alone
    trawl::relevance relevance = trawl::relevance::cosine;

    /// As mmr's, but there may be fewer than k picks.
    /// @throws trawl::error as mmr's does.
    /// @par Complexity  O(n k (dim + k)) time, O(n k) memory.
    [[nodiscard]] ranking operator()(query const& q, std::span<hit const> candidates,
        matrix_view<float const> vectors, std::size_t k) const {
        return detail::ranking_of(picks(q, candidates, vectors, k), candidates);
    }

    /// Why a picked document has its score; 0 if it was not picked. The arguments are those of the
    /// pick.
    [[nodiscard]] explanation explain(query const& q, std::span<hit const> candidates,
        matrix_view<float const> vectors, std::size_t k, doc_id id) const {
        return detail::explain_greedy("dpp", picks(q, candidates, vectors, k), candidates, id,
            lambda, relevance,
            "ln of the squared distance from the space of what was picked before");
    }

private:
    [[nodiscard]] std::vector<detail::pick> picks(query const& q, std::span<hit const> candidates,
        matrix_view<float const> vectors, std::size_t k) const {
        detail::check_lambda("dpp", lambda);
        if (candidates.empty()) return {};
        detail::check_candidates("dpp", q, candidates, vectors, relevance);
        detail::cosines const cosines(vectors);
        auto const relevances = detail::relevances_of(q, candidates, cosines, relevance);
        auto const n = candidates.size();
        std::vector<double> volumes(n, 1.0); // v of each candidate
        std::vector<double> gains(n, 0.0);
        // Row i of the Cholesky factor of the cosines: candidate i along the picks, made
        // orthogonal.
        std::vector<std::vector<double>> rows(n);
        return detail::pick_greedily(lambda, relevances, gains, k, [&](std::size_t pick) {
            auto const similar = cosines.with_row(pick);
            auto const height = detail::rounded(std::sqrt(volumes[pick]));
            auto const own = rows[pick];
            gains[pick] = detail::no_gain;
            for (std::size_t i = 0; i < n; ++i) {
                if (gains[i] == detail::no_gain) continue;
                double along = similar[i];
                for (std::size_t p = 0; p < own.size(); ++p) {
                    along = detail::rounded(along - detail::rounded(own[p] * rows[i][p]));
                }
                along = detail::divided(along, height);
                rows[i].push_back(along);
                volumes[i] = detail::rounded(volumes[i] - detail::rounded(along * along));
                constexpr double nothing = 1e-6; // floats cannot tell less from 0
                gains[i] =
                    volumes[i] < nothing ? detail::no_gain : detail::rounded(std::log(volumes[i]));
            }
        });
    }
};

static_assert(diversifier<dpp>);

TRAWL_END_NAMESPACE
