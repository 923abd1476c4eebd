// SPDX-License-Identifier: MIT
#pragma once

/// The lexical arm: documents as one text each, or title and text as fields.

#include <trawl/formats/beir.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/lexical/bm25f_index.hpp>
#include <trawl/pipeline/detail/any_parts.hpp>
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

/// @param syntax  whether questions are read in the syntax of trawl/lexical/query_syntax.hpp.
[[nodiscard]] trawl::any_retriever arm_of(text_index index, bool syntax);
[[nodiscard]] trawl::any_retriever arm_of(field_index index, bool syntax);

} // namespace cli
