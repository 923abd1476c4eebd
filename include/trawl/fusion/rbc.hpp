// SPDX-License-Identifier: MIT
#pragma once

/// Rank-biased centroid: a reader who goes on to the next rank with a given probability.

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/formula.hpp>

TRAWL_BEGIN_NAMESPACE

/// score(d) = sum over arms of (1 - phi) * phi^(rank - 1): how likely a reader of the arm, who goes
/// on to the next rank with probability phi, stops at d. A missing document adds 0.
/// @par Source Bailey, Moffat, Scholer, Thomas, "Retrieval consistency in the presence of query
/// variations", SIGIR 2017.
struct rbc {
    double phi = 0.8; ///< persistence, in (0, 1)
    tied_ranks ties = tied_ranks::by_place;

    /// Reads ranks only: completing the arms' scores would change nothing.
    static constexpr bool uses_scores = false;

    /// @throws trawl::error (invalid_argument) if phi is outside (0, 1).
    void validate(std::size_t) const {
        if (!detail::is_finite(phi) || phi <= 0 || phi >= 1) {
            detail::fail(
                errc::invalid_argument, detail::join("rbc: phi is ", phi, ", must be in (0, 1)"));
        }
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

    /// Why a document has its fused score, bit for bit; see rrf::explain.
    [[nodiscard]] explanation explain(std::span<ranking const> arms, doc_id id,
        std::span<explanation const> arm_parts = {}) const {
        validate(arms.size());
        return detail::explain_by(formula(), arms, id, arm_parts);
    }

private:
    struct values {
        double phi;
        std::optional<double> missing = {};

        values operator()(detail::arm_union const&, std::size_t) const noexcept { return *this; }
        [[nodiscard]] double operator()(float, std::size_t rank) const noexcept {
            auto const survival = detail::rounded(std::pow(phi, static_cast<double>(rank - 1)));
            return detail::rounded(detail::rounded(1 - phi) * survival);
        }
        [[nodiscard]] std::string describe(float, std::size_t rank) const {
            return detail::join("(1 - phi) * phi^(rank - 1), rank ", rank, ", phi = ", phi);
        }
    };

    [[nodiscard]] detail::formula<values> formula() const {
        return {.name = "rbc", .weights = {}, .values = {phi}, .ties = ties};
    }
};

static_assert(fusion_rule<rbc>);

TRAWL_END_NAMESPACE
