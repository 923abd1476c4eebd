// SPDX-License-Identifier: MIT
#include "collection_query.hpp"

#include <cstdio>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/collection/condition_text.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/error.hpp>

#include "described.hpp"
#include "lexical.hpp"
#include "stored_collection.hpp"
#include "terminal.hpp"
#include "words.hpp"

namespace cli {
namespace {

std::string one_line(std::string text) {
    for (auto& c : text) {
        if (c == '\n' || c == '\r' || c == '\t') c = ' ';
    }
    return text;
}

trawl::collection_search_options options_of(query_command const& command) {
    auto const& asked = command.retrieval;
    trawl::collection_search_options out{.k = command.k,
        .where = trawl::parse_condition(asked.where),
        .per_parent = command.per_parent,
        .window = asked.window,
        .syntax = asked.strict ? trawl::syntax_mode::strict : trawl::syntax_mode::lenient,
        .count = true,
        .facets = command.facets,
        .suggest = true};
    out.fusion = asked.fusion.rule == "rrf" ? trawl::collection_fusion::rrf
                                            : trawl::collection_fusion::weighted_sum;
    out.weights = asked.fusion.weights;
    if (!command.sort.empty()) {
        auto const descending = command.sort.front() == '-';
        out.sort = trawl::field_order{command.sort.substr(descending ? 1 : 0), descending};
    }
    out.highlight = {.before = "*", .after = "*", .length = 160};
    return out;
}

trawl::collection opened(std::string const& path, query_command const& command) {
    auto settings = read_settings(path);
    if (!command.retrieval.model.empty()) settings.model = command.retrieval.model;
    return open_collection(path, settings, true, model_use::open);
}

// Whether the collection's own search does what is asked for.
bool is_plain(retrieval_options const& asked) {
    auto const& fusion = asked.fusion;
    return !asked.stages.any() && !asked.complete
           && (fusion.rule == "weighted" || fusion.rule == "rrf") && !fusion.norm && !fusion.rrf_k
           && fusion.others.empty();
}

} // namespace

struct collection_query::found {
    trawl::collection_result result = {};
    std::vector<trawl::explanation> reasons = {}; ///< of the hits, if asked for
};

collection_query::collection_query(std::string const& path, query_command const& command)
    : documents_(opened(path, command)),
      retrieval_(command.retrieval),
      options_(options_of(command)),
      explain_(command.explain),
      staged_(!is_plain(command.retrieval)) {
    auto const& rerank = command.retrieval.stages.rerank;
    if (!rerank.empty()) reranker_ = open_reranker(rerank);
}

collection_query::found collection_query::plain(std::string const& text) const {
    found out{.result = documents_.search(text, options_)};
    for (auto const& hit : out.result) {
        if (explain_) out.reasons.push_back(documents_.explain(text, hit.key, options_));
    }
    return out;
}

collection_query::found collection_query::staged(std::string const& text) const {
    auto const now = documents_.snapshot();
    auto const made = now.options();
    // Counts, facets and corrections do not depend on the stages.
    auto counting = options_;
    counting.k = 0;
    found out{.result = now.search(text, counting)};

    pipeline_sources from;
    from.arms.push_back(now.words());
    std::optional<trawl::collection_vectors> vectors;
    std::vector<float> vector;
    if (!made.vectors.empty() && made.vectors[0].embedder) {
        from.arms.push_back(now.vectors());
        vectors = now.stored_vectors();
        from.stored = &*vectors;
        auto const words = asked_words(text, made.texts);
        std::string_view const view = words;
        vector.resize(vectors->dim());
        made.vectors[0].embedder.embed(std::span(&view, 1), trawl::text_role::query,
            trawl::matrix_view<float>{vector.data(), 1, vector.size()});
    }
    from.text = [&](trawl::doc_id id) { return now.text(id); };
    if (reranker_) from.reranker = &reranker_;
    from.parent = [&](trawl::doc_id id) { return now.parent(id); };
    from.per_parent = options_.per_parent;
    auto how = retrieval_;
    how.complete = how.complete || how.fusion.rule == "weighted"; // as the collection's own
    if (from.arms.size() == 1) {
        how.fusion = kept_scores();
        how.complete = false;
    }
    auto const pipeline = described(from, how, how.window);
    auto const inside = now.matching(options_.where);
    trawl::query const asked{.text = text, .vector = vector};
    trawl::search_options const options{.k = options_.k, .where = inside};
    auto const ranking = pipeline.search(asked, options);
    out.result.hits = now.hits(ranking, text, options_);
    for (auto const& hit : ranking) {
        if (explain_) out.reasons.push_back(pipeline.explain(asked, hit.id, options));
    }
    return out;
}

void collection_query::answer(std::string const& text) const {
    auto const [result, reasons] = staged_ ? staged(text) : plain(text);
    if (result.did_you_mean) std::printf("did you mean: %s\n", result.did_you_mean->c_str());
    if (result.empty()) std::puts("nothing found");
    std::size_t rank = 0;
    for (auto const& hit : result) {
        std::printf("%3zu  %-10.6g %s  %s\n", rank + 1, static_cast<double>(hit.score),
            hit.key.c_str(), one_line(hit.title).c_str());
        std::printf("     %s\n", one_line(hit.snippet).c_str());
        if (explain_) std::fputs(trawl::to_text(reasons[rank], 3).c_str(), stdout);
        ++rank;
    }
    if (result.matches) std::printf("%zu documents match\n", *result.matches);
    for (auto const& facet : result.facets) {
        std::printf("%s:", facet.field.c_str());
        for (auto const& value : facet.values)
            std::printf(" %s (%zu)", trawl::to_string(value.value).c_str(), value.count);
        if (facet.others > 0) std::printf(", %zu more", facet.others);
        std::puts("");
    }
}

} // namespace cli
