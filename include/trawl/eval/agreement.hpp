// SPDX-License-Identifier: MIT
#pragma once

/// How far judges agree beyond what chance gives: where they do not, a small difference between
/// systems means little.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <trawl/core/matrix_view.hpp>
#include <trawl/detail/number_text.hpp>
#include <trawl/error.hpp>
#include <trawl/eval/qrels.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE

/// Of observed and expected agreement, both in [0, 1]: kappa = (observed - expected) / (1 -
/// expected), at most 1; 0 is what chance gives. Where all grades are the same, nothing could
/// differ: kappa is 1.
struct agreement {
    std::size_t items = 0;
    double observed = 0;
    double expected = 0;
    double kappa = 0;
};

/// How much two grades differ.
enum class disagreement : unsigned char {
    nominal,   ///< the same or not
    linear,    ///< by their distance
    quadratic, ///< by its square
};
/// Cohen's kappa of two judges of the same items; with weights, by how far grades are apart.
/// @param first, second A grade for each item, in the same order.
/// @throws trawl::error (dimension_mismatch) for different numbers of grades, (invalid_argument)
/// for none.
/// @par Complexity O(n log n + c^2), c distinct grades.
/// @par Source Cohen, Educational and Psychological Measurement 20, 1960; Psychological Bulletin
/// 70, 1968.
[[nodiscard]] agreement cohen_kappa(std::span<int const> first, std::span<int const> second,
    disagreement how = disagreement::nominal);

/// Fleiss' kappa of any number of judges.
/// @param ratings  [n items x m judges], m >= 2, n >= 1: grades; which judge gave which does not
/// matter.
/// @throws trawl::error (invalid_argument) for a smaller matrix.
/// @par Complexity O(n m c), c distinct grades.
/// @par Source Fleiss, Psychological Bulletin 76, 1971.
[[nodiscard]] agreement fleiss_kappa(matrix_view<int const> ratings);

/// What several judges judged alike.
struct common_judgements {
    std::size_t judges = 0;
    /// [items x judges], row-major; by question, then key of the document
    std::vector<int> grades = {};

    [[nodiscard]] matrix_view<int const> view() const noexcept;
    /// The grades of one judge.
    [[nodiscard]] std::vector<int> of(std::size_t judge) const;
};

/// The documents that every judge gave a grade of 0 or more.
/// @throws trawl::error (invalid_argument) for no judges or a null one.
[[nodiscard]] common_judgements judged_by_all(std::span<qrels const* const> judges);

/// Each pair of judges, and all together where there are more than two.
/// @param names  Of the judges, in their order.
/// @throws trawl::error (invalid_argument) for fewer than two judges or nothing that all judged,
/// (dimension_mismatch) for another number of names.
[[nodiscard]] table agreement_table(
    common_judgements const& judged, std::span<std::string const> names);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/agreement_inl.hpp>
#endif
