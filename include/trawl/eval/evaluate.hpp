// SPDX-License-Identifier: MIT
#pragma once

/// A run measured against judgements: per question, and all questions together.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/executor.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/measure.hpp>
#include <trawl/eval/qrels.hpp>
#include <trawl/eval/run.hpp>

namespace trawl::inline v0_1 {

/// In which order documents of the same score count. Tools differ, and so do their figures.
enum class convention : unsigned char {
    trec_eval, ///< key descending
    library,   ///< key ascending, as all rankings of this library
};

[[nodiscard]] constexpr std::string_view name_of(convention rules) noexcept {
    return rules == convention::trec_eval ? "trec_eval" : "library";
}

/// What becomes of a question that is judged and that the run does not have.
enum class missing_questions : unsigned char {
    zero, ///< an empty ranking (trec_eval -c)
    skip, ///< it does not count (trec_eval before version 10)
    fail, ///< an error (trec_eval 10)
};

struct evaluate_options {
    trawl::convention convention = trawl::convention::trec_eval;
    missing_questions missing = missing_questions::zero;
    assess_options assess = {};
    trawl::executor const* executor = nullptr; ///< null: the calling thread alone
};

/// Values of every measure for every question that counts.
struct evaluation {
    std::vector<measure> measures = {};     ///< [m]
    std::vector<std::string> queries = {};  ///< [n], keys in byte order
    std::vector<double> values = {};        ///< [n x m], row-major
    std::vector<double> summaries = {};     ///< [m], over all questions; 0 if there are none
    std::vector<std::string> missing = {};  ///< judged questions that the run does not have
    std::vector<std::string> unjudged = {}; ///< the run's questions without judgements; they do not count
    trawl::convention convention = trawl::convention::trec_eval;

    /// The values of question i.
    [[nodiscard]] std::span<double const> row(std::size_t i) const noexcept {
        return std::span(values).subspan(i * measures.size(), measures.size());
    }
};

namespace detail {

// The documents of one question in the order that the convention gives them.
inline void order_ties(std::span<run::entry const> entries, convention rules, std::vector<doc_id>& out) {
    out.clear();
    for (std::size_t i = 0; i < entries.size();) {
        auto end = i + 1;
        while (end < entries.size() && entries[end].score == entries[i].score) ++end;
        for (auto j = i; j < end; ++j) {
            out.push_back(entries[rules == convention::trec_eval ? end - 1 - (j - i) : j].id);
        }
        i = end;
    }
}

[[nodiscard]] inline double summarise(evaluation const& e, std::size_t m) {
    constexpr double least = 1e-5;
    auto const n = static_cast<double>(e.queries.size());
    auto const kind = e.measures[m].summary;
    double sum = 0;
    for (std::size_t i = 0; i < e.queries.size(); ++i) {
        auto const value = e.row(i)[m];
        sum += kind == summary::geometric_mean ? std::log((std::max)(value, least)) : value;
    }
    if (kind == summary::sum || kind == summary::questions || e.queries.empty()) return sum;
    return kind == summary::geometric_mean ? std::exp(sum / n) : sum / n;
}

} // namespace detail

/// Measures a run. Questions count in the byte order of their keys; a question without relevant documents
/// counts, with what each measure gives it.
/// @throws trawl::error (unknown_id) if a judged question is missing and that is to fail; what a measure
/// throws.
/// @par Complexity  O(hits + judgements + keys) and what the measures need, a few steps a judged hit.
[[nodiscard]] inline evaluation evaluate(run const& found, qrels const& judged, std::vector<measure> measures,
    evaluate_options const& options = {}) {
    evaluation out;
    out.convention = options.convention;
    out.measures = std::move(measures);

    auto const run_query = ordered_keys::translation(judged.queries(), found.queries());
    std::vector<std::size_t> counted;
    for (std::size_t q = 0; q < judged.size(); ++q) {
        if (run_query[q] == no_doc) {
            out.missing.emplace_back(judged.query(q));
            if (options.missing == missing_questions::skip) continue;
            if (options.missing == missing_questions::fail) {
                detail::fail(errc::unknown_id,
                    detail::join("evaluate: the run has no query '", judged.query(q), "', which is judged"));
            }
        }
        counted.push_back(q);
        out.queries.emplace_back(judged.query(q));
    }
    auto const judged_query = ordered_keys::translation(found.queries(), judged.queries());
    for (std::size_t q = 0; q < found.size(); ++q) {
        if (judged_query[q] == no_doc) out.unjudged.emplace_back(found.query(q));
    }

    auto const judged_id = ordered_keys::translation(found.documents(), judged.documents());
    auto const width = out.measures.size();
    out.values.resize(counted.size() * width);
    // One task for many questions: each needs room for the grades of all documents.
    auto const tasks =
        (std::min)(counted.size(), options.executor == nullptr ? 1 : 4 * options.executor->concurrency());
    run_tasks(options.executor, tasks, [&](std::size_t task) {
        std::vector<int const*> grades(judged.documents().size(), nullptr);
        std::vector<doc_id> order;
        for (auto i = task * counted.size() / tasks; i < (task + 1) * counted.size() / tasks; ++i) {
            auto const& known = judged.judgements(counted[i]);
            for (auto const& j : known.all()) grades[j.id] = &j.grade;
            order.clear();
            if (run_query[counted[i]] != no_doc) {
                detail::order_ties(found.entries(run_query[counted[i]]), options.convention, order);
            }
            auto const assessed = detail::assess_by(order.size(), known, options.assess, [&](std::size_t h) {
                auto const id = judged_id[order[h]];
                return id == no_doc ? nullptr : grades[id];
            });
            for (std::size_t m = 0; m < width; ++m) {
                out.values[i * width + m] = out.measures[m].value(assessed);
            }
            for (auto const& j : known.all()) grades[j.id] = nullptr;
        }
    });
    for (std::size_t m = 0; m < width; ++m) out.summaries.push_back(detail::summarise(out, m));
    return out;
}

/// trec_eval's three columns, measure, query (or all) and value, tab-separated.
/// @param per_query  Each question first, without measures that only all questions have.
[[nodiscard]] inline std::string to_text(evaluation const& e, bool per_query = false) {
    std::string out;
    auto const line = [&](measure const& m, std::string_view query, double value) {
        auto const whole = m.summary == summary::sum || m.summary == summary::questions;
        out += m.name;
        out.append(m.name.size() < 22 ? 22 - m.name.size() : 0, ' ');
        out += detail::join("\t", query, "\t", detail::fixed_text(value, whole ? 0 : 4), "\n");
    };
    for (std::size_t i = 0; per_query && i < e.queries.size(); ++i) {
        for (std::size_t m = 0; m < e.measures.size(); ++m) {
            auto const kind = e.measures[m].summary;
            if (kind == summary::geometric_mean || kind == summary::questions) continue;
            line(e.measures[m], e.queries[i], e.row(i)[m]);
        }
    }
    for (std::size_t m = 0; m < e.measures.size(); ++m) line(e.measures[m], "all", e.summaries[m]);
    return out;
}

} // namespace trawl::inline v0_1
