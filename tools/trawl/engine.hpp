// SPDX-License-Identifier: MIT
#pragma once

/// A corpus with its indexes, searched as the options say.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/matrix.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/embed/any_embedder.hpp>
#include <trawl/formats/beir.hpp>
#include <trawl/pipeline/any_pipeline.hpp>

#include "lexical.hpp"
#include "models.hpp"
#include "options.hpp"

namespace cli {

class engine {
public:
    /// Reads and indexes the corpus.
    explicit engine(retrieval_options const& options);
    /// Indexes a corpus.
    engine(retrieval_options const& options, trawl::beir_corpus corpus);
    engine(engine const&) = delete;
    engine& operator=(engine const&) = delete;

    /// The vectors of queries for the dense arm, one a row: read from the file, or made by the
    /// model or the analysis of the corpus where the path is empty. No rows where there is no dense
    /// arm.
    [[nodiscard]] trawl::matrix<float> query_vectors(
        std::span<std::string const> texts, std::string const& path) const;

    [[nodiscard]] trawl::ranking search(
        trawl::query const& q, trawl::search_options const& options) const;
    [[nodiscard]] trawl::explanation explain(
        trawl::query const& q, trawl::doc_id id, trawl::search_options const& options) const;
    /// The arms; each is there if the retriever has it.
    [[nodiscard]] trawl::any_retriever const& lexical() const { return *lexical_; }
    [[nodiscard]] trawl::flat_index const& dense() const { return *dense_; }
    [[nodiscard]] trawl::beir_corpus const& corpus() const noexcept { return corpus_; }

private:
    void index_vectors(retrieval_options const& options);
    void fit_analysis(retrieval_options const& options, std::vector<std::string> const& texts);

    trawl::beir_corpus corpus_;
    std::string vectors_path_;
    std::optional<trawl::any_retriever> lexical_;
    std::optional<trawl::flat_index> dense_;
    trawl::any_embedder embedder_; ///< none where the vectors of queries are read from a file
    candidate_scorer reranker_;    ///< none but for --rerank
    std::optional<trawl::any_pipeline> pipeline_; ///< none where one arm is searched as it is
};

} // namespace cli
