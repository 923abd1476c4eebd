// SPDX-License-Identifier: MIT
#pragma once

/// Inverse square rank: high places count much more than others, and being found by several arms
/// counts too.

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/formula.hpp>

TRAWL_BEGIN_NAMESPACE

namespace detail {

// 1 / rank^2, the same for all arms.
struct inverse_square_rank {
    std::optional<double> missing = {};

    inverse_square_rank operator()(arm_union const&, std::size_t) const noexcept { return *this; }
    [[nodiscard]] double operator()(float, std::size_t rank) const noexcept {
        auto const r = static_cast<double>(rank);
        return divided(1.0, rounded(r * r));
    }
    [[nodiscard]] std::string describe(float, std::size_t rank) const {
        return join("1 / rank^2, rank ", rank);
    }
};

// ln(h + sigma)
struct logarithm_of_arms {
    double sigma = 0;
    double operator()(std::span<std::size_t const> arms) const noexcept {
        return rounded(std::log(static_cast<double>(arms.size()) + sigma));
    }
};

struct number_of_arms {
    double operator()(std::span<std::size_t const> arms) const noexcept {
        return static_cast<double>(arms.size());
    }
};

} // namespace detail

/// score(d) = h * sum over arms of 1 / rank^2, for the h arms that returned d.
/// @par Source Mourão, Martins, Magalhães, "Multimodal medical information retrieval with
/// unsupervised rank fusion", Computerized Medical Imaging and Graphics 39, 2015.
struct isr {
    tied_ranks ties = tied_ranks::by_place;

    /// Reads ranks only: completing the arms' scores would change nothing.
    static constexpr bool uses_scores = false;

    /// Any number of arms will do.
    void validate(std::size_t) const noexcept {}

    /// @param arms  Rankings, each best first.
    /// @return The whole union; score descending, ties by id ascending.
    /// @throws trawl::error (not_finite) for NaN or infinity among the arms' scores.
    /// @par Complexity  O(N + M log M) time, O(N) memory for N hits of M documents.
    [[nodiscard]] ranking operator()(std::span<ranking const> arms) const {
        return detail::fuse_by(formula(), arms);
    }

    /// Why a document has its fused score, bit for bit; see rrf::explain.
    [[nodiscard]] explanation explain(std::span<ranking const> arms, doc_id id,
        std::span<explanation const> arm_parts = {}) const {
        return detail::explain_by(formula(), arms, id, arm_parts);
    }

private:
    [[nodiscard]] detail::formula<detail::inverse_square_rank, detail::number_of_arms>
    formula() const {
        return {.name = "isr",
            .weights = {},
            .values = {},
            .ties = ties,
            .factor = {},
            .factor_label = "arms that have it"};
    }
};

/// score(d) = ln(h + sigma) * sum over arms of 1 / rank^2, for the h arms that returned d. With
/// sigma = 0 what one arm alone returned has the score 0, whatever its rank: see log_isr.
/// @par Source As isr's.
struct logn_isr {
    double sigma = 0.01; ///< in [0, 1]
    tied_ranks ties = tied_ranks::by_place;

    /// Reads ranks only: completing the arms' scores would change nothing.
    static constexpr bool uses_scores = false;

    /// @throws trawl::error (invalid_argument) if sigma is outside [0, 1].
    void validate(std::size_t) const {
        if (!detail::is_finite(sigma) || sigma < 0 || sigma > 1) {
            detail::fail(errc::invalid_argument,
                detail::join("logn_isr: sigma is ", sigma, ", must be in [0, 1]"));
        }
    }

    /// As isr's.
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
    [[nodiscard]] detail::formula<detail::inverse_square_rank, detail::logarithm_of_arms>
    formula() const {
        return {.name = "logn_isr",
            .weights = {},
            .values = {},
            .ties = ties,
            .factor = {sigma},
            .factor_label = "ln(arms that have it + sigma)"};
    }
};

/// logn_isr with sigma = 0: score(d) = ln(h) * sum over arms of 1 / rank^2, 0 for what one arm
/// alone returned.
/// @par Source As isr's.
[[nodiscard]] inline logn_isr log_isr(tied_ranks ties = tied_ranks::by_place) {
    return {.sigma = 0, .ties = ties};
}

static_assert(fusion_rule<isr> && fusion_rule<logn_isr>);

TRAWL_END_NAMESPACE
