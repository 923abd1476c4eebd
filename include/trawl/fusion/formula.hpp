// SPDX-License-Identifier: MIT
#pragma once

/// What fusion rules have in common: an arm gives each of its documents a value, a document's values are
/// combined, and the result, perhaps times a factor, is rounded to float. A rule is a formula; fusing and
/// explaining are the same for all.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/arm_union.hpp>
#include <trawl/fusion/normaliser.hpp>
#include <trawl/fusion/sort_by_rank.hpp>

namespace trawl::inline v0_1 {

/// Which rank equal scores have, in rules that read ranks.
enum class tied_ranks : unsigned char {
    by_place, ///< 1, 2, 3, ...: the order of the arm decides
    shared,   ///< that of the first of them, as SQL's RANK(): 1, 1, 3, ...
};

namespace detail {

struct no_factor {};

/// A rule. Values is a callable of (arm_union const&, arm): a callable of (score, rank) -> double that can
/// describe(score, rank) itself and has an optional `missing`, the value of a document that the arm lacks.
/// Factor is a callable of the arms that have a document, ascending, or no_factor.
template <class Values, class Factor = no_factor>
struct formula {
    std::string_view name;
    std::span<double const> weights; // one an arm or none; an arm of weight 0 is left out
    Values values;
    operation combine = operation::sum; // or max, min, median
    tied_ranks ties = tied_ranks::by_place;
    bool weigh = true; // multiply an arm's values by its weight
    Factor factor = {};
    std::string_view factor_label = {};

    [[nodiscard]] double weight(std::size_t arm) const noexcept {
        return weigh ? weight_of(weights, arm) : 1;
    }
};

/// Calls visit(entry, rank, score) for the entries of an arm, best first.
template <class Visit>
void for_each_rank(arm_union const& all, std::size_t arm, tied_ranks ties, Visit&& visit) {
    auto const scores = all.scores(arm);
    std::size_t rank = 1;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        if (ties == tied_ranks::by_place || i == 0 || scores[i] != scores[i - 1]) rank = i + 1;
        visit(all.begin(arm) + i, rank, scores[i]);
    }
}

// Of values sorted in descending order, at least one.
[[nodiscard]] inline double combined(operation how, std::span<double const> values) {
    if (how == operation::max) return values.front();
    if (how == operation::min) return values.back();
    if (how == operation::median) return median_of({values.begin(), values.end()});
    return sum_of(values);
}

/// The whole union. A document's values are combined largest first, so that the order of the arms changes
/// nothing. O(N + M log M) for N hits of M documents.
/// @throws trawl::error (not_finite) if a fused score does not fit a float.
template <class Values, class Factor>
[[nodiscard]] ranking fuse_by(formula<Values, Factor> const& rule, std::span<ranking const> arms) {
    arm_union const all(rule.name, arms, rule.weights);
    std::vector<double> values(all.size());
    std::vector<std::optional<double>> missing(all.arms());
    for (std::size_t arm = 0; arm < all.arms(); ++arm) {
        if (all.scores(arm).empty()) continue;
        auto const of_arm = rule.values(all, arm);
        auto const weight = rule.weight(arm);
        if (of_arm.missing) missing[arm] = rounded(weight * *of_arm.missing);
        for_each_rank(all, arm, rule.ties, [&](std::size_t entry, std::size_t rank, float score) {
            values[entry] = rounded(weight * of_arm(score, rank));
        });
    }
    auto const documents = all.documents();
    ranking fused;
    fused.reserve(documents.size());
    std::vector<double> parts;
    std::vector<std::size_t> present;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        parts.clear();
        present.clear();
        auto const add = [&](std::size_t arm, double value) {
            parts.push_back(value);
            if constexpr (!std::is_same_v<Factor, no_factor>) present.push_back(arm);
        };
        all.for_each_arm(
            i, [&](std::size_t arm, std::size_t entry) { add(arm, values[entry]); },
            [&](std::size_t arm) {
                if (missing[arm]) add(arm, *missing[arm]);
            });
        if (parts.size() > 1) std::sort(parts.begin(), parts.end(), std::greater<>{});
        auto value = combined(rule.combine, parts);
        if constexpr (!std::is_same_v<Factor, no_factor>) {
            std::reverse(present.begin(), present.end());
            value = rounded(value * rule.factor(std::span<std::size_t const>(present)));
        }
        auto const score = static_cast<float>(value);
        if (!is_finite(score)) {
            fail(errc::not_finite,
                join(rule.name, ": the fused score of document ", documents[i], " does not fit a float"));
        }
        fused.push_back({documents[i], score});
    }
    sort_by_rank(fused);
    return fused;
}

// weight * value; under the value hangs what explains the document's score in that arm.
[[nodiscard]] inline explanation weighted_part(
    std::size_t arm, double weight, double value, std::string label, std::span<explanation const> arm_parts) {
    explanation factor{operation::opaque, std::move(label), value, {}};
    if (!arm_parts.empty()) factor.parts.push_back(arm_parts[arm]);
    explanation part{operation::product, join("arm ", arm), 0, {}};
    part.parts.push_back({operation::leaf, "weight", weight, {}});
    part.parts.push_back(std::move(factor));
    part.value = recompute(part);
    return part;
}

/// Explains a document's fused score as fuse_by computes it: the value is that score, bit for bit; 0 if no
/// arm has it.
/// @param arm_parts  Explains the document's score in each arm, hung under the arm's part; may be empty.
template <class Values, class Factor>
[[nodiscard]] explanation explain_by(formula<Values, Factor> const& rule, std::span<ranking const> arms,
    doc_id id, std::span<explanation const> arm_parts) {
    if (!arm_parts.empty() && arm_parts.size() != arms.size()) {
        fail(errc::invalid_argument,
            join(rule.name, "::explain: ", arm_parts.size(), " explanations for ", arms.size(), " arms"));
    }
    arm_union const all(rule.name, arms, rule.weights);
    auto const documents = all.documents();
    auto const at = std::find(documents.begin(), documents.end(), id);
    if (at == documents.end()) return {operation::leaf, "no match: in none of the arms", 0, {}};

    explanation node{rule.combine, "arms, the largest part first", 0, {}};
    std::vector<std::size_t> present;
    auto const add = [&](std::size_t arm, double value, std::string label) {
        node.parts.push_back(weighted_part(arm, rule.weight(arm), value, std::move(label), arm_parts));
        present.push_back(arm);
    };
    all.for_each_arm(
        static_cast<std::size_t>(at - documents.begin()),
        [&](std::size_t arm, std::size_t own) {
            for_each_rank(all, arm, rule.ties, [&](std::size_t entry, std::size_t rank, float score) {
                if (entry != own) return;
                auto const of_arm = rule.values(all, arm);
                add(arm, of_arm(score, rank), of_arm.describe(score, rank));
            });
        },
        [&](std::size_t arm) {
            if (all.scores(arm).empty()) return;
            auto const missing = rule.values(all, arm).missing;
            if (missing) add(arm, *missing, "the arm did not return it");
        });
    std::reverse(node.parts.begin(), node.parts.end());
    std::reverse(present.begin(), present.end());
    std::stable_sort(node.parts.begin(), node.parts.end(),
        [](explanation const& a, explanation const& b) { return a.value > b.value; });
    node.value = recompute(node);
    if constexpr (!std::is_same_v<Factor, no_factor>) {
        explanation product{operation::product, std::string(rule.name), 0, {}};
        product.parts.push_back(std::move(node));
        product.parts.push_back({operation::leaf, std::string(rule.factor_label),
            rule.factor(std::span<std::size_t const>(present)), {}});
        product.value = recompute(product);
        node = std::move(product);
    }
    explanation fused{operation::round, std::string(rule.name), 0, {}};
    fused.parts.push_back(std::move(node));
    fused.value = recompute(fused);
    return fused;
}

// As many as arms, or none at all.
template <class T>
void check_count(
    std::string_view rule, std::string_view what, std::vector<T> const& of_arms, std::size_t arms) {
    if (!of_arms.empty() && of_arms.size() != arms) {
        fail(errc::invalid_argument, join(rule, ": ", of_arms.size(), " ", what, " for ", arms, " arms"));
    }
}

// The values of rules that normalise each arm alike.
struct normalised {
    normaliser norm;
    [[nodiscard]] arm_scale operator()(arm_union const& all, std::size_t arm) const {
        return scale_of(norm, all.scores(arm), all.documents().size());
    }
};

} // namespace detail
} // namespace trawl::inline v0_1
