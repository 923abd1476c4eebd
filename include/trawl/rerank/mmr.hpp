// SPDX-License-Identifier: MIT
#pragma once

/// Maximal marginal relevance: picks what is relevant and unlike what has been picked.

#include <cstddef>
#include <span>

#include <trawl/core/explanation.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/words.hpp>
#include <trawl/rerank/relevance.hpp>

TRAWL_BEGIN_NAMESPACE

/// Maximal marginal relevance. Each pick is the candidate with the highest
///
///     lambda * relevance - (1 - lambda) * redundancy,
///
/// where redundancy is its largest cosine to what has been picked, 0 while nothing is. Ties go to
/// the candidate that came first; with lambda 1 and the scores of the stage before, the order
/// stays. A candidate without a vector (a row of zeros) counts as a duplicate: its redundancy is 1
/// as soon as something is picked.
/// @par Source Carbonell, Goldstein, "The use of MMR, diversity-based reranking for reordering
/// documents and producing summaries", SIGIR 1998.
struct mmr {
    double lambda = 0.5; ///< in [0, 1]; 1: relevance alone, 0: diversity alone
    trawl::relevance relevance = trawl::relevance::stage_score;

    /// @param q  Its vector, [dim], is read only where relevance is the cosine to it.
    /// @param candidates  n hits, best first.
    /// @param vectors  [n x dim]; row i belongs to candidate i, zero if it has none.
    /// @param k  How many to pick, at most n. The picks for k are the first k of those for k + 1.
    /// @return The picks in order. A hit's score is its value where that is below the score
    /// before it, else one float step below that.
    /// @throws trawl::error (invalid_argument) if lambda is outside [0, 1], or if relevance is the
    /// cosine and the query has no vector; (dimension_mismatch); (not_finite).
    /// @par Complexity  O(n k dim) time at worst, usually much less: a candidate is compared with a
    /// pick only when it might be next. O(n) memory.
    [[nodiscard]] ranking operator()(query const& q, std::span<hit const> candidates,
        matrix_view<float const> vectors, std::size_t k) const;

    /// Why a picked document has its score; a leaf of role no_match if it was not picked. The other
    /// arguments are those of the pick.
    [[nodiscard]] explanation explain(query const& q, std::span<hit const> candidates,
        matrix_view<float const> vectors, std::size_t k, doc_id id) const;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/rerank/detail/mmr_inl.hpp>
#endif
