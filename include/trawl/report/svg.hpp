// SPDX-License-Identifier: MIT
#pragma once

/// Draws the charts of a report as SVG. The style sheet of the page gives the colours.

#include <string>

#include <trawl/report/chart.hpp>

TRAWL_BEGIN_NAMESPACE

/// A chart as SVG without styles. Its classes are line, dot, won, lost, front, grid, zero and s0 … s7.
/// @pre All numbers are finite.
[[nodiscard]] std::string to_svg(report_chart const& chart);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/report/detail/svg_inl.hpp>
#endif
