// SPDX-License-Identifier: MIT
#pragma once

/// Everything in dense/ that needs nothing but the standard library, opens no file and starts no thread.
/// Written by ./dev format.

#include <trawl/dense/element.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/dense/metric.hpp>
#include <trawl/dense/quantised_index.hpp>
#include <trawl/dense/vector_code.hpp>
