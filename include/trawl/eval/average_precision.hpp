// SPDX-License-Identifier: MIT
#pragma once

/// Measures that average precision over the relevant documents. All are in [0, 1] (inferred_ap may
/// exceed 1 by a rounding error) and are 0 for a query without relevant documents.

#include <cstddef>
#include <span>
#include <vector>

#include <trawl/eval/assessment.hpp>
#include <trawl/eval/tied_assessment.hpp>

TRAWL_BEGIN_NAMESPACE

/// AP@k: the mean over all relevant documents of the precision at their ranks. A relevant document
/// that is not among the first k adds 0. Its mean over queries is the MAP. trec_eval: map, map_cut_k.
struct average_precision {
    std::size_t k = no_cutoff; ///< at least 1
    /// Divides by min(k, relevant documents) instead of all relevant ones, as sentence-transformers
    /// does.
    bool over_reachable = false;

    [[nodiscard]] double operator()(assessment const& a) const;
    /// The expected value over all orders of ties.
    [[nodiscard]] double operator()(tied_assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// The highest precision at any rank where recall is at least `recall`. The recall is rounded to a
/// whole number of relevant documents. trec_eval: iprec_at_recall_x.
struct interpolated_precision {
    double recall = 0; ///< in [0, 1]

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// The mean of the interpolated precision at several levels of recall. trec_eval: 11pt_avg.
struct averaged_precision_points {
    std::vector<double> recalls = {0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1};

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// Estimates AP if only a sample of the pool was judged. Documents with a negative grade are pooled
/// but not judged. trec_eval: infAP.
/// @par Source Yilmaz, Aslam, "Estimating average precision with incomplete and imperfect
/// judgments", CIKM 2006.
struct inferred_ap {
    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// The share of correct preferences: for each relevant document, 1 minus the share of the first R
/// documents judged not relevant that rank above it. Documents without a judgement are ignored.
/// trec_eval: bpref.
/// @par Source Buckley, Voorhees, "Retrieval evaluation with incomplete information", SIGIR 2004.
struct bpref {
    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/average_precision_inl.hpp>
#endif
