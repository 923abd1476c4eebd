// SPDX-License-Identifier: MIT
#pragma once

/// The lexical arm: documents as one text each, or title and text as fields.

#include <string>
#include <vector>

#include <trawl/formats/beir.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/lexical/bm25f_index.hpp>
#include <trawl/pipeline/any_retriever.hpp>
#include <trawl/text/analyzers/any_analyzer.hpp>

#include "options.hpp"

namespace cli {

using text_index = trawl::basic_bm25_index<trawl::any_analyzer>;
using field_index = trawl::basic_bm25f_index<trawl::any_analyzer>;

[[nodiscard]] text_index index_texts(
    trawl::beir_corpus const& corpus, retrieval_options const& options);
/// @param options  with a title_weight.
[[nodiscard]] field_index index_fields(
    trawl::beir_corpus const& corpus, retrieval_options const& options);

/// @param options  whether queries are parsed, and how strictly.
[[nodiscard]] trawl::any_retriever arm_of(text_index index, retrieval_options const& options);
[[nodiscard]] trawl::any_retriever arm_of(field_index index, retrieval_options const& options);

/// The words of a query in trawl's syntax, but for those that it excludes: what it means.
[[nodiscard]] std::string asked_words(
    std::string const& text, std::vector<trawl::bm25_field> const& fields);

} // namespace cli
