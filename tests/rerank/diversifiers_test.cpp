// SPDX-License-Identifier: MIT
// dpp, max_sum_dispersion and facility_location, against their definitions and by hand.
#include <trawl/rerank/dpp.hpp>
#include <trawl/rerank/facility_location.hpp>
#include <trawl/rerank/max_sum_dispersion.hpp>

#include <cmath>
#include <functional>
#include <limits>

#include <trawl/detail/random.hpp>

#include "support/catch.hpp"

namespace {

using namespace trawl;

struct problem {
    std::vector<float> query;
    ranking candidates;
    std::vector<float> vectors;

    matrix_view<float const> rows() const {
        return {vectors.data(), candidates.size(), query.size()};
    }
    template <class Rule>
    ranking operator()(Rule const& rule, std::size_t k) const {
        return rule({.vector = query}, candidates, rows(), k);
    }
    double cosine(float const* a, float const* b) const {
        double ab = 0, aa = 0, bb = 0;
        for (std::size_t i = 0; i < query.size(); ++i) {
            ab += double{a[i]} * double{b[i]};
            aa += double{a[i]} * double{a[i]};
            bb += double{b[i]} * double{b[i]};
        }
        return aa == 0 || bb == 0 ? 0 : ab / std::sqrt(aa * bb);
    }
    double relevance(std::size_t i) const {
        return cosine(&vectors[i * query.size()], query.data());
    }
    double similar(std::size_t i, std::size_t j) const {
        return i == j ? 1 : cosine(&vectors[i * query.size()], &vectors[j * query.size()]);
    }
};

problem random_problem(detail::random& random, std::size_t n, std::size_t dim) {
    problem p;
    for (std::size_t i = 0; i < dim; ++i) p.query.push_back(static_cast<float>(random.normal()));
    for (std::size_t i = 0; i < n; ++i) {
        p.candidates.push_back({static_cast<doc_id>(2 * i + 1), static_cast<float>(n - i)});
        for (std::size_t d = 0; d < dim; ++d)
            p.vectors.push_back(static_cast<float>(random.normal()));
    }
    return p;
}

double determinant(std::vector<std::vector<double>> m) {
    double det = 1;
    for (std::size_t c = 0; c < m.size(); ++c) { // symmetric and positive definite: no pivots
        det *= m[c][c];
        for (std::size_t r = c + 1; r < m.size(); ++r)
            for (std::size_t i = m.size(); i-- > c;) m[r][i] -= m[r][c] / m[c][c] * m[c][i];
    }
    return det;
}

using set = std::vector<std::size_t>;

// What each rule makes large, beside relevance.
double log_volume(problem const& p, set const& s) {
    std::vector<std::vector<double>> m;
    for (auto const i : s) {
        m.emplace_back();
        for (auto const j : s) m.back().push_back(p.similar(i, j));
    }
    return std::log(determinant(std::move(m)));
}

double dispersion(problem const& p, set const& s) {
    double total = 0;
    for (std::size_t a = 0; a < s.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) total += 1 - p.similar(s[a], s[b]);
    return total;
}

double coverage(problem const& p, set const& s) {
    double total = 0;
    for (std::size_t v = 0; v < p.candidates.size(); ++v) {
        double best = 0;
        for (auto const i : s) best = (std::max)(best, p.similar(v, i));
        total += best;
    }
    return total / static_cast<double>(p.candidates.size());
}

// Greedily, each time by the whole objective.
std::vector<doc_id> by_definition(problem const& p, double lambda, std::size_t k,
    std::function<double(problem const&, set const&)> diversity) {
    set picked;
    double before = 0;
    while (picked.size() < (std::min)(k, p.candidates.size())) {
        std::size_t best = p.candidates.size();
        double best_value = 0;
        double best_diversity = 0;
        for (std::size_t i = 0; i < p.candidates.size(); ++i) {
            if (std::find(picked.begin(), picked.end(), i) != picked.end()) continue;
            auto with = picked;
            with.push_back(i);
            auto const now = diversity(p, with);
            auto const value = lambda * p.relevance(i) + (1 - lambda) * (now - before);
            if (best == p.candidates.size() || value > best_value + 1e-9) {
                best = i;
                best_value = value;
                best_diversity = now;
            }
        }
        picked.push_back(best);
        before = best_diversity;
    }
    std::vector<doc_id> ids;
    for (auto const i : picked) ids.push_back(p.candidates[i].id);
    return ids;
}

std::vector<doc_id> ids_of(ranking const& hits) {
    std::vector<doc_id> ids;
    for (auto const& h : hits) ids.push_back(h.id);
    return ids;
}

template <class Rule, class Diversity>
void picks_by_definition(Diversity diversity) {
    auto const seed = GENERATE(1u, 2u, 3u, 4u);
    CAPTURE(seed);
    detail::random random(seed);
    for (double const lambda : {0.1, 0.5, 0.9, 1.0}) {
        CAPTURE(lambda);
        auto const dim = 4 + random.below(9);
        auto const p = random_problem(random, 3 + random.below(12), dim);
        auto const k = (std::min)(dim - 1, p.candidates.size()); // more would span the whole space
        Rule const rule{.lambda = lambda, .relevance = relevance::cosine};
        auto const all = p(rule, k);
        CHECK(ids_of(all) == by_definition(p, lambda, k, diversity));
        for (std::size_t i = 1; i < all.size(); ++i) CHECK(all[i].score < all[i - 1].score);
        for (std::size_t fewer = 0; fewer <= k; ++fewer) {
            CHECK(p(rule, fewer)
                  == ranking(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(fewer)));
        }
        for (auto const& h : all) {
            auto const why = rule.explain({.vector = p.query}, p.candidates, p.rows(), k, h.id);
            CHECK(adds_up(why));
            CHECK(why.value == static_cast<double>(h.score));
        }
        CHECK(rule.explain({.vector = p.query}, p.candidates, p.rows(), k, 2).value == 0.0);
    }
}

template <class Rule>
void refuses() {
    problem p{{0, 1}, {{1, 9}, {2, 8}}, {0.8f, 0.6f, -0.8f, 0.6f}};
    for (double const lambda : {-0.1, 1.1, std::nan("")})
        CHECK_THROWS_AS(p(Rule{.lambda = lambda}, 2), error);
    Rule const by_cosine{.relevance = relevance::cosine};
    CHECK_THROWS_WITH(by_cosine({}, p.candidates, p.rows(), 2),
        Catch::Contains("embedder") && Catch::Contains("stage_score"));
    CHECK_THROWS_AS(
        Rule{}({.vector = p.query}, std::span(p.candidates).first(1), p.rows(), 2), error);
    CHECK(Rule{}({}, {}, {}, 5).empty());
    CHECK(p(Rule{}, 0).empty());
    CHECK(ids_of(Rule{.lambda = 1}({}, p.candidates, p.rows(), 5)) == std::vector<doc_id>{1, 2});
    p.vectors[3] = std::numeric_limits<float>::infinity();
    CHECK_THROWS_WITH(p(Rule{}, 2), Catch::Contains("document 2") && Catch::Contains("inf"));
}

constexpr auto cosine = relevance::cosine;

// Right, right again, up, and between: (1, 0), (1, 0), (0, 1), (.6, .8); the query is right.
problem const four{{1, 0}, {{1, 4}, {2, 3}, {3, 2}, {4, 1}}, {1, 0, 1, 0, 0, 1, 0.6f, 0.8f}};

} // namespace

TEST_CASE("DPP picks what the determinants of its definition pick", "[rerank][dpp]") {
    picks_by_definition<dpp>(log_volume);
}

TEST_CASE("Max-sum dispersion picks what its objective picks", "[rerank][max_sum_dispersion]") {
    picks_by_definition<max_sum_dispersion>(dispersion);
}

TEST_CASE("Facility location picks what its objective picks", "[rerank][facility_location]") {
    picks_by_definition<facility_location>(coverage);
}

TEST_CASE("DPP, by hand: nothing from the space that is spanned", "[rerank][dpp]") {
    // 1 first (.5 * 1); then v is 0 for 2, 1 for 3 and .64 for 4: 0 against .5 * .6 + .5 * ln .64 =
    // .0769. Then the plane is spanned.
    auto const picked = four(dpp{.relevance = cosine}, 4);
    CHECK(ids_of(picked) == std::vector<doc_id>{1, 4});
    CHECK(picked[0].score == 0.5f);
    CHECK_THAT(picked[1].score, WithinAbs(0.3 + 0.5 * std::log(0.64), 1e-6));
    CHECK(
        // 0 against .12 + .8 * ln .64 < 0
        ids_of(four(dpp{.lambda = 0.2, .relevance = cosine}, 4)) == std::vector<doc_id>{1, 3});
    // documents without vectors count as duplicates of the first pick
    problem const bare{{1, 0}, {{1, 4}, {2, 3}, {3, 2}}, {0, 0, 0, 0, 1, 0}};
    CHECK(ids_of(bare(dpp{.relevance = cosine}, 3)) == std::vector<doc_id>{3});
}

TEST_CASE("Max-sum dispersion, by hand", "[rerank][max_sum_dispersion]") {
    // 1 (.5); then 2: .5, 3: .5 * 1, 4: .3 + .2; all tie in exact numbers, but .6f is above .6: 4
    // has cosine .6 to both, so .5 whatever rounding does; the first, 2, wins.
    CHECK(four(max_sum_dispersion{.relevance = cosine}, 1) == ranking{{1, 0.5f}});
    // lambda 0: the first, then the farthest
    CHECK(ids_of(four(max_sum_dispersion{.lambda = 0}, 4)) == std::vector<doc_id>{1, 3, 2, 4});
}

TEST_CASE("Facility location, by hand", "[rerank][facility_location]") {
    // lambda 0: coverage of 1 and 2: (1 + 1 + 0 + .6) / 4, of 3: (1 + .8) / 4, of 4: (.6 + .6 + .8
    // + 1) / 4, the most; then 1 and 2 gain (.4 + .4) / 4, 3 gains .2 / 4; then 3.
    auto const picked = four(facility_location{.lambda = 0}, 3);
    CHECK(ids_of(picked) == std::vector<doc_id>{4, 1, 3});
    CHECK_THAT(picked[0].score, WithinAbs(0.75, 1e-6));
    CHECK_THAT(picked[1].score, WithinAbs(0.2, 1e-6));
    CHECK_THAT(picked[2].score, WithinAbs(0.05, 1e-6));
}

TEST_CASE("Diversifiers refuse what makes no sense and name it", "[rerank]") {
    refuses<dpp>();
    refuses<max_sum_dispersion>();
    refuses<facility_location>();
    CHECK_THROWS_WITH(four(dpp{.lambda = 2}, 1), "dpp: lambda is 2, must be in [0, 1]");
}

TEMPLATE_TEST_CASE("With lambda 1 every diversifier keeps the order that it was given", "[rerank]",
    dpp, max_sum_dispersion, facility_location) {
    detail::random random(3);
    auto p = random_problem(random, 30, 3);
    for (std::size_t i = 0; i < 9; ++i) p.vectors[i + 15] = p.vectors[i]; // duplicates
    for (std::size_t i = 60; i < 66; ++i) p.vectors[i] = 0;               // two without a vector
    for (std::size_t i = 0; i < 30; ++i)
        p.candidates[i].score = std::floor(30.0f - 0.4f * static_cast<float>(i));
    CHECK(ids_of(p(TestType{.lambda = 1}, 30)) == ids_of(p.candidates));
}

TEST_CASE("A candidate without a vector has no free ride", "[rerank]") {
    // Scaled scores 1, .5, .25: 1 is right, 2 has no vector, 3 is up.
    problem const p{{1, 0}, {{1, 4}, {2, 2}, {3, 1}, {4, 0}}, {1, 0, 0, 0, 0, 1, 1, 0}};
    // dpp: 1, then 3: .125 + .5 * ln 1; the plane is spanned, 2 and 4 count as duplicates.
    CHECK(ids_of(p(dpp{}, 4)) == std::vector<doc_id>{1, 3});
    // dispersion: 1, then 2: .25 + 0, 3: .125 + .5, 4: 0 + 0; then 2: .25 + 0, 4: 0 + .5 * 1.
    CHECK(p(max_sum_dispersion{}, 4)
          == ranking{{1, 0.5f}, {3, std::nextafter(0.5f, 0.0f)},
              {4, std::nextafter(std::nextafter(0.5f, 0.0f), 0.0f)}, {2, 0.25f}});
    // facility location: coverage gained 2/4 by 1, then 1/4 by 3 and nothing by 2 and 4.
    CHECK(ids_of(p(facility_location{.lambda = 0}, 4)) == std::vector<doc_id>{1, 3, 2, 4});
}
