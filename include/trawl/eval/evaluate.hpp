// SPDX-License-Identifier: MIT
#pragma once

/// Measures a run against judgements, per query and over all queries.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/eval/assessment.hpp>
#include <trawl/eval/convention.hpp>
#include <trawl/eval/measure.hpp>
#include <trawl/eval/qrels.hpp>
#include <trawl/eval/run.hpp>

TRAWL_BEGIN_NAMESPACE

/// Rules that are not set are those of the convention.
struct evaluate_options {
    trawl::convention convention = trawl::convention::trec_eval;
    std::optional<tie_order> ties = {};
    std::optional<missing_queries> missing = {};
    std::optional<unanswerable_queries> unanswerable = {};
    std::optional<negative_grades> negatives = {};
    std::optional<own_document> own = {};
    assess_options assess = {};
    /// Null: the calling thread does the work. The results are the same.
    trawl::executor const* pool = nullptr;

    /// The rules of the convention, replaced by those that are set.
    [[nodiscard]] evaluation_rules rules() const noexcept;
};

/// The values of all measures. A query counts if it is judged and the rules do not skip it.
struct evaluation {
    std::vector<measure> measures = {};     ///< [m]
    std::vector<std::string> queries = {};  ///< [n], keys of the queries that count, in byte order
    std::vector<double> values = {};        ///< [n x m], row-major
    std::vector<double> summaries = {};     ///< [m], over all queries; 0 if there are none
    std::vector<std::string> missing = {};  ///< judged queries that the run lacks
    std::vector<std::string> unjudged = {}; ///< queries of the run that are not judged
    trawl::convention convention = trawl::convention::trec_eval;
    evaluation_rules rules = {}; ///< the rules that were applied
    std::size_t judged = 0;      ///< judged queries, including those that are missing and skipped
    std::size_t tied = 0;        ///< queries that count and whose ranking has equal scores
    std::size_t retrieved = 0;   ///< documents retrieved for the queries that count
    std::size_t known = 0;       ///< those of them that are judged for their query

    /// The values of query i.
    [[nodiscard]] std::span<double const> row(std::size_t i) const noexcept;

    /// The values of measure m, by query.
    [[nodiscard]] std::vector<double> column(std::size_t m) const;
};

/// Sentences about what makes the values doubtful: no query of the run is judged, or no retrieved
/// document is, which mostly means that the two files spell keys differently. Empty if all is well.
[[nodiscard]] std::vector<std::string> warnings(
    evaluation const& e, run const& found, qrels const& judged);

/// The documents of query `i` of a run, best first. The rules order equal scores and may drop the
/// query's own document. If ties have no order, they are in ascending order of keys.
/// @throws trawl::error (unknown_id) if i >= found.size().
[[nodiscard]] std::vector<run::entry> ordered_entries(
    run const& found, std::size_t i, evaluation_rules const& rules);

/// Measures a run.
/// @param measures  Those of the same convention: measures_named(list, convention).
/// @throws trawl::error (unknown_id) if a judged query is missing and the rules forbid it,
/// (invalid_argument) if ties are `expected` and a measure has no expected value; what a measure
/// throws.
/// @par Complexity O(hits + judgements + keys), and what the measures need: a few steps per judged
/// hit.
[[nodiscard]] evaluation evaluate(run const& found, qrels const& judged,
    std::vector<measure> measures, evaluate_options const& options = {});

/// The output of trec_eval: lines of measure, query ("all" for the summary) and value, separated by
/// tabs.
/// @param per_query  Also prints the values of each query, before the summaries.
[[nodiscard]] std::string to_text(evaluation const& e, bool per_query = false);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/evaluate_inl.hpp>
#endif
