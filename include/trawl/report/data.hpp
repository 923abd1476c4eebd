// SPDX-License-Identifier: MIT
#pragma once

/// What a report of an evaluation holds, and its forms for terminals and programs. report/make.hpp
/// makes one, report/html.hpp makes a page of it. None is in an umbrella: few programs write
/// reports.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/eval/convention.hpp>
#include <trawl/eval/evaluate.hpp>
#include <trawl/eval/ordered_keys.hpp>
#include <trawl/eval/run.hpp>
#include <trawl/eval/system_comparison.hpp>
#include <trawl/eval/table.hpp>
#include <trawl/report/chart.hpp>

TRAWL_BEGIN_NAMESPACE

/// A system and its answers.
struct reported_system {
    std::string name = {};
    run const* found = nullptr;      ///< borrowed during the call
    std::optional<double> cost = {}; ///< a query, in the unit of report_options::cost
};
struct report_options {
    std::string title = "Evaluation";
    /// the first one ranks systems
    std::string metrics = "ndcg@10,map,mrr,recall@100,hit@1,hit@10";
    trawl::convention convention = trawl::convention::trec_eval;
    comparison_options comparison = {};
    /// of recall@N
    std::vector<std::size_t> depths = {1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000};
    std::size_t hits = 10;     ///< of each ranking that are shown
    std::string cost = "cost"; ///< what costs are, with their unit
    /// borrowed; if given, ineligible@k stands beside each measure
    ordered_keys const* eligible = nullptr;
    std::size_t eligible_k = 5;
    /// Borrowed; if given, further queries that have no answer. Where there are such queries,
    /// also among the judged ones, a table tells how well a floor under the best score finds them
    /// out.
    ordered_keys const* unanswerable = nullptr;
    std::vector<table> tables = {}; ///< further ones, shown as they are
    std::function<std::string(std::string_view query)> query_text = {};
    std::function<std::string(std::string_view document)> document_title = {};
    /// What is known about a hit of a system (its place in the list of systems); none if nothing.
    std::function<std::optional<explanation>(
        std::size_t system, std::string_view query, std::string_view document)>
        explain = {};
};
struct reported_hit {
    std::size_t document = 0; ///< in evaluation_report::documents
    double score = 0;
    std::optional<int> grade = {}; ///< none: not judged
    std::optional<trawl::explanation> explanation = {};
};

/// A relevant document and where each system has it.
struct reported_answer {
    std::size_t document = 0;
    int grade = 0;
    std::vector<std::size_t> ranks = {}; ///< by system, from 1; 0: not found
};
struct reported_query {
    std::string key = {};
    std::string text = {};
    std::vector<std::size_t> retrieved = {}; ///< by system
    /// by system, best first, as the convention orders
    std::vector<std::vector<reported_hit>> hits = {};
    std::vector<reported_answer> answers = {}; ///< best grade first, then key ascending
};
struct reported_document {
    std::string key = {};
    std::string title = {};
};

/// Everything that a report shows.
struct evaluation_report {
    std::string title = {};
    std::vector<std::string> systems = {};   ///< the first is the baseline
    std::vector<evaluation> results = {};    ///< by system
    std::vector<std::string> sentences = {}; ///< what to take away
    std::vector<table> tables = {};
    std::vector<report_chart> charts = {};
    std::vector<reported_query> queries = {};      ///< as evaluation::queries
    std::vector<reported_document> documents = {}; ///< those that queries show
};
/// Sentences and tables for a terminal.
[[nodiscard]] std::string to_text(evaluation_report const& r);

/// The same as Markdown.
[[nodiscard]] std::string to_markdown(evaluation_report const& r);

/// Every value: a line for each system and query, the means under the query "all". Numbers
/// read back as the same.
[[nodiscard]] std::string to_csv(evaluation_report const& r);

/// {"title": "…", "sentences": [ … ], "tables": [ … ], "systems": {"name": {"convention": …}, …}};
/// needs formats/json.hpp.
template <class Json>
void to_json(Json& out, evaluation_report const& r) {
    out = Json{{"title", r.title}, {"sentences", r.sentences}, {"tables", r.tables},
        {"systems", Json::object()}};
    for (std::size_t s = 0; s < r.systems.size(); ++s) out["systems"][r.systems[s]] = r.results[s];
}

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/report/detail/data_inl.hpp>
#endif
