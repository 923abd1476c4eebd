// SPDX-License-Identifier: MIT
#pragma once

/// Measures that model how far a reader goes down the ranking, and the share of judged documents.

#include <cstddef>
#include <span>

#include <trawl/eval/assessment.hpp>
#include <trawl/eval/tied_assessment.hpp>

TRAWL_BEGIN_NAMESPACE

/// RBP: (1 - p) times the sum of gain * p^(rank - 1), for a reader who goes on to the next document
/// with probability p. The gain is the grade, divided by the highest grade of the query if that is
/// above 1. In [0, 1] unless raw_grades is set. trec_eval: rbp (version 10.0-rc3 reads uninitialised
/// memory for grades above 1; this is what it means).
/// @par Source Moffat, Zobel, "Rank-biased precision", ACM TOIS 27, 2008.
struct rank_biased_precision {
    double p = 0.9;          ///< in (0, 1)
    bool raw_grades = false; ///< uses grades as gains, as ranx does

    [[nodiscard]] double operator()(assessment const& a) const;
    /// The expected value over all orders of ties.
    [[nodiscard]] double operator()(tied_assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;

    /// The grade whose gain is 1.
    [[nodiscard]] double highest(std::span<int const> grades) const noexcept;
};

/// How much RBP could rise if every document without a judgement had the highest gain. As in
/// trec_eval (rbp_resid), it is 0 if all retrieved documents are judged, although the ranking ends.
struct rank_biased_residual {
    double p = 0.9; ///< in (0, 1)

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// ERR@k: the expected value of 1 / rank at which a reader stops. A document of grade g satisfies
/// the reader with probability (2^g - 1) / 2^max_grade. In [0, 1).
/// @par Source Chapelle et al., "Expected reciprocal rank for graded relevance", CIKM 2009.
struct expected_reciprocal_rank {
    std::size_t k = no_cutoff; ///< at least 1
    int max_grade = 4; ///< highest grade of the scale, in [1, 500]; higher grades count as this one

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// The share of judged documents among the first min(k, retrieved); 1 for an empty ranking. It
/// tells how far any other measure can be trusted.
struct judged_share {
    std::size_t k = 10; ///< at least 1

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// The documents without a judgement among the first k, divided by k. Ranks after the end of the
/// ranking count as judged. trec_eval: unj_k.
struct unjudged_share {
    std::size_t k = 10; ///< at least 1

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/user_models_inl.hpp>
#endif
