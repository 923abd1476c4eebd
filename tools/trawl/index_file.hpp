// SPDX-License-Identifier: MIT
#pragma once

/// The files of trawl index: a lexical index, a line about each document, and their vectors if a
/// model made them.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <trawl/core/explanation.hpp>
#include <trawl/core/matrix.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/embed/any_embedder.hpp>
#include <trawl/formats/beir.hpp>
#include <trawl/pipeline/any_pipeline.hpp>
#include <trawl/storage/sections.hpp>

#include "lexical.hpp"
#include "options.hpp"

namespace cli {

/// A document's key and its title, or how its text begins: one line.
[[nodiscard]] std::string line_about(trawl::beir_corpus const& corpus, trawl::doc_id id);

/// False for a file of trawl index without vectors, true for one with, and for what cannot be read.
[[nodiscard]] bool has_vectors(std::string const& path);

class index_file {
public:
    /// @param options  whether queries are parsed, and how strictly; of a file with vectors also the
    /// retriever, the fusion, the stages, and the model's folder if it has moved.
    /// @throws trawl::error (io; corrupt); (invalid_argument) for a model that did not make its vectors.
    index_file(std::string const& path, retrieval_options const& options);

    [[nodiscard]] trawl::any_retriever const& lexical() const noexcept { return index_; }
    [[nodiscard]] std::string_view line(trawl::doc_id id) const;

    /// The vector of a query, as one row; none without a dense arm.
    [[nodiscard]] trawl::matrix<float> vectors(std::string const& text) const;
    [[nodiscard]] trawl::ranking search(
        trawl::query const& q, trawl::search_options const& options) const;
    [[nodiscard]] trawl::explanation explain(
        trawl::query const& q, trawl::doc_id id, trawl::search_options const& options) const;

    static void write(std::string const& path, trawl::beir_corpus const& corpus,
        retrieval_options const& options);

private:
    void open_vectors(retrieval_options const& options);

    trawl::section_file file_;
    trawl::any_retriever index_;
    std::span<char const> lines_;
    std::span<std::uint64_t const> ends_;
    bool syntax_;
    trawl::any_embedder model_;              ///< none without a dense arm
    std::optional<trawl::flat_index> dense_; ///< likewise
    std::optional<trawl::any_pipeline> pipeline_;
};

} // namespace cli
