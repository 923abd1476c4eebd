// SPDX-License-Identifier: MIT
#pragma once

/// Agreement between judges beyond chance. If judges disagree, a small difference between systems
/// means little.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <trawl/core/matrix_view.hpp>
#include <trawl/eval/qrels.hpp>
#include <trawl/eval/table.hpp>

TRAWL_BEGIN_NAMESPACE

/// kappa = (observed - expected) / (1 - expected), at most 1; 0 is the agreement of chance. If all
/// grades are equal, kappa is 1.
struct agreement {
    std::size_t items = 0;
    double observed = 0; ///< observed agreement, in [0, 1]
    double expected = 0; ///< agreement by chance, in [0, 1]
    double kappa = 0;
};

/// The distance between two grades.
enum class disagreement : unsigned char {
    nominal,   ///< 0 if they are equal, else 1
    linear,    ///< their difference
    quadratic, ///< the square of their difference
};

/// Cohen's kappa of two judges of the same items; weighted if the disagreement is not nominal.
/// @param first, second The grades of the two judges, item by item.
/// @throws trawl::error (dimension_mismatch) if the numbers of grades differ, (invalid_argument) for
/// no grades.
/// @par Complexity O(n log n + c^2), c distinct grades; O(n log n) if nominal.
/// @par Source Cohen, Educational and Psychological Measurement 20, 1960; Psychological Bulletin
/// 70, 1968.
[[nodiscard]] agreement cohen_kappa(std::span<int const> first, std::span<int const> second,
    disagreement how = disagreement::nominal);

/// Fleiss' kappa of any number of judges.
/// @param ratings  Grades, [n items x m judges], n >= 1, m >= 2. The order of judges does not matter.
/// @throws trawl::error (invalid_argument) for a smaller matrix.
/// @par Complexity O(n m log(n m)).
/// @par Source Fleiss, Psychological Bulletin 76, 1971.
[[nodiscard]] agreement fleiss_kappa(matrix_view<int const> ratings);

/// The grades of the documents that several judges have all judged.
struct common_judgements {
    std::size_t judges = 0;
    /// [documents x judges], row-major; by query, then key of the document.
    std::vector<int> grades = {};

    [[nodiscard]] matrix_view<int const> view() const noexcept;

    /// The grades of one judge.
    [[nodiscard]] std::vector<int> of(std::size_t judge) const;
};

/// The documents to which every judge gave a grade of 0 or more.
/// @throws trawl::error (invalid_argument) if there are no judges or one is null.
[[nodiscard]] common_judgements judged_by_all(std::span<qrels const* const> judges);

/// The agreement of each pair of judges, and of all if there are more than two.
/// @param names  Of the judges, in their order.
/// @throws trawl::error (invalid_argument) for fewer than two judges or no common document,
/// (dimension_mismatch) if the number of names differs.
[[nodiscard]] table agreement_table(
    common_judgements const& judged, std::span<std::string const> names);

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/eval/detail/agreement_inl.hpp>
#endif
