// SPDX-License-Identifier: MIT
#include "pseudo_rounds.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>

#include <trawl/error.hpp>
#include <trawl/text/analyzers/any_analyzer.hpp>

#include "inputs.hpp"

namespace cli {
namespace {

constexpr std::size_t most_rounds = 8;
trawl::pseudo_query_source source_named(std::string_view name) {
    using source = trawl::pseudo_query_source;
    for (auto const kind : {source::title, source::heading, source::first_sentence})
        if (trawl::name_of(kind) == name) return kind;
    return source::passage;
}

} // namespace

pseudo_rounds::pseudo_rounds(tune_command const& command) : command_(command) {
    auto const corpus = trawl::read_corpus(command.retrieval.corpus);
    trawl::pseudo_query_options how{.seed = command.seed, .sources = {}};
    for (auto const& name : command.cut) how.sources.push_back(source_named(name));
    if (!command.queries.empty()) {
        auto const queries = trawl::parse_queries(read_contents(command.queries), command.queries);
        for (auto const& text : queries.texts)
            if (auto const words = trawl::count_words(text); words > 0)
                how.lengths.push_back(words);
    }
    for (std::size_t r = 0; r < most_rounds && sources_.size() < command.pseudo_queries; ++r) {
        how.count = command.pseudo_queries - sources_.size();
        how.seed = command.seed * most_rounds + r;
        auto const before = sources_.size();
        add_round(corpus, how);
        if (sources_.size() == before) break;
    }
    if (rounds_.empty()) {
        throw trawl::error(trawl::errc::invalid_argument,
            command.retrieval.corpus + ": no document has a piece that can be cut out");
    }
    if (command.retrieval.retriever == "hybrid") {
        std::fputs("the dense arm compares texts by latent semantic analysis of what is left of "
                   "the documents\n",
            stderr);
    }
    if (command.qrels.empty()) return;
    judged_ = std::make_unique<workbench>(command);
    sources_.insert(sources_.end(), judged_->judged().size(), "judged");
}

void pseudo_rounds::add_round(
    trawl::beir_corpus const& corpus, trawl::pseudo_query_options const& how) {
    std::vector<trawl::titled_text> texts;
    for (std::size_t i = 0; i < corpus.size(); ++i)
        texts.push_back({corpus.titles[i], corpus.texts[i]});
    auto const drawn = trawl::draw_pseudo_queries(
        texts, trawl::any_analyzer::named(command_.retrieval.analyzer), how);
    if (drawn.empty()) return;
    auto left = corpus;
    trawl::beir_queries queries;
    for (auto const& q : drawn) {
        left.titles[q.document] = q.title;
        left.texts[q.document] = q.text;
        queries.keys.add(corpus.keys.key(q.document));
        queries.texts.push_back(q.query);
    }
    auto judged = trawl::judgements_of(
        drawn, [&](trawl::doc_id id) -> std::string_view { return corpus.keys.key(id); });
    rounds_.push_back(std::make_unique<workbench>(
        command_, std::move(left), std::move(queries), std::move(judged)));
    // Values are in the order of the judgements, whose queries ascend by key.
    auto const& asked = rounds_.back()->judged();
    for (std::size_t i = 0; i < asked.size(); ++i) {
        auto const id = *corpus.keys.find(asked.query(i));
        auto const at = std::lower_bound(drawn.begin(), drawn.end(), id,
            [](trawl::pseudo_query const& q, trawl::doc_id d) { return q.document < d; });
        sources_.emplace_back(trawl::name_of(at->source));
    }
}

std::vector<double> pseudo_rounds::values(settings const& s) {
    std::vector<double> out;
    auto const add = [&](workbench& bench) {
        auto const measured = bench.outcome(bench.ask(s)).values;
        out.insert(out.end(), measured.begin(), measured.end());
    };
    for (auto const& round : rounds_) add(*round);
    if (judged_) add(*judged_);
    return out;
}

} // namespace cli
