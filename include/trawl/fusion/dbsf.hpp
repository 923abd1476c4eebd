// SPDX-License-Identifier: MIT
#pragma once

/// Distribution-based score fusion: an arm's scores are placed between three standard deviations
/// below and above their mean.

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/normaliser.hpp>

TRAWL_BEGIN_NAMESPACE

/// Which standard deviation dbsf takes.
enum class deviation : unsigned char {
    population, ///< sqrt(sum of squares / n)
    sample,     ///< sqrt(sum of squares / (n - 1))
};

template <>
inline constexpr std::size_t enum_count<deviation> = 2;

/// "population", "sample".
[[nodiscard]] constexpr std::string_view name_of(deviation sigma) noexcept {
    constexpr std::string_view names[enum_count<deviation>] = {"population", "sample"};
    return names[static_cast<std::size_t>(sigma)];
}

/// score(d) = sum over arms of weight * (s - (mean - 3 sigma)) / (6 sigma): about 0 to 1, one half
/// at the mean. An arm that lacks d adds 0, or its lowest value where that is below 0, which needs
/// clamp = false. An arm of weight 0 is left out, documents and all.
/// @par Source Mazzeschi, "Distribution-based score fusion", 2023.
struct dbsf {
    std::vector<double> weights = {}; ///< one for each arm, >= 0; empty: 1 each
    deviation sigma = deviation::population;
    bool clamp = true;     ///< to [0, 1]; scores beyond three deviations tie there
    double constant = 0.5; ///< the value of every hit where all scores of an arm are equal
    missing_score missing = missing_score::standard;

    /// Reads scores: completing them makes sense.
    static constexpr bool uses_scores = true;

    /// @throws trawl::error (weight_count) unless there are no weights or one for each arm;
    /// (invalid_argument) if a weight is not finite and >= 0 or all are 0, or if constant is not
    /// finite.
    void validate(std::size_t arms) const;

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

    /// The rule for several variants of the query: it fuses arms * variants rankings, those of all
    /// arms for the first variant, then for the next. An arm's parameters are repeated for each
    /// variant, and its weight is multiplied by the variant's.
    [[nodiscard]] dbsf spread(std::size_t arms, std::span<double const> variant_weights) const;

    /// Whether the arm has weight 0: then nothing of it reaches the result.
    [[nodiscard]] bool leaves_out(std::size_t arm) const noexcept;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/fusion/detail/dbsf_inl.hpp>
#endif
