// SPDX-License-Identifier: MIT
#pragma once

/// Charts of a report: what they show. report/svg.hpp draws them.

#include <string>
#include <vector>

#include <trawl/config.hpp>

TRAWL_BEGIN_NAMESPACE

enum class chart_kind : unsigned char {
    lines, ///< a curve for each series
    bars,  ///< one series, from zero; x is ignored
    marks, ///< points with labels; the second series is joined by steps
    /// x with low and high for each labelled point, a group for each series; y is ignored
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
    bool log_x = false; ///< x > 0
    std::vector<chart_series> series = {};
    std::string note = {}; ///< how to read it
};

TRAWL_END_NAMESPACE
