// SPDX-License-Identifier: MIT
#pragma once

/// Everything in rerank/ that needs nothing but the standard library, opens no file and starts no thread.
/// Written by ./dev format.

#include <trawl/rerank/autocut.hpp>
#include <trawl/rerank/boost_stage.hpp>
#include <trawl/rerank/decay.hpp>
#include <trawl/rerank/diversify_stage.hpp>
#include <trawl/rerank/dpp.hpp>
#include <trawl/rerank/drop_near_duplicates.hpp>
#include <trawl/rerank/facility_location.hpp>
#include <trawl/rerank/group_by_parent.hpp>
#include <trawl/rerank/listwise.hpp>
#include <trawl/rerank/max_sum_dispersion.hpp>
#include <trawl/rerank/maxsim.hpp>
#include <trawl/rerank/mmr.hpp>
#include <trawl/rerank/overlap_reranker.hpp>
#include <trawl/rerank/relevance.hpp>
#include <trawl/rerank/rerank_stage.hpp>
#include <trawl/rerank/score_floor.hpp>
#include <trawl/rerank/stage.hpp>
