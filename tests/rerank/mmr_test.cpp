// SPDX-License-Identifier: MIT
#include <trawl/rerank/mmr.hpp>

#include <cmath>
#include <fstream>
#include <limits>

#include <nlohmann/json.hpp>

#include <trawl/detail/random.hpp>

#include "support/catch.hpp"

namespace {

using trawl::mmr;
using trawl::ranking;

struct problem {
    std::vector<float> query;
    ranking candidates;
    std::vector<float> vectors;

    trawl::matrix_view<float const> rows() const {
        return {vectors.data(), candidates.size(), query.size()};
    }
    ranking operator()(mmr const& rule, std::size_t k) const {
        return rule({.vector = query}, candidates, rows(), k);
    }
};

problem random_problem(trawl::detail::random& random, std::size_t n, std::size_t dim) {
    problem p;
    for (std::size_t i = 0; i < dim; ++i) p.query.push_back(static_cast<float>(random.normal()));
    for (std::size_t i = 0; i < n; ++i) {
        p.candidates.push_back(
            {static_cast<trawl::doc_id>(3 * i + 1), static_cast<float>(n - i) / 4});
        bool const has_vector = random.below(8) != 0;
        for (std::size_t d = 0; d < dim; ++d) {
            p.vectors.push_back(has_vector ? static_cast<float>(random.normal()) : 0.0f);
        }
    }
    return p;
}

mmr by_cosine(double lambda = 0.5) {
    return {.lambda = lambda, .relevance = trawl::relevance::cosine};
}

long double cosine(float const* a, float const* b, std::size_t dim) {
    long double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < dim; ++i) {
        ab += static_cast<long double>(a[i]) * b[i];
        aa += static_cast<long double>(a[i]) * a[i];
        bb += static_cast<long double>(b[i]) * b[i];
    }
    return aa == 0 || bb == 0 ? 0 : ab / std::sqrt(aa * bb);
}

// The definition, nothing kept from one pick to the next.
std::vector<trawl::doc_id> by_definition(problem const& p, double lambda, std::size_t k) {
    auto const dim = p.query.size();
    auto const is_bare = [&](std::size_t i) {
        return std::all_of(p.vectors.begin() + static_cast<std::ptrdiff_t>(i * dim),
            p.vectors.begin() + static_cast<std::ptrdiff_t>((i + 1) * dim),
            [](float x) { return x == 0; });
    };
    long double lowest = 0; // the relevance of a candidate without a vector
    for (std::size_t i = 0; i < p.candidates.size(); ++i)
        lowest = (std::min)(lowest, cosine(&p.vectors[i * dim], p.query.data(), dim));
    std::vector<std::size_t> picked;
    while (picked.size() < (std::min)(k, p.candidates.size())) {
        std::size_t best = p.candidates.size();
        long double best_value = 0;
        for (std::size_t i = 0; i < p.candidates.size(); ++i) {
            if (std::find(picked.begin(), picked.end(), i) != picked.end()) continue;
            bool const bare = is_bare(i);
            long double redundancy = picked.empty() ? 0 : bare ? 1 : -2;
            for (auto const j : picked) {
                redundancy =
                    (std::max)(redundancy, cosine(&p.vectors[i * dim], &p.vectors[j * dim], dim));
            }
            auto const relevant = bare ? lowest : cosine(&p.vectors[i * dim], p.query.data(), dim);
            auto const value = lambda * relevant - (1 - lambda) * redundancy;
            if (best == p.candidates.size() || value > best_value + 1e-12L) {
                best = i;
                best_value = value;
            }
        }
        picked.push_back(best);
    }
    std::vector<trawl::doc_id> ids;
    for (auto const i : picked) ids.push_back(p.candidates[i].id);
    return ids;
}

std::vector<trawl::doc_id> ids_of(ranking const& hits) {
    std::vector<trawl::doc_id> ids;
    for (auto const& h : hits) ids.push_back(h.id);
    return ids;
}

} // namespace

TEST_CASE("MMR gives the worked picks and values", "[rerank][mmr][golden]") {
    std::ifstream in("tests/golden/rerank/worked_mmr.json");
    REQUIRE(in.good());
    for (auto const& one : nlohmann::json::parse(in)) {
        std::string const name = one["id"];
        CAPTURE(name);
        problem p;
        for (float const x : one["input"]["query"]) p.query.push_back(x);
        std::string keys;
        for (auto const& [key, vector] : one["input"]["candidates_in_order"].items()) {
            p.candidates.push_back({static_cast<trawl::doc_id>(keys.size()), 0});
            keys += key;
            for (float const x : vector) p.vectors.push_back(x);
        }
        auto const rule = by_cosine(one["input"].value("lambda", 0.5));
        std::size_t const k = one["expected"]["picked"].size();
        auto const picked = p(rule, k);
        REQUIRE(picked.size() == k);
        for (std::size_t i = 0; i < k; ++i) {
            CHECK(std::string(1, keys[picked[i].id]) == one["expected"]["picked"][i]);
            auto const why =
                rule.explain({.vector = p.query}, p.candidates, p.rows(), k, picked[i].id);
            CHECK_THAT(why.children.at(0).value,
                WithinAbs(one["expected"]["values"][i].get<double>(), 1e-6));
        }
    }
}

TEST_CASE("MMR picks what LangChain picks", "[rerank][mmr][golden]") {
    std::ifstream in("tests/golden/rerank/langchain_mmr.json");
    REQUIRE(in.good());
    for (auto const& one : nlohmann::json::parse(in)) {
        CAPTURE(one.dump());
        problem p;
        for (float const x : one["query"]) p.query.push_back(x);
        for (auto const& row : one["vectors"]) {
            p.candidates.push_back({static_cast<trawl::doc_id>(p.candidates.size()), 0});
            for (float const x : row) p.vectors.push_back(x);
        }
        CHECK(ids_of(p(by_cosine(one["lambda"]), one["k"]))
              == one["picked"].get<std::vector<trawl::doc_id>>());
    }
}

TEST_CASE(
    "MMR places a value that rises one float step below the score before it", "[rerank][mmr]") {
    // q (0, 1); x (.8, .6), y (-.8, .6): values .3, then .5 * .6 + .5 * .28 = .44
    problem const p{{0, 1}, {{1, 9}, {2, 8}}, {0.8f, 0.6f, -0.8f, 0.6f}};
    auto const picked = p(by_cosine(), 2);
    CHECK(ids_of(picked) == std::vector<trawl::doc_id>{1, 2});
    CHECK_THAT(picked[0].score, WithinAbs(0.3, 1e-6));
    CHECK(picked[1].score == std::nextafter(picked[0].score, 0.0f));
}

TEST_CASE(
    "MMR picks what its definition picks, each pick the beginning of the next", "[rerank][mmr]") {
    auto const seed = GENERATE(1u, 2u, 3u, 4u, 5u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    for (double const lambda : {0.0, 0.3, 0.5, 0.9, 1.0}) {
        CAPTURE(lambda);
        auto const p = random_problem(random, 1 + random.below(40), 1 + random.below(20));
        auto const n = p.candidates.size();
        auto const all = p(by_cosine(lambda), n + 5);
        CHECK(ids_of(all) == by_definition(p, lambda, n));
        for (std::size_t i = 1; i < all.size(); ++i) CHECK(all[i].score < all[i - 1].score);
        for (std::size_t k = 0; k <= n; ++k) {
            CHECK(p(by_cosine(lambda), k)
                  == ranking(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k)));
        }
    }
}

TEST_CASE(
    "MMR survives vectors whose squares overflow or vanish, and duplicates", "[rerank][mmr]") {
    problem const p{{1e30f, 0}, {{1, 9}, {2, 8}, {3, 7}}, {1e-30f, 0, 0, 1e30f, 2e-30f, 0}};
    // cosines to the query 1, 0, 1; 3 is 1 again: .5 - .5 = 0 against 0 - 0 for 2, and 2 came first
    auto const picked = p(by_cosine(), 3);
    CHECK(ids_of(picked) == std::vector<trawl::doc_id>{1, 2, 3});
    CHECK(picked[0].score == 0.5f);
    CHECK(picked[1].score == 0.0f);
}

TEST_CASE("MMR with lambda 1 is the order of relevance", "[rerank][mmr]") {
    trawl::detail::random random(5);
    auto const p = random_problem(random, 30, 4);
    // by stage scores, which fall along the candidates, and without a query vector
    auto const by_score = mmr{.lambda = 1, .relevance = trawl::relevance::stage_score}(
        {}, p.candidates, p.rows(), 30);
    CHECK(ids_of(by_score) == ids_of(p.candidates));
    CHECK(by_score.front().score == 1.0f);
    CHECK(by_score.back().score == 0.0f);
}

TEST_CASE("MMR's explanation adds up and has the bits of the score", "[rerank][mmr][explanation]") {
    trawl::detail::random random(9);
    for (auto const from : {trawl::relevance::cosine, trawl::relevance::stage_score}) {
        auto const p = random_problem(random, 20, 6);
        mmr const rule{.lambda = 0.4, .relevance = from};
        for (auto const& h : p(rule, 12)) {
            auto const why = rule.explain({.vector = p.query}, p.candidates, p.rows(), 12, h.id);
            CHECK(adds_up(why));
            CHECK(why.value == static_cast<double>(h.score));
        }
        CHECK(rule.explain({.vector = p.query}, p.candidates, p.rows(), 12, 2).value == 0.0);
    }
}

TEST_CASE("MMR refuses what makes no sense and names it", "[rerank][mmr]") {
    constexpr auto nan = std::numeric_limits<double>::quiet_NaN();
    problem p{{0, 1}, {{1, 9}, {2, 8}}, {0.8f, 0.6f, -0.8f, 0.6f}};
    for (double const lambda : {-0.1, 1.1, nan})
        CHECK_THROWS_AS(p(by_cosine(lambda), 2), trawl::error);
    CHECK_THROWS_WITH(p(mmr{.lambda = 1.5}, 2), "mmr: lambda is 1.5, must be in [0, 1]");
    CHECK_THROWS_WITH(by_cosine()({}, p.candidates, p.rows(), 2),
        Catch::Contains("embedder") && Catch::Contains("stage_score"));
    CHECK_THROWS_WITH(
        by_cosine()({.vector = std::span(p.query).first(1)}, p.candidates, p.rows(), 2),
        "mmr: the query's vector has 1 values, the candidates' 2");
    CHECK_THROWS_WITH(mmr{}({.vector = p.query}, std::span(p.candidates).first(1), p.rows(), 2),
        "mmr: 2 vectors for 1 candidates");
    CHECK(mmr{}({}, {}, {}, 5).empty());
    CHECK(p(mmr{}, 0).empty());
    p.vectors[3] = std::numeric_limits<float>::infinity();
    CHECK_THROWS_WITH(p(mmr{}, 2), "mmr: the vector of document 2 has the value inf at 1");
}

TEST_CASE("By default MMR reads the scores of the stage before, not the query", "[rerank][mmr]") {
    // Scores 9, 8, 5 scaled: 1, 3/4, 0. 1 and 2 have the same vector, the query that of 3. Without
    // a query vector, and by hand: 1 (.5), then 2: .375 - .5 = -.125, 3: 0 - 0, so 3, then 2.
    problem const p{{0, 1}, {{1, 9}, {2, 8}, {3, 5}}, {1, 0, 1, 0, 0, 1}};
    auto const picked = mmr{}({}, p.candidates, p.rows(), 3);
    CHECK(picked == ranking{{1, 0.5f}, {3, 0.0f}, {2, -0.125f}});
    CHECK(p(mmr{}, 3) == picked);
    // The query's vector was all that counted once: 3 first.
    CHECK(p(by_cosine(), 1).front().id == 3);
}

TEST_CASE("With lambda 1 MMR keeps the order that it was given", "[rerank][mmr]") {
    trawl::detail::random random(11);
    for (int round = 0; round < 20; ++round) {
        auto p = random_problem(random, 1 + random.below(40), 3);
        // equal scores, and scores that differ by one float step
        for (auto& c : p.candidates)
            c.score = static_cast<float>(random.below(2)) * 1e-38f + std::floor(c.score);
        std::stable_sort(p.candidates.begin(), p.candidates.end(),
            [](trawl::hit const& a, trawl::hit const& b) { return a.score > b.score; });
        CHECK(ids_of(p(mmr{.lambda = 1}, p.candidates.size())) == ids_of(p.candidates));
    }
}

TEST_CASE("A candidate without a vector counts as a duplicate in MMR", "[rerank][mmr]") {
    // Scores scaled: 1, .5, .25, 0. 2 has no vector, 3 is orthogonal to 1, 4 is 1 again.
    // lambda .5: 1; then 2: .25 - .5, 3: .125 - 0, 4: 0 - .5: 3; then 2 (-.25), then 4 (-.5).
    problem const p{{0, 1}, {{1, 4}, {2, 2}, {3, 1}, {4, 0}}, {1, 0, 0, 0, 0, 1, 1, 0}};
    CHECK(p(mmr{}, 4) == ranking{{1, 0.5f}, {3, 0.125f}, {2, -0.25f}, {4, -0.5f}});
    auto const why = mmr{}.explain({}, p.candidates, p.rows(), 4, 2);
    CHECK(adds_up(why));
    CHECK(to_text(why).find("it has no vector, counts as a duplicate") != std::string::npos);
    // By cosine, its relevance is the lowest of all: -1, that of 2.
    problem const against{{1, 0}, {{1, 2}, {2, 1}, {3, 0}}, {0, 0, -1, 0, 1, 0}};
    CHECK(ids_of(against(by_cosine(1), 3)) == std::vector<trawl::doc_id>{3, 1, 2});
    CHECK(against(by_cosine(1), 3).back().score == std::nextafter(-1.0f, -2.0f));
}
