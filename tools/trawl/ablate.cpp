// SPDX-License-Identifier: MIT

/// trawl ablate: what each technique of a search contributes, where it loses queries, and what
/// kind of queries they are.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <trawl/error.hpp>
#include <trawl/eval/ablation.hpp>
#include <trawl/eval/cutoff_measures.hpp>
#include <trawl/eval/depth_curve.hpp>
#include <trawl/eval/failure_analysis.hpp>
#include <trawl/eval/query_profile.hpp>
#include <trawl/eval/smallest_depth.hpp>
#include <trawl/formats/lines.hpp>
#include <trawl/rerank/drop_near_duplicates.hpp>

#include "inputs.hpp"
#include "options.hpp"
#include "tables.hpp"
#include "terminal.hpp"
#include "words.hpp"
#include "workbench.hpp"

namespace cli {
namespace {

constexpr std::size_t read = 10; // hits that the reader looks at

// A field of queries.jsonl, one for each judged query; "-" where a query has none.
std::vector<std::string> labels_of(ablate_command const& command, workbench const& bench) {
    std::vector<std::string> out;
    if (command.label.empty()) return out;
    out.assign(bench.judged().size(), "-");
    auto const text = read_contents(command.queries);
    trawl::line_reader lines(text, command.queries);
    for (std::string_view line; lines.next(line);) {
        if (trawl::is_blank(line)) continue;
        auto const json = nlohmann::json::parse(line, nullptr, false);
        if (!json.is_object()) {
            lines.fail(trawl::errc::parse, "--label needs queries as JSON");
        }
        auto const id = json.value("_id", nlohmann::json());
        auto const at = bench.judged().find(id.is_string() ? id.get<std::string>() : id.dump());
        auto const label = json.find(command.label);
        if (at && label != json.end())
            out[*at] = label->is_string() ? label->get<std::string>() : label->dump();
    }
    return out;
}

// What is known about each query, by ids of the corpus.
std::vector<trawl::judgements> judgements_of(workbench const& bench) {
    std::vector<trawl::judgements> out;
    for (std::size_t q = 0; q < bench.judged().size(); ++q) {
        std::vector<trawl::judgement> known;
        for (auto const& j : bench.judged().judgements(q).all()) {
            auto const key = bench.judged().documents().key(j.id);
            if (auto const id = bench.documents().corpus().keys.find(key))
                known.push_back({*id, j.grade});
        }
        out.emplace_back(std::move(known));
    }
    return out;
}

// The share of queries of which `shares` holds a relevant document among the first k.
double answered(answers const& found, std::vector<trawl::judgements> const& known, std::size_t k) {
    double count = 0;
    for (std::size_t q = 0; q < known.size(); ++q)
        count += trawl::hit_rate{k}(found.rankings[q], known[q]);
    return known.empty() ? 0 : count / static_cast<double>(known.size());
}

// The share of the first hits that say what one before them said.
double repeated(answers const& found, trawl::flat_index const& vectors) {
    trawl::drop_near_duplicates const different{vectors};
    double all = 0;
    double kept = 0;
    for (auto const& hits : found.rankings) {
        auto const first = std::span(hits).first((std::min)(read, hits.size()));
        all += static_cast<double>(first.size());
        kept +=
            static_cast<double>(different({}, trawl::ranking(first.begin(), first.end())).size());
    }
    return all > 0 ? 1 - kept / all : 0;
}

// The techniques of this search, in the order in which they are added, and what they make of the
// settings.
struct techniques {
    std::vector<std::string> names{"BM25", "dense"};
    ablate_command const& command;
    stage_options all;

    explicit techniques(ablate_command const& c) : command(c), all(c.retrieval.stages) {
        if (c.depth > 0) {
            all.rerank = "overlap";
            all.rerank_depth = c.depth;
            names.push_back("rerank");
        }
        if (all.score_floor) names.push_back("score floor");
        if (all.autocut) names.push_back("autocut");
        if (all.dedupe) names.push_back("dedupe");
        if (c.lambda < 1) {
            all.mmr = c.lambda;
            names.push_back("MMR");
        }
    }

    [[nodiscard]] std::optional<settings> chosen(std::vector<bool> const& on, settings out) const {
        if (!on[0] && !on[1]) return std::nullopt; // nothing to rerank
        out.alpha = on[0] ? (on[1] ? command.alpha : 0) : 1;
        out.stages = all;
        for (std::size_t i = 2; i < on.size(); ++i) {
            if (on[i]) continue;
            if (names[i] == "rerank") out.stages.rerank.clear();
            if (names[i] == "score floor") out.stages.score_floor.reset();
            if (names[i] == "autocut") out.stages.autocut.reset();
            if (names[i] == "dedupe") out.stages.dedupe.reset();
            if (names[i] == "MMR") out.stages.mmr.reset();
        }
        return out;
    }
};

trawl::table failures_of(ablate_command const& command, workbench& bench,
    std::vector<trawl::judgements> const& known, answers const& fused, answers const& whole) {
    auto const arm = [&](double alpha) {
        auto s = bench.usual();
        s.alpha = alpha;
        s.stages = {};
        return bench.ask(s, s.window);
    };
    auto const words = arm(0);
    auto const vectors = arm(1);
    std::vector<trawl::failure> out;
    for (std::size_t q = 0; q < known.size(); ++q) {
        std::vector<trawl::ranking> const arms{words.rankings[q], vectors.rankings[q]};
        trawl::searched_query asked{
            .arms = arms, .ranked = fused.rankings[q], .result = whole.rankings[q], .k = read};
        if (command.depth > 0) asked.depth = command.depth;
        out.push_back(trawl::find_failure(asked, known[q]));
    }
    return trawl::to_table(out);
}

// How far down the fused candidates the answers stand.
trawl::table depths_of(workbench const& bench, answers const& fused) {
    constexpr std::size_t depths[] = {1, 3, 5, 10, 20, 30, 50, 100};
    auto const candidates = bench.run_of(fused);
    auto points = trawl::depth_curve(candidates, bench.judged(), depths);
    std::erase_if(
        points, [&](trawl::depth_point const& p) { return p.depth > bench.usual().window; });
    trawl::table out{
        .title = "Candidates to hand to a later stage", .columns = {"depth", "recall", "hit"}};
    for (auto const& p : points) out.add({p.depth, p.recall, p.hit});
    auto const ranks = trawl::first_ranks(candidates, bench.judged());
    for (double const target : {.8, .9, .95}) {
        auto const depth = trawl::smallest_depth(ranks, target);
        auto const share = joined(std::lround(100 * target), " % of the queries");
        out.notes.push_back(depth ? joined(share, " have an answer among the first ", *depth, ".")
                                  : joined("No depth gives ", share, " an answer."));
    }
    return out;
}

trawl::table profile_table(ablate_command const& command, workbench& bench,
    std::vector<trawl::judgements> const& known, answers const& fused,
    trawl::ablation const& measured) {
    std::vector<std::string_view> texts;
    for (std::size_t q = 0; q < bench.judged().size(); ++q) {
        if (auto const id = bench.queries().keys.find(bench.judged().query(q))) {
            texts.push_back(bench.queries().texts[*id]);
        }
    }
    trawl::profile_evidence evidence{.measure = command.measure};
    for (auto const& row : measured.rows) {
        if (row.kind == trawl::ablation_kind::alone && row.technique == "BM25")
            evidence.lexical = row.mean;
        if (row.kind == trawl::ablation_kind::alone && row.technique == "dense")
            evidence.dense = row.mean;
        if (row.kind == trawl::ablation_kind::added && row.technique == "dense")
            evidence.fused = row.mean;
    }
    evidence.fusion = command.retrieval.fusion.rule == "rrf" ? "RRF" : "a weighted sum";
    if (command.texts == "reference") evidence.texts = trawl::text_kind::reference;
    if (command.texts == "dialogue") evidence.texts = trawl::text_kind::dialogue;
    evidence.found = answered(fused, known, bench.usual().window);
    evidence.first = answered(fused, known, read);
    evidence.repetition = repeated(fused, bench.documents().dense());
    // Rare: in a thousandth of the documents at most, and in one at least.
    auto const most = (std::max)(bench.documents().corpus().size() / 1000, std::size_t{3});
    return trawl::to_table(trawl::profile_of(texts,
                               [&](std::string_view word) {
                                   auto const found =
                                       bench.words().search({.text = word}, {.k = most + 1}).size();
                                   return found > 0 && found <= most;
                               }),
        evidence);
}

} // namespace

void run(ablate_command const& command) {
    if (command.retrieval.retriever != "hybrid") {
        throw trawl::error(trawl::errc::invalid_argument, "ablate needs --retriever hybrid");
    }
    workbench bench(command);
    auto const usual = bench.usual();
    techniques const stages(command);
    trawl::ablation_options const options{
        .measure = command.measure, .labels = labels_of(command, bench), .seed = command.seed};
    progress bar("searches", 3 * stages.names.size());
    answers whole;
    auto const measured = trawl::ablate(
        stages.names,
        [&](std::vector<bool> const& on) -> std::optional<trawl::search_outcome> {
            bar.step();
            auto const chosen = stages.chosen(on, usual);
            if (!chosen) return std::nullopt;
            auto found = bench.ask(*chosen);
            auto out = bench.outcome(found);
            if (command.untimed) out.seconds = 0;
            if (std::count(on.begin(), on.end(), false) == 0) whole = std::move(found);
            return out;
        },
        options);

    auto fusion = usual;
    fusion.alpha = command.alpha;
    fusion.stages = {};
    auto const fused = bench.ask(fusion, 2 * usual.window);
    auto const known = judgements_of(bench);
    std::vector<trawl::table> const tables{trawl::to_table(measured, options),
        failures_of(command, bench, known, fused, whole), depths_of(bench, fused),
        profile_table(command, bench, known, fused, measured)};
    write_result("", formatted(tables, command.table));
}

} // namespace cli
