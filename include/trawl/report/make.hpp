// SPDX-License-Identifier: MIT
#pragma once

/// Makes a report of an evaluation: comparisons and their significance, curves, and every query with
/// the results of each system.

#include <span>

#include <trawl/eval/qrels.hpp>
#include <trawl/report/data.hpp>

TRAWL_BEGIN_NAMESPACE

/// Measures the systems and makes the report.
/// @param systems  The first one is the baseline.
/// @throws trawl::error (invalid_argument) if there are no systems, no queries or no measures, or a
/// system has no run; what evaluate and compare throw.
[[nodiscard]] evaluation_report make_report(std::span<reported_system const> systems,
    qrels const& judged, report_options const& options = {});

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/report/detail/make_inl.hpp>
#endif
