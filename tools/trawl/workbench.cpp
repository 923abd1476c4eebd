// SPDX-License-Identifier: MIT
#include "workbench.hpp"

#include <chrono>
#include <memory>
#include <string_view>
#include <utility>

#include <trawl/error.hpp>
#include <trawl/eval/evaluate.hpp>
#include <trawl/eval/validity.hpp>

#include "described.hpp"
#include "inputs.hpp"
#include "words.hpp"

namespace cli {
namespace {

std::vector<trawl::measure> one_measure(std::string const& name) {
    auto measures = trawl::measures_named(name);
    if (measures.size() == 1) return measures;
    throw trawl::error(trawl::errc::invalid_argument,
        joined("--measure: must be one measure, ", name, " are ", measures.size()));
}

// What the corpus is read and its vectors are indexed for; its texts are indexed here.
retrieval_options without_texts(retrieval_options options) {
    if (options.title_weight) {
        throw trawl::error(trawl::errc::invalid_argument,
            "--title-weight: settings are tried on documents of one text");
    }
    if (options.retriever == "hybrid") options.retriever = "dense";
    return options;
}

} // namespace

workbench::workbench(judged_search const& options)
    : options_(options),
      documents_(without_texts(options.retrieval)),
      queries_(trawl::parse_queries(read_contents(options.queries), options.queries)),
      vectors_(documents_.query_vectors(queries_.texts, options.query_vectors)),
      judged_(read_qrels(options.qrels)),
      measures_(one_measure(options.measure)) {
    arms_.emplace(whole, index_texts(documents_.corpus(), options.retrieval));
    if (!options.eligible.empty()) eligible_ = read_keys(options.eligible);
    filters_ = eligibility(options.retrieval.corpus, options.retrieval.where, options.queries);
}

workbench::workbench(judged_search const& options, trawl::beir_corpus corpus,
    trawl::beir_queries queries, trawl::qrels judged)
    : options_(options),
      documents_(without_texts(options.retrieval), std::move(corpus)),
      queries_(std::move(queries)),
      vectors_(documents_.query_vectors(queries_.texts, "")),
      judged_(std::move(judged)),
      measures_(one_measure(options.measure)),
      remembers_(true) {
    arms_.emplace(whole, index_texts(documents_.corpus(), options.retrieval));
}

settings workbench::usual() const {
    auto const& r = options_.retrieval;
    return {.window = r.window,
        .stages = r.stages,
        .rrf_k = r.fusion.rrf_k,
        .k1 = r.k1,
        .b = r.b,
        .passages = {0, 0}};
}

workbench::shape workbench::shape_of(settings const& s) {
    return {s.passages.tokens, s.passages.overlap.value_or(s.passages.tokens / 5)};
}

lexical_arm const& workbench::lexical(settings const& s) {
    auto const wanted = shape_of(s);
    auto at = arms_.find(wanted);
    if (at == arms_.end()) {
        at = arms_
                 .emplace(wanted,
                     lexical_arm(documents_.corpus(),
                         trawl::any_analyzer::named(options_.retrieval.analyzer), s.passages))
                 .first;
    }
    auto parameters = words().parameters();
    parameters.k1 = s.k1;
    parameters.b = s.b;
    at->second.set_parameters(parameters);
    return at->second;
}

template <class Search>
void workbench::ask_each(Search const& search, std::size_t k, answers& out) const {
    auto const start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < judged_.size(); ++i) {
        auto& hits = out.rankings.emplace_back();
        auto const id = queries_.keys.find(judged_.query(i));
        if (!id) continue;
        trawl::query q{.text = queries_.texts[*id]};
        if (!vectors_.values.empty()) q.vector = vectors_.view().row(*id);
        hits = search.search(q, {.k = k, .where = filters_.of_query(*id)});
    }
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

pipeline_sources workbench::arms_of(settings const& s, lexical_arm const& words) {
    pipeline_sources from;
    auto const hybrid = options_.retrieval.retriever == "hybrid";
    if (hybrid) from.vectors = &documents_.dense();
    if (!remembers_) {
        from.arms.emplace_back(words);
        if (hybrid) from.arms.emplace_back(documents_.dense());
        return from;
    }
    auto const remembered = [](std::shared_ptr<remembered_arm>& arm, auto const& retriever) {
        if (arm == nullptr) arm = std::make_shared<remembered_arm>(trawl::any_retriever(retriever));
        return trawl::any_retriever(arm);
    };
    from.arms.push_back(remembered(words_found_[{shape_of(s), s.k1, s.b}], words));
    if (hybrid) from.arms.push_back(remembered(vectors_found_, documents_.dense()));
    return from;
}

answers workbench::ask(settings const& s, std::size_t k) {
    answers out;
    auto const& words = lexical(s);
    auto const hybrid = options_.retrieval.retriever == "hybrid";
    if (!hybrid && !s.stages.any()) {
        ask_each(words, k, out);
        return out;
    }
    auto from = arms_of(s, words);
    from.text = [this](trawl::doc_id id) { return documents_.corpus().searched(id); };
    from.texts_read = &out.calls;
    auto options = options_.retrieval;
    options.stages = s.stages;
    if (hybrid) {
        options.fusion.weights = {1 - s.alpha, s.alpha};
        options.fusion.rrf_k = s.rrf_k;
    } else {
        options.fusion = kept_scores();
    }
    ask_each(described(from, options, s.window), k, out);
    return out;
}

trawl::run workbench::run_of(answers const& found) const {
    std::vector<trawl::run_row> rows;
    for (std::size_t i = 0; i < judged_.size(); ++i) {
        double place = 0; // the order of the ranking, whatever its scores
        for (auto const& h : found.rankings[i]) {
            rows.push_back({judged_.query(i), documents_.corpus().keys.key(h.id), --place});
        }
    }
    return trawl::run(rows);
}

trawl::search_outcome workbench::outcome(answers const& found) const {
    auto const run = run_of(found);
    auto measured = trawl::evaluate(run, judged_, measures_);
    trawl::search_outcome out{
        .values = measured.values, .seconds = found.seconds, .calls = found.calls};
    if (eligible_) {
        trawl::add_ineligible(measured, run, *eligible_);
        out.ineligible = measured.summaries.back();
    }
    return out;
}

} // namespace cli
