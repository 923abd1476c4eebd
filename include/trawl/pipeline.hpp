// SPDX-License-Identifier: MIT
#pragma once

/// Everything in pipeline/ that needs nothing but the standard library, opens no file and starts no thread.
/// Written by ./dev format.

#include <trawl/pipeline/any_pipeline.hpp>
#include <trawl/pipeline/any_retriever.hpp>
#include <trawl/pipeline/cursor.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/pipeline/make_pipeline.hpp>
#include <trawl/pipeline/report.hpp>
#include <trawl/pipeline/rewriting.hpp>
#include <trawl/pipeline/serialised.hpp>
#include <trawl/pipeline/variants.hpp>
