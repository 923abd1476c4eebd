// SPDX-License-Identifier: MIT
#pragma once

/// What fusion rules have in common: an arm gives each of its documents a value, a document's
/// values are combined, and the result, perhaps times a factor, is rounded to float. A rule is a
/// formula; fusing and explaining are the same for all.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <trawl/core/explanation.hpp>
#include <trawl/core/function_ref.hpp>
#include <trawl/core/sort_by_rank.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>
#include <trawl/fusion/detail/arm_union.hpp>
#include <trawl/fusion/normaliser.hpp>

TRAWL_BEGIN_NAMESPACE

/// Which rank equal scores have, in rules that read ranks.
enum class tied_ranks : unsigned char {
    by_place, ///< 1, 2, 3, ...: the order of the arm decides
    shared,   ///< that of the first of them, as SQL's RANK(): 1, 1, 3, ...
};

namespace detail {

struct no_factor {};

/// A rule. Values is a callable of (arm_union const&, arm): a callable of (score, rank) -> double
/// that can describe(score, rank) itself and has an optional `missing`, the value of a document
/// that the arm lacks. Factor is a callable of the arms that have a document, ascending, or
/// no_factor.
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
};

/// A formula as fuse and explain see it, whatever its types: they are compiled once for all rules.
struct formula_view {
    std::string_view name;
    std::span<double const> weights;
    operation combine;
    tied_ranks ties;
    bool weigh;
    std::string_view factor_label;

    /// Writes what the entries of an arm with these scores and ranks are worth; returns `missing`.
    function_ref<std::optional<double>(arm_union const&, std::size_t arm,
        std::span<std::uint32_t const> ranks, std::span<double> out)>
        values;
    function_ref<std::string(arm_union const&, std::size_t arm, float score, std::size_t rank)>
        describe;
    function_ref<double(std::span<std::size_t const>)> const* factor; // null: none

    [[nodiscard]] double weight(std::size_t arm) const noexcept {
        return weigh ? weight_of(weights, arm) : 1;
    }
};

// Calls use(formula_view).
template <class Values, class Factor, class Use>
auto with_view(formula<Values, Factor> const& rule, Use const& use) {
    auto const values = [&](arm_union const& all, std::size_t arm,
                            std::span<std::uint32_t const> ranks,
                            std::span<double> out) -> std::optional<double> {
        auto const of_arm = rule.values(all, arm);
        auto const scores = all.scores(arm);
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = of_arm(scores[i], ranks[i]);
        return of_arm.missing;
    };
    auto const describe = [&](arm_union const& all, std::size_t arm, float score,
                              std::size_t rank) {
        return rule.values(all, arm).describe(score, rank);
    };
    auto const factor = [&](std::span<std::size_t const> arms) -> double {
        if constexpr (std::is_same_v<Factor, no_factor>) {
            return 1;
        } else {
            return rule.factor(arms);
        }
    };
    function_ref<double(std::span<std::size_t const>)> const times = factor;
    return use(formula_view{rule.name, rule.weights, rule.combine, rule.ties, rule.weigh,
        rule.factor_label, values, describe, std::is_same_v<Factor, no_factor> ? nullptr : &times});
}

/// The ranks of an arm's entries.
inline void ranks_of(
    std::span<float const> scores, tied_ranks ties, std::vector<std::uint32_t>& out) {
    out.resize(scores.size());
    std::uint32_t rank = 1;
    for (std::uint32_t i = 0; i < out.size(); ++i) {
        if (ties == tied_ranks::by_place || i == 0 || scores[i] != scores[i - 1]) rank = i + 1;
        out[i] = rank;
    }
}

// Of values sorted in descending order, at least one.
[[nodiscard]] inline double combined(operation how, std::span<double const> values) {
    if (how == operation::max) return values.front();
    if (how == operation::min) return values.back();
    if (how == operation::median) return median_of({values.begin(), values.end()});
    return sum_of(values);
}

/// What each document of the arms is worth to each of them.
struct worths {
    worths(formula_view const& rule, arm_union const& all)
        : of_entries(all.size()), missing(all.arms()) {
        std::vector<std::uint32_t> ranks;
        for (std::size_t arm = 0; arm < all.arms(); ++arm) {
            auto const scores = all.scores(arm);
            if (scores.empty()) continue;
            ranks_of(scores, rule.ties, ranks);
            auto const own = std::span(of_entries).subspan(all.begin(arm), scores.size());
            missing[arm] = rule.values(all, arm, ranks, own);
            auto const weight = rule.weight(arm);
            for (double& value : own) value = rounded(weight * value);
            if (missing[arm]) missing[arm] = rounded(weight * *missing[arm]);
        }
    }

    std::vector<double> of_entries;
    std::vector<std::optional<double>> missing;
};

// The fused values of all documents, in the order of all.documents().
[[nodiscard]] inline std::vector<double> fused_values(
    formula_view const& rule, arm_union const& all) {
    worths worth(rule, all);
    auto const documents = all.documents().size();
    std::vector<double> fused(documents);
    bool const plain = rule.combine == operation::sum && rule.factor == nullptr
                       && std::none_of(worth.missing.begin(), worth.missing.end(),
                           [](auto const& missing) { return missing.has_value(); });
    if (plain && all.arms() <= 2) { // the order of two parts is no matter
        worth.of_entries.push_back(0);
        for (std::size_t i = 0; i < documents; ++i) {
            auto const [one, other] = all.two_entries(i);
            fused[i] = rounded(worth.of_entries[one] + worth.of_entries[other]);
        }
        return fused;
    }
    std::vector<double> parts(all.arms());
    std::vector<std::size_t> present(all.arms());
    for (std::size_t i = 0; i < documents; ++i) {
        std::size_t n = 0;
        auto const add = [&](std::size_t arm, double value) {
            present[n] = arm;
            parts[n++] = value;
        };
        all.for_each_arm(
            i, [&](std::size_t arm, std::size_t entry) { add(arm, worth.of_entries[entry]); },
            [&](std::size_t arm) {
                if (worth.missing[arm]) add(arm, *worth.missing[arm]);
            });
        std::span const values(parts.data(), n);
        std::sort(values.begin(), values.end(), std::greater<>{});
        fused[i] = combined(rule.combine, values);
        if (rule.factor != nullptr) {
            std::span const having(present.data(), n);
            std::reverse(having.begin(), having.end());
            fused[i] = rounded(fused[i] * (*rule.factor)(having));
        }
    }
    return fused;
}

[[nodiscard]] inline ranking fuse(formula_view const& rule, std::span<ranking const> arms) {
    arm_union const all(rule.name, arms, rule.weights);
    auto const values = fused_values(rule, all);
    auto const documents = all.documents();
    ranking fused(documents.size());
    for (std::size_t i = 0; i < fused.size(); ++i) {
        fused[i] = {documents[i], static_cast<float>(values[i])};
        if (!is_finite(fused[i].score)) {
            fail(errc::not_finite, join(rule.name, ": the fused score of document ", documents[i],
                                       " does not fit a float"));
        }
    }
    sort_by_rank(fused);
    return fused;
}

/// The whole union. A document's values are combined largest first, so that the order of the arms
/// changes nothing. O(N + M log M) for N hits of M documents.
/// @throws trawl::error (not_finite) if a fused score does not fit a float.
template <class Values, class Factor>
[[nodiscard]] ranking fuse_by(formula<Values, Factor> const& rule, std::span<ranking const> arms) {
    return with_view(rule, [&](formula_view const& view) { return fuse(view, arms); });
}

// weight * value; under the value hangs what explains the document's score in that arm.
[[nodiscard]] inline explanation weighted_part(std::size_t arm, double weight, double value,
    std::string label, std::span<explanation const> arm_parts) {
    explanation factor{operation::opaque, std::move(label), value, {}};
    if (!arm_parts.empty()) factor.children.push_back(arm_parts[arm]);
    explanation part{operation::product, join("arm ", arm), 0, {}};
    part.children.push_back({operation::leaf, "weight", weight, {}});
    part.children.push_back(std::move(factor));
    part.value = recompute(part);
    return part;
}

[[nodiscard]] inline explanation explain(formula_view const& rule, std::span<ranking const> arms,
    doc_id id, std::span<explanation const> arm_parts) {
    if (!arm_parts.empty() && arm_parts.size() != arms.size()) {
        fail(errc::invalid_argument, join(rule.name, "::explain: ", arm_parts.size(),
                                         " explanations for ", arms.size(), " arms"));
    }
    arm_union const all(rule.name, arms, rule.weights);
    auto const documents = all.documents();
    auto const at = std::find(documents.begin(), documents.end(), id);
    if (at == documents.end()) return no_match("no match: in none of the arms");

    explanation node{rule.combine, "arms, the largest part first", 0, {}};
    std::vector<std::size_t> present;
    std::vector<std::uint32_t> ranks;
    std::vector<double> values;
    auto const add = [&](std::size_t arm, double value, std::string label) {
        // After those that are larger or as large and of an earlier arm; arms come last to first.
        auto place = node.children.begin();
        auto part = weighted_part(arm, rule.weight(arm), value, std::move(label), arm_parts);
        while (place != node.children.end() && place->value > part.value) ++place;
        node.children.insert(place, std::move(part));
        present.insert(present.begin(), arm);
    };
    auto const values_of = [&](std::size_t arm) {
        auto const scores = all.scores(arm);
        ranks_of(scores, rule.ties, ranks);
        values.resize(scores.size());
        return rule.values(all, arm, ranks, values);
    };
    all.for_each_arm(
        static_cast<std::size_t>(at - documents.begin()),
        [&](std::size_t arm, std::size_t entry) {
            values_of(arm);
            auto const i = entry - all.begin(arm);
            add(arm, values[i], rule.describe(all, arm, all.scores(arm)[i], ranks[i]));
        },
        [&](std::size_t arm) {
            if (all.scores(arm).empty()) return;
            if (auto const missing = values_of(arm))
                add(arm, *missing, "the arm did not return it");
        });
    node.value = recompute(node);
    if (rule.factor != nullptr) {
        explanation product{operation::product, std::string(rule.name), 0, {}};
        product.children.push_back(std::move(node));
        product.children.push_back(
            {operation::leaf, std::string(rule.factor_label), (*rule.factor)(present), {}});
        product.value = recompute(product);
        node = std::move(product);
    }
    explanation fused{operation::round, std::string(rule.name), 0, {}};
    fused.children.push_back(std::move(node));
    fused.value = recompute(fused);
    return fused;
}

/// Explains a document's fused score as fuse_by computes it: the value is that score, bit for bit;
/// 0 if no arm has it.
/// @param arm_parts  Explains the document's score in each arm, hung under the arm's part; may be
/// empty.
template <class Values, class Factor>
[[nodiscard]] explanation explain_by(formula<Values, Factor> const& rule,
    std::span<ranking const> arms, doc_id id, std::span<explanation const> arm_parts) {
    return with_view(
        rule, [&](formula_view const& view) { return explain(view, arms, id, arm_parts); });
}

// As many as arms, or none at all.
inline void check_count(
    std::string_view rule, std::string_view what, std::size_t of_arms, std::size_t arms) {
    if (of_arms != 0 && of_arms != arms) {
        fail(errc::invalid_argument, join(rule, ": ", of_arms, " ", what, " for ", arms, " arms"));
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
TRAWL_END_NAMESPACE
