// SPDX-License-Identifier: MIT
#pragma once

/// Measures that follow a reader down the ranking until they stop, and how much of what they read
/// was judged.

#include <cstddef>
#include <span>

#include <trawl/eval/assessment.hpp>
#include <trawl/eval/tied_assessment.hpp>

TRAWL_BEGIN_NAMESPACE

/// RBP: (1 - p) times the sum of gain * p^(rank - 1), for a reader who goes on to the next document
/// with probability p. The gain is the grade, divided by the question's highest grade if that is
/// above 1. In [0, 1], unless grades count as they are. trec_eval: rbp (version 10.0-rc3 reads
/// uninitialised memory where grades pass 1; this is what it means).
/// @par Source Moffat, Zobel, "Rank-biased precision", ACM TOIS 27, 2008.
struct rank_biased_precision {
    double p = 0.9;
    bool raw_grades = false; ///< does not divide, as ranx

    [[nodiscard]] double operator()(assessment const& a) const;
    /// Its expected value, ties in any order.
    [[nodiscard]] double operator()(tied_assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;

    [[nodiscard]] double highest(std::span<int const> grades) const noexcept;
};

/// How much RBP could rise if every document that is not judged had the highest gain. As in
/// trec_eval (rbp_resid) it is 0 where all retrieved documents are judged, although the ranking
/// ends.
struct rank_biased_residual {
    double p = 0.9;

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// ERR@k: the expected 1 / rank at which a reader stops, who is satisfied by a document of grade g
/// with probability (2^g - 1) / 2^max_grade. In [0, 1).
/// @par Source Chapelle et al., "Expected reciprocal rank for graded relevance", CIKM 2009.
struct expected_reciprocal_rank {
    std::size_t k = no_cutoff;
    int max_grade = 4; ///< highest grade of the scale; higher grades count as this one

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// The share of the first min(k, retrieved) documents that are judged; 1 for an empty ranking.
/// Beside any other measure it tells how far to trust it.
struct judged_share {
    std::size_t k = 10;

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// Documents among the first k that are not judged, over k; a ranking that ends before counts as
/// judged from there on. trec_eval: unj_k.
struct unjudged_share {
    std::size_t k = 10;

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/user_models_inl.hpp>
#endif
