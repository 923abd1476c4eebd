// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of tuning.hpp.

#include <trawl/eval/tuning.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
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
#include <trawl/eval/detail/paired.hpp>
#include <trawl/eval/parameter_search.hpp>
#include <trawl/eval/search_outcome.hpp>
#include <trawl/eval/significance.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

inline void check_values(tuned_parameter const& p) {
    if (p.values.empty())
        fail(errc::invalid_argument, join("tune: parameter '", p.name, "' has no values"));
    for (std::size_t i = 0; i < p.values.size(); ++i) {
        if (!is_finite(p.values[i]) || (i > 0 && !(p.values[i - 1] < p.values[i]))) {
            fail(errc::invalid_argument, join("tune: values of '", p.name,
                                             "' must be finite and ascend, see ", p.values[i]));
        }
    }
}

// Every point of `points` followed by every one of `ends`, those fastest.
[[nodiscard]] inline std::vector<std::vector<double>> crossed(
    std::vector<std::vector<double>> const& points, std::vector<std::vector<double>> const& ends) {
    if (points.size() > 1'000'000 / ends.size())
        fail(errc::invalid_argument, "tune: more than a million points");
    std::vector<std::vector<double>> out;
    out.reserve(points.size() * ends.size());
    for (auto const& point : points) {
        for (auto const& end : ends) {
            out.push_back(point);
            out.back().insert(out.back().end(), end.begin(), end.end());
        }
    }
    return out;
}

[[nodiscard]] inline std::vector<std::vector<double>> tuning_grid(
    std::span<tuned_parameter const> parameters, tuned_weights const& weights) {
    std::vector<std::vector<double>> out{{}};
    for (auto const& p : parameters) {
        check_values(p);
        std::vector<std::vector<double>> ends;
        for (double const value : p.values) ends.push_back({value});
        out = crossed(out, ends);
    }
    if (weights.names.empty()) return out;
    std::vector<std::vector<double>> ends;
    for (auto const& shares : simplex_grid(weights.names.size(), weights.steps)) {
        auto& end = ends.emplace_back();
        for (auto const share : shares) {
            end.push_back(static_cast<double>(share) / static_cast<double>(weights.steps));
        }
    }
    return crossed(out, ends);
}

// The queries whose fold is not `without`.
[[nodiscard]] inline std::vector<std::size_t> queries_without(
    std::span<std::size_t const> folds, std::size_t without) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < folds.size(); ++i) {
        if (folds[i] != without) out.push_back(i);
    }
    return out;
}

// The first point of the highest mean over these queries.
[[nodiscard]] inline std::size_t best_on(
    std::span<tuning_point const> points, std::span<std::size_t const> queries) {
    std::size_t best = 0;
    double highest = 0;
    for (std::size_t p = 0; p < points.size(); ++p) {
        double sum = 0;
        for (auto const i : queries) sum += points[p].outcome.values[i];
        if (p == 0 || sum > highest) {
            best = p;
            highest = sum;
        }
    }
    return best;
}

// Whether the mean of `point` is at most one standard error below that of `best` on these queries.
[[nodiscard]] inline bool within_one_error(
    tuning_point const& best, tuning_point const& point, std::span<std::size_t const> queries) {
    std::vector<double> lost;
    for (auto const i : queries) lost.push_back(best.outcome.values[i] - point.outcome.values[i]);
    return mean_of(lost) <= standard_deviation(lost) / std::sqrt(static_cast<double>(lost.size()));
}

// Grid points, those nearest to the usual setting first.
[[nodiscard]] inline std::vector<std::size_t> by_distance(
    std::span<tuning_point const> grid, std::span<double const> usual) {
    std::vector<double> distance(grid.size(), 0.0);
    for (std::size_t j = 0; j < usual.size(); ++j) {
        auto low = usual[j];
        auto high = usual[j];
        for (auto const& point : grid) {
            low = (std::min)(low, point.parameters[j]);
            high = (std::max)(high, point.parameters[j]);
        }
        if (low == high) continue;
        for (std::size_t p = 0; p < grid.size(); ++p)
            distance[p] += std::abs(grid[p].parameters[j] - usual[j]) / (high - low);
    }
    std::vector<std::size_t> order(grid.size());
    for (std::size_t p = 0; p < order.size(); ++p) order[p] = p;
    std::stable_sort(order.begin(), order.end(),
        [&](std::size_t a, std::size_t b) { return distance[a] < distance[b]; });
    return order;
}

// One call of tune, step by step.
class tuner {
public:
    using measure_setting = function_ref<std::optional<search_outcome>(std::span<double const>)>;

    tuner(std::span<tuned_parameter const> parameters, measure_setting measured,
        std::span<tuning_reference const> references, tune_options const& options)
        : parameters_(parameters),
          measured_(measured),
          references_(references),
          options_(options) {}

    [[nodiscard]] tuning run() && {
        for (auto const& p : parameters_) out_.names.push_back(p.name);
        out_.names.insert(
            out_.names.end(), options_.weights.names.begin(), options_.weights.names.end());
        for (auto& point : tuning_grid(parameters_, options_.weights)) look(std::move(point));
        if (out_.points.empty()) fail(errc::invalid_argument, "tune: no setting has an outcome");
        out_.grid = out_.points.size();
        auto const usual = !options_.usual.empty();
        if (usual) nearest_ = by_distance(out_.points, checked_usual());
        cross_validate();
        if (options_.refine && !usual) refine();
        out_.recommended = usual ? recommended(every_query()) : out_.best;
        compare();
        warn();
        return std::move(out_);
    }

private:
    // The mean there; as low as can be where the setting makes no sense.
    double look(std::vector<double> at) {
        auto outcome = measured_(at);
        if (!outcome) return -(std::numeric_limits<double>::max)();
        auto const& values = outcome->values;
        if (!out_.points.empty() && values.size() != queries()) {
            fail(errc::dimension_mismatch,
                join("tune: ", values.size(), " values where there were ", queries(), " queries"));
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (is_finite(values[i])) continue;
            fail(errc::not_finite, join("tune: the value of query ", i, " is ", values[i]));
        }
        auto const mean = mean_of(values);
        out_.points.push_back({std::move(at), std::move(*outcome), mean});
        if (mean > out_.points[out_.best].mean) out_.best = out_.points.size() - 1;
        return mean;
    }

    [[nodiscard]] std::size_t queries() const noexcept {
        return out_.points[0].outcome.values.size();
    }

    [[nodiscard]] std::span<double const> checked_usual() const {
        for (double const value : options_.usual) {
            if (!is_finite(value)) fail(errc::not_finite, join("tune: usual has ", value));
        }
        if (options_.usual.size() != out_.names.size()) {
            fail(errc::dimension_mismatch,
                join("tune: usual has ", options_.usual.size(), " values, there are ",
                    out_.names.size(), " parameters and weights"));
        }
        return options_.usual;
    }

    [[nodiscard]] std::vector<std::size_t> every_query() const {
        std::vector<std::size_t> out(queries());
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = i;
        return out;
    }

    // The grid point to use, going by these queries.
    [[nodiscard]] std::size_t recommended(std::span<std::size_t const> queries) const {
        auto const grid = std::span(out_.points).first(out_.grid);
        auto const best = best_on(grid, queries);
        for (auto const p : nearest_) {
            if (p == best || within_one_error(grid[best], grid[p], queries)) return p;
        }
        return best;
    }

    void cross_validate() {
        auto const n = queries();
        auto const folds = (std::min)(options_.folds, n);
        if (folds < 2) {
            fail(errc::invalid_argument,
                join("tune: needs 2 folds and 2 queries, has ", options_.folds, " and ", n));
        }
        std::vector<std::size_t> fold(n);
        for (std::size_t i = 0; i < n; ++i) fold[i] = i % folds;
        random(options_.seed).shuffle(std::span(fold));
        for (std::size_t f = 0; f < folds; ++f) {
            out_.chosen.push_back(recommended(queries_without(fold, f)));
        }
        for (std::size_t i = 0; i < n; ++i) {
            out_.held_out.push_back(out_.points[out_.chosen[fold[i]]].outcome.values[i]);
        }
        out_.cross_validated = mean_of(out_.held_out);
    }

    // Golden-section round the best point, where one parameter is left.
    void refine() {
        std::optional<std::size_t> open;
        for (std::size_t i = 0; i < parameters_.size(); ++i) {
            if (parameters_[i].values.size() < 2) continue;
            if (open || !parameters_[i].continuous) return;
            open = i;
        }
        auto at = out_.points[out_.best].parameters;
        auto const weights = options_.weights.names.size();
        if (weights == 2 && !open) { // the second one is what the first one leaves
            auto const step = 1 / static_cast<double>(options_.weights.steps);
            auto const first = at.size() - 2;
            search((std::max)(at[first] - step, 0.0), (std::min)(at[first] + step, 1.0),
                [&](double x) {
                    at[first] = x;
                    at[first + 1] = 1 - x;
                    return look(at);
                });
        } else if (open && weights < 2) {
            auto const& values = parameters_[*open].values;
            auto const here = static_cast<std::size_t>(
                std::lower_bound(values.begin(), values.end(), at[*open]) - values.begin());
            search(values[here == 0 ? 0 : here - 1],
                values[(std::min)(here + 1, values.size() - 1)], [&](double x) {
                    at[*open] = x;
                    return look(at);
                });
        }
    }

    static void search(double low, double high, function_ref<double(double)> f) {
        static_cast<void>(golden_section(low, high, f, {.tolerance = (high - low) / 32}));
    }

    void compare() {
        for (std::size_t r = 0; r < references_.size(); ++r) {
            auto const& values = references_[r].values;
            if (values.size() != queries()) {
                fail(errc::dimension_mismatch,
                    join("tune: reference '", references_[r].name, "' has ", values.size(),
                        " values, there are ", queries(), " queries"));
            }
            if (!out_.best_arm || mean_of(values) > mean_of(references_[*out_.best_arm].values)) {
                out_.best_arm = r;
            }
        }
        if (!out_.best_arm) return;
        out_.gain = bootstrap_difference(out_.held_out, references_[*out_.best_arm].values,
            {.confidence = options_.confidence, .seed = options_.seed});
    }

    void warn() {
        auto const& best = out_.points[out_.recommended];
        auto const* const which = options_.usual.empty() ? "best" : "recommended";
        auto const say = [&](auto const&... parts) { out_.warnings.push_back(join(parts...)); };
        if (out_.best_arm) {
            auto const& arm = references_[*out_.best_arm];
            auto const mean = mean_of(arm.values);
            if (best.mean <= mean) {
                say("The ", which, " setting (", fixed_text(best.mean, 4), ") does not beat ",
                    arm.name, " alone (", fixed_text(mean, 4), ").");
            } else if (out_.gain.low <= 0) {
                say("The gain over ", arm.name,
                    " alone is inside the confidence interval on queries that were not tuned on (",
                    fixed_text(out_.gain.low, 4), " to ", fixed_text(out_.gain.high, 4),
                    "): it may be chance.");
            }
        }
        for (std::size_t i = 0; i < parameters_.size(); ++i) {
            auto const& values = parameters_[i].values;
            auto const at = best.parameters[i];
            if (values.size() < 2 || (at != values.front() && at != values.back())) continue;
            if (!options_.usual.empty() && at == options_.usual[i]) continue;
            say("The ", which, " value of ", parameters_[i].name, ", ", at,
                ", lies on the edge of what was tried: look further, or at what the edge means.");
        }
        for (std::size_t i = 0; i < options_.weights.names.size(); ++i) {
            if (best.parameters[parameters_.size() + i] != 0) continue;
            say("The ", which, " weight of ", options_.weights.names[i],
                " is 0, on the edge of what was tried: it is better left out.");
        }
        auto const& chosen = out_.chosen;
        if (std::adjacent_find(chosen.begin(), chosen.end(), std::not_equal_to<>{})
            != chosen.end()) {
            say("The folds of the cross-validation chose different settings: the ", which,
                " one is not certain.");
        }
        if (queries() < 25) say("There are only ", queries(), " queries.");
    }

    std::span<tuned_parameter const> parameters_;
    measure_setting measured_;
    std::span<tuning_reference const> references_;
    tune_options const& options_;
    tuning out_;
    std::vector<std::size_t> nearest_; // grid points by distance from the usual setting, if any
};

} // namespace detail

TRAWL_INLINE tuning tune(std::span<tuned_parameter const> parameters,
    function_ref<std::optional<search_outcome>(std::span<double const>)> measured,
    std::span<tuning_reference const> references, tune_options const& options) {
    return detail::tuner(parameters, measured, references, options).run();
}

TRAWL_INLINE tuning tune(std::span<tuned_parameter const> parameters,
    function_ref<std::vector<double>(std::span<double const>)> measured,
    std::span<tuning_reference const> references, tune_options const& options) {
    auto const outcome_of = [&](std::span<double const> at) -> std::optional<search_outcome> {
        return search_outcome{.values = measured(at)};
    };
    return tune(parameters, outcome_of, references, options);
}

TRAWL_INLINE table to_table(
    tuning const& t, std::span<tuning_reference const> references, std::size_t rows) {
    table out{.title = "Settings, best first", .columns = t.names};
    out.columns.push_back("mean");
    auto const any = [&](auto&& has) {
        return std::any_of(t.points.begin(), t.points.end(),
            [&](tuning_point const& p) { return has(p.outcome); });
    };
    auto const judged = any([](search_outcome const& o) { return o.ineligible.has_value(); });
    auto const timed = any([](search_outcome const& o) { return o.seconds > 0; });
    auto const counted = any([](search_outcome const& o) { return o.calls > 0; });
    if (judged) out.columns.push_back("ineligible");
    if (timed) out.columns.push_back("seconds");
    if (counted) out.columns.push_back("calls");
    std::vector<std::size_t> order(t.points.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
        [&](std::size_t a, std::size_t b) { return t.points[a].mean > t.points[b].mean; });
    for (std::size_t i = 0; i < (std::min)(rows, order.size()); ++i) {
        auto const& point = t.points[order[i]];
        std::vector<table_cell> cells;
        for (double const value : point.parameters) cells.emplace_back(value, 3);
        cells.emplace_back(point.mean);
        if (judged) cells.push_back(point.outcome.ineligible);
        if (timed) cells.emplace_back(point.outcome.seconds, 3);
        if (counted) cells.emplace_back(point.outcome.calls);
        out.add(std::move(cells));
    }
    for (auto const& reference : references) {
        out.notes.push_back(detail::join(reference.name,
            " alone: ", detail::fixed_text(detail::mean_of(reference.values), 4), "."));
    }
    if (t.recommended != t.best) {
        auto const& point = t.points[t.recommended];
        std::string setting;
        for (std::size_t i = 0; i < point.parameters.size(); ++i) {
            if (i > 0) setting += ", ";
            setting += detail::join(t.names[i], " ", point.parameters[i]);
        }
        out.notes.push_back(detail::join("Recommended, within one standard error of the best: ",
            setting, " (", detail::fixed_text(point.mean, 4), ")."));
    }
    out.notes.push_back(detail::join("To expect on new queries (cross-validated): ",
        detail::fixed_text(t.cross_validated, 4), "."));
    if (t.best_arm && *t.best_arm < references.size()) {
        out.notes.push_back(detail::join("Gain over ", references[*t.best_arm].name, ": ",
            detail::fixed_text(t.gain.low, 4), " to ", detail::fixed_text(t.gain.high, 4), "."));
    }
    for (auto const& warning : t.warnings) out.notes.push_back("Warning: " + warning);
    return out;
}

TRAWL_END_NAMESPACE
