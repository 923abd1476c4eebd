// SPDX-License-Identifier: MIT
#pragma once

/// Draws a report's charts as SVG. Colours are those of the page's style sheet, so that light and
/// dark are its matter.

#include <string>

#include <trawl/report/chart.hpp>

TRAWL_BEGIN_NAMESPACE

/// A chart as SVG without a style of its own: classes line, dot, won, lost, front, grid, zero, s0 …
/// s7. Numbers must be finite.
[[nodiscard]] std::string to_svg(report_chart const& chart);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/report/detail/svg_inl.hpp>
#endif
