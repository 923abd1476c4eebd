// SPDX-License-Identifier: MIT
#pragma once

/// Choosing parameters by a measure: every point of a grid, a search between grid points where one parameter
/// is left, and what the choice is worth on questions that it was not made on.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/bootstrap.hpp>
#include <trawl/eval/significance.hpp>
#include <trawl/eval/table.hpp>

namespace trawl::inline v0_1 {

/// All ways of giving `steps` equal shares to `arms` arms, each a vector of whole numbers of sum `steps`;
/// n / steps is a weight. Counted in whole numbers: none is lost to a sum that is not quite 1.
/// Ascending, arm by arm: C(steps + arms - 1, arms - 1) of them.
/// @throws trawl::error (invalid_argument) if arms or steps is 0, or there are more than a million.
[[nodiscard]] inline std::vector<std::vector<std::size_t>> simplex_grid(std::size_t arms, std::size_t steps) {
    if (arms == 0 || steps == 0) {
        detail::fail(errc::invalid_argument,
            detail::join("simplex_grid: arms and steps must be >= 1, are ", arms, " and ", steps));
    }
    std::vector<std::vector<std::size_t>> out;
    std::vector<std::size_t> point(arms, 0);
    point.back() = steps;
    for (;;) {
        if (out.size() == 1'000'000) {
            detail::fail(errc::invalid_argument, detail::join("simplex_grid: ", arms, " arms and ", steps,
                                                     " steps make more than a million points"));
        }
        out.push_back(point);
        // The next one: the last arm but one that can take a share of those after it does, they start anew.
        auto at = arms - 1;
        while (at > 0 && point[at] == 0) --at;
        if (at == 0) return out;
        auto const rest = point[at] - 1;
        point[at] = 0;
        ++point[at - 1];
        point.back() = rest;
    }
}

struct golden_section_options {
    double tolerance = 1e-3; ///< width of the interval at which it ends, > 0
};

struct optimum {
    double at = 0;
    double value = 0;
};

/// The highest value seen of a function on [low, high], by golden-section search; the highest there is if the
/// function rises, then falls. Of equal values the first seen. The ends are looked at too.
/// @throws trawl::error (invalid_argument) for bounds that are not finite or in order, or a tolerance <= 0.
[[nodiscard]] inline optimum golden_section(
    double low, double high, function_ref<double(double)> f, golden_section_options const& options = {}) {
    if (!detail::is_finite(low) || !detail::is_finite(high) || !(low <= high)) {
        detail::fail(errc::invalid_argument,
            detail::join("golden_section: low must be <= high and both finite, are ", low, " and ", high));
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

/// A parameter and the values that are tried, ascending.
struct tuned_parameter {
    std::string name = {};
    std::vector<double> values = {};
    bool continuous = false; ///< values between those of the grid make sense
};

struct tune_options {
    std::size_t folds = 5; ///< of the cross-validation, >= 2; no more than there are questions
    std::uint64_t seed = 1;
    double confidence = 0.95;
    bool refine = true; ///< golden-section where one continuous parameter has more than one value
};

struct tuning_point {
    std::vector<double> parameters = {}; ///< one for each tuned_parameter
    std::vector<double> values = {};     ///< one a question
    double mean = 0;
};

struct tuning {
    std::vector<std::string> names = {};      ///< of the parameters
    std::vector<tuning_point> points = {};    ///< the grid, the last parameter fastest; then points between
    std::size_t grid = 0;                     ///< how many of them are the grid's
    std::size_t best = 0;                     ///< the first of the highest mean
    std::vector<std::size_t> chosen = {};     ///< by fold: the grid point that is best on the other folds
    std::vector<double> held_out = {};        ///< one a question: its value under the choice made without it
    double cross_validated = 0;               ///< mean of held_out: what to expect of tuning on new questions
    std::optional<std::size_t> best_arm = {}; ///< of the references, that of the highest mean
    interval gain = {};                       ///< of held_out over the best reference
    std::vector<std::string> warnings = {};
};

/// A system that tuning must beat, such as one arm alone.
struct tuning_reference {
    std::string name = {};
    std::vector<double> values = {}; ///< one a question
};

namespace detail {

inline void check_grid(std::span<tuned_parameter const> parameters) {
    std::size_t points = 1;
    for (auto const& p : parameters) {
        if (p.values.empty())
            fail(errc::invalid_argument, join("tune: parameter '", p.name, "' has no values"));
        for (std::size_t i = 0; i < p.values.size(); ++i) {
            if (!is_finite(p.values[i]) || (i > 0 && !(p.values[i - 1] < p.values[i]))) {
                fail(errc::invalid_argument,
                    join("tune: values of '", p.name, "' must be finite and ascend, see ", p.values[i]));
            }
        }
        if (points > 1'000'000 / p.values.size())
            fail(errc::invalid_argument, "tune: more than a million points");
        points *= p.values.size();
    }
}

// The first point of the highest mean over the questions whose fold is not `without`.
[[nodiscard]] inline std::size_t best_without(
    std::span<tuning_point const> points, std::span<std::size_t const> folds, std::size_t without) {
    std::size_t best = 0;
    double highest = 0;
    for (std::size_t p = 0; p < points.size(); ++p) {
        double sum = 0;
        for (std::size_t i = 0; i < folds.size(); ++i) {
            if (folds[i] != without) sum += points[p].values[i];
        }
        if (p == 0 || sum > highest) {
            best = p;
            highest = sum;
        }
    }
    return best;
}

inline void add_warnings(
    tuning& t, std::span<tuned_parameter const> parameters, std::span<tuning_reference const> references) {
    auto const& best = t.points[t.best];
    if (t.best_arm) {
        auto const& arm = references[*t.best_arm];
        auto const mean = mean_of(arm.values);
        if (best.mean <= mean) {
            t.warnings.push_back(join("The best setting (", fixed_text(best.mean, 4), ") does not beat ",
                arm.name, " alone (", fixed_text(mean, 4), ")."));
        } else if (t.gain.low <= 0) {
            t.warnings.push_back(join("The gain over ", arm.name,
                " alone is inside the confidence interval on questions that were not tuned on (",
                fixed_text(t.gain.low, 4), " to ", fixed_text(t.gain.high, 4), "): it may be chance."));
        }
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        auto const& values = parameters[i].values;
        if (values.size() < 2) continue;
        auto const at = best.parameters[i];
        if (at != values.front() && at != values.back()) continue;
        t.warnings.push_back(join("The best value of ", parameters[i].name, ", ", at,
            ", lies on the edge of what was tried: look further, or at what the edge means."));
    }
    auto const differ = std::adjacent_find(t.chosen.begin(), t.chosen.end(), std::not_equal_to<>{});
    if (differ != t.chosen.end()) {
        t.warnings.push_back(
            "The folds of the cross-validation chose different settings: the best one is not certain.");
    }
    if (best.values.size() < 25) {
        t.warnings.push_back(join("There are only ", best.values.size(), " questions."));
    }
}

} // namespace detail

/// Tries every combination of the parameters' values. Of equal means the earlier point wins.
/// @param measured    Gives the measure of every question under these parameters; the same questions in the
///                    same order each time.
/// @param references  What tuning must beat, measured on the same questions; may be empty.
/// @throws trawl::error (invalid_argument) for a parameter without values or with values that do not ascend,
/// for fewer than two folds or questions, (dimension_mismatch) for values that are not one a question,
/// (not_finite).
/// @par Complexity  A call of `measured` for each point, then O(folds * points * questions).
[[nodiscard]] inline tuning tune(std::span<tuned_parameter const> parameters,
    function_ref<std::vector<double>(std::span<double const>)> measured,
    std::span<tuning_reference const> references = {}, tune_options const& options = {}) {
    detail::check_grid(parameters);
    tuning out;
    for (auto const& p : parameters) out.names.push_back(p.name);

    auto const look = [&](std::vector<double> at) {
        auto values = measured(at);
        if (!out.points.empty() && values.size() != out.points[0].values.size()) {
            detail::fail(
                errc::dimension_mismatch, detail::join("tune: ", values.size(), " values where there were ",
                                              out.points[0].values.size(), " questions"));
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (detail::is_finite(values[i])) continue;
            detail::fail(
                errc::not_finite, detail::join("tune: the value of question ", i, " is ", values[i]));
        }
        auto const mean = detail::mean_of(values);
        out.points.push_back({std::move(at), std::move(values), mean});
        if (mean > out.points[out.best].mean) out.best = out.points.size() - 1;
        return mean;
    };
    std::vector<std::size_t> index(parameters.size(), 0);
    for (bool more = true; more;) {
        std::vector<double> at;
        for (std::size_t i = 0; i < index.size(); ++i) at.push_back(parameters[i].values[index[i]]);
        look(std::move(at));
        more = false;
        for (auto i = index.size(); i-- > 0 && !more;) {
            more = ++index[i] < parameters[i].values.size();
            if (!more) index[i] = 0;
        }
    }
    out.grid = out.points.size();
    auto const n = out.points[0].values.size();
    auto const folds = (std::min)(options.folds, n);
    if (folds < 2) {
        detail::fail(errc::invalid_argument,
            detail::join("tune: needs 2 folds and 2 questions, has ", options.folds, " and ", n));
    }

    std::vector<std::size_t> fold(n);
    for (std::size_t i = 0; i < n; ++i) fold[i] = i % folds;
    detail::random(options.seed).shuffle(std::span(fold));
    for (std::size_t f = 0; f < folds; ++f) {
        out.chosen.push_back(detail::best_without(std::span(out.points).first(out.grid), fold, f));
    }
    for (std::size_t i = 0; i < n; ++i) out.held_out.push_back(out.points[out.chosen[fold[i]]].values[i]);
    out.cross_validated = detail::mean_of(out.held_out);

    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (parameters[i].values.size() > 1) open.push_back(i);
    }
    if (options.refine && open.size() == 1 && parameters[open[0]].continuous) {
        auto at = out.points[out.best].parameters;
        auto const& values = parameters[open[0]].values;
        auto const here = static_cast<std::size_t>(
            std::lower_bound(values.begin(), values.end(), at[open[0]]) - values.begin());
        auto const low = values[here == 0 ? 0 : here - 1];
        auto const high = values[(std::min)(here + 1, values.size() - 1)];
        static_cast<void>(golden_section(low, high,
            [&](double x) {
                at[open[0]] = x;
                return look(at);
            },
            {.tolerance = (high - low) / 32}));
    }

    for (std::size_t r = 0; r < references.size(); ++r) {
        if (references[r].values.size() != n) {
            detail::fail(errc::dimension_mismatch,
                detail::join("tune: reference '", references[r].name, "' has ", references[r].values.size(),
                    " values, there are ", n, " questions"));
        }
        if (!out.best_arm
            || detail::mean_of(references[r].values) > detail::mean_of(references[*out.best_arm].values)) {
            out.best_arm = r;
        }
    }
    if (out.best_arm) {
        out.gain = bootstrap_difference(out.held_out, references[*out.best_arm].values,
            {.confidence = options.confidence, .seed = options.seed});
    }
    detail::add_warnings(out, parameters, references);
    return out;
}

/// The best points, best first, with what they promise and what speaks against it.
/// @param rows  At most so many points.
[[nodiscard]] inline table to_table(
    tuning const& t, std::span<tuning_reference const> references = {}, std::size_t rows = 10) {
    table out{.title = "Settings, best first", .columns = t.names};
    out.columns.push_back("mean");
    std::vector<std::size_t> order(t.points.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
        [&](std::size_t a, std::size_t b) { return t.points[a].mean > t.points[b].mean; });
    for (std::size_t i = 0; i < (std::min)(rows, order.size()); ++i) {
        auto const& point = t.points[order[i]];
        std::vector<table_cell> cells;
        for (double const value : point.parameters) cells.emplace_back(value, 3);
        cells.emplace_back(point.mean);
        out.add(std::move(cells));
    }
    for (auto const& reference : references) {
        out.notes.push_back(detail::join(
            reference.name, " alone: ", detail::fixed_text(detail::mean_of(reference.values), 4), "."));
    }
    out.notes.push_back(detail::join(
        "To expect on new questions (cross-validated): ", detail::fixed_text(t.cross_validated, 4), "."));
    if (t.best_arm) {
        out.notes.push_back(detail::join("Gain over ", references[*t.best_arm].name, ": ",
            detail::fixed_text(t.gain.low, 4), " to ", detail::fixed_text(t.gain.high, 4), "."));
    }
    for (auto const& warning : t.warnings) out.notes.push_back("Warning: " + warning);
    return out;
}

} // namespace trawl::inline v0_1
