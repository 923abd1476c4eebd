// SPDX-License-Identifier: MIT
#pragma once

/// Measures that count relevant documents among the first k hits. All are in [0, 1] and are 0 for a
/// query without relevant documents. A ranking with fewer than k hits counts as if documents that
/// are not relevant followed. Each measure throws trawl::error (invalid_argument) if k is 0.

#include <cstddef>
#include <span>

#include <trawl/eval/assessment.hpp>
#include <trawl/eval/tied_assessment.hpp>

TRAWL_BEGIN_NAMESPACE

/// P@k: the relevant documents among the first k, divided by k. trec_eval: P_k.
struct precision {
    std::size_t k = 10;

    [[nodiscard]] double operator()(assessment const& a) const;
    /// The expected value over all orders of ties.
    [[nodiscard]] double operator()(tied_assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// R@k: the relevant documents among the first k, divided by all relevant ones. trec_eval: recall_k.
struct recall {
    std::size_t k = no_cutoff;

    [[nodiscard]] double operator()(assessment const& a) const;
    /// The expected value over all orders of ties.
    [[nodiscard]] double operator()(tied_assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// The relevant documents among the first k, divided by min(k, relevant documents), the best value
/// that is possible. trec_eval: relative_P_k.
struct relative_precision {
    std::size_t k = 10;

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// Hit@k: 1 if one of the first k documents is relevant, else 0. trec_eval: success_k; other tools
/// call it recall or accuracy.
struct hit_rate {
    std::size_t k = 10;

    [[nodiscard]] double operator()(assessment const& a) const;
    /// The expected value over all orders of ties.
    [[nodiscard]] double operator()(tied_assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// RR@k: 1 / rank of the first relevant document, or 0 if none is among the first k. Its mean over
/// queries is the MRR. trec_eval: recip_rank, without a cutoff.
struct reciprocal_rank {
    std::size_t k = no_cutoff;

    [[nodiscard]] double operator()(assessment const& a) const;
    /// The expected value over all orders of ties.
    [[nodiscard]] double operator()(tied_assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// R-precision: the precision at rank R, the number of relevant documents; with a factor, at rank
/// floor(factor * R + 0.9). trec_eval: Rprec, Rprec_mult_factor.
struct r_precision {
    double factor = 1; ///< in (0, 1e6]

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/cutoff_measures_inl.hpp>
#endif
