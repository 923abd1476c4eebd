// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of fusion/detail/formula.hpp: fuses and explains for all rules.

#include <trawl/fusion/detail/formula.hpp>

#include <algorithm>
#include <utility>

#include <trawl/core/sort_by_rank.hpp>
#include <trawl/detail/floating_point.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

TRAWL_INLINE double formula::factor(std::span<std::size_t const>) const { return 1; }

TRAWL_INLINE void ranks_of(
    std::span<float const> scores, tied_ranks ties, std::vector<std::uint32_t>& out) {
    out.resize(scores.size());
    std::uint32_t rank = 1;
    for (std::uint32_t i = 0; i < out.size(); ++i) {
        if (ties == tied_ranks::by_place || i == 0 || scores[i] != scores[i - 1]) rank = i + 1;
        out[i] = rank;
    }
}

/// What each document of the arms is worth to each of them.
class worths {
public:
    worths(formula const& rule, arm_union const& all)
        : of_entries(all.size() + 1), missing(all.arms()) {
        std::vector<std::uint32_t> ranks;
        for (std::size_t arm = 0; arm < all.arms(); ++arm) {
            auto const scores = all.scores(arm);
            if (scores.empty()) continue;
            ranks_of(scores, rule.ties, ranks);
            auto const own = std::span(of_entries).subspan(all.begin(arm), scores.size());
            missing[arm] = rule.values(all, arm, ranks, own);
            any_missing = any_missing || missing[arm].has_value();
            auto const weight = rule.weight(arm);
            if (weight == 1) continue;
            for (double& value : own) value = rounded(weight * value);
            if (missing[arm]) missing[arm] = rounded(weight * *missing[arm]);
        }
    }

    std::vector<double> of_entries; // then 0, for an entry that is not there
    buffer<std::optional<double>> missing;
    bool any_missing = false;
};

// Of values sorted in descending order, at least one.
[[nodiscard]] inline double combined(operation how, std::span<double const> values) {
    if (how == operation::max) return values.front();
    if (how == operation::min) return values.back();
    if (how == operation::median) return median_of({values.begin(), values.end()});
    return sum_of(values);
}

// A fused value, as the key by which documents are sorted.
[[nodiscard]] inline std::uint64_t key_of_fused(
    formula const& rule, arm_union const& all, std::size_t document, double value) {
    hit const fused{all.documents()[document], static_cast<float>(value)};
    if (!is_finite(fused.score)) {
        fail(errc::not_finite,
            join(rule.name, ": the fused score of document ", fused.id, " does not fit a float"));
    }
    return rank_key(fused);
}

// The rank keys of all documents, in the order of all.documents().
[[nodiscard]] inline std::vector<std::uint64_t> fused_keys(
    formula const& rule, arm_union const& all) {
    worths const worth(rule, all);
    std::vector<std::uint64_t> keys(all.documents().size());
    bool const has_factor = !rule.factor_label.empty();
    if (rule.combine == operation::sum && !has_factor && !worth.any_missing && all.arms() <= 2) {
        // The order of two values does not matter.
        for (std::size_t i = 0; i < keys.size(); ++i) {
            auto const [one, other] = all.two_entries(i);
            keys[i] = key_of_fused(
                rule, all, i, rounded(worth.of_entries[one] + worth.of_entries[other]));
        }
        return keys;
    }
    std::vector<double> parts(all.arms());
    std::vector<std::size_t> present(all.arms());
    for (std::size_t i = 0; i < keys.size(); ++i) {
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
        std::sort(values.begin(), values.end(), [](double a, double b) { return a > b; });
        auto fused = combined(rule.combine, values);
        if (has_factor) {
            std::span const having(present.data(), n);
            std::reverse(having.begin(), having.end());
            fused = rounded(fused * rule.factor(having));
        }
        keys[i] = key_of_fused(rule, all, i, fused);
    }
    return keys;
}

TRAWL_INLINE ranking fuse(formula const& rule, std::span<ranking const> arms) {
    arm_union const all(rule.name, arms, rule.weights);
    auto keys = fused_keys(rule, all);
    sort_rank_keys(keys);
    ranking fused(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) fused[i] = hit_of(keys[i]);
    return fused;
}

// weight * value of the arm
[[nodiscard]] inline explanation contribution(std::size_t arm, double weight, double value,
    std::string label, std::span<explanation const> arm_parts) {
    explanation own{operation::opaque, std::move(label), value, {}};
    if (!arm_parts.empty()) own.children.push_back(arm_parts[arm]);
    explanation node{operation::product, join("arm ", arm), 0, {}, node_role::arm};
    node.children.push_back({operation::leaf, "weight", weight, {}, node_role::weight});
    node.children.push_back(std::move(own));
    node.value = recompute(node);
    return node;
}

TRAWL_INLINE explanation explain(formula const& rule, std::span<ranking const> arms, doc_id id,
    std::span<explanation const> arm_parts) {
    check_count(join(rule.name, "::explain"), "explanations", arm_parts.size(), arms.size());
    arm_union const all(rule.name, arms, rule.weights);
    auto const documents = all.documents();
    auto const at = std::find(documents.begin(), documents.end(), id);
    if (at == documents.end()) return no_match("no match: in none of the arms");

    explanation node{rule.combine, "arms, the largest value first", 0, {}};
    std::vector<std::size_t> present;
    std::vector<std::uint32_t> ranks;
    std::vector<double> values;
    auto const add = [&](std::size_t arm, double value, std::string label) {
        // Behind those that are larger, or as large and of an earlier arm; arms come last to first.
        auto place = node.children.begin();
        auto child = contribution(arm, rule.weight(arm), value, std::move(label), arm_parts);
        while (place != node.children.end() && place->value > child.value) ++place;
        node.children.insert(place, std::move(child));
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
            static_cast<void>(values_of(arm));
            auto const i = entry - all.begin(arm);
            add(arm, values[i], rule.describe(all, arm, all.scores(arm)[i], ranks[i]));
        },
        [&](std::size_t arm) {
            if (all.scores(arm).empty()) return;
            if (auto const missing = values_of(arm))
                add(arm, *missing, "the arm did not return it");
        });
    node.value = recompute(node);
    if (!rule.factor_label.empty()) {
        explanation product{operation::product, std::string(rule.name), 0, {}};
        product.children.push_back(std::move(node));
        product.children.push_back(
            {operation::leaf, std::string(rule.factor_label), rule.factor(present), {}});
        product.value = recompute(product);
        node = std::move(product);
    }
    explanation fused{operation::round, std::string(rule.name), 0, {}};
    fused.children.push_back(std::move(node));
    fused.value = recompute(fused);
    return fused;
}

TRAWL_INLINE void check_weights(
    std::string_view rule, std::span<double const> weights, std::size_t arms) {
    if (weights.empty()) return;
    if (weights.size() != arms) {
        fail(errc::weight_count, join(rule, ": ", weights.size(), " weights for ", arms, " arms"));
    }
    bool all_0 = true;
    for (std::size_t a = 0; a < arms; ++a) {
        if (!is_finite(weights[a]) || weights[a] < 0) {
            fail(errc::invalid_argument,
                join(rule, ": weight ", a, " is ", weights[a], ", must be finite and >= 0"));
        }
        all_0 = all_0 && weights[a] == 0;
    }
    if (all_0) {
        fail(errc::invalid_argument, join(rule, ": all ", arms, " weights are 0, one must be > 0"));
    }
}

TRAWL_INLINE void check_count(
    std::string_view rule, std::string_view what, std::size_t count, std::size_t arms) {
    if (count == 0 || count == arms) return;
    fail(errc::invalid_argument, join(rule, ": ", count, " ", what, " for ", arms, " arms"));
}

TRAWL_INLINE void spread_weights(
    std::vector<double>& weights, std::size_t arms, std::span<double const> variant_weights) {
    auto const is_1 = [](double w) { return w == 1; };
    if (weights.empty() && std::all_of(variant_weights.begin(), variant_weights.end(), is_1))
        return;
    if (weights.empty()) weights.assign(arms, 1.0);
    repeat(weights, variant_weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = rounded(weights[i] * variant_weights[i / arms]);
}

} // namespace detail
TRAWL_END_NAMESPACE
