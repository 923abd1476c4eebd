// SPDX-License-Identifier: MIT
// What holds for every fusion rule.
#include "fusion/rules.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "support/catch.hpp"

#include "fusion/arms.hpp"

namespace {

using trawl::normaliser;
using trawl::ranking;

constexpr int norms = static_cast<int>(trawl::enum_count<normaliser>);

std::vector<double> random_weights(trawl::detail::random& random, std::size_t arms) {
    std::vector<double> weights;
    for (std::size_t a = 0; a < arms; ++a) weights.push_back(0.1 + random.uniform());
    return weights;
}

std::size_t documents_of(std::vector<ranking> const& arms) {
    std::vector<trawl::doc_id> ids;
    for (auto const& arm : arms)
        for (auto const& h : arm) ids.push_back(h.id);
    std::sort(ids.begin(), ids.end());
    return static_cast<std::size_t>(std::unique(ids.begin(), ids.end()) - ids.begin());
}

} // namespace

TEST_CASE("Every rule gives the whole union in order, whatever the order of the arms",
    "[fusion][rules]") {
    auto const seed = GENERATE(1u, 2u, 3u, 4u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    for (int round = 0; round < 40; ++round) {
        auto const arms = random_arms(random, round < 38 ? 30 : 300);
        auto const weights = random_weights(random, arms.size());
        auto const norm = static_cast<normaliser>(round % norms);
        std::vector<std::size_t> order(arms.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        random.shuffle(std::span(order));
        std::vector<ranking> moved;
        std::vector<double> moved_weights;
        for (auto const a : order) {
            moved.push_back(arms[a]);
            moved_weights.push_back(weights[a]);
        }
        auto const rules = all_rules(weights, norm);
        auto const moved_rules = all_rules(moved_weights, norm);
        for (std::size_t i = 0; i < rules.size(); ++i) {
            CAPTURE(rules[i].name, name_of(norm));
            auto const fused = rules[i].fuse(arms);
            CHECK(std::is_sorted(fused.begin(), fused.end(), trawl::by_rank{}));
            CHECK(fused.size() == documents_of(arms));
            CHECK(moved_rules[i].fuse(moved) == fused);
        }
    }
}

TEST_CASE("Every rule's explanation adds up and has the bits of the score",
    "[fusion][rules][explanation]") {
    auto const seed = GENERATE(1u, 2u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    for (int round = 0; round < norms; ++round) {
        auto arms = random_arms(random, 12);
        for (auto& arm : arms)
            if (!arm.empty()) arm.push_back(arm.front());
        auto const norm = static_cast<normaliser>(round);
        for (auto const& rule : all_rules(random_weights(random, arms.size()), norm)) {
            CAPTURE(rule.name, name_of(norm));
            for (auto const& h : rule.fuse(arms)) {
                auto const why = rule.explain(arms, h.id);
                CHECK(adds_up(why));
                CHECK(why.value == static_cast<double>(h.score));
            }
            CHECK(rule.explain(arms, 3).value == 0.0); // ids are multiples of 7
        }
    }
}

TEST_CASE("Rules that read ranks do not change with the scores, if these keep their order",
    "[fusion][rules]") {
    trawl::detail::random random(5);
    for (int round = 0; round < 20; ++round) {
        auto const arms = random_arms(random, 25);
        auto scaled = arms;
        for (auto& arm : scaled)
            for (auto& h : arm) h.score = 3 * h.score + 17;
        for (auto const& rule : all_rules(random_weights(random, arms.size()), normaliser::none)) {
            CAPTURE(rule.name);
            if (!rule.uses_scores) CHECK(rule.fuse(arms) == rule.fuse(scaled));
        }
    }
}

TEST_CASE("In every rule only an arm's first hit of a document counts", "[fusion][rules]") {
    std::vector<ranking> const twice{{{1, 3}, {1, 2}, {2, 2}, {1, -9}, {3, 1}}, {{3, 5}, {3, 4}}};
    std::vector<ranking> const once{{{1, 3}, {2, 2}, {3, 1}}, {{3, 5}}};
    for (int norm = 0; norm < norms; ++norm) {
        for (auto const& rule : all_rules({1, 2}, static_cast<normaliser>(norm))) {
            CAPTURE(rule.name);
            CHECK(rule.fuse(twice) == rule.fuse(once));
        }
    }
}

TEST_CASE("No rule minds empty arms, and none gives hits from none", "[fusion][rules]") {
    std::vector<ranking> const arms{{{4, 9}, {2, 8}}, {{7, 1}, {4, 0}}};
    std::vector<ranking> const padded{arms[0], {}, arms[1], {}};
    auto const rules = all_rules({1, 2}, normaliser::borda);
    auto const with_empty = all_rules({1, 3, 2, 1}, normaliser::borda);
    auto const without = all_rules({}, normaliser::min_max);
    for (std::size_t i = 0; i < rules.size(); ++i) {
        CAPTURE(rules[i].name);
        CHECK(with_empty[i].fuse(padded) == rules[i].fuse(arms));
        CHECK(without[i].fuse({}).empty());
        CHECK(without[i].fuse(std::vector<ranking>(3)).empty());
    }
}

TEST_CASE("Every rule refuses NaN, infinities and no_doc, by arm and document", "[fusion][rules]") {
    for (float const bad : {std::numeric_limits<float>::quiet_NaN(),
             std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}) {
        std::vector<ranking> const arms{{{4, 9}}, {{2, bad}}};
        for (auto const& rule : all_rules({}, normaliser::min_max)) {
            CAPTURE(rule.name);
            CHECK_THROWS_WITH(
                rule.fuse(arms), Catch::Contains("document 2") && Catch::Contains("in arm 1"));
        }
    }
    std::vector<ranking> const arms{{{4, 9}}, {{trawl::no_doc, 1}}};
    for (auto const& rule : all_rules({}, normaliser::min_max))
        CHECK_THROWS_AS(rule.fuse(arms), trawl::error);
}

TEST_CASE("Raising a document in an arm never lowers it under rules of ranks", "[fusion][rules]") {
    auto const seed = GENERATE(1u, 2u, 3u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    for (int round = 0; round < 60; ++round) {
        auto arms = random_arms(random, 20);
        for (auto& arm : arms)
            for (std::size_t i = 0; i < arm.size(); ++i) arm[i].score = -static_cast<float>(i);
        auto& arm = arms[random.below(arms.size())];
        if (arm.size() < 2) continue;
        auto const from = 1 + random.below(arm.size() - 1);
        auto const to = random.below(from);
        auto const before_arms = arms;
        auto const id = arm[from].id;
        std::rotate(arm.begin() + static_cast<std::ptrdiff_t>(to),
            arm.begin() + static_cast<std::ptrdiff_t>(from),
            arm.begin() + static_cast<std::ptrdiff_t>(from + 1));
        for (std::size_t i = 0; i < arm.size(); ++i) arm[i].score = -static_cast<float>(i);
        auto const place = [&](ranking const& r) {
            return std::find_if(r.begin(), r.end(), [&](trawl::hit const& h) { return h.id == id; })
                   - r.begin();
        };
        for (auto const& rule : all_rules({}, normaliser::none)) {
            CAPTURE(rule.name);
            if (!rule.uses_scores) CHECK(place(rule.fuse(arms)) <= place(rule.fuse(before_arms)));
        }
    }
}

TEST_CASE("An arm of weight 0 is left out, documents and all", "[fusion][rules]") {
    std::vector<ranking> const arms{{{4, 9}, {2, 8}}, {{7, 1}, {4, 0}}};
    for (auto const& rule : all_rules({1, 0}, normaliser::min_max)) {
        if (rule.name.find("comb") == 0 || rule.name.find("isr") != std::string::npos
            || rule.name == "rbc" || rule.name == "borda" || rule.name == "condorcet, shared ranks")
            continue; // these have no weights
        CAPTURE(rule.name);
        CHECK(score_of(rule.fuse(arms), 7) == -1e30f);
        CHECK(rule.fuse(arms).size() == 2);
    }
}

TEST_CASE("No arm's silence is better than its lowest score", "[fusion][rules]") {
    // Two arms whose scores are below 0, as logits, log probabilities and negative distances are: 9
    // is in the second arm alone, there level with 2, which the first arm returned as well.
    std::vector<ranking> const arms{{{1, -1}, {2, -4}}, {{1, -2}, {2, -3}, {9, -3}}};
    auto const order = [&](auto const& rule) {
        std::vector<trawl::doc_id> ids;
        for (auto const& h : rule(arms)) ids.push_back(h.id);
        return ids;
    };
    std::vector<trawl::doc_id> const right{1, 2, 9};
    using namespace trawl;
    for (auto const norm : {normaliser::none, normaliser::max, normaliser::l2}) {
        CAPTURE(name_of(norm));
        CHECK(order(weighted_sum{.norm = norm}) == right);
        CHECK(order(comb_sum{.norm = norm}) == right);
        CHECK(order(comb_mnz{.norm = norm}) == right);
        CHECK(order(comb_gmnz{.gamma = 0.5, .norm = norm}) == right);
        CHECK(order(wmnz{.weights = {1, 2}, .norm = norm}) == right);
        CHECK(order(mixed{.weights = {1, 2}, .norm = norm}) == right);
    }
    CHECK(order(tm2c2{}) == right);
    // By hand: -1 - 2, -4 - 3, and -4, the first arm's lowest, - 3.
    CHECK(weighted_sum{.norm = normaliser::none}(arms) == ranking{{1, -3}, {2, -7}, {9, -7}});
    // The old behaviour is there for those who ask for it: 9 is -3 + 0.
    CHECK(weighted_sum{.norm = normaliser::none, .missing = missing_score::zero}(arms)
          == ranking{{1, -3}, {9, -3}, {2, -7}});
}

TEST_CASE("What every arm that returned d ranks above d never comes below d", "[fusion][rules]") {
    auto const seed = GENERATE(1u, 2u, 3u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    for (int round = 0; round < 4 * norms; ++round) {
        auto const arms = random_arms(random, 15); // scores of -2 to 5.4
        auto const norm = static_cast<normaliser>(round % norms);
        auto const above_everywhere = [&](trawl::doc_id e, trawl::doc_id d) {
            bool found = false;
            for (auto const& arm : arms) {
                auto const place = [&](trawl::doc_id id) {
                    return std::find_if(
                        arm.begin(), arm.end(), [&](trawl::hit const& h) { return h.id == id; });
                };
                if (place(d) == arm.end()) continue;
                if (place(e) > place(d)) return false;
                found = true;
            }
            return found;
        };
        for (auto const& rule : all_rules(random_weights(random, arms.size()), norm)) {
            // These look only at the arms that have a document, or take 0 for the average.
            if (rule.name == "comb_anz" || rule.name == "comb_med" || rule.name == "comb_min")
                continue;
            if (norm == normaliser::z_score
                && (rule.name == "weighted_sum" || rule.name == "comb_sum"))
                continue;
            CAPTURE(rule.name, name_of(norm));
            auto const fused = rule.fuse(arms);
            for (auto const& e : fused) {
                for (auto const& d : fused)
                    if (above_everywhere(e.id, d.id)) CHECK(e.score >= d.score);
            }
        }
    }
}

TEST_CASE("Rules say how they spread over variants, and which arm they leave out",
    "[fusion][rules][spread]") {
    using namespace trawl;
    // Two arms, the question and a variant of weight .25.
    std::vector<double> const weights{1, 0.25};
    std::vector<double> const plain{1, 1};
    auto const sum = spread_over(
        weighted_sum{.weights = {0.5, 2}, .norms = {normaliser::none, normaliser::l2}}, 2, weights);
    CHECK(sum.weights == std::vector<double>{0.5, 2, 0.125, 0.5});
    CHECK(sum.norms
          == std::vector<normaliser>{
              normaliser::none, normaliser::l2, normaliser::none, normaliser::l2});
    CHECK(spread_over(rrf{.ks = {60, 10}}, 2, plain).ks == std::vector<double>{60, 10, 60, 10});
    CHECK(spread_over(rrf{}, 2, plain).weights.empty());
    CHECK(spread_over(rrf{}, 2, weights).weights == std::vector<double>{1, 1, 0.25, 0.25});
    CHECK(spread_over(tm2c2{.bounds = {{0}, {-1}}}, 2, plain).bounds.size() == 4);
    for (auto const& spread : {spread_over(borda{}, 2, weights).weights,
             spread_over(condorcet{}, 2, weights).weights, spread_over(wmnz{}, 2, weights).weights,
             spread_over(mixed{}, 2, weights).weights, spread_over(dbsf{}, 2, weights).weights})
        CHECK(spread == std::vector<double>{1, 1, 0.25, 0.25});
    auto const above = spread_over(floored{rrf{.weights = {1, 3}}, {0.5f, no_floor}}, 2, weights);
    CHECK(above.floors == std::vector<float>{0.5f, no_floor, 0.5f, no_floor});
    CHECK(above.rule.weights == std::vector<double>{1, 3, 0.25, 0.75});
    CHECK_THROWS_WITH(spread_over(isr{}, 2, weights),
        "variants: one has the weight 0.25, but the fusion rule takes no weights");
    CHECK_NOTHROW(spread_over(comb_mnz{}, 2, plain));

    CHECK(leaves_out(rrf{.weights = {1, 0}}, 1));
    CHECK(!leaves_out(rrf{.weights = {1, 0}}, 0));
    CHECK(!leaves_out(rrf{}, 1));
    CHECK(!leaves_out(comb_sum{}, 1));
    CHECK(leaves_out(floored{dbsf{.weights = {0, 1}}, {0, 0}}, 0));

    // A rule that has parameters for single arms and does not say how they spread.
    struct silent {
        std::vector<double> alphas;
        ranking operator()(std::span<ranking const>) const { return {}; }
        void validate(std::size_t) const {}
    };
    static_assert(fusion_rule<silent> && !spreading_rule<silent>);
    static_assert(spreading_rule<rrf> && spreading_rule<rbc> && spreading_rule<floored<borda>>);
    static_assert(!spreading_rule<floored<silent>>);
}
