// SPDX-License-Identifier: MIT

/// trawl report: runs side by side, for people to read and to click through.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/eval/query_profile.hpp>
#include <trawl/formats/beir.hpp>
#include <trawl/formats/json.hpp>
#include <trawl/formats/lines.hpp>
#include <trawl/report/html.hpp>
#include <trawl/report/make.hpp>

#include "inputs.hpp"
#include "options.hpp"
#include "terminal.hpp"
#include "words.hpp"

namespace cli {
namespace {

using explanations = std::map<std::pair<std::string, std::string>, trawl::explanation>;

trawl::explanation tree_of(nlohmann::json const& node) {
    trawl::explanation out{.label = node.at("label"), .value = node.at("value")};
    std::string const name = node.at("operation");
    for (auto op = trawl::operation::leaf; op <= trawl::operation::opaque;
         op = static_cast<trawl::operation>(static_cast<int>(op) + 1)) {
        if (trawl::name_of(op) == name) out.op = op;
    }
    if (auto const parts = node.find("parts"); parts != node.end()) {
        for (auto const& part : *parts) out.children.push_back(tree_of(part));
    }
    return out;
}

explanations read_explanations(std::string const& path) {
    explanations out;
    if (path == "-") return out;
    auto const text = read_contents(path);
    trawl::line_reader lines(text, path);
    for (std::string_view line; lines.next(line);) {
        try {
            auto const json = nlohmann::json::parse(line);
            std::string query = json.at("query");
            std::string document = json.at("document");
            out[{std::move(query), std::move(document)}] = tree_of(json.at("explanation"));
        } catch (nlohmann::json::exception const& e) {
            lines.fail(trawl::errc::parse, trawl::json_reason(e.what()));
        }
    }
    return out;
}

void check_count(std::string_view option, std::size_t count, std::size_t runs) {
    if (count == 0 || count == runs) return;
    throw trawl::error(
        trawl::errc::invalid_argument, joined(option, ": ", count, " for ", runs, " runs"));
}

// A document's title, or how its text begins.
std::string headline(trawl::beir_corpus const& corpus, trawl::doc_id id) {
    return corpus.titles[id].empty() ? beginning(corpus.texts[id], 90) : corpus.titles[id];
}

// What kind of queries are judged, beside what the systems made of them.
trawl::table profile_of_judged(trawl::beir_queries const& queries, trawl::qrels const& judged,
    trawl::evaluation_report const& report) {
    std::vector<std::string_view> texts;
    for (trawl::doc_id i = 0; i < queries.size(); ++i) {
        if (judged.find(queries.keys.key(i))) texts.push_back(queries.texts[i]);
    }
    trawl::profile_evidence evidence{.measure = report.results[0].measures[0].name};
    for (std::size_t s = 0; s < report.systems.size(); ++s) {
        evidence.systems.emplace_back(report.systems[s], report.results[s].summaries[0]);
    }
    return trawl::to_table(trawl::profile_of(texts), evidence);
}

std::string formatted(trawl::evaluation_report const& report, std::string const& format) {
    if (format == "html") return trawl::to_html(report);
    if (format == "text") return trawl::to_text(report);
    if (format == "markdown") return trawl::to_markdown(report);
    if (format == "csv") return trawl::to_csv(report);
    nlohmann::ordered_json const json = report;
    return json.dump(2) + "\n";
}

} // namespace

void run(report_command const& command) {
    auto const count = command.runs.size();
    check_count("--names", command.names.size(), count);
    check_count("--costs", command.costs.size(), count);
    check_count("--explanations", command.explanations.size(), count);

    auto const judged = read_qrels(command.qrels);
    std::vector<trawl::run> runs;
    auto const rules = trawl::convention_named(command.convention);
    for (auto const& path : command.runs) runs.push_back(read_run(path, rules));
    std::vector<trawl::reported_system> systems;
    for (std::size_t i = 0; i < count; ++i) {
        auto name = command.names.empty() ? file_name(command.runs[i]) : command.names[i];
        systems.push_back({std::move(name), &runs[i], {}});
        if (!command.costs.empty()) systems.back().cost = command.costs[i];
    }

    trawl::report_options options{.title = command.title,
        .metrics = command.metrics,
        .convention = rules,
        .comparison = {.confidence = command.confidence, .seed = command.seed},
        .hits = command.hits,
        .cost = command.cost};
    trawl::ordered_keys eligible;
    if (!command.eligible.empty()) {
        eligible = read_keys(command.eligible);
        options.eligible = &eligible;
    }
    trawl::ordered_keys unanswerable;
    if (!command.unanswerable.empty()) {
        unanswerable = read_keys(command.unanswerable);
        options.unanswerable = &unanswerable;
    }
    trawl::beir_queries queries;
    if (!command.queries.empty()) {
        queries = trawl::parse_queries(read_contents(command.queries), command.queries);
        options.query_text = [&](std::string_view key) {
            auto const id = queries.keys.find(key);
            return id ? queries.texts[*id] : std::string();
        };
    }
    trawl::beir_corpus corpus;
    if (!command.corpus.empty()) {
        corpus = trawl::parse_corpus(read_contents(command.corpus), command.corpus);
        options.document_title = [&](std::string_view key) {
            auto const id = corpus.keys.find(key);
            return id ? headline(corpus, *id) : std::string();
        };
    }
    std::vector<explanations> known;
    for (auto const& path : command.explanations) known.push_back(read_explanations(path));
    if (!known.empty()) {
        options.explain = [&](std::size_t system, std::string_view query,
                              std::string_view document) -> std::optional<trawl::explanation> {
            auto const at = known[system].find({std::string(query), std::string(document)});
            return at == known[system].end() ? std::nullopt : std::optional(at->second);
        };
    }
    auto report = trawl::make_report(systems, judged, options);
    if (!command.queries.empty())
        report.tables.push_back(profile_of_judged(queries, judged, report));
    write_result(command.out, formatted(report, command.format));
}

} // namespace cli
