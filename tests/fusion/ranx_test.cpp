// SPDX-License-Identifier: MIT
// Every rule and normaliser against ranx 0.3.21: tests/golden/fusion/make_ranx.py.
#include "fusion/rules.hpp"

#include <cstddef>

#include "support/catch.hpp"

#include "fusion/arms.hpp"

namespace {

using namespace trawl;

normaliser norm_named(std::string_view name) {
    for (int i = 0; i < 8; ++i)
        if (name_of(static_cast<normaliser>(i)) == name) return static_cast<normaliser>(i);
    FAIL("no normaliser " << name);
    return {};
}

any_rule rule_of(nlohmann::json const& one) {
    std::string const name = one["rule"];
    std::vector<double> const weights = one["weights"];
    double const parameter = one["parameter"];
    auto const norm = norm_named(one["norm"].get<std::string>());
    if (name == "rrf") return erased(name, rrf{.k = parameter});
    if (name == "weighted_sum") return erased(name, weighted_sum{.weights = weights, .norm = norm});
    if (name == "comb_sum") return erased(name, comb_sum{.norm = norm});
    if (name == "comb_mnz") return erased(name, comb_mnz{.norm = norm});
    if (name == "comb_anz") return erased(name, comb_anz{.norm = norm});
    if (name == "comb_med") return erased(name, comb_med{.norm = norm});
    if (name == "comb_min") return erased(name, comb_min{.norm = norm});
    if (name == "comb_max") return erased(name, comb_max{.norm = norm});
    if (name == "comb_gmnz") return erased(name, comb_gmnz{.gamma = parameter, .norm = norm});
    if (name == "wmnz") return erased(name, wmnz{.weights = weights, .norm = norm});
    if (name == "mixed") return erased(name, mixed{.weights = weights, .norm = norm});
    if (name == "isr") return erased(name, isr{});
    if (name == "log_isr") return erased(name, log_isr());
    if (name == "logn_isr") return erased(name, logn_isr{.sigma = parameter});
    if (name == "rbc") return erased(name, rbc{.phi = parameter});
    if (name == "borda") return erased(name, borda{});
    if (name == "weighted_borda") return erased(name, borda{.weights = weights});
    if (name == "condorcet") return erased(name, condorcet{});
    if (name == "weighted_condorcet") return erased(name, condorcet{.weights = weights});
    FAIL("no rule " << name);
    return {};
}

} // namespace

TEST_CASE("Every rule and normaliser gives ranx's scores, Condorcet its order",
    "[fusion][ranx][golden]") {
    std::size_t cases = 0;
    for (auto const& one : golden("fusion/ranx.json")) {
        CAPTURE(one.dump());
        std::vector<ranking> arms;
        for (auto const& list : one["arms"]) {
            arms.emplace_back();
            for (auto const& h : list) arms.back().push_back({h[0], h[1]});
        }
        auto const rule = rule_of(one);
        auto const fused = rule.fuse(arms);
        REQUIRE(fused.size() == one["fused"].size());
        for (auto const& h : one["fused"]) {
            auto const theirs = h[1].get<double>();
            if (rule.name.find("condorcet") == std::string::npos) {
                CHECK_THAT(score_of(fused, h[0]), WithinAbs(theirs, 2e-6 * (1 + std::abs(theirs))));
            } else { // theirs: documents - place; all pairs are decided, so wins are one less
                CHECK(score_of(fused, h[0]) == static_cast<float>(theirs - 1));
            }
        }
        ++cases;
    }
    CHECK(cases == 4 * (19 + 7 + 2));
}
