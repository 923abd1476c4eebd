// SPDX-License-Identifier: MIT
#pragma once

/// Every query of a report with what each system found for it, and where its answers stand.

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/words.hpp>
#include <trawl/eval/evaluate.hpp>
#include <trawl/eval/judgements.hpp>
#include <trawl/eval/ordered_keys.hpp>
#include <trawl/eval/qrels.hpp>
#include <trawl/eval/run.hpp>
#include <trawl/report/data.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// Fills the queries and documents of a report that has its results.
class query_reporter {
public:
    query_reporter(evaluation_report& out, std::span<reported_system const> systems,
        qrels const& judged, report_options const& options)
        : out_(out), systems_(systems), judged_(judged), options_(options) {}

    void add() {
        std::vector<std::vector<doc_id>> judged_id; // by system, by document of its run
        for (auto const& s : systems_) {
            judged_id.push_back(
                ordered_keys::translation(s.found->documents(), judged_.documents()));
        }
        for (auto const& key : out_.results[0].queries) {
            auto& query = out_.queries.emplace_back(reported_query{.key = key});
            if (options_.query_text) query.text = options_.query_text(key);
            auto const& known = judged_.judgements(*judged_.find(key));
            for (auto const& j : known.all()) {
                if (j.grade < 1) continue;
                query.answers.push_back({.document = j.id,
                    .grade = j.grade,
                    .ranks = std::vector<std::size_t>(systems_.size())});
            }
            for (std::size_t s = 0; s < systems_.size(); ++s) {
                auto const& found = *systems_[s].found;
                auto const at = found.find(key);
                auto const order = at ? ordered_entries(found, *at, out_.results[0].rules)
                                      : std::vector<run::entry>{};
                query.retrieved.push_back(order.size());
                auto& shown = query.hits.emplace_back();
                for (std::size_t r = 0; r < order.size(); ++r) {
                    auto const there = judged_id[s][order[r].id];
                    // The answers are still in the order of documents.
                    auto const answer = std::lower_bound(query.answers.begin(), query.answers.end(),
                        there, [](reported_answer const& a, doc_id id) { return a.document < id; });
                    if (answer != query.answers.end() && answer->document == there)
                        answer->ranks[s] = r + 1;
                    if (r < options_.hits)
                        shown.push_back(shown_hit(s, key, order[r], there, known));
                }
            }
            std::stable_sort(query.answers.begin(), query.answers.end(),
                [](reported_answer const& a, reported_answer const& b) {
                    return a.grade > b.grade;
                });
        }
        number_documents();
    }

private:
    [[nodiscard]] reported_hit shown_hit(std::size_t s, std::string_view query,
        run::entry const& entry, doc_id there, judgements const& known) const {
        reported_hit out{.document = entry.id, .score = entry.score};
        if (there != no_doc) out.grade = known.grade(there);
        if (options_.explain) {
            out.explanation =
                options_.explain(s, query, systems_[s].found->documents().key(entry.id));
        }
        return out;
    }

    // From numbers in runs and judgements to places in out_.documents, which are in the order of
    // keys.
    void number_documents() {
        std::vector<std::pair<std::string_view, std::size_t*>> keys;
        for (auto& q : out_.queries) {
            for (auto& a : q.answers) {
                keys.emplace_back(judged_.documents().key(a.document), &a.document);
            }
            for (std::size_t s = 0; s < systems_.size(); ++s) {
                for (auto& h : q.hits[s]) {
                    keys.emplace_back(systems_[s].found->documents().key(h.document), &h.document);
                }
            }
        }
        std::sort(keys.begin(), keys.end(),
            [](auto const& a, auto const& b) { return a.first < b.first; });
        for (auto const& [key, place] : keys) {
            if (out_.documents.empty() || out_.documents.back().key != key) {
                auto& added =
                    out_.documents.emplace_back(reported_document{.key = std::string(key)});
                if (options_.document_title) added.title = options_.document_title(key);
            }
            *place = out_.documents.size() - 1;
        }
    }

    evaluation_report& out_;
    std::span<reported_system const> systems_;
    qrels const& judged_;
    report_options const& options_;
};

inline void add_reported_queries(evaluation_report& out, std::span<reported_system const> systems,
    qrels const& judged, report_options const& options) {
    query_reporter(out, systems, judged, options).add();
}

} // namespace detail
TRAWL_END_NAMESPACE
