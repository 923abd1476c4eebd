// SPDX-License-Identifier: MIT
#pragma once

/// Every fusion rule, for tests of what holds for all of them.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <trawl/fusion/borda.hpp>
#include <trawl/fusion/comb.hpp>
#include <trawl/fusion/condorcet.hpp>
#include <trawl/fusion/dbsf.hpp>
#include <trawl/fusion/floored.hpp>
#include <trawl/fusion/isr.hpp>
#include <trawl/fusion/rbc.hpp>
#include <trawl/fusion/rrf.hpp>
#include <trawl/fusion/tm2c2.hpp>
#include <trawl/fusion/weighted_mnz.hpp>
#include <trawl/fusion/weighted_sum.hpp>

struct any_rule {
    std::string name;
    std::function<trawl::ranking(std::span<trawl::ranking const>)> fuse;
    std::function<trawl::explanation(std::span<trawl::ranking const>, trawl::doc_id)> explain;
    bool uses_scores;
};

template <trawl::fusion_rule Rule>
any_rule erased(std::string name, Rule rule) {
    return {std::move(name), [rule](std::span<trawl::ranking const> arms) { return rule(arms); },
        [rule](std::span<trawl::ranking const> arms, trawl::doc_id id) {
            return rule.explain(arms, id);
        },
        Rule::uses_scores};
}

/// All rules for so many arms, those with weights under the given ones.
inline std::vector<any_rule> all_rules(std::vector<double> const& weights, trawl::normaliser norm) {
    using namespace trawl;
    std::vector<any_rule> all;
    all.push_back(erased("rrf", rrf{.weights = weights}));
    all.push_back(erased("rrf, shared ranks", rrf{.weights = weights, .ties = tied_ranks::shared}));
    all.push_back(erased("weighted_sum", weighted_sum{.weights = weights, .norm = norm}));
    all.push_back(erased("weighted_sum, lowest",
        weighted_sum{.weights = weights, .norm = norm, .missing = missing_score::lowest}));
    all.push_back(erased("comb_sum", comb_sum{.norm = norm}));
    all.push_back(erased("comb_mnz", comb_mnz{.norm = norm}));
    all.push_back(erased("comb_anz", comb_anz{.norm = norm}));
    all.push_back(erased("comb_med", comb_med{.norm = norm}));
    all.push_back(erased("comb_min", comb_min{.norm = norm}));
    all.push_back(erased("comb_max", comb_max{.norm = norm}));
    all.push_back(erased("comb_gmnz", comb_gmnz{.gamma = 0.5, .norm = norm}));
    all.push_back(erased("wmnz", wmnz{.weights = weights, .norm = norm}));
    all.push_back(erased("mixed", mixed{.weights = weights, .norm = norm}));
    all.push_back(erased("isr", isr{}));
    all.push_back(erased("log_isr", log_isr()));
    all.push_back(erased("logn_isr", logn_isr{}));
    all.push_back(erased("rbc", rbc{}));
    all.push_back(erased("borda", borda{}));
    all.push_back(erased("weighted borda", borda{.weights = weights}));
    all.push_back(erased("condorcet", condorcet{.weights = weights}));
    all.push_back(erased("condorcet, shared ranks", condorcet{.ties = tied_ranks::shared}));
    all.push_back(erased("tm2c2", tm2c2{.weights = weights}));
    all.push_back(erased("dbsf", dbsf{.weights = weights}));
    all.push_back(erased(
        "dbsf, sample", dbsf{.weights = weights, .sigma = deviation::sample, .clamp = false}));
    return all;
}
