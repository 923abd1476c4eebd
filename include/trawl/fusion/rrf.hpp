// SPDX-License-Identifier: MIT
#pragma once

/// Reciprocal rank fusion: what counts is how high the arms rank a document, not the scores they give it.

#include <cstddef>
#include <span>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/arm_union.hpp>

namespace trawl::inline v0_1 {

/// Weighted reciprocal rank fusion: score(d) = sum over arms of weight / (k + rank of d in the arm).
/// Ranks count an arm's distinct documents from 1 in the order given: only the first hit of a document
/// counts, and one that repeats it takes no rank. A missing document adds 0; an arm of weight 0 is left out,
/// documents and all. Parts are summed in double, largest first, and rounded to float once: swapped ranks tie
/// exactly, and the order of the arms changes nothing.
/// @par Source  Cormack, Clarke, Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank
/// learning methods", SIGIR 2009.
struct rrf {
    double k = 60;                    ///< rank offset, > 0
    std::vector<double> weights = {}; ///< one an arm, >= 0; empty: 1 each

    /// Reads ranks only: completing the arms' scores would change nothing.
    static constexpr bool uses_scores = false;

    /// @throws trawl::error (invalid_argument) if k is not finite and > 0, if a weight is not finite and >= 0
    /// or if all are 0; (weight_count) unless there are no weights or as many as arms.
    void validate(std::size_t arms) const {
        if (!detail::is_finite(k) || !(k > 0)) {
            detail::fail(errc::invalid_argument, detail::join("rrf: k is ", k, ", must be finite and > 0"));
        }
        detail::check_weights("rrf", weights, arms);
    }

    /// @param arms  Rankings, each best first.
    /// @return The whole union; score descending, ties by id ascending.
    /// @throws trawl::error as validate does, and (not_finite) for NaN or infinity among the arms' scores.
    /// @par Complexity  O(N) time and memory for N hits.
    [[nodiscard]] ranking operator()(std::span<ranking const> arms) const {
        validate(arms.size());
        detail::arm_union const all("rrf", arms, weights);
        std::vector<double> parts(all.size());
        for (std::size_t a = 0; a < all.arms(); ++a) {
            auto const weight = detail::weight_of(weights, a);
            auto const first = all.begin(a);
            for (std::size_t i = 0; i < all.scores(a).size(); ++i) {
                parts[first + i] = detail::rounded(weight * reciprocal(i + 1));
            }
        }
        return detail::fuse_parts("rrf", all, parts, detail::sum_of);
    }

    /// Why a document has its fused score: the value is that score, bit for bit; 0 if no arm has it.
    /// @param arm_parts  Explains the document's score in each arm, hung under the arm's part; may be empty.
    [[nodiscard]] explanation explain(
        std::span<ranking const> arms, doc_id id, std::span<explanation const> arm_parts = {}) const {
        validate(arms.size());
        detail::check_arm_parts("rrf", arm_parts, arms.size());
        detail::arm_union const all("rrf", arms, weights);
        return detail::explain_sum(
            detail::join("rrf, k = ", k), all, id, [&](std::size_t arm, std::size_t rank, float) {
                return detail::weighted_part(arm, detail::weight_of(weights, arm), reciprocal(rank),
                    detail::join("1 / (", k, " + rank ", rank, ")"), arm_parts);
            });
    }

private:
    [[nodiscard]] double reciprocal(std::size_t rank) const noexcept {
        return detail::divided(1.0, detail::rounded(k + static_cast<double>(rank)));
    }
};

static_assert(fusion_rule<rrf>);

} // namespace trawl::inline v0_1
