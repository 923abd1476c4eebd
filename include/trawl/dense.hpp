// SPDX-License-Identifier: MIT
#pragma once

/// Everything in dense/ that needs nothing but the standard library, opens no file and starts no thread.
/// Written by ./dev format.

#include <trawl/dense/coded_rows.hpp>
#include <trawl/dense/element.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/dense/quantised_index.hpp>
#include <trawl/dense/recall.hpp>
#include <trawl/dense/rotation.hpp>
#include <trawl/dense/row_scan.hpp>
#include <trawl/dense/similarity.hpp>
#include <trawl/dense/vector_code.hpp>
#include <trawl/dense/vector_store.hpp>
