// SPDX-License-Identifier: MIT
#pragma once

/// Measures that average precision over the relevant documents. All are in [0, 1] (inferred_ap may
/// pass 1 by a rounding); a question without relevant documents has 0.

#include <cstddef>
#include <span>
#include <vector>

#include <trawl/eval/assessment.hpp>
#include <trawl/eval/tied_assessment.hpp>

TRAWL_BEGIN_NAMESPACE

/// AP@k: the mean, over all relevant documents, of the precision at the rank of each; one beyond k
/// or not retrieved adds 0. Its mean over questions is the MAP. trec_eval: map, map_cut_k.
struct average_precision {
    std::size_t k = no_cutoff;
    bool over_reachable = false; ///< divides by min(k, relevant) in place of relevant, as
                                 ///< sentence-transformers does

    [[nodiscard]] double operator()(assessment const& a) const;
    /// Its expected value, ties in any order.
    [[nodiscard]] double operator()(tied_assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// The highest precision at any rank from which recall is at least `recall` (in [0, 1], rounded to
/// a whole number of relevant documents). trec_eval: iprec_at_recall_x.
struct interpolated_precision {
    double recall = 0;

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// The mean of the interpolated precision at these levels of recall. trec_eval: 11pt_avg.
struct averaged_precision_points {
    std::vector<double> recalls = {0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1};

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// AP estimated where only a sample of the pool is judged: documents with a negative grade are
/// pooled and not judged. trec_eval: infAP.
/// @par Source Yilmaz, Aslam, "Estimating average precision with incomplete and imperfect
/// judgments", CIKM 2006.
struct inferred_ap {
    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// The share of correct preferences: for each relevant document, how few of the first R judged
/// non-relevant ones stand above it. What is not judged is passed over. trec_eval: bpref.
/// @par Source Buckley, Voorhees, "Retrieval evaluation with incomplete information", SIGIR 2004.
struct bpref {
    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/average_precision_inl.hpp>
#endif
