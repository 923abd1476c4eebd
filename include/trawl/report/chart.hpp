// SPDX-License-Identifier: MIT
#pragma once

/// The contents of a report's charts. report/svg.hpp draws them.

#include <string>
#include <vector>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

enum class chart_kind : unsigned char {
    lines, ///< a curve for each series
    bars,  ///< one series, bars from zero; x is ignored
    marks, ///< labelled points; the points of the second series are joined by steps
    /// Labelled points x with their intervals [low, high], a group for each series; y is ignored.
    intervals,
};

struct chart_point {
    double x = 0;
    double y = 0;
    std::string label = {};
    double low = 0;
    double high = 0;
};

struct chart_series {
    std::string name = {};
    std::vector<chart_point> points = {};
};

struct report_chart {
    chart_kind kind = chart_kind::lines;
    std::string title = {};
    std::string x_label = {};
    std::string y_label = {};
    bool log_x = false; ///< logarithmic x axis; needs x > 0
    std::vector<chart_series> series = {};
    std::string note = {}; ///< how to read it
};

TRAWL_END_NAMESPACE
