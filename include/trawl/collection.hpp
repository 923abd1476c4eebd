// SPDX-License-Identifier: MIT
#pragma once

/// Everything in collection/ that needs nothing but the standard library.
/// Written by ./dev format.

#include <trawl/collection/collection.hpp>
#include <trawl/collection/condition.hpp>
#include <trawl/collection/condition_text.hpp>
#include <trawl/collection/date.hpp>
#include <trawl/collection/document.hpp>
#include <trawl/collection/facets.hpp>
#include <trawl/collection/metadata.hpp>
#include <trawl/collection/metadata_table.hpp>
#include <trawl/collection/options.hpp>
#include <trawl/collection/search.hpp>
#include <trawl/collection/tuning.hpp>
#include <trawl/collection/view.hpp>
