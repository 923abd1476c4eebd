// SPDX-License-Identifier: MIT
#include "engine.hpp"

#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/embed/lsa.hpp>
#include <trawl/error.hpp>
#include <trawl/formats/npy.hpp>
#include <trawl/text/analyzers/any_analyzer.hpp>

#include "described.hpp"
#include "lexical.hpp"
#include "terminal.hpp"
#include "words.hpp"

namespace cli {
namespace {

// One vector a row, as many rows as there are `things`.
trawl::matrix<float> read_vectors(
    std::string const& path, std::size_t count, std::string_view things) {
    auto vectors = trawl::read_npy(path);
    if (vectors.rows != count) {
        throw trawl::error(trawl::errc::dimension_mismatch,
            joined(path, ": has ", vectors.rows, " rows, there are ", count, " ", things));
    }
    for (std::size_t i = 0; i < vectors.rows; ++i) {
        auto const row = vectors.view().row(i);
        std::size_t at = 0;
        while (at < row.size() && std::isfinite(row[at])) ++at;
        if (at == row.size()) continue;
        throw trawl::error(
            trawl::errc::not_finite, joined(path, ": row ", i, ", value ", at, " is ", row[at]));
    }
    return vectors;
}

trawl::metric metric_named(std::string_view name) {
    if (name == "dot_product") return trawl::metric::dot_product;
    if (name == "euclidean") return trawl::metric::euclidean;
    return trawl::metric::cosine;
}

} // namespace

engine::engine(retrieval_options const& options)
    : engine(options, trawl::read_corpus(options.corpus)) {
    if (options.retriever == "bm25" || !options.vectors.empty() || !options.model.empty()) return;
    std::fputs("no --model or --vectors: the dense arm compares texts by latent semantic analysis "
               "of this corpus\n",
        stderr);
}

engine::engine(retrieval_options const& options, trawl::beir_corpus corpus)
    : corpus_(std::move(corpus)), vectors_path_(options.vectors) {
    if (options.retriever != "dense") {
        lexical_ = options.title_weight ? arm_of(index_fields(corpus_, options), options)
                                        : arm_of(index_texts(corpus_, options), options);
    }
    if (options.retriever != "bm25") index_vectors(options);
    if (options.retriever != "hybrid" && !options.stages.any()) return;
    pipeline_sources from;
    if (lexical_) from.arms.emplace_back(*lexical_);
    if (dense_) from.arms.emplace_back(*dense_);
    from.vectors = dense_ ? &*dense_ : nullptr;
    from.text = [this](trawl::doc_id id) { return corpus_.searched(id); };
    if (!options.stages.rerank.empty()) {
        reranker_ = open_reranker(options.stages.rerank);
        from.reranker = &reranker_;
    }
    auto how = options;
    if (from.arms.size() == 1) how.fusion = kept_scores();
    pipeline_ = described(from, how, options.window);
}

void engine::index_vectors(retrieval_options const& options) {
    if (!options.model.empty()) embedder_ = open_embedder(options.model);
    trawl::matrix<float> vectors;
    if (!options.vectors.empty()) {
        vectors = read_vectors(options.vectors, corpus_.size(), "documents");
        if (embedder_ && embedder_.dim() != vectors.cols) {
            throw trawl::error(trawl::errc::dimension_mismatch,
                joined(options.vectors, ": vectors have ", vectors.cols, " values, those of ",
                    options.model, " ", embedder_.dim()));
        }
    } else {
        auto const texts = searched_texts(corpus_);
        if (!embedder_) fit_analysis(options, texts);
        vectors = embedded(embedder_, texts, trawl::text_role::passage);
    }
    dense_.emplace(vectors.cols, metric_named(options.metric));
    dense_->add_all(vectors.view());
}

void engine::fit_analysis(retrieval_options const& options, std::vector<std::string> const& texts) {
    std::vector<std::string_view> const views(texts.begin(), texts.end());
    // In a small corpus a term of one document still tells documents apart.
    embedder_ = trawl::basic_lsa_embedder<trawl::any_analyzer>::fit(views,
        {.least_df = views.size() < 1000 ? 1u : 2u}, trawl::any_analyzer::named(options.analyzer));
}

trawl::matrix<float> engine::query_vectors(
    std::span<std::string const> texts, std::string const& path) const {
    if (!dense_) return {};
    if (path.empty()) return embedded(embedder_, texts, trawl::text_role::query);
    auto vectors = read_vectors(path, texts.size(), "queries");
    if (vectors.cols != dense_->dim()) {
        throw trawl::error(trawl::errc::dimension_mismatch,
            joined(path, ": vectors have ", vectors.cols, " values, those of ", vectors_path_, " ",
                dense_->dim()));
    }
    return vectors;
}

trawl::ranking engine::search(trawl::query const& q, trawl::search_options const& options) const {
    if (pipeline_) return pipeline_->search(q, options);
    return lexical_ ? lexical_->search(q, options) : dense_->search(q, options);
}

trawl::explanation engine::explain(
    trawl::query const& q, trawl::doc_id id, trawl::search_options const& options) const {
    if (pipeline_) return pipeline_->explain(q, id, options);
    return lexical_ ? lexical_->explain(q, id, options) : dense_->explain(q, id, options);
}

} // namespace cli
