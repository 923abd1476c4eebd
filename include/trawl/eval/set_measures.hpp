// SPDX-License-Identifier: MIT
#pragma once

/// Measures of the retrieved documents as a set; their order does not matter. All but `utility` are
/// 0 for a query without relevant or without retrieved documents.

#include <span>

#include <trawl/eval/assessment.hpp>

TRAWL_BEGIN_NAMESPACE

/// Relevant retrieved documents divided by retrieved ones. trec_eval: set_P.
struct set_precision {
    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// Relevant retrieved documents divided by min(retrieved, relevant). trec_eval: set_relative_P.
struct set_relative_precision {
    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// Precision of the set times its recall. trec_eval: set_map.
struct set_average_precision {
    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// F measure: (x + 1) P R / (x P + R), P and R being precision and recall of the set. trec_eval:
/// set_F.
struct set_f {
    double x = 1; ///< weight of recall, at least 0; often called beta squared

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

/// A weighted count of the four kinds of documents; any real number. trec_eval: utility.
struct utility {
    double relevant_retrieved = 1;
    double other_retrieved = -1;
    double relevant_missed = 0;
    double other_left = 0;      ///< needs collection_size
    double collection_size = 0; ///< number of documents

    [[nodiscard]] double operator()(assessment const& a) const;
    [[nodiscard]] double operator()(std::span<hit const> hits, judgements const& judged) const;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/set_measures_inl.hpp>
#endif
