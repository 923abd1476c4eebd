// SPDX-License-Identifier: MIT
#pragma once

/// An evaluation put together for people: who is better and whether that is certain, curves, and
/// every query with what each system found.

#include <span>

#include <trawl/eval/qrels.hpp>
#include <trawl/report/data.hpp>

TRAWL_BEGIN_NAMESPACE

/// Measures the systems and puts the figures together.
/// @param systems  The first is the baseline that the others are compared with.
/// @throws trawl::error (invalid_argument) for no systems, a system without a run, no queries or
/// no measure; what evaluate and compare throw.
[[nodiscard]] evaluation_report make_report(std::span<reported_system const> systems,
    qrels const& judged, report_options const& options = {});

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/report/detail/make_inl.hpp>
#endif
