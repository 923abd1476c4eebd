// SPDX-License-Identifier: MIT
#pragma once

/// The parts of a pipeline as its engine sees them: an object and a table of the functions that its
/// type offers. So the engine is compiled once, for parts of any type.

#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <trawl/core/concepts.hpp>
#include <trawl/core/doc_set.hpp>
#include <trawl/core/explanation.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/fusion/spread.hpp>
#include <trawl/pipeline/rewriting.hpp>
#include <trawl/pipeline/variants.hpp>
#include <trawl/rerank/stage.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// An arm, a rule or a stage whose type is erased: the object, and functions that call it.
template <class Functions>
struct part_ref {
    void const* object = nullptr;
    Functions const* call = nullptr;
};

/// A retriever. What it does not offer is null.
struct arm_functions {
    ranking (*search)(void const* arm, query const& q, search_options const& options);
    std::vector<hit> (*score)(void const* arm, query const& q, std::span<doc_id const> ids,
        search_options const& options) = nullptr;
    explanation (*explain)(
        void const* arm, query const& q, doc_id id, search_options const& options) = nullptr;
    void (*warnings)(void const* arm, query const& q, std::vector<std::string>& notes) = nullptr;
    std::optional<doc_set> (*conditions)(
        void const* arm, query const& q, std::size_t universe) = nullptr;
    doc_id (*next_id)(void const* arm) = nullptr;
};
using arm_ref = part_ref<arm_functions>;

template <class Arm>
[[nodiscard]] constexpr arm_functions arm_functions_of() {
    arm_functions made{
        .search = [](void const* arm, query const& q, search_options const& options) {
            return static_cast<Arm const*>(arm)->search(q, options);
        }};
    if constexpr (scoring_retriever<Arm>) {
        made.score = [](void const* arm, query const& q, std::span<doc_id const> ids,
                         search_options const& options) {
            return static_cast<Arm const*>(arm)->score(q, ids, options);
        };
    }
    if constexpr (requires(Arm const& arm, query const& q, search_options const& options) {
                      { arm.explain(q, doc_id{}, options) } -> std::same_as<explanation>;
                  }) {
        made.explain = [](void const* arm, query const& q, doc_id id,
                           search_options const& options) {
            return static_cast<Arm const*>(arm)->explain(q, id, options);
        };
    }
    if constexpr (requires(Arm const& arm, query const& q, std::vector<std::string>& notes) {
                      notes.emplace_back(*std::begin(arm.warnings(q)));
                  }) {
        made.warnings = [](void const* arm, query const& q, std::vector<std::string>& notes) {
            for (auto const& warning : static_cast<Arm const*>(arm)->warnings(q))
                notes.emplace_back(warning);
        };
    }
    if constexpr (conditional_retriever<Arm>) {
        made.conditions = [](void const* arm, query const& q, std::size_t universe) {
            return static_cast<Arm const*>(arm)->conditions(q, universe);
        };
    }
    if constexpr (requires(Arm const& arm) {
                      { arm.next_id() } -> std::same_as<doc_id>;
                  }) {
        made.next_id = [](void const* arm) { return static_cast<Arm const*>(arm)->next_id(); };
    }
    return made;
}

/// A fusion rule.
struct rule_functions;
using rule_ref = part_ref<rule_functions>;
struct rule_functions {
    bool uses_scores;
    ranking (*fuse)(void const* rule, std::span<ranking const> arms);
    bool (*leaves_out)(void const* rule, std::size_t arm);
    /// Calls use(the rule for the rankings of all variants).
    void (*spread)(void const* rule, std::size_t arms, std::span<double const> weights,
        function_ref<void(rule_ref)> use) = nullptr;
    explanation (*explain)(void const* rule, std::span<ranking const> arms, doc_id id,
        std::span<explanation const> of_arms) = nullptr;
    void (*validate)(void const* rule, std::size_t arms);
};

template <class Rule>
inline constexpr bool uses_scores = true;
template <class Rule>
    requires requires {
        { Rule::uses_scores } -> std::convertible_to<bool>;
    }
inline constexpr bool uses_scores<Rule> = Rule::uses_scores;

template <class Rule>
[[nodiscard]] constexpr rule_functions rule_functions_of();
template <class Rule>
inline constexpr rule_functions functions_of_rule = rule_functions_of<Rule>();

template <class Rule>
[[nodiscard]] constexpr rule_functions rule_functions_of() {
    rule_functions made{.uses_scores = uses_scores<Rule>,
        .fuse =
            [](void const* rule, std::span<ranking const> arms) {
                return (*static_cast<Rule const*>(rule))(arms);
            },
        .leaves_out =
            [](void const* rule, std::size_t arm) {
                return trawl::leaves_out(*static_cast<Rule const*>(rule), arm);
            },
        .validate = [](void const* rule,
                        std::size_t arms) { static_cast<Rule const*>(rule)->validate(arms); }};
    if constexpr (spreading_rule<Rule>) {
        made.spread = [](void const* rule, std::size_t arms, std::span<double const> weights,
                          function_ref<void(rule_ref)> use) {
            auto const spread = spread_over(*static_cast<Rule const*>(rule), arms, weights);
            use({&spread, &functions_of_rule<Rule>});
        };
    }
    if constexpr (requires(Rule const& rule, std::span<ranking const> arms,
                      std::span<explanation const> of_arms) {
                      { rule.explain(arms, doc_id{}, of_arms) } -> std::same_as<explanation>;
                  }) {
        made.explain = [](void const* rule, std::span<ranking const> arms, doc_id id,
                           std::span<explanation const> of_arms) {
            return static_cast<Rule const*>(rule)->explain(arms, id, of_arms);
        };
    }
    return made;
}

/// A stage.
struct stage_functions {
    ranking (*run)(void const* stage, query const& q, ranking candidates,
        search_options const& options, stage_trace& trace);
    explanation (*explain)(void const* stage, query const& q, stage_step const& step,
        std::size_t position, explanation given) = nullptr;
    std::size_t (*count_kept)(void const* stage, std::span<doc_id const> candidates) = nullptr;
    // null: true wherever there is count_kept
    bool (*drops_candidates)(void const* stage) noexcept = nullptr;
    bool needs_scores = false; ///< it means nothing after a rule that reads ranks
    bool keeps_scores = false; ///< the scores of the hits that it keeps are those it was given
};
using stage_ref = part_ref<stage_functions>;

template <class Stage>
[[nodiscard]] constexpr stage_functions stage_functions_of() {
    stage_functions made{.run = [](void const* stage, query const& q, ranking candidates,
                                    search_options const& options,
                                    [[maybe_unused]] stage_trace& trace) {
        if constexpr (traced_stage<Stage>) {
            return (*static_cast<Stage const*>(stage))(q, std::move(candidates), options, trace);
        } else {
            return (*static_cast<Stage const*>(stage))(q, std::move(candidates), options);
        }
    }};
    if constexpr (explaining_stage<Stage>) {
        made.explain = [](void const* stage, query const& q, stage_step const& step,
                           std::size_t position, explanation given) {
            return static_cast<Stage const*>(stage)->explain(q, step, position, std::move(given));
        };
    }
    if constexpr (requires(Stage const& stage, std::span<doc_id const> candidates) {
                      { stage.count_kept(candidates) } -> std::same_as<std::size_t>;
                  }) {
        made.count_kept = [](void const* stage, std::span<doc_id const> candidates) {
            return static_cast<Stage const*>(stage)->count_kept(candidates);
        };
    }
    if constexpr (requires(Stage const& stage) {
                      { stage.drops_candidates() } noexcept -> std::same_as<bool>;
                  }) {
        made.drops_candidates = [](void const* stage) noexcept {
            return static_cast<Stage const*>(stage)->drops_candidates();
        };
    }
    made.needs_scores = requires { requires Stage::needs_scores; };
    made.keeps_scores = requires { requires Stage::keeps_scores; };
    return made;
}

template <class Arm>
inline constexpr arm_functions functions_of_arm = arm_functions_of<Arm>();
template <class Stage>
inline constexpr stage_functions functions_of_stage = stage_functions_of<Stage>();

template <class Arm>
[[nodiscard]] arm_ref ref_of_arm(Arm const& arm) noexcept {
    if constexpr (requires {
                      { arm.ref() } -> std::same_as<arm_ref>;
                  }) {
        return arm.ref(); // what it offers is known at run time only
    } else {
        return {std::addressof(arm), &functions_of_arm<Arm>};
    }
}
template <class Rule>
[[nodiscard]] rule_ref ref_of_rule(Rule const& rule) noexcept {
    return {std::addressof(rule), &functions_of_rule<Rule>};
}
template <class Stage>
[[nodiscard]] stage_ref ref_of_stage(Stage const& stage) noexcept {
    return {std::addressof(stage), &functions_of_stage<Stage>};
}

} // namespace detail
TRAWL_END_NAMESPACE
