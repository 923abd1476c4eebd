// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of parameter_search.hpp.

#include <trawl/eval/parameter_search.hpp>

#include <cstddef>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
TRAWL_INLINE std::vector<std::vector<std::size_t>> simplex_grid(
    std::size_t arms, std::size_t steps) {
    if (arms == 0 || steps == 0) {
        detail::fail(errc::invalid_argument,
            detail::join("simplex_grid: arms and steps must be >= 1, are ", arms, " and ", steps));
    }
    std::vector<std::vector<std::size_t>> out;
    std::vector<std::size_t> point(arms, 0);
    point.back() = steps;
    for (;;) {
        if (out.size() == 1'000'000) {
            detail::fail(
                errc::invalid_argument, detail::join("simplex_grid: ", arms, " arms and ", steps,
                                            " steps make more than a million points"));
        }
        out.push_back(point);
        // The next one: the last arm but one that can take a share of those after it does, they
        // start anew.
        auto at = arms - 1;
        while (at > 0 && point[at] == 0) --at;
        if (at == 0) return out;
        auto const rest = point[at] - 1;
        point[at] = 0;
        ++point[at - 1];
        point.back() = rest;
    }
}

TRAWL_INLINE optimum golden_section(double low, double high, function_ref<double(double)> f,
    golden_section_options const& options) {
    if (!detail::is_finite(low) || !detail::is_finite(high) || !(low <= high)) {
        detail::fail(errc::invalid_argument,
            detail::join(
                "golden_section: low must be <= high and both finite, are ", low, " and ", high));
    }
    if (!(options.tolerance > 0)) {
        detail::fail(errc::invalid_argument,
            detail::join("golden_section: tolerance must be > 0, is ", options.tolerance));
    }
    constexpr double ratio = 0.6180339887498949;
    optimum best{low, f(low)};
    auto const look = [&](double x) {
        auto const value = f(x);
        if (value > best.value) best = {x, value};
        return value;
    };
    look(high);
    auto a = high - ratio * (high - low);
    auto b = low + ratio * (high - low);
    auto at_a = look(a);
    auto at_b = look(b);
    // 200 steps shrink any interval of doubles to nothing.
    for (int i = 0; i < 200 && high - low > options.tolerance; ++i) {
        if (at_a >= at_b) {
            high = b;
            b = a;
            at_b = at_a;
            a = high - ratio * (high - low);
            at_a = look(a);
        } else {
            low = a;
            a = b;
            at_a = at_b;
            b = low + ratio * (high - low);
            at_b = look(b);
        }
    }
    return best;
}

TRAWL_END_NAMESPACE
