// SPDX-License-Identifier: MIT
#pragma once

/// Everything in rerank/ that needs nothing but the standard library, opens no file and starts no thread.
/// Written by ./dev format.

#include <trawl/rerank/cosines.hpp>
#include <trawl/rerank/diversify_stage.hpp>
#include <trawl/rerank/mmr.hpp>
#include <trawl/rerank/overlap_reranker.hpp>
#include <trawl/rerank/rerank_stage.hpp>
#include <trawl/rerank/stage.hpp>
