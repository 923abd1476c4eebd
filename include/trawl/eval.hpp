// SPDX-License-Identifier: MIT
#pragma once

/// Everything in eval/ that needs nothing but the standard library, opens no file and starts no thread.
/// Written by ./dev format.

#include <trawl/eval/assessment.hpp>
#include <trawl/eval/average_precision.hpp>
#include <trawl/eval/comparison.hpp>
#include <trawl/eval/cutoff_measures.hpp>
#include <trawl/eval/evaluate.hpp>
#include <trawl/eval/judgements.hpp>
#include <trawl/eval/measure.hpp>
#include <trawl/eval/ndcg.hpp>
#include <trawl/eval/ordered_keys.hpp>
#include <trawl/eval/qrels.hpp>
#include <trawl/eval/run.hpp>
#include <trawl/eval/set_measures.hpp>
#include <trawl/eval/smallest_depth.hpp>
#include <trawl/eval/user_models.hpp>
