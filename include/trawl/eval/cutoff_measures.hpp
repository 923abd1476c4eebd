// SPDX-License-Identifier: MIT
#pragma once

/// Measures that count relevant documents among the first k. All are in [0, 1]; a question without
/// relevant documents has 0; a ranking shorter than k counts as filled up with documents that are
/// not relevant.
/// @throws trawl::error (invalid_argument) from each if k is 0.

#include <cstddef>
#include <span>

#include <trawl/eval/assessment.hpp>
#include <trawl/eval/tied_assessment.hpp>

TRAWL_BEGIN_NAMESPACE

/// P@k: relevant documents among the first k, over k. trec_eval: P_k.
struct precision {
    std::size_t k = 10;

    [[nodiscard]] double operator()(assessment const& a) const;
    /// Its expected value, ties in any order.
    [[nodiscard]] double operator()(tied_assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// R@k: relevant documents among the first k, over all relevant ones. trec_eval: recall_k.
struct recall {
    std::size_t k = no_cutoff;

    [[nodiscard]] double operator()(assessment const& a) const;
    /// Its expected value, ties in any order.
    [[nodiscard]] double operator()(tied_assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// Precision at k over the best that could be: relevant among the first k, over min(k, relevant).
/// trec_eval: relative_P_k.
struct relative_precision {
    std::size_t k = 10;

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// Hit@k: 1 if one of the first k is relevant, else 0. trec_eval: success_k; elsewhere often called
/// recall.
struct hit_rate {
    std::size_t k = 10;

    [[nodiscard]] double operator()(assessment const& a) const;
    /// Its expected value, ties in any order.
    [[nodiscard]] double operator()(tied_assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// RR@k: 1 / rank of the first relevant document, 0 if none is among the first k. Its mean is the
/// MRR. trec_eval: recip_rank, without a cutoff.
struct reciprocal_rank {
    std::size_t k = no_cutoff;

    [[nodiscard]] double operator()(assessment const& a) const;
    /// Its expected value, ties in any order.
    [[nodiscard]] double operator()(tied_assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// Precision at `factor` times as many documents as are relevant; at 1 it is R-precision. The
/// cutoff is floor(factor * relevant + 0.9), as in trec_eval: Rprec, Rprec_mult_factor.
struct r_precision {
    double factor = 1;

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/cutoff_measures_inl.hpp>
#endif
