// SPDX-License-Identifier: MIT
#pragma once

/// Everything in lexical/ that needs nothing but the standard library, opens no file and starts no thread.
/// Written by ./dev format.

#include <trawl/lexical/admitted_rows.hpp>
#include <trawl/lexical/analyzed_document.hpp>
#include <trawl/lexical/ascending_numbers.hpp>
#include <trawl/lexical/best_sums.hpp>
#include <trawl/lexical/bm25.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/lexical/bm25_scorer.hpp>
#include <trawl/lexical/candidates.hpp>
#include <trawl/lexical/conjunction_search.hpp>
#include <trawl/lexical/count_table.hpp>
#include <trawl/lexical/document_chunks.hpp>
#include <trawl/lexical/edit_distance.hpp>
#include <trawl/lexical/eligible_search.hpp>
#include <trawl/lexical/index_snapshot.hpp>
#include <trawl/lexical/inverted_index.hpp>
#include <trawl/lexical/lexical_query.hpp>
#include <trawl/lexical/list_bytes.hpp>
#include <trawl/lexical/list_packer.hpp>
#include <trawl/lexical/list_search.hpp>
#include <trawl/lexical/match_search.hpp>
#include <trawl/lexical/packed_numbers.hpp>
#include <trawl/lexical/packed_positions.hpp>
#include <trawl/lexical/packed_postings.hpp>
#include <trawl/lexical/phrase_matches.hpp>
#include <trawl/lexical/phrase_search.hpp>
#include <trawl/lexical/posting_cursor.hpp>
#include <trawl/lexical/query_syntax.hpp>
#include <trawl/lexical/question_document.hpp>
#include <trawl/lexical/question_plan.hpp>
#include <trawl/lexical/question_search.hpp>
#include <trawl/lexical/score_scale.hpp>
#include <trawl/lexical/scored_list.hpp>
#include <trawl/lexical/segment.hpp>
#include <trawl/lexical/segment_builder.hpp>
#include <trawl/lexical/segment_merge.hpp>
#include <trawl/lexical/term_dictionary.hpp>
#include <trawl/lexical/term_search.hpp>
#include <trawl/lexical/term_weights.hpp>
#include <trawl/lexical/tf_part.hpp>
#include <trawl/lexical/window_search.hpp>
