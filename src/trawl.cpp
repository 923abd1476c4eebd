// SPDX-License-Identifier: MIT
// The compiled form of the library: trawl::compiled. Written by ./dev format.

#ifndef TRAWL_COMPILED
#define TRAWL_COMPILED
#endif
#include <trawl/core/detail/doc_set_inl.hpp>
#include <trawl/core/detail/explanation_inl.hpp>
#include <trawl/core/detail/key_table_inl.hpp>
#include <trawl/core/detail/late_interaction_inl.hpp>
#include <trawl/core/detail/sort_by_rank_inl.hpp>
#include <trawl/core/detail/thread_executor_inl.hpp>
#include <trawl/core/detail/top_k_inl.hpp>
#include <trawl/detail/error_inl.hpp>
#include <trawl/detail/simd/dispatch_inl.hpp>
#include <trawl/lexical/detail/lexical_query_inl.hpp>
#include <trawl/lexical/detail/query_syntax_inl.hpp>
#include <trawl/storage/detail/checksum_inl.hpp>
#include <trawl/storage/detail/file_inl.hpp>
#include <trawl/storage/detail/mapped_file_inl.hpp>
#include <trawl/storage/detail/sections_inl.hpp>
#include <trawl/text/detail/any_analyzer_inl.hpp>
#include <trawl/text/detail/bm25s_analyzer_inl.hpp>
#include <trawl/text/detail/elision_inl.hpp>
#include <trawl/text/detail/english_analyzer_inl.hpp>
#include <trawl/text/detail/folding_inl.hpp>
#include <trawl/text/detail/french_analyzer_inl.hpp>
#include <trawl/text/detail/german_analyzer_inl.hpp>
#include <trawl/text/detail/highlight_inl.hpp>
#include <trawl/text/detail/lucene_english_analyzer_inl.hpp>
#include <trawl/text/detail/passage_finder_inl.hpp>
#include <trawl/text/detail/porter2_stemmer_inl.hpp>
#include <trawl/text/detail/porter_stemmer_inl.hpp>
#include <trawl/text/detail/standard_analyzer_inl.hpp>
#include <trawl/text/detail/tantivy_default_analyzer_inl.hpp>
#include <trawl/text/detail/technical_analyzer_inl.hpp>
#include <trawl/text/detail/token_filter_inl.hpp>
#include <trawl/text/detail/whitespace_analyzer_inl.hpp>
#include <trawl/text/detail/word_analyzer_inl.hpp>
