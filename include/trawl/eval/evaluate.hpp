// SPDX-License-Identifier: MIT
#pragma once

/// A run measured against judgements: per question, and all questions together.

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

/// The convention says what is not set.
struct evaluate_options {
    trawl::convention convention = trawl::convention::trec_eval;
    std::optional<tie_order> ties = {};
    std::optional<missing_questions> missing = {};
    std::optional<unanswerable_questions> unanswerable = {};
    std::optional<negative_grades> negatives = {};
    std::optional<own_document> own = {};
    assess_options assess = {};
    trawl::executor const* executor = nullptr; ///< null: the calling thread alone

    [[nodiscard]] evaluation_rules rules() const noexcept;
};

/// Values of every measure for every question that counts.
struct evaluation {
    std::vector<measure> measures = {};    ///< [m]
    std::vector<std::string> queries = {}; ///< [n], keys in byte order
    std::vector<double> values = {};       ///< [n x m], row-major
    std::vector<double> summaries = {};    ///< [m], over all questions; 0 if there are none
    std::vector<std::string> missing = {}; ///< judged questions that the run does not have
    /// the run's questions without judgements; they do not count
    std::vector<std::string> unjudged = {};
    trawl::convention convention = trawl::convention::trec_eval;
    evaluation_rules rules = {}; ///< the convention's, but for what the options said
    /// judged questions, those too that do not count because they are missing
    std::size_t judged = 0;
    std::size_t tied = 0; ///< questions that count and have hits of the same score

    /// The values of question i.
    [[nodiscard]] std::span<double const> row(std::size_t i) const noexcept;

    /// The values of measure m, by question.
    [[nodiscard]] std::vector<double> column(std::size_t m) const;
};

/// The documents of question `i` of a run, best first, as the rules order equal scores; without the
/// question's own document if the rules drop it. Where ties have no order, that of keys.
/// @throws trawl::error (unknown_id) if i >= found.size().
[[nodiscard]] std::vector<run::entry> ordered_entries(
    run const& found, std::size_t i, evaluation_rules const& rules);

/// Measures a run. Questions count in the byte order of their keys. Measures are those of the same
/// convention: measures_named(list, convention).
/// @throws trawl::error (unknown_id) if a judged question is missing and that is to fail,
/// (invalid_argument) if ties are `expected` and a measure has no such value; what a measure
/// throws.
/// @par Complexity O(hits + judgements + keys) and what the measures need, a few steps a judged
/// hit.
[[nodiscard]] evaluation evaluate(run const& found, qrels const& judged,
    std::vector<measure> measures, evaluate_options const& options = {});

/// trec_eval's three columns, measure, query (or all) and value, tab-separated.
/// @param per_query  Each question first, without measures that only all questions have.
[[nodiscard]] std::string to_text(evaluation const& e, bool per_query = false);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/evaluate_inl.hpp>
#endif
