// SPDX-License-Identifier: MIT
#pragma once

/// Inverse square rank: high ranks count much more than others, and so does being found by several
/// arms.

#include <cstddef>
#include <span>

#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/tied_ranks.hpp>

TRAWL_BEGIN_NAMESPACE

/// score(d) = h * sum over arms of 1 / rank^2, for the h arms that returned d.
/// @par Source Mourão, Martins, Magalhães, "Multimodal medical information retrieval with
/// unsupervised rank fusion", Computerized Medical Imaging and Graphics 39, 2015.
struct isr {
    tied_ranks ties = tied_ranks::by_place;

    /// Reads ranks only: completing the arms' scores would change nothing.
    static constexpr bool uses_scores = false;

    /// Has no parameter for a single arm: any number of arms will do.
    static constexpr bool per_arm = false;

    /// Accepts any number of arms.
    void validate(std::size_t) const noexcept {}

    /// @param arms  Rankings, each best first.
    /// @return The whole union; score descending, ties by id ascending.
    /// @throws trawl::error (not_finite) for NaN or infinity among the arms' scores.
    /// @par Complexity  O(N + M log M) time, O(N) memory for N hits of M documents.
    [[nodiscard]] ranking operator()(std::span<ranking const> arms) const;

    /// Why a document has its fused score. The value has the bits of that score; 0 if no arm has
    /// the document.
    /// @param arm_parts  One explanation for each arm, of the document's score there, which becomes
    /// a child of the arm's contribution; may be empty.
    [[nodiscard]] explanation explain(std::span<ranking const> arms, doc_id id,
        std::span<explanation const> arm_parts = {}) const;
};

/// score(d) = ln(h + sigma) * sum over arms of 1 / rank^2, for the h arms that returned d. With
/// sigma = 0 a document that only one arm returned scores 0, whatever its rank: see log_isr.
/// @par Source The same as isr.
struct logn_isr {
    double sigma = 0.01; ///< in [0, 1]
    tied_ranks ties = tied_ranks::by_place;

    /// Reads ranks only: completing the arms' scores would change nothing.
    static constexpr bool uses_scores = false;

    /// Has no parameter for a single arm: any number of arms will do.
    static constexpr bool per_arm = false;

    /// @throws trawl::error (invalid_argument) if sigma is outside [0, 1].
    void validate(std::size_t) const;

    /// @param arms  Rankings, each best first.
    /// @return The whole union; score descending, ties by id ascending.
    /// @throws trawl::error as validate does; (not_finite) for NaN or infinity among the arms'
    /// scores.
    /// @par Complexity  O(N + M log M) time, O(N) memory for N hits of M documents.
    [[nodiscard]] ranking operator()(std::span<ranking const> arms) const;

    /// Why a document has its fused score. The value has the bits of that score; 0 if no arm has
    /// the document.
    /// @param arm_parts  One explanation for each arm, of the document's score there, which becomes
    /// a child of the arm's contribution; may be empty.
    [[nodiscard]] explanation explain(std::span<ranking const> arms, doc_id id,
        std::span<explanation const> arm_parts = {}) const;
};

/// logn_isr with sigma = 0: score(d) = ln(h) * sum over arms of 1 / rank^2, which is 0 for a
/// document that only one arm returned.
/// @par Source The same as isr.
[[nodiscard]] inline logn_isr log_isr(tied_ranks ties = tied_ranks::by_place) {
    return {.sigma = 0, .ties = ties};
}

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/fusion/detail/isr_inl.hpp>
#endif
