// SPDX-License-Identifier: MIT
#pragma once

/// Discounted cumulative gain: graded relevance, discounted by 1 / log2(rank + 1).

#include <cstddef>
#include <span>
#include <vector>

#include <trawl/eval/assessment.hpp>
#include <trawl/eval/tied_assessment.hpp>

TRAWL_BEGIN_NAMESPACE

/// What a grade is worth. Grades of 0 and below are worth nothing.
enum class gain : unsigned char {
    linear,      ///< the grade (trec_eval, Jaervelin and Kekaelaeinen)
    exponential, ///< 2^grade - 1 (Burges); grades up to 500
    binary,      ///< 1
};

/// What documents of one grade are worth, in place of the rule.
struct grade_gain {
    int grade = 0;
    double gain = 0;
};
/// nDCG@k: the discounted gain of the first k, over that of the best possible order of all judged
/// documents. In [0, 1] while no gain is negative; 0 if nothing judged has a gain. Ignores the
/// level of relevance. trec_eval: ndcg, ndcg_cut_k.
/// @par Source Jaervelin, Kekaelaeinen, "Cumulated gain-based evaluation of IR techniques", ACM
/// TOIS 20, 2002.
struct ndcg {
    std::size_t k = no_cutoff;
    trawl::gain gain = trawl::gain::linear;
    std::vector<grade_gain> gains = {}; ///< overrides the rule for these grades

    [[nodiscard]] double operator()(assessment const& a) const;
    /// Its expected value, ties in any order.
    [[nodiscard]] double operator()(tied_assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// nDCG averaged over the ranks of the relevant documents (those with a gain); one that is not
/// retrieved counts with the nDCG of the whole ranking. trec_eval: ndcg_rel.
struct ndcg_at_relevant {
    std::vector<grade_gain> gains = {};

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// nDCG averaged over the ranks at which the ideal ranking passes to a lower gain, and, if the
/// ranking goes on after the ideal one ends, its end. trec_eval: Rndcg.
struct r_ndcg {
    std::vector<grade_gain> gains = {};

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// A gain that is discounted by what the ranking has missed so far, not by the rank: the value of a
/// document over log2(2 + what the ideal ranking has gained, at least 1 a rank - what this one has
/// gained), summed and divided by the sum of all gains. trec_eval: G.
struct normalised_gain {
    std::vector<grade_gain> gains = {};

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// The same for binary relevance: the mean over relevant documents of 1 / log2(2 + documents above
/// it that are not relevant). trec_eval: binG.
struct binary_gain {
    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/ndcg_inl.hpp>
#endif
