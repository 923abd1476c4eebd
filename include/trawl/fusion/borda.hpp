// SPDX-License-Identifier: MIT
#pragma once

/// Borda's count: an arm is a voter who gives points by rank, and shares what is left among the
/// documents that it does not rank.

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

/// score(d) = sum over arms of weight * points, where of C documents in all arms the one at rank r
/// gets C - r + 1 points and each that the arm's n hits lack gets (C - n + 1) / 2, the mean of what
/// is left. An empty arm gives none; an arm of weight 0 is left out, documents and all.
/// @par Source Aslam, Montague, "Models for metasearch", SIGIR 2001.
struct borda {
    std::vector<double> weights = {}; ///< one an arm, >= 0; empty: 1 each
    tied_ranks ties = tied_ranks::by_place;

    /// Reads ranks only: completing the arms' scores would change nothing.
    static constexpr bool uses_scores = false;

    /// @throws trawl::error as rrf's does for weights.
    void validate(std::size_t arms) const { detail::check_weights("borda", weights, arms); }

    /// @param arms  Rankings, each best first.
    /// @return The whole union; score descending, ties by id ascending.
    /// @throws trawl::error as validate does, and (not_finite) for NaN or infinity among the arms'
    /// scores.
    /// @par Complexity O(N + A M + M log M) time, O(N) memory for N hits of M documents in A arms.
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
    struct points {
        double documents;
        std::optional<double> missing;

        [[nodiscard]] double operator()(float, std::size_t rank) const noexcept {
            return documents + 1 - static_cast<double>(rank);
        }
        [[nodiscard]] std::string describe(float, std::size_t rank) const {
            return detail::join(documents, " documents, rank ", rank);
        }
    };

    struct values {
        points operator()(detail::arm_union const& all, std::size_t arm) const noexcept {
            auto const documents = static_cast<double>(all.documents().size());
            return {documents, (documents - static_cast<double>(all.scores(arm).size()) + 1) / 2};
        }
    };

    [[nodiscard]] detail::formula<values> formula() const {
        return {.name = "borda", .weights = weights, .values = {}, .ties = ties};
    }
};

static_assert(fusion_rule<borda>);

TRAWL_END_NAMESPACE
