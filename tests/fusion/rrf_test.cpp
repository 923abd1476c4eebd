// SPDX-License-Identifier: MIT
#include <trawl/fusion/rrf.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>

#include "support/catch.hpp"

#include "fusion/arms.hpp"

namespace {

using trawl::ranking;
using trawl::rrf;

// Keys in byte order get ascending ids, so that ties by id are ties by key.
struct keyed_arms {
    explicit keyed_arms(nlohmann::json const& lists) {
        for (auto const& list : lists)
            for (std::string const key : list) ids[key] = 0;
        trawl::doc_id next = 0;
        for (auto& [key, id] : ids) {
            id = next++;
            keys.push_back(key);
        }
        for (auto const& list : lists) {
            ranking arm;
            for (std::string const key : list)
                arm.push_back({ids[key], -static_cast<float>(arm.size())});
            arms.push_back(arm);
        }
    }
    std::map<std::string, trawl::doc_id> ids;
    std::vector<std::string> keys;
    std::vector<ranking> arms;
};

// Two arms that hold documents 1 and 2 at the ranks asked for, among others.
std::vector<ranking> at_ranks(
    std::vector<std::size_t> const& first, std::vector<std::size_t> const& second) {
    std::vector<ranking> arms;
    trawl::doc_id filler = 10;
    for (std::size_t a = 0; a < first.size(); ++a) {
        ranking arm;
        for (std::size_t rank = 1; rank <= (std::max)(first[a], second[a]); ++rank) {
            arm.push_back({rank == first[a] ? 1 : rank == second[a] ? 2 : filler++, 1.0f});
        }
        arms.push_back(arm);
    }
    return arms;
}

} // namespace

TEST_CASE("RRF gives the worked figures, ties by key", "[fusion][rrf][golden]") {
    for (auto const& one : golden("fusion/worked_rrf.json")) {
        if (!one["input"].contains("arms") || !one["expected"].contains("order")) continue;
        std::string const name = one["id"];
        CAPTURE(name);
        keyed_arms const input(one["input"]["arms"]);
        rrf rule{.k = one["input"]["k"]};
        if (one["input"].contains("weights")) {
            for (double const w : one["input"]["weights"]) rule.weights.push_back(w);
        }
        auto const fused = rule(input.arms);
        REQUIRE(fused.size() == one["expected"]["order"].size());
        for (std::size_t i = 0; i < fused.size(); ++i) {
            CHECK(input.keys[fused[i].id] == one["expected"]["order"][i]);
            CHECK_THAT(fused[i].score, WithinRel(one["expected"]["scores"][i].get<float>(), 1e-6f));
        }
    }
}

TEST_CASE("RRF counts ranks from 1: from 0 would be k = 59", "[fusion][rrf][golden]") {
    for (auto const& one : golden("fusion/worked_rrf.json")) {
        if (one["id"] != "rrf.zero_based_trap") continue;
        keyed_arms const input(one["input"]["arms"]);
        auto const fused = rrf{.k = 59}(input.arms);
        for (std::size_t i = 0; i < fused.size(); ++i) {
            CHECK_THAT(fused[i].score, WithinRel(one["expected"]["scores"][i].get<float>(), 1e-6f));
        }
        CHECK(rrf{}(input.arms).front().score < fused.front().score);
    }
}

TEST_CASE("RRF ties exactly where the fractions are equal", "[fusion][rrf]") {
    struct pair {
        std::vector<std::size_t> a, b;
        double score;
    };
    for (auto const& p : {pair{{3, 2}, {2, 3}, 125.0 / 3906}, pair{{2, 126}, {33, 33}, 2.0 / 93},
             pair{{3, 24}, {12, 12}, 1.0 / 36}, pair{{3, 39}, {17, 17}, 2.0 / 77},
             pair{{3, 66}, {24, 24}, 1.0 / 42}}) {
        if (p.b[0]
            // documents cannot share a rank: one after the other, in rankings of their own
            == p.b[1]) {
            auto const once = rrf{}(at_ranks(p.a, {500, 500}));
            auto const other = rrf{}(at_ranks(p.b, {500, 500}));
            CHECK(score_of(once, 1) == score_of(other, 1));
            CHECK(score_of(once, 1) == static_cast<float>(p.score));
        } else {
            auto const fused = rrf{}(at_ranks(p.a, p.b));
            CHECK(score_of(fused, 1) == score_of(fused, 2));
            CHECK(score_of(fused, 1) == static_cast<float>(p.score));
        }
    }
    CHECK(score_of(rrf{}(at_ranks({1, 5}, {9, 9})), 1) == static_cast<float>(1.0 / 61 + 1.0 / 65));
    CHECK(score_of(rrf{}(at_ranks({15, 15}, {99, 99})), 1) == static_cast<float>(2.0 / 75));
}

TEST_CASE("RRF of three arms ties whatever the order of the ranks", "[fusion][rrf]") {
    for (std::size_t i = 1; i <= 24; ++i) {
        for (std::size_t j = i + 1; j <= 24; ++j) {
            for (std::size_t k = j + 1; k <= 24; ++k) {
                auto const fused = rrf{}(at_ranks({i, j, k}, {j, k, i}));
                if (score_of(fused, 1) != score_of(fused, 2)) FAIL(i << ' ' << j << ' ' << k);
            }
        }
    }
    CHECK(score_of(rrf{}(at_ranks({1, 2, 3}, {2, 3, 1})), 1) == 0.048395492136478424f);
}

TEST_CASE("RRF with a k for each arm, and equal scores sharing a rank, by hand", "[fusion][rrf]") {
    std::vector<ranking> const arms{{{1, 9}, {2, 9}, {3, 9}, {4, 1}}, {{4, 2}, {3, 1}}};
    auto const fused = rrf{.ks = {1, 3}, .ties = trawl::tied_ranks::shared}(arms);
    // ranks 1 1 1 4 with k = 1, ranks 1 2 with k = 3
    CHECK(fused
          == ranking{{3, static_cast<float>(0.5 + 0.2)}, {1, 0.5f}, {2, 0.5f},
              {4, static_cast<float>(0.25 + 0.2)}});
    CHECK(score_of(rrf{.ks = {1, 3}}(arms), 3) == static_cast<float>(0.25 + 0.2));
    for (auto const& h : fused) {
        auto const why = rrf{.ks = {1, 3}, .ties = trawl::tied_ranks::shared}.explain(arms, h.id);
        CHECK(why.value == static_cast<double>(h.score));
    }
    CHECK_THROWS_WITH((rrf{.ks = {1}}.validate(2)), "rrf: 1 ks for 2 arms");
    CHECK_THROWS_WITH(
        (rrf{.ks = {1, 0}}.validate(2)), "rrf: k of arm 1 is 0, must be finite and > 0");
}

TEST_CASE("RRF does not depend on the order of the arms, nor on scores", "[fusion][rrf]") {
    auto const seed = GENERATE(1u, 2u, 3u, 4u, 5u, 6u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    for (int round = 0; round < 30; ++round) {
        auto arms = random_arms(random, round < 28 ? 40 : 2000);
        rrf rule{.k = 1 + 100 * random.uniform()};
        for (std::size_t a = 0; a < arms.size(); ++a)
            rule.weights.push_back(0.1 + random.uniform());
        auto const fused = rule(arms);
        CHECK(std::is_sorted(fused.begin(), fused.end(), trawl::by_rank{}));

        std::vector<std::size_t> order(arms.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        random.shuffle(std::span(order));
        std::vector<ranking> moved;
        rrf moved_rule{.k = rule.k};
        for (auto const a : order) {
            moved.push_back(arms[a]);
            moved_rule.weights.push_back(rule.weights[a]);
        }
        CHECK(moved_rule(moved) == fused);

        for (auto& arm : arms)
            for (auto& h : arm) h.score = 3 * h.score + 17;
        CHECK(rule(arms) == fused);
    }
}

TEST_CASE("Raising a document in an arm never lowers it under RRF", "[fusion][rrf]") {
    auto const seed = GENERATE(1u, 2u, 3u, 4u, 5u, 6u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    for (int round = 0; round < 100; ++round) {
        auto arms = random_arms(random, 30);
        auto& arm = arms[random.below(arms.size())];
        if (arm.size() < 2) continue;
        auto const from = 1 + random.below(arm.size() - 1);
        auto const id = arm[from].id;
        auto const place = [&](ranking const& r) {
            return std::find_if(r.begin(), r.end(), [&](trawl::hit const& h) { return h.id == id; })
                   - r.begin();
        };
        auto const before = rrf{}(arms);
        auto const first = arm.begin() + static_cast<std::ptrdiff_t>(random.below(from));
        std::rotate(first, arm.begin() + static_cast<std::ptrdiff_t>(from),
            arm.begin() + static_cast<std::ptrdiff_t>(from + 1));
        auto const after = rrf{}(arms);
        CHECK(place(after) <= place(before));
        CHECK(score_of(after, id) >= score_of(before, id));
    }
}

TEST_CASE("A duplicate in an arm counts once and takes no rank", "[fusion][rrf]") {
    std::vector<ranking> const twice{{{1, 3}, {1, 2}, {2, 1}, {1, 1}, {3, 0}}, {{3, 5}, {3, 5}}};
    std::vector<ranking> const once{{{1, 3}, {2, 1}, {3, 0}}, {{3, 5}}};
    CHECK(rrf{}(twice) == rrf{}(once));
    CHECK(score_of(rrf{}(twice), 2) == static_cast<float>(1.0 / 62));
}

TEST_CASE("RRF leaves out empty arms and arms of weight 0, documents and all", "[fusion][rrf]") {
    std::vector<ranking> const arms{{{4, 9}, {2, 8}}, {}, {{7, 1}, {4, 0}}};
    CHECK(rrf{}({}).empty());
    CHECK(rrf{}(std::vector<ranking>(3)).empty());
    auto const first = rrf{.weights = {1, 1, 0}}(arms);
    CHECK(first == rrf{}(std::span(arms).first(1)));
    CHECK(first.size() == 2);
    CHECK(rrf{.weights = {0, 0, 2}}(arms).front() == trawl::hit{7, static_cast<float>(2.0 / 61)});
}

TEST_CASE("RRF's explanation adds up and has the bits of the score", "[fusion][rrf][explanation]") {
    auto const seed = GENERATE(1u, 2u, 3u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    for (int round = 0; round < 20; ++round) {
        auto arms = random_arms(random, 25);
        for (auto& arm : arms)
            if (!arm.empty()) arm.push_back(arm.front());
        rrf rule{.k = 0.5 + 90 * random.uniform()};
        for (std::size_t a = 0; a < arms.size(); ++a)
            rule.weights.push_back(a == 1 ? 0 : 0.1 + random.uniform());
        std::vector<trawl::explanation> parts(arms.size());
        for (auto const& h : rule(arms)) {
            auto const why = rule.explain(arms, h.id, parts);
            CHECK(adds_up(why));
            CHECK(why.value == static_cast<double>(h.score));
            CHECK(rule.explain(arms, h.id).value == why.value);
        }
        CHECK(rule.explain(arms, 3).value == 0.0); // ids are multiples of 7
    }
    std::vector<ranking> const arms{{{4, 9}}, {{2, 3}, {4, 1}}};
    std::vector<trawl::explanation> const parts{
        {trawl::operation::leaf, "bm25", 9, {}}, {trawl::operation::leaf, "cosine", 1, {}}};
    auto const why = rrf{.weights = {0.25, 4}}.explain(arms, 4, parts);
    // 4/62 before 0.25/61, and under each what its arm says of the document
    REQUIRE(why.children.at(0).children.size() == 2);
    CHECK(why.children[0].children[0].children.at(0).value == 4.0);
    CHECK(why.children[0].children[0].children.at(1).children.at(0).label == "cosine");
    CHECK(why.children[0].children[1].children.at(1).children.at(0).label == "bm25");
    CHECK_THROWS_WITH(rrf{}.explain(arms, 4, std::span(parts).first(1)),
        "rrf::explain: 1 explanations for 2 arms");
}

TEST_CASE("RRF refuses what makes no sense and names it", "[fusion][rrf]") {
    constexpr auto nan = std::numeric_limits<double>::quiet_NaN();
    constexpr auto inf = std::numeric_limits<double>::infinity();
    for (double const k : {0.0, -1.0, nan, inf}) {
        CAPTURE(k);
        CHECK_THROWS_AS(rrf{.k = k}.validate(2), trawl::error);
    }
    CHECK_THROWS_WITH(rrf{.k = -1}.validate(2), "rrf: k is -1, must be finite and > 0");
    CHECK_THROWS_WITH((rrf{.weights = {1}}.validate(2)), "rrf: 1 weights for 2 arms");
    CHECK_THROWS_WITH(
        (rrf{.weights = {1, -0.5}}.validate(2)), "rrf: weight 1 is -0.5, must be finite and >= 0");
    CHECK_THROWS_WITH(
        (rrf{.weights = {0, 0}}.validate(2)), "rrf: all 2 weights are 0, one must be > 0");
    CHECK_THROWS_AS((rrf{.weights = {1, nan}}.validate(2)), trawl::error);
    CHECK_THROWS_AS((rrf{.weights = {1, inf}}.validate(2)), trawl::error);
    CHECK_NOTHROW((rrf{.k = 0.001, .weights = {0, 5}}.validate(2)));

    constexpr auto float_inf = std::numeric_limits<float>::infinity();
    std::vector<ranking> arms{{{4, 9}}, {{2, float_inf}}};
    CHECK_THROWS_WITH(rrf{}(arms), "rrf: document 2 has the score inf in arm 1");
    arms[1][0] = {trawl::no_doc, 1};
    CHECK_THROWS_AS(rrf{}(arms), trawl::error);
    CHECK_THROWS_AS(rrf{.k = 0}(arms), trawl::error);
    arms[1][0] = {2, 1};
    CHECK_THROWS_AS((rrf{.weights = {1e308, 1}}(arms)), trawl::error);
}
