// SPDX-License-Identifier: MIT
#pragma once

/// A floor under the scores of each arm, before they are fused.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// The floor of an arm that has none.
inline constexpr float no_floor = -std::numeric_limits<float>::infinity();

/// A fusion rule that sees only hits with a score of at least the arm's floor; what is below counts
/// as missing, in ranks and normalisation too, and after completion. A floor belongs to the model
/// that makes the scores:
///     .fuse(trawl::floored{trawl::rrf{}, {trawl::no_floor, 0.3f}})
template <fusion_rule Rule>
struct floored {
    Rule rule = {};
    std::vector<float> floors = {}; ///< one an arm; no_floor: none

    /// As the rule's.
    static constexpr bool uses_scores = [] {
        if constexpr (requires { Rule::uses_scores; }) return Rule::uses_scores;
        return true;
    }();

    /// @throws trawl::error (invalid_argument) unless there are as many floors as arms, each a
    /// number or no_floor; whatever the rule's validate throws.
    void validate(std::size_t arms) const {
        if (floors.size() != arms) {
            detail::fail(errc::invalid_argument,
                detail::join("floored: ", floors.size(), " floors for ", arms, " arms"));
        }
        for (std::size_t a = 0; a < arms; ++a) {
            if (!detail::is_finite(floors[a])
                && std::bit_cast<std::uint32_t>(floors[a]) != 0xFF800000u) {
                detail::fail(errc::invalid_argument, detail::join("floored: the floor of arm ", a,
                                                         " is ", floors[a], ", must be a number"));
            }
        }
        rule.validate(arms);
    }

    /// As the rule's, of what remains.
    [[nodiscard]] ranking operator()(std::span<ranking const> arms) const {
        validate(arms.size());
        return rule(std::span<ranking const>(above(arms)));
    }

    /// As the rule's, of what remains.
    [[nodiscard]] explanation explain(
        std::span<ranking const> arms, doc_id id, std::span<explanation const> arm_parts = {}) const
        requires(requires(Rule const& r) { r.explain(arms, id, arm_parts); })
    {
        validate(arms.size());
        return rule.explain(std::span<ranking const>(above(arms)), id, arm_parts);
    }

private:
    [[nodiscard]] std::vector<ranking> above(std::span<ranking const> arms) const {
        std::vector<ranking> kept(arms.size());
        for (std::size_t a = 0; a < arms.size(); ++a) {
            for (auto const& h : arms[a]) {
                // What is no number is the rule's to refuse.
                if (h.score >= floors[a] || !detail::is_finite(h.score)) kept[a].push_back(h);
            }
        }
        return kept;
    }
};

template <class Rule>
floored(Rule, std::vector<float>) -> floored<Rule>;

TRAWL_END_NAMESPACE
