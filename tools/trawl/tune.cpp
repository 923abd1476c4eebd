// SPDX-License-Identifier: MIT

/// trawl tune: the settings of a search, chosen by judged queries.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <trawl/error.hpp>
#include <trawl/eval/tuning.hpp>
#include <trawl/eval/weight_choice.hpp>

#include "options.hpp"
#include "pseudo_rounds.hpp"
#include "tables.hpp"
#include "terminal.hpp"
#include "words.hpp"
#include "workbench.hpp"

namespace cli {
namespace {

[[noreturn]] void refuse(std::string const& reason) {
    throw trawl::error(trawl::errc::invalid_argument, "--try " + reason);
}

// A count that is tried: a whole number.
std::size_t whole(std::string const& name, double value, std::size_t least) {
    auto const count = value >= 0 && value < 1e9 ? static_cast<std::size_t>(value) : 0;
    if (count >= least && value == static_cast<double>(count)) return count;
    refuse(joined(name, ": must be whole numbers from ", least, ", one is ", value));
}

settings settings_at(std::vector<trawl::tuned_parameter> const& parameters,
    std::span<double const> at, settings out) {
    for (std::size_t i = 0; i < at.size(); ++i) {
        auto const& name = parameters[i].name;
        if (name == "alpha") out.alpha = at[i];
        if (name == "window") out.window = whole(name, at[i], 1);
        if (name == "depth") {
            out.stages.rerank_depth = whole(name, at[i], 0);
            out.stages.rerank = out.stages.rerank_depth > 0 ? "overlap" : "";
        }
        if (name == "lambda") out.stages.mmr = at[i];
        if (name == "rrf-k") out.rrf_k = at[i];
        if (name == "k1") out.k1 = at[i];
        if (name == "b") out.b = at[i];
        if (name == "chunk") out.passages.tokens = whole(name, at[i], 0);
        if (name == "overlap") out.passages.overlap = whole(name, at[i], 0);
    }
    return out;
}

// Whole texts overlap nothing, passages less than they are long.
bool makes_sense(settings const& s) {
    return s.passages.overlap < (std::max)(s.passages.tokens, std::size_t{1});
}

std::vector<trawl::tuned_parameter> parameters_of(tune_command const& command) {
    auto const hybrid = command.retrieval.retriever == "hybrid";
    std::vector<trawl::tuned_parameter> out;
    auto const has = [&](std::string_view name) {
        return std::any_of(out.begin(), out.end(),
            [&](trawl::tuned_parameter const& p) { return p.name == name; });
    };
    for (auto const& [name, values] : command.tried) {
        if (has(name)) refuse(name + ": is there twice");
        auto const of_bm25 = name == "k1" || name == "b" || name == "chunk" || name == "overlap";
        if (!hybrid && !of_bm25) refuse(name + ": goes with --retriever hybrid");
        auto const continuous =
            name == "alpha" || name == "lambda" || name == "rrf-k" || name == "k1" || name == "b";
        out.push_back({name, values, continuous});
    }
    if (has("overlap") && !has("chunk")) refuse("overlap: goes with --try chunk");
    if (out.empty() && hybrid && command.without_judgements)
        return {}; // the weight of the dense arm alone
    if (out.empty() && !hybrid)
        return {{"k1", {.6, .9, 1.2, 1.5, 2}, true}, {"b", {0, .25, .5, .75, 1}, true}};
    if (!out.empty()) return out;
    trawl::tuned_parameter alpha{"alpha", {}, true};
    for (int i = 0; i <= 10; ++i) alpha.values.push_back(i / 10.0);
    return {alpha};
}

// The settings that are kept unless another is clearly better.
std::vector<double> usual_values(
    std::vector<trawl::tuned_parameter> const& parameters, settings const& usual) {
    std::vector<double> out;
    for (auto const& p : parameters) {
        out.push_back(p.name == "window"   ? static_cast<double>(usual.window)
                      : p.name == "lambda" ? 1
                      : p.name == "rrf-k"  ? usual.rrf_k.value_or(60)
                      : p.name == "k1"     ? usual.k1
                      : p.name == "b"      ? usual.b
                                           : 0); // BM25 alone, no reranking, whole texts
    }
    return out;
}

constexpr char const* stand_in =
    "Pieces of documents stand in for queries of people: they share more words with their document "
    "than questions do. Judged queries beside them (--queries, --qrels) make the choice better.";

std::string four_digits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4f", value);
    return text;
}

// How each kind of query does without the choice and with it.
void note_sources(trawl::table& table, std::vector<std::string> const& sources,
    std::vector<double> const& before, std::vector<double> const& after) {
    auto groups = trawl::means_of_groups(sources, before, after);
    std::sort(groups.begin(), groups.end(),
        [](trawl::query_group const& a, trawl::query_group const& b) { return a.name < b.name; });
    for (auto const& group : groups) {
        table.notes.push_back(
            joined(group.name, ": ", group.queries, " queries, ", four_digits(group.usual),
                " by the usual setting, ", four_digits(group.chosen), " by the recommended one."));
    }
}

void run_without_judgements(tune_command const& command) {
    auto const parameters = parameters_of(command);
    pseudo_rounds searches(command);
    auto const usual = searches.usual();
    auto const& sources = searches.sources();
    trawl::table table;
    if (parameters.empty()) {
        progress bar("weights", 21);
        auto const choice = trawl::choose_weight(
            [&](double weight) {
                bar.step();
                auto tried = usual;
                tried.alpha = weight;
                if (weight == 0 || weight == 1) tried.window = (std::max)(tried.window, command.k);
                return searches.values(tried);
            },
            {.folds = command.folds, .seed = command.seed});
        auto const& points = choice.tried.points;
        table = trawl::to_table(choice.tried);
        table.notes.insert(table.notes.begin(), choice.summary("BM25", "the dense arm"));
        note_sources(table, sources, points[0].outcome.values,
            points[choice.tried.recommended].outcome.values);
    } else {
        auto const kept = usual_values(parameters, usual);
        std::size_t count = 1;
        for (auto const& p : parameters) count *= p.values.size();
        progress bar("settings", count);
        auto const measured =
            [&](std::span<double const> at) -> std::optional<trawl::search_outcome> {
            bar.step();
            auto const tried = settings_at(parameters, at, usual);
            if (!makes_sense(tried)) return std::nullopt;
            return trawl::search_outcome{.values = searches.values(tried)};
        };
        auto const before = searches.values(settings_at(parameters, kept, usual));
        trawl::tuning_reference const reference{.name = "the usual setting", .values = before};
        auto const tuned = trawl::tune(parameters, measured, std::span(&reference, 1),
            {.folds = command.folds, .seed = command.seed, .usual = kept});
        table = trawl::to_table(tuned, std::span(&reference, 1));
        note_sources(table, sources, before, tuned.points[tuned.recommended].outcome.values);
    }
    table.columns[(std::max)(parameters.size(), std::size_t{1})] = command.measure;
    table.notes.emplace_back(stand_in);
    write_result("", formatted(table, command.table));
}

} // namespace

void run(tune_command const& command) {
    if (command.retrieval.retriever == "dense") {
        throw trawl::error(trawl::errc::invalid_argument, "tune needs --retriever hybrid or bm25");
    }
    if (command.without_judgements) return run_without_judgements(command);
    auto const parameters = parameters_of(command);
    workbench bench(command);
    auto const usual = bench.usual();
    std::vector<trawl::tuning_reference> arms;
    if (command.retrieval.retriever == "hybrid") {
        for (double const alpha : {0.0, 1.0}) {
            auto arm = usual;
            arm.alpha = alpha;
            arm.window = (std::max)(arm.window, command.k);
            arms.push_back({alpha > 0 ? "dense" : "BM25", bench.outcome(bench.ask(arm)).values});
        }
    } else {
        arms.push_back({joined("BM25 of k1 ", usual.k1, " and b ", usual.b),
            bench.outcome(bench.ask(usual)).values});
    }
    std::size_t points = 1;
    for (auto const& p : parameters) points *= p.values.size();
    progress bar("settings", points);
    auto const tuned = trawl::tune(parameters,
        [&](std::span<double const> at) -> std::optional<trawl::search_outcome> {
            bar.step();
            auto const tried = settings_at(parameters, at, usual);
            if (!makes_sense(tried)) return std::nullopt;
            auto out = bench.outcome(bench.ask(tried));
            if (command.untimed) out.seconds = 0;
            return out;
        },
        arms, {.folds = command.folds, .seed = command.seed});
    auto table = trawl::to_table(tuned, arms);
    table.columns[parameters.size()] = command.measure;
    write_result("", formatted(table, command.table));
}

} // namespace cli
