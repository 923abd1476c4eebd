// SPDX-License-Identifier: MIT
#pragma once

/// The Comb rules: sum, mean, median, lowest and highest of a document's normalised scores.

#include <cstddef>
#include <span>

#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/normaliser.hpp>

TRAWL_BEGIN_NAMESPACE

/// What a Comb rule makes of the normalised scores of a document.
enum class comb : unsigned char { sum, mnz, anz, median, lowest, highest };

template <>
inline constexpr std::size_t enum_count<comb> = 6;

namespace detail {

[[nodiscard]] ranking fuse_comb(comb kind, normaliser norm, std::span<ranking const> arms);
[[nodiscard]] explanation explain_comb(comb kind, normaliser norm, std::span<ranking const> arms,
    doc_id id, std::span<explanation const> arm_parts);

} // namespace detail

/// score(d) combines d's normalised scores in the h arms that returned it; see the names below.
/// Only an arm's first hit of a document counts. Under normaliser::borda every arm has a score for
/// every document.
///
/// In comb_sum an arm that lacks d adds 0, or its lowest normalised score where that is below 0 (0
/// under z_score). comb_mnz is defined for normalised scores >= 0: if an arm has lower ones, its
/// lowest is subtracted from all of its scores. The others read only the arms that returned d, so
/// that a document that one arm returned may rank above one that two did.
/// @par Source Fox, Shaw, "Combination of multiple searches", TREC-2, 1993.
template <comb Kind>
struct basic_comb {
    normaliser norm = normaliser::min_max; ///< puts the scores of each arm on a common scale

    /// Reads scores: completing them makes sense.
    static constexpr bool uses_scores = true;

    /// Has no parameter for a single arm: any number of arms will do.
    static constexpr bool per_arm = false;

    /// Accepts any number of arms.
    void validate(std::size_t) const noexcept {}

    /// @param arms  Rankings, each best first.
    /// @return The whole union; score descending, ties by id ascending.
    /// @throws trawl::error (not_finite) for NaN or infinity among the arms' scores, or a fused
    /// score that does not fit a float.
    /// @par Complexity  O(N + M log M) time, O(N) memory for N hits of M documents.
    [[nodiscard]] ranking operator()(std::span<ranking const> arms) const {
        return detail::fuse_comb(Kind, norm, arms);
    }

    /// Why a document has its fused score. The value has the bits of that score; 0 if no arm has
    /// the document.
    /// @param arm_parts  One explanation for each arm, of the document's score there, which becomes
    /// a child of the arm's contribution; may be empty.
    [[nodiscard]] explanation explain(std::span<ranking const> arms, doc_id id,
        std::span<explanation const> arm_parts = {}) const {
        return detail::explain_comb(Kind, norm, arms, id, arm_parts);
    }
};

using comb_sum = basic_comb<comb::sum>; ///< the sum
using comb_mnz = basic_comb<comb::mnz>; ///< the sum, times h
using comb_anz = basic_comb<comb::anz>; ///< the sum, divided by h: the mean
using comb_med =
    basic_comb<comb::median>; ///< the median; of an even number, the mean of the middle two
using comb_min = basic_comb<comb::lowest>;  ///< the lowest
using comb_max = basic_comb<comb::highest>; ///< the highest

/// Between comb_sum and comb_mnz: score(d) = sum of d's normalised scores * h^gamma, for the h arms
/// that returned d. Scores below 0 are treated as in comb_sum for gamma = 0, as in comb_mnz above.
/// gamma 0 is comb_sum, 1 comb_mnz, -1 comb_anz.
/// @par Source Lee, "Analyses of multiple evidence combination", SIGIR 1997.
struct comb_gmnz {
    double gamma = 1;
    normaliser norm = normaliser::min_max; ///< puts the scores of each arm on a common scale

    /// Reads scores: completing them makes sense.
    static constexpr bool uses_scores = true;

    /// Has no parameter for a single arm: any number of arms will do.
    static constexpr bool per_arm = false;

    /// @throws trawl::error (invalid_argument) if gamma is not finite.
    void validate(std::size_t) const;

    /// @param arms  Rankings, each best first.
    /// @return The whole union; score descending, ties by id ascending.
    /// @throws trawl::error as validate does; (not_finite) for NaN or infinity among the arms'
    /// scores, or a fused score that does not fit a float.
    /// @par Complexity  O(N + M log M) time, O(N) memory for N hits of M documents.
    [[nodiscard]] ranking operator()(std::span<ranking const> arms) const;

    /// Why a document has its fused score. The value has the bits of that score; 0 if no arm has
    /// the document.
    /// @param arm_parts  One explanation for each arm, of the document's score there, which becomes
    /// a child of the arm's contribution; may be empty.
    [[nodiscard]] explanation explain(std::span<ranking const> arms, doc_id id,
        std::span<explanation const> arm_parts = {}) const;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/fusion/detail/comb_inl.hpp>
#endif
