// SPDX-License-Identifier: MIT
#pragma once

/// The axes of a chart: round numbers that hold all values.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <trawl/detail/number_text.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// From numbers to places on the paper.
struct chart_axis {
    double low = 0;
    double high = 1;
    double from = 0; ///< where low is
    double to = 1;
    bool log = false;

    [[nodiscard]] double at(double value) const {
        auto const share =
            log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
        return from + (to - from) * share;
    }
};

// Steps of 1, 2 or 5 times a power of ten, about so many.
[[nodiscard]] inline double chart_step(double width, int count) {
    auto const raw = width / count;
    auto const power = std::pow(10, std::floor(std::log10(raw)));
    for (double const f : {1.0, 2.0, 5.0}) {
        if (f * power >= raw * 0.999) return f * power;
    }
    return 10 * power;
}

// An axis from round numbers to round numbers that holds all values.
[[nodiscard]] inline chart_axis axis_over(double low, double high, double from, double to) {
    if (!(high > low)) {
        auto const room = low == 0 ? 1.0 : std::abs(low) / 2;
        low -= room;
        high += room;
    }
    auto const step = chart_step(high - low, 5);
    return {std::floor(low / step + 1e-9) * step, std::ceil(high / step - 1e-9) * step, from, to};
}

[[nodiscard]] inline std::vector<double> ticks_of(chart_axis const& axis) {
    std::vector<double> out;
    if (axis.log) {
        for (double power = 1; power <= axis.high * 1.001; power *= 10) {
            if (power >= axis.low * 0.999) out.push_back(power);
        }
        return out;
    }
    auto const step = chart_step(axis.high - axis.low, 5);
    auto const count = static_cast<int>(std::lround((axis.high - axis.low) / step));
    for (int i = 0; i <= count; ++i) out.push_back(axis.low + i * step);
    return out;
}

// A number beside an axis.
[[nodiscard]] inline std::string tick_text(double value, double step) {
    auto const digits = step >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(step) - 1e-9));
    return fixed_text(std::abs(value) < step / 1000 ? 0 : value, (std::min)(digits, 9));
}

} // namespace detail
TRAWL_END_NAMESPACE
