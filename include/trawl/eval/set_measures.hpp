// SPDX-License-Identifier: MIT
#pragma once

/// Measures of what was retrieved as a set, whatever its order. A question without relevant
/// documents, or without retrieved ones, has 0 (utility: the sum of its terms).

#include <span>

#include <trawl/eval/assessment.hpp>

TRAWL_BEGIN_NAMESPACE

/// Relevant retrieved over retrieved. trec_eval: set_P.
struct set_precision {
    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// Relevant retrieved over min(retrieved, relevant). trec_eval: set_relative_P.
struct set_relative_precision {
    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// Precision times recall of the set. trec_eval: set_map.
struct set_average_precision {
    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// (x + 1) P R / (x P + R) of the set. trec_eval: set_F.
struct set_f {
    double x = 1; ///< weight of recall, >= 0; beta squared in other books

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// A weighted count of the four kinds of documents; any real number. trec_eval: utility.
struct utility {
    double relevant_retrieved = 1;
    double other_retrieved = -1;
    double relevant_missed = 0;
    double other_left = 0;      ///< needs collection_size
    double collection_size = 0; ///< documents

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/set_measures_inl.hpp>
#endif
