// SPDX-License-Identifier: MIT
#pragma once

/// Chooses parameters by a measure: tries every point of a grid, refines one parameter between grid
/// points, and estimates by cross-validation what the choice is worth on new queries.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/eval/bootstrap.hpp>
#include <trawl/eval/search_outcome.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE

/// A parameter and its values. The caller gives it a meaning: a constant of BM25, a depth, the
/// length of the chunks of an index.
struct tuned_parameter {
    std::string name = {};
    std::vector<double> values = {}; ///< in ascending order
    bool continuous = false;         ///< whether values between those of the grid make sense
};

/// Weights with sum 1: every way to give each a whole number of `steps` equal shares.
struct tuned_weights {
    std::vector<std::string> names = {}; ///< of the arms; empty: no weights are tuned
    std::size_t steps = 10;
};

struct tune_options {
    std::size_t folds = 5; ///< of the cross-validation, at least 2; capped at the number of queries
    std::uint64_t seed = 1;
    double confidence = 0.95; ///< of the interval of the gain
    /// Golden-section search, if exactly one parameter has more than one value and is continuous.
    bool refine = true;
    tuned_weights weights = {}; ///< tried with every combination of the parameters
    /// The setting to keep unless another one is clearly better: a value for each parameter, weights
    /// last. See tuning::recommended. Empty: there is none.
    std::vector<double> usual = {};
};

struct tuning_point {
    std::vector<double> parameters = {}; ///< one for each name
    search_outcome outcome = {};
    double mean = 0; ///< of the values of the outcome
};

struct tuning {
    std::vector<std::string> names = {}; ///< of the parameters, then of the weights
    /// The grid, the last parameter changing fastest; then the points of the refinement.
    std::vector<tuning_point> points = {};
    std::size_t grid = 0; ///< the number of grid points
    std::size_t best = 0; ///< the first point with the highest mean
    /// The point to use. Without a usual setting it is `best`. With one it is the grid point nearest to
    /// it among those whose mean is at most one standard error below that of the best grid point; the
    /// standard error is that of the paired difference.
    std::size_t recommended = 0;
    /// For each fold the grid point that is recommended by the other folds.
    std::vector<std::size_t> chosen = {};
    /// For each query its value at the point that was chosen without it.
    std::vector<double> held_out = {};
    double cross_validated = 0; ///< mean of held_out: what to expect on new queries
    /// The reference with the highest mean.
    std::optional<std::size_t> best_arm = {};
    interval gain = {}; ///< of held_out over the best reference
    std::vector<std::string> warnings = {};
};

/// A system that tuning must beat, such as one arm alone.
struct tuning_reference {
    std::string name = {};
    std::vector<double> values = {}; ///< of the measure, by query
};

/// Measures every combination of the parameters' values and of the weights. Of equal means the
/// earlier point wins. For the cross-validated figure each fold's point is chosen on the queries of
/// the other folds and measured on its own.
///
/// With a usual setting, points are compared by their distance from it: the sum over the parameters
/// of the difference, as a share of the range that was tried; of equal distances the earlier point is
/// nearer. Between grid points nothing is searched then.
/// @param measured  Returns the outcome for these parameters, weights last, on the same queries in
/// the same order every time; none for a combination that makes no sense, such as an overlap longer
/// than a chunk.
/// @param references  What tuning must beat, on the same queries; may be empty.
/// @throws trawl::error (invalid_argument) for a parameter without values or with values that do
/// not ascend, if no combination makes sense, or for fewer than two folds or queries;
/// (dimension_mismatch) if the numbers of values differ, those of the usual setting included;
/// (not_finite) for a value that is not finite.
/// @par Source The rule of one standard error: Breiman, Friedman, Olshen, Stone, "Classification and
/// Regression Trees", 1984, section 3.4.3.
/// @par Complexity One call of `measured` per point, then O(folds * points * queries). Keep between
/// the calls what points share (an index, analysed texts).
[[nodiscard]] tuning tune(std::span<tuned_parameter const> parameters,
    function_ref<std::optional<search_outcome>(std::span<double const>)> measured,
    std::span<tuning_reference const> references = {}, tune_options const& options = {});

/// The same, for a callable that returns only the values of the measure.
[[nodiscard]] tuning tune(std::span<tuned_parameter const> parameters,
    function_ref<std::vector<double>(std::span<double const>)> measured,
    std::span<tuning_reference const> references = {}, tune_options const& options = {});

/// The best points, best first, with the expected value on new queries and the warnings. There are
/// columns for ineligible@k, time and calls if a point has them.
/// @param references  Those that tune was given; without them, no line names them.
/// @param rows  The highest number of points.
[[nodiscard]] table to_table(
    tuning const& t, std::span<tuning_reference const> references = {}, std::size_t rows = 10);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/tuning_inl.hpp>
#endif
