// SPDX-License-Identifier: MIT
#pragma once

/// Reciprocal rank fusion: what counts is how high the arms rank a document, not the scores they
/// give it.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/formula.hpp>

TRAWL_BEGIN_NAMESPACE

namespace detail {

// 1 / (k + rank)
struct reciprocal_of_rank {
    double k;
    std::optional<double> missing = {};

    [[nodiscard]] double operator()(float, std::size_t rank) const noexcept {
        return divided(1.0, rounded(k + static_cast<double>(rank)));
    }
    [[nodiscard]] std::string describe(float, std::size_t rank) const {
        return join("1 / (", k, " + rank ", rank, ")");
    }
};

} // namespace detail

/// Weighted reciprocal rank fusion: score(d) = sum over arms of weight / (k + rank of d in the
/// arm). Ranks count an arm's distinct documents from 1 in the order given: only the first hit of a
/// document counts, and one that repeats it takes no rank. A missing document adds 0; an arm of
/// weight 0 is left out, documents and all. Parts are summed in double, largest first, and rounded
/// to float once: swapped ranks tie exactly, and the order of the arms changes nothing.
/// @par Source Cormack, Clarke, Büttcher, "Reciprocal rank fusion outperforms Condorcet and
/// individual rank learning methods", SIGIR 2009.
struct rrf {
    double k = 60;                    ///< rank offset, > 0
    std::vector<double> weights = {}; ///< one an arm, >= 0; empty: 1 each
    std::vector<double> ks = {};      ///< a rank offset for each arm, > 0; empty: k for all
    tied_ranks ties = tied_ranks::by_place;

    /// Reads ranks only: completing the arms' scores would change nothing.
    static constexpr bool uses_scores = false;

    /// @throws trawl::error (invalid_argument) if a k is not finite and > 0, if a weight is not
    /// finite and >= 0 or if all are 0; (weight_count) unless there are no weights or as many as
    /// arms; the same for ks.
    void validate(std::size_t arms) const {
        auto const check = [](auto const& name, double value) {
            if (detail::is_finite(value) && value > 0) return;
            detail::fail(errc::invalid_argument,
                detail::join("rrf: ", name, " is ", value, ", must be finite and > 0"));
        };
        check("k", k);
        detail::check_count("rrf", "ks", ks.size(), arms);
        for (std::size_t a = 0; a < ks.size(); ++a) check(detail::join("k of arm ", a), ks[a]);
        detail::check_weights("rrf", weights, arms);
    }

    /// @param arms  Rankings, each best first.
    /// @return The whole union; score descending, ties by id ascending.
    /// @throws trawl::error as validate does, and (not_finite) for NaN or infinity among the arms'
    /// scores.
    /// @par Complexity O(N + M log M) time, O(N) memory for N hits of M documents.
    [[nodiscard]] ranking operator()(std::span<ranking const> arms) const {
        validate(arms.size());
        return detail::fuse_by(formula(), arms);
    }

    /// Why a document has its fused score: the value is that score, bit for bit; 0 if no arm has
    /// it.
    /// @param arm_parts  Explains the document's score in each arm, hung under the arm's part; may
    /// be empty.
    [[nodiscard]] explanation explain(std::span<ranking const> arms, doc_id id,
        std::span<explanation const> arm_parts = {}) const {
        validate(arms.size());
        return detail::explain_by(formula(), arms, id, arm_parts);
    }

private:
    struct values {
        rrf const& rule;
        detail::reciprocal_of_rank operator()(
            detail::arm_union const&, std::size_t arm) const noexcept {
            return {rule.ks.empty() ? rule.k : rule.ks[arm]};
        }
    };

    [[nodiscard]] detail::formula<values> formula() const {
        return {.name = "rrf", .weights = weights, .values = {*this}, .ties = ties};
    }
};

static_assert(fusion_rule<rrf>);

TRAWL_END_NAMESPACE
