// SPDX-License-Identifier: MIT
#pragma once

/// Discounted cumulative gain: graded relevance, discounted by 1 / log2(rank + 1).

#include <cstddef>
#include <span>
#include <vector>

#include <trawl/eval/assessment.hpp>
#include <trawl/eval/tied_assessment.hpp>

TRAWL_BEGIN_NAMESPACE

/// How a grade becomes a gain. Grades of 0 and below have a gain of 0.
enum class gain : unsigned char {
    linear,      ///< the grade (trec_eval; Jaervelin and Kekaelaeinen)
    exponential, ///< 2^grade - 1 (Burges); grades up to 500
    binary,      ///< 1
};

/// The gain of one grade; overrides the rule.
struct grade_gain {
    int grade = 0;
    double gain = 0;
};

/// nDCG@k: the discounted gain of the first k documents, divided by that of the best possible order
/// of all judged documents. In [0, 1] if no gain is negative; 0 if no judged document has a gain.
/// The level of relevance does not matter. trec_eval: ndcg, ndcg_cut_k.
/// @par Source Jaervelin, Kekaelaeinen, "Cumulated gain-based evaluation of IR techniques", ACM
/// TOIS 20, 2002.
struct ndcg {
    std::size_t k = no_cutoff; ///< at least 1
    trawl::gain gain = trawl::gain::linear;
    std::vector<grade_gain> gains = {}; ///< override the rule for these grades

    [[nodiscard]] double operator()(assessment const& a) const;
    /// The expected value over all orders of ties.
    [[nodiscard]] double operator()(tied_assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// The mean of nDCG at the ranks of the relevant documents (those with a gain). A relevant document
/// that is not retrieved counts with the nDCG of the whole ranking. trec_eval: ndcg_rel.
struct ndcg_at_relevant {
    std::vector<grade_gain> gains = {};

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// The mean of nDCG at the ranks where the gain of the ideal ranking falls, and at the end of the
/// ranking if it is longer than the ideal one. trec_eval: Rndcg.
struct r_ndcg {
    std::vector<grade_gain> gains = {};

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// The gain of a document is discounted by what the ranking has missed so far, not by the rank: it
/// is divided by log2(2 + c - g), where c is what the ideal ranking has gained up to this rank (at
/// least 1 per rank) and g is what this ranking has gained. The sum is divided by the sum of all
/// gains. trec_eval: G.
struct normalised_gain {
    std::vector<grade_gain> gains = {};

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// The same for binary relevance: the mean over relevant documents of 1 / log2(2 + n), n being the
/// documents above it that are not relevant. trec_eval: binG.
struct binary_gain {
    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/ndcg_inl.hpp>
#endif
