// SPDX-License-Identifier: MIT
#pragma once

/// Writes rankings, explanations, judgements and evaluations as JSON, with nlohmann/json.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/eval/evaluate.hpp>
#include <trawl/eval/qrels.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE

/// {"id": 3, "score": 0.5}
template <class Json>
void to_json(Json& out, hit const& h) {
    out = Json{{"id", h.id}, {"score", h.score}};
}

/// {"operation": "sum", "label": "rrf", "value": 0.03, "parts": [ … ]}. "parts" is absent if the
/// node has no children.
template <class Json>
void to_json(Json& out, explanation const& node) {
    out = Json{
        {"operation", std::string(name_of(node.op))}, {"label", node.label}, {"value", node.value}};
    if (!node.children.empty()) out["parts"] = node.children;
}

/// {"query": {"document": grade, …}, …}, the form that ranx and pytrec_eval read.
template <class Json>
void to_json(Json& out, qrels const& judged) {
    out = Json::object();
    for (std::size_t q = 0; q < judged.size(); ++q) {
        auto& known = out[std::string(judged.query(q))] = Json::object();
        for (auto const& j : judged.judgements(q).all()) {
            known[std::string(judged.documents().key(j.id))] = j.grade;
        }
    }
}

/// {"equal scores": "key_descending", "missing questions": "zero", "questions without an answer":
/// "count", "negative grades": "unjudged", "own document": "count", "repeated documents": "fail"}
template <class Json>
void to_json(Json& out, evaluation_rules const& rules) {
    out = Json{{"equal scores", std::string(name_of(rules.ties))},
        {"missing questions", std::string(name_of(rules.missing))},
        {"questions without an answer", std::string(name_of(rules.unanswerable))},
        {"negative grades", std::string(name_of(rules.negatives))},
        {"own document", std::string(name_of(rules.own))},
        {"repeated documents", std::string(name_of(rules.repeated))}};
}

/// {"convention": "trec_eval", "rules": { … }, "questions": 3, "missing": [ … ], "unjudged": [ … ],
///  "all": {"map": 0.2, …}, "queries": {"301": {"map": 0.1, …}, …}}
template <class Json>
void to_json(Json& out, evaluation const& e) {
    out = Json{{"convention", std::string(name_of(e.convention))}, {"rules", e.rules},
        {"questions", e.queries.size()}, {"missing", e.missing}, {"unjudged", e.unjudged},
        {"all", Json::object()}, {"queries", Json::object()}};
    for (std::size_t m = 0; m < e.measures.size(); ++m)
        out["all"][e.measures[m].name] = e.summaries[m];
    for (std::size_t i = 0; i < e.queries.size(); ++i) {
        auto& values = out["queries"][e.queries[i]] = Json::object();
        for (std::size_t m = 0; m < e.measures.size(); ++m)
            values[e.measures[m].name] = e.row(i)[m];
    }
}

/// {"title": "…", "rows": [{"column": 0.5, …}, …], "notes": ["…", …]}. Empty cells are null.
/// Numbers are not rounded.
template <class Json>
void to_json(Json& out, table const& t) {
    out = Json{{"title", t.title}, {"rows", Json::array()}, {"notes", t.notes}};
    for (auto const& row : t.rows) {
        auto cells = Json::object();
        for (std::size_t c = 0; c < row.size(); ++c) {
            auto& cell = cells[t.columns[c]];
            if (!row[c].is_number()) {
                if (!row[c].empty()) cell = row[c].text();
            } else if (row[c].number() == std::floor(row[c].number())
                       && std::abs(row[c].number()) < 1e15) {
                cell = static_cast<std::int64_t>(row[c].number());
            } else {
                cell = row[c].number();
            }
        }
        out["rows"].push_back(std::move(cells));
    }
}

/// The message of an exception of nlohmann's, without its prefix "[json.exception …] ".
[[nodiscard]] inline std::string json_reason(std::string_view what) {
    auto const end = what.find("] ");
    return std::string(end == what.npos ? what : what.substr(end + 2));
}

TRAWL_END_NAMESPACE
