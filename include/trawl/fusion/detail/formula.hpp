// SPDX-License-Identifier: MIT
#pragma once

/// The engine of the fusion rules. A rule is a formula: an arm gives each of its documents a value,
/// the values of a document are combined, and the result, perhaps times a factor, is rounded to
/// float. Fusing and explaining are the same for all rules.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/detail/arm_union.hpp>
#include <trawl/fusion/tied_ranks.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// A fusion rule as the engine sees it. One virtual call for an arm, and one for a document if the
/// rule has a factor; none for a hit.
class formula {
public:
    std::string_view name = {};
    std::span<double const> weights =
        {}; ///< one for each arm or none; an arm of weight 0 is left out
    operation combine = operation::sum; ///< or max, min, median
    tied_ranks ties = tied_ranks::by_place;
    bool weigh = true;                  ///< multiply an arm's values by its weight
    std::string_view factor_label = {}; ///< empty: the rule has no factor

    /// Writes the values of an arm's entries.
    /// @param ranks  The ranks of the entries.
    /// @param out    The same number of values.
    /// @return the value of a document that the arm lacks; none: it has no value from this arm.
    virtual std::optional<double> values(arm_union const& all, std::size_t arm,
        std::span<std::uint32_t const> ranks, std::span<double> out) const = 0;

    /// Says how the value of an entry came about.
    [[nodiscard]] virtual std::string describe(
        arm_union const& all, std::size_t arm, float score, std::size_t rank) const = 0;

    /// @param arms  Those that have a value for the document, ascending.
    [[nodiscard]] virtual double factor(std::span<std::size_t const> arms) const;

    [[nodiscard]] double weight(std::size_t arm) const noexcept {
        return weigh ? weight_of(weights, arm) : 1;
    }

protected:
    formula() = default;
    formula(formula const&) = default;
    formula& operator=(formula const&) = default;
    ~formula() = default;
};

/// The whole union of the arms. The values of a document are combined largest first, so that the
/// order of the arms changes nothing.
/// @throws trawl::error (not_finite) if a score is NaN or infinite or a fused score does not fit a
/// float.
/// @par Complexity  O(N + M log M) for N hits of M documents.
[[nodiscard]] ranking fuse(formula const& rule, std::span<ranking const> arms);

/// Explains a document's fused score as fuse computes it: the value has the same bits. A leaf
/// without match if no arm has the document.
/// @param arm_parts  Explains the document's score in each arm and is hung under the arm's
/// contribution; may be empty.
[[nodiscard]] explanation explain(formula const& rule, std::span<ranking const> arms, doc_id id,
    std::span<explanation const> arm_parts);

/// The ranks of an arm's entries.
void ranks_of(std::span<float const> scores, tied_ranks ties, std::vector<std::uint32_t>& out);

/// Weights: one for each arm, finite, >= 0, not all 0; or none, which means 1 each.
/// @throws trawl::error (weight_count, invalid_argument).
void check_weights(std::string_view rule, std::span<double const> weights, std::size_t arms);

/// A list of parameters: one for each arm, or none.
/// @throws trawl::error (invalid_argument).
void check_count(std::string_view rule, std::string_view what, std::size_t count, std::size_t arms);

/// The weights of `arms` arms for several query variants, variant after variant: weight of the arm
/// times weight of the variant. Stays empty where all are 1.
void spread_weights(
    std::vector<double>& weights, std::size_t arms, std::span<double const> variant_weights);

/// Repeats a list of one parameter for each arm, `times` in all.
template <class T>
void repeat(std::vector<T>& per_arm, std::size_t times) {
    auto const once = per_arm.size();
    per_arm.reserve(once * times);
    for (std::size_t i = once; i < once * times; ++i) per_arm.push_back(per_arm[i - once]);
}

[[nodiscard]] inline bool has_weight_0(std::span<double const> weights, std::size_t arm) noexcept {
    return arm < weights.size() && weights[arm] == 0;
}

} // namespace detail
TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/fusion/detail/formula_inl.hpp>
#endif
