// SPDX-License-Identifier: MIT
#pragma once

/// Choosing parameters by a measure: every point of a grid, a search between grid points where one
/// parameter is left, and what the choice is worth on questions that it was not made on.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <trawl/core/function_ref.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/bootstrap.hpp>
#include <trawl/eval/parameter_search.hpp>
#include <trawl/eval/search_outcome.hpp>
#include <trawl/eval/significance.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE

/// A parameter and the values that are tried, ascending. What it means is the caller's matter: a
/// constant of BM25, a depth, the length of the chunks that an index is built from.
struct tuned_parameter {
    std::string name = {};
    std::vector<double> values = {};
    bool continuous = false; ///< values between those of the grid make sense
};

/// Weights that share 1 among them: every way of giving each a whole number of `steps` equal parts.
struct tuned_weights {
    std::vector<std::string> names = {}; ///< of the arms; none: no weights are tuned
    std::size_t steps = 10;
};
struct tune_options {
    std::size_t folds = 5; ///< of the cross-validation, >= 2; no more than there are questions
    std::uint64_t seed = 1;
    double confidence = 0.95;
    /// golden-section where one continuous parameter has more than one value
    bool refine = true;
    tuned_weights weights = {}; ///< tried with every combination of the parameters
};
struct tuning_point {
    std::vector<double> parameters = {}; ///< one for each name
    search_outcome outcome = {};
    double mean = 0; ///< of the outcome's values
};
struct tuning {
    std::vector<std::string> names = {}; ///< of the parameters, then of the weights
    /// the grid, the last parameter fastest; then points between
    std::vector<tuning_point> points = {};
    std::size_t grid = 0; ///< how many of them are the grid's
    std::size_t best = 0; ///< the first of the highest mean
    /// by fold: the grid point that is best on the other folds
    std::vector<std::size_t> chosen = {};
    /// one a question: its value under the choice made without it
    std::vector<double> held_out = {};
    /// mean of held_out: what to expect of tuning on new questions
    double cross_validated = 0;
    std::optional<std::size_t> best_arm = {}; ///< of the references, that of the highest mean
    interval gain = {};                       ///< of held_out over the best reference
    std::vector<std::string> warnings = {};
};

/// A system that tuning must beat, such as one arm alone.
struct tuning_reference {
    std::string name = {};
    std::vector<double> values = {}; ///< one a question
};
/// Tries every combination of the parameters' values and of the weights. Of equal means the earlier
/// point wins. The cross-validation is nested: for each fold the setting is chosen anew by the
/// questions outside it, and measured on those inside. (Settings are not fitted, so that validating
/// them on parts of the questions outside, one after the other, is measuring them on all of these.)
/// @param measured   Gives the measure of every question under these parameters, the weights last;
/// the same
///                    questions in the same order each time. None for a combination that makes no sense, such
///                    as an overlap longer than a chunk: it is left out.
/// @param references  What tuning must beat, measured on the same questions; may be empty.
/// @throws trawl::error (invalid_argument) for a parameter without values or with values that do
/// not ascend, if no combination makes sense, for fewer than two folds or questions,
/// (dimension_mismatch) for values that are not one a question, (not_finite).
/// @par Complexity A call of `measured` for each point, then O(folds * points * questions). What
/// points share (an index, analysed texts) is worth keeping between the calls.
[[nodiscard]] tuning tune(std::span<tuned_parameter const> parameters,
    function_ref<std::optional<search_outcome>(std::span<double const>)> measured,
    std::span<tuning_reference const> references = {}, tune_options const& options = {});

/// The same, where nothing but the measure counts: `measured` gives its values.
[[nodiscard]] tuning tune(std::span<tuned_parameter const> parameters,
    function_ref<std::vector<double>(std::span<double const>)> measured,
    std::span<tuning_reference const> references = {}, tune_options const& options = {});

/// The best points, best first, with what they promise and what speaks against it. Of ineligible@k,
/// time and calls there is a column if a point has any.
/// @param rows  At most so many points.
[[nodiscard]] table to_table(
    tuning const& t, std::span<tuning_reference const> references = {}, std::size_t rows = 10);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/tuning_inl.hpp>
#endif
