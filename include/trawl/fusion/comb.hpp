// SPDX-License-Identifier: MIT
#pragma once

/// The Comb rules: a document's normalised scores, over the arms that returned it, and how many
/// these are.

#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/formula.hpp>
#include <trawl/fusion/normaliser.hpp>

TRAWL_BEGIN_NAMESPACE

enum class comb : unsigned char { sum, mnz, anz, median, lowest, highest };

/// score(d) is made of d's normalised scores in the h arms that returned it; see the names below.
/// An arm counts a document's first hit alone; under normaliser::borda every arm has a score for
/// every document.
/// @par Source Fox, Shaw, "Combination of multiple searches", TREC-2, 1993.
template <comb Kind>
struct basic_comb {
    normaliser norm = normaliser::min_max; ///< how each arm's scores are put on a common scale

    static constexpr bool uses_scores = true;

    /// Any number of arms will do.
    void validate(std::size_t) const noexcept {}

    /// @param arms  Rankings, each best first.
    /// @return The whole union; score descending, ties by id ascending.
    /// @throws trawl::error (not_finite) for NaN or infinity among the arms' scores or a score that
    /// does not fit a float.
    /// @par Complexity O(N + M log M) time, O(N) memory for N hits of M documents.
    [[nodiscard]] ranking operator()(std::span<ranking const> arms) const {
        return detail::fuse_by(formula(), arms);
    }

    /// Why a document has its fused score, bit for bit; see rrf::explain.
    [[nodiscard]] explanation explain(std::span<ranking const> arms, doc_id id,
        std::span<explanation const> arm_parts = {}) const {
        return detail::explain_by(formula(), arms, id, arm_parts);
    }

private:
    struct count {
        double operator()(std::span<std::size_t const> arms) const noexcept {
            auto const h = static_cast<double>(arms.size());
            return Kind == comb::mnz ? h : detail::divided(1.0, h);
        }
    };
    using factor =
        std::conditional_t<Kind == comb::mnz || Kind == comb::anz, count, detail::no_factor>;

    [[nodiscard]] detail::formula<detail::normalised, factor> formula() const {
        constexpr std::string_view names[] = {
            "comb_sum", "comb_mnz", "comb_anz", "comb_med", "comb_min", "comb_max"};
        constexpr operation combined = Kind == comb::median    ? operation::median
                                       : Kind == comb::lowest  ? operation::min
                                       : Kind == comb::highest ? operation::max
                                                               : operation::sum;
        return {.name = names[static_cast<std::size_t>(Kind)],
            .weights = {},
            .values = {norm},
            .combine = combined,
            .factor_label = Kind == comb::mnz ? "arms that have it" : "1 / arms that have it"};
    }
};

using comb_sum = basic_comb<comb::sum>; ///< the sum
using comb_mnz = basic_comb<comb::mnz>; ///< the sum, times h
using comb_anz = basic_comb<comb::anz>; ///< the sum, divided by h: the mean
using comb_med =
    basic_comb<comb::median>; ///< the median; of an even number, the mean of the two in the middle
using comb_min = basic_comb<comb::lowest>;  ///< the lowest
using comb_max = basic_comb<comb::highest>; ///< the highest

/// score(d) = sum of d's normalised scores, times h^gamma for the h arms that returned it: gamma 0
/// is comb_sum, 1 comb_mnz, -1 comb_anz.
/// @par Source Lee, "Analyses of multiple evidence combination", SIGIR 1997.
struct comb_gmnz {
    double gamma = 1;
    normaliser norm = normaliser::min_max; ///< how each arm's scores are put on a common scale

    static constexpr bool uses_scores = true;

    /// @throws trawl::error (invalid_argument) if gamma is not finite.
    void validate(std::size_t) const {
        if (!detail::is_finite(gamma)) {
            detail::fail(errc::invalid_argument,
                detail::join("comb_gmnz: gamma is ", gamma, ", must be finite"));
        }
    }

    /// As basic_comb's.
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
    struct power {
        double gamma;
        double operator()(std::span<std::size_t const> arms) const noexcept {
            return detail::rounded(std::pow(static_cast<double>(arms.size()), gamma));
        }
    };

    [[nodiscard]] detail::formula<detail::normalised, power> formula() const {
        return {.name = "comb_gmnz",
            .weights = {},
            .values = {norm},
            .factor = {gamma},
            .factor_label = "arms that have it, to the power of gamma"};
    }
};

static_assert(fusion_rule<comb_mnz> && fusion_rule<comb_gmnz>);

TRAWL_END_NAMESPACE
