// SPDX-License-Identifier: MIT
#pragma once

/// Everything in report/ that needs nothing but the standard library.
/// Written by ./dev format.

#include <trawl/report/chart.hpp>
#include <trawl/report/data.hpp>
#include <trawl/report/html.hpp>
#include <trawl/report/make.hpp>
#include <trawl/report/svg.hpp>
