// SPDX-License-Identifier: MIT
#pragma once

/// Everything in eval/ that needs nothing but the standard library, opens no file and starts no thread.
/// Written by ./dev format.

#include <trawl/eval/ablation.hpp>
#include <trawl/eval/abstention.hpp>
#include <trawl/eval/assessment.hpp>
#include <trawl/eval/average_precision.hpp>
#include <trawl/eval/bootstrap.hpp>
#include <trawl/eval/comparison.hpp>
#include <trawl/eval/convention.hpp>
#include <trawl/eval/cost.hpp>
#include <trawl/eval/cutoff_measures.hpp>
#include <trawl/eval/depth_curve.hpp>
#include <trawl/eval/diversity.hpp>
#include <trawl/eval/evaluate.hpp>
#include <trawl/eval/failure_analysis.hpp>
#include <trawl/eval/judgements.hpp>
#include <trawl/eval/measure.hpp>
#include <trawl/eval/multiple_comparisons.hpp>
#include <trawl/eval/ndcg.hpp>
#include <trawl/eval/ordered_keys.hpp>
#include <trawl/eval/parameter_search.hpp>
#include <trawl/eval/pseudo_queries.hpp>
#include <trawl/eval/qrels.hpp>
#include <trawl/eval/query_profile.hpp>
#include <trawl/eval/run.hpp>
#include <trawl/eval/search_outcome.hpp>
#include <trawl/eval/set_measures.hpp>
#include <trawl/eval/significance.hpp>
#include <trawl/eval/smallest_depth.hpp>
#include <trawl/eval/system_comparison.hpp>
#include <trawl/eval/table.hpp>
#include <trawl/eval/tied_assessment.hpp>
#include <trawl/eval/tuning.hpp>
#include <trawl/eval/user_models.hpp>
#include <trawl/eval/validity.hpp>
#include <trawl/eval/weight_choice.hpp>
