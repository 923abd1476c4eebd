// SPDX-License-Identifier: MIT
#pragma once

/// The core of the library, which nearly every program needs: lexical and vector search, their
/// fusion, hybrid search with its stages, and the common measures. trawl/all.hpp adds all that is
/// common and needs no file, thread or other library.

#include <trawl/core.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/average_precision.hpp>
#include <trawl/eval/cutoff_measures.hpp>
#include <trawl/eval/ndcg.hpp>
#include <trawl/eval/set_measures.hpp>
#include <trawl/fusion/rrf.hpp>
#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/diversify_stage.hpp>
#include <trawl/rerank/mmr.hpp>
#include <trawl/rerank/rerank_stage.hpp>
#include <trawl/version.hpp>
