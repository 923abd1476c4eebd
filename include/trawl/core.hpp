// SPDX-License-Identifier: MIT
#pragma once

/// Everything in core/ that needs nothing but the standard library, opens no file and starts no thread.
/// Written by ./dev format.

#include <trawl/core/concepts.hpp>
#include <trawl/core/doc_set.hpp>
#include <trawl/core/enum_count.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/filter.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/holding.hpp>
#include <trawl/core/key_table.hpp>
#include <trawl/core/matrix.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/placed.hpp>
#include <trawl/core/save_hint.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/sort_by_rank.hpp>
#include <trawl/core/top_k.hpp>
#include <trawl/core/words.hpp>
