// SPDX-License-Identifier: MIT
#pragma once

/// Everything in lexical/ that needs nothing but the standard library, opens no file and starts no thread.
/// Written by ./dev format.

#include <trawl/lexical/bm25.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/lexical/highlight.hpp>
#include <trawl/lexical/lexical_query.hpp>
#include <trawl/lexical/query_filter.hpp>
#include <trawl/lexical/query_syntax.hpp>
