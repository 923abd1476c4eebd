// SPDX-License-Identifier: MIT
#pragma once

/// The contents of a report on an evaluation, and its forms as text, Markdown, CSV and JSON.
/// report/make.hpp makes a report, report/html.hpp makes a page of it.

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

/// A system and its run.
struct reported_system {
    std::string name = {};
    run const* found = nullptr;      ///< borrowed during the call
    std::optional<double> cost = {}; ///< per query; report_options::cost names its unit
};
struct report_options {
    std::string title = "Evaluation";
    /// Names as measures_named takes them. The first measure ranks the systems.
    std::string metrics = "ndcg@10,map,mrr,recall@100,hit@1,hit@10";
    trawl::convention convention = trawl::convention::trec_eval;
    comparison_options comparison = {};
    /// The values of N in the curve of recall@N.
    std::vector<std::size_t> depths = {1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000};
    std::size_t hits = 10;     ///< how many of each ranking are shown
    std::string cost = "cost"; ///< what the costs are, with their unit
    /// Borrowed. Keys of the documents that may be used; if given, ineligible@k is a measure too.
    ordered_keys const* eligible = nullptr;
    std::size_t eligible_k = 5;
    /// Borrowed. Keys of further queries without an answer. If there are such queries, here or among
    /// the judged ones, a table shows how well a floor under the best score detects them.
    ordered_keys const* unanswerable = nullptr;
    std::vector<table> tables = {}; ///< further tables
    std::function<std::string(std::string_view query)> query_text = {};
    std::function<std::string(std::string_view document)> document_title = {};
    /// The explanation of a hit, or none. The system is given by its index.
    std::function<std::optional<explanation>(
        std::size_t system, std::string_view query, std::string_view document)>
        explain = {};
};
struct reported_hit {
    std::size_t document = 0; ///< in evaluation_report::documents
    double score = 0;
    std::optional<int> grade = {}; ///< none if the document is not judged
    std::optional<trawl::explanation> explanation = {};
};

/// A relevant document and its rank in each system.
struct reported_answer {
    std::size_t document = 0;
    int grade = 0;
    std::vector<std::size_t> ranks = {}; ///< by system, from 1; 0 if not found
};
struct reported_query {
    std::string key = {};
    std::string text = {};
    std::vector<std::size_t> retrieved = {}; ///< number of documents, by system
    /// The first hits, by system, in the order of the convention.
    std::vector<std::vector<reported_hit>> hits = {};
    std::vector<reported_answer> answers = {}; ///< by descending grade, then ascending key
};
struct reported_document {
    std::string key = {};
    std::string title = {};
};

/// Everything that a report shows. Queries and results are in the same order.
struct evaluation_report {
    std::string title = {};
    std::vector<std::string> systems = {};   ///< the first is the baseline
    std::vector<evaluation> results = {};    ///< by system
    std::vector<std::string> sentences = {}; ///< the conclusions
    std::vector<table> tables = {};
    std::vector<report_chart> charts = {};
    std::vector<reported_query> queries = {}; ///< in the order of evaluation::queries
    std::vector<reported_document> documents =
        {}; ///< the documents of `queries`, in byte order of keys
};
/// The sentences and tables, for a terminal.
[[nodiscard]] std::string to_text(evaluation_report const& r);

/// The sentences and tables as Markdown.
[[nodiscard]] std::string to_markdown(evaluation_report const& r);

/// All values: a line for each system and query; the summaries have the query "all". Numbers read
/// back as the same.
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
