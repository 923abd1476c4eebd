// SPDX-License-Identifier: MIT

/// trawl tune: the settings of a hybrid search, chosen by judged questions.

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <trawl/eval/evaluate.hpp>
#include <trawl/eval/tuning.hpp>
#include <trawl/io/trec.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/mmr.hpp>
#include <trawl/rerank/overlap_reranker.hpp>

#include "engine.hpp"
#include "fusion.hpp"
#include "options.hpp"
#include "tables.hpp"
#include "terminal.hpp"

namespace cli {
namespace {

struct settings {
    double alpha = 0.5;
    std::size_t window = 50;
    std::size_t depth = 0; // 0: no reranking
    std::optional<double> lambda = {};
    std::optional<double> rrf_k = {};
};

// A count that is tried: a whole number >= 1.
std::size_t whole(std::string const& name, double value) {
    if (value >= 1 && value < 1e9 && value == static_cast<double>(static_cast<std::size_t>(value))) {
        return static_cast<std::size_t>(value);
    }
    throw trawl::error(trawl::errc::invalid_argument,
        trawl::detail::join("--try ", name, ": must be whole numbers from 1, one is ", value));
}

settings settings_at(std::vector<trawl::tuned_parameter> const& parameters, std::span<double const> at,
    retrieval_options const& usual) {
    settings out{.window = usual.window, .rrf_k = usual.fusion.rrf_k};
    for (std::size_t i = 0; i < at.size(); ++i) {
        auto const& name = parameters[i].name;
        if (name == "alpha") out.alpha = at[i];
        if (name == "window") out.window = whole(name, at[i]);
        if (name == "depth") out.depth = whole(name, at[i]);
        if (name == "lambda") out.lambda = at[i];
        if (name == "rrf-k") out.rrf_k = at[i];
    }
    return out;
}

// The measured questions and what measuring them needs.
class workbench {
public:
    explicit workbench(tune_command const& command)
        : command_(command),
          documents_(command.retrieval),
          queries_(trawl::read_queries(command.queries)),
          vectors_(documents_.query_vectors(queries_.texts, command.query_vectors)),
          judged_(trawl::read_qrels(command.qrels)),
          measures_(trawl::measures_named(command.metric)) {
        if (measures_.size() != 1) {
            throw trawl::error(
                trawl::errc::invalid_argument, trawl::detail::join("--metric: must be one measure, ",
                                                   command.metric, " are ", measures_.size()));
        }
    }

    [[nodiscard]] std::vector<double> arm(bool dense) const {
        return dense ? measure(documents_.dense()) : measure(documents_.lexical());
    }

    [[nodiscard]] std::vector<double> hybrid(settings const& s) const {
        auto fusion = command_.retrieval.fusion;
        fusion.weights = {1 - s.alpha, s.alpha};
        fusion.rrf_k = s.rrf_k;
        return with_rule(fusion, [&](auto rule) {
            return with_stages(
                trawl::hybrid_search{documents_.lexical(), documents_.dense()}.window(s.window).fuse(
                    std::move(rule), {.complete = command_.retrieval.complete}),
                s);
        });
    }

private:
    template <class Search>
    [[nodiscard]] std::vector<double> with_stages(Search search, settings const& s) const {
        auto const texts = [&](trawl::doc_id id) { return documents_.corpus().searched(id); };
        auto const diversified = [&](auto before) {
            if (!s.lambda) return measure(before);
            return measure(std::move(before).diversify(
                trawl::mmr{.lambda = *s.lambda, .relevance = trawl::relevance::stage_score},
                documents_.dense()));
        };
        if (s.depth == 0) return diversified(std::move(search));
        return diversified(std::move(search).rerank(reranker_, texts, {.depth = s.depth}));
    }

    // One value a judged question, in the order of their keys.
    template <class Search>
    [[nodiscard]] std::vector<double> measure(Search const& search) const {
        std::vector<trawl::run_row> rows;
        for (trawl::doc_id i = 0; i < queries_.size(); ++i) {
            auto const key = queries_.keys.key(i);
            if (!judged_.find(key)) continue;
            trawl::query q{.text = queries_.texts[i]};
            if (!vectors_.values.empty()) q.vector = vectors_.view().row(i);
            double place = 0; // the order of the ranking, whatever its scores
            for (auto const& h : search.search(q, trawl::search_options{.k = command_.k})) {
                rows.push_back({key, documents_.corpus().keys.key(h.id), --place});
            }
        }
        return trawl::evaluate(trawl::run(rows), judged_, measures_).values;
    }

    tune_command const& command_;
    engine documents_;
    trawl::beir_queries queries_;
    trawl::matrix<float> vectors_;
    trawl::qrels judged_;
    std::vector<trawl::measure> measures_;
    trawl::overlap_reranker reranker_;
};

std::vector<trawl::tuned_parameter> parameters_of(tune_command const& command) {
    std::vector<trawl::tuned_parameter> out;
    for (auto const& tried : command.tried) {
        auto const same = [&](trawl::tuned_parameter const& p) { return p.name == tried.name; };
        if (std::any_of(out.begin(), out.end(), same)) {
            throw trawl::error(trawl::errc::invalid_argument, "--try: " + tried.name + " is there twice");
        }
        auto const continuous = tried.name == "alpha" || tried.name == "lambda" || tried.name == "rrf-k";
        out.push_back({tried.name, tried.values, continuous});
    }
    if (!out.empty()) return out;
    trawl::tuned_parameter alpha{"alpha", {}, true};
    for (int i = 0; i <= 10; ++i) alpha.values.push_back(i / 10.0);
    return {alpha};
}

} // namespace

void run(tune_command const& command) {
    if (command.retrieval.retriever != "hybrid") {
        throw trawl::error(trawl::errc::invalid_argument, "tune needs --retriever hybrid");
    }
    auto const parameters = parameters_of(command);
    workbench const bench(command);
    std::vector<trawl::tuning_reference> const arms{{"BM25", bench.arm(false)}, {"dense", bench.arm(true)}};
    std::size_t points = 1;
    for (auto const& p : parameters) points *= p.values.size();
    progress bar("settings", points);
    auto const tuned = trawl::tune(parameters,
        [&](std::span<double const> at) {
            bar.step();
            return bench.hybrid(settings_at(parameters, at, command.retrieval));
        },
        arms, {.folds = command.folds, .seed = command.seed});
    auto table = trawl::to_table(tuned, arms);
    table.columns.back() = command.metric;
    write_result("", formatted(table, command.table));
}

} // namespace cli
