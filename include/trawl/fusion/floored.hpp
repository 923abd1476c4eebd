// SPDX-License-Identifier: MIT
#pragma once

/// A score floor for each arm, applied before fusion.

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/fusion/spread.hpp>

TRAWL_BEGIN_NAMESPACE

/// The floor of an arm that has none.
inline constexpr float no_floor = -std::numeric_limits<float>::infinity();

namespace detail {

void check_floors(std::span<float const> floors, std::size_t arms);

/// The hits of each arm that reach its floor.
[[nodiscard]] std::vector<ranking> above_floors(
    std::span<ranking const> arms, std::span<float const> floors);

void repeat_floors(std::vector<float>& floors, std::size_t times);

} // namespace detail

/// A fusion rule that sees only the hits whose score is at least their arm's floor. Hits below it
/// count as missing, in ranks, in normalisation and after completion. A floor belongs to the model
/// that makes the scores:
///
///     .fuse(trawl::floored{trawl::rrf{}, {trawl::no_floor, 0.3f}})
template <fusion_rule Rule>
struct floored {
    Rule rule = {};
    std::vector<float> floors = {}; ///< one for each arm; no_floor: none

    /// The same as the rule's.
    static constexpr bool uses_scores = [] {
        if constexpr (requires { Rule::uses_scores; }) return Rule::uses_scores;
        return true;
    }();

    /// @throws trawl::error (invalid_argument) unless there is one floor for each arm, each of them
    /// a number or no_floor; whatever the rule's validate throws.
    void validate(std::size_t arms) const {
        detail::check_floors(floors, arms);
        rule.validate(arms);
    }

    /// The rule's ranking of the remaining hits.
    [[nodiscard]] ranking operator()(std::span<ranking const> arms) const {
        validate(arms.size());
        return rule(std::span<ranking const>(detail::above_floors(arms, floors)));
    }

    /// The rule's explanation, for the remaining hits.
    [[nodiscard]] explanation explain(
        std::span<ranking const> arms, doc_id id, std::span<explanation const> arm_parts = {}) const
        requires(requires(Rule const& r) { r.explain(arms, id, arm_parts); })
    {
        validate(arms.size());
        return rule.explain(
            std::span<ranking const>(detail::above_floors(arms, floors)), id, arm_parts);
    }

    /// The rule for the arms of several query variants, with the floors of the arms repeated.
    [[nodiscard]] floored spread(std::size_t arms, std::span<double const> variant_weights) const
        requires(spreading_rule<Rule>)
    {
        floored result{spread_over(rule, arms, variant_weights), floors};
        detail::repeat_floors(result.floors, variant_weights.size());
        return result;
    }

    /// Whether the rule leaves out the arm.
    [[nodiscard]] bool leaves_out(std::size_t arm) const { return trawl::leaves_out(rule, arm); }
};

template <class Rule>
floored(Rule, std::vector<float>) -> floored<Rule>;

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/fusion/detail/floored_inl.hpp>
#endif
