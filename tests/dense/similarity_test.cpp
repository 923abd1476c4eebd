// SPDX-License-Identifier: MIT
#include <trawl/dense/detail/similarity.hpp>

#include <cmath>
#include <limits>

#include "dense/support.hpp"
#include "support/catch.hpp"

namespace {

constexpr trawl::metric metrics[] = {
    trawl::metric::cosine, trawl::metric::dot_product, trawl::metric::euclidean};

float score(
    trawl::metric how, std::vector<float> const& query, std::vector<float> const& document) {
    trawl::flat_index index(query.size(), how);
    index.add(document);
    return index.search(query, 1).at(0).score;
}

constexpr auto cosine = trawl::metric::cosine;
constexpr auto most = (std::numeric_limits<float>::max)();

} // namespace

TEST_CASE("scores of small vectors, worked by hand", "[dense][metric]") {
    CHECK(score(cosine, {3, 4}, {4, 3}) == 0.96f);       // 24 / 25
    CHECK(score(cosine, {1, 1}, {1, 0}) == 0.70710678f); // 1 / √2
    CHECK(score(cosine, {1, 0}, {-2, 0}) == -1.0f);
    CHECK(score(trawl::metric::dot_product, {1, 2, 3}, {4, 5, 6}) == 32.0f); // 4 + 10 + 18
    CHECK(score(trawl::metric::euclidean, {1, 2, 3}, {4, 6, 3}) == -25.0f);  // 9 + 16 + 0
    CHECK(std::bit_cast<std::uint32_t>(score(trawl::metric::euclidean, {1, 2}, {1, 2})) == 0);
}

TEST_CASE("a vector has cosine 1 with itself and its doubles, at any length and dimension",
    "[dense][metric]") {
    trawl::detail::random random(21);
    for (std::size_t const dim : {1u, 3u, 16u, 100u, 384u, 1536u}) {
        for (float const scale : {1e-44f, 1e-38f, 1e-30f, 1e-9f, 1.0f, 3.0f, 1e9f, 1e30f, 5e36f}) {
            auto const m = random_matrix(random, 1, dim);
            std::vector<float> v, twice, opposite;
            for (auto const x : m.values) {
                v.push_back(x * scale);
                twice.push_back(2 * v.back());
                opposite.push_back(-v.back());
            }
            if (std::all_of(v.begin(), v.end(), [](float x) { return x == 0; })) continue;
            CAPTURE(dim, scale);
            CHECK(score(cosine, v, v) == 1.0f);
            CHECK(score(cosine, v, twice) == 1.0f);
            CHECK(score(cosine, v, opposite) == -1.0f);
        }
    }
}

TEST_CASE("cosine never leaves [-1, 1], also for nearly parallel vectors", "[dense][metric]") {
    trawl::detail::random random(22);
    for (int round = 0; round < 300; ++round) {
        auto const m = random_matrix(random, 1, 100);
        trawl::flat_index index(100);
        for (int i = 0; i < 20; ++i) {
            auto shifted = m.values;
            auto const factor = static_cast<float>(random.normal());
            for (auto& x : shifted) x = x * factor + 1e-8f * static_cast<float>(random.normal());
            index.add(shifted);
        }
        for (auto const& h : index.search(m.values, 20)) {
            if (!(h.score >= -1 && h.score <= 1 && std::fabs(h.score) > 0.999999f))
                FAIL("score " << h.score);
        }
    }
    SUCCEED();
}

TEST_CASE("cosine is that of double, for lengths from 1e-40 to 1e38", "[dense][metric]") {
    trawl::detail::random random(23);
    for (double const a : {1e-40, 1e-30, 1e-12, 1.0, 1e12, 1e30, 1e37}) {
        for (double const b : {1e-40, 1e-30, 1e-12, 1.0, 1e12, 1e30, 1e37}) {
            std::vector<float> q, d;
            double dot = 0, qq = 0, dd = 0;
            for (int i = 0; i < 50; ++i) {
                q.push_back(static_cast<float>(random.normal() * a));
                d.push_back(static_cast<float>(random.normal() * b));
                auto const x = static_cast<double>(q.back()), y = static_cast<double>(d.back());
                dot += x * y;
                qq += x * x;
                dd += y * y;
            }
            CAPTURE(a, b);
            auto const expected = dot / std::sqrt(qq) / std::sqrt(dd);
            CHECK_THAT(static_cast<double>(score(cosine, q, d)), WithinAbs(expected, 5e-7));
        }
    }
}

TEST_CASE("a zero vector has cosine 0 with everything, itself too", "[dense][metric]") {
    for (float const x : {0.0f, 1.0f, -1e-45f, 1e38f}) {
        CHECK(std::bit_cast<std::uint32_t>(score(cosine, {0, 0, 0}, {x, x, -x})) == 0);
        CHECK(std::bit_cast<std::uint32_t>(score(cosine, {x, x, -x}, {0, 0, 0})) == 0);
        CHECK(std::bit_cast<std::uint32_t>(score(cosine, {x, x, -x}, {-0.0f, 0, 0})) == 0);
    }
    // It stands between the alike and the opposed, by id among equals.
    trawl::flat_index index(2);
    for (std::vector<float> const& v :
        std::vector<std::vector<float>>{{-1, 0}, {0, 0}, {0, 1}, {1, 0}})
        index.add(v);
    CHECK(index.search(std::vector<float>{1, 0}, 4)
          == trawl::ranking{{3, 1}, {1, 0}, {2, 0}, {0, -1}});
}

TEST_CASE("sums beyond float are done in double and clamped, so that no score is infinite or NaN",
    "[dense][metric]") {
    using enum trawl::metric;
    CHECK(score(dot_product, {1e30f, 1e30f}, {1e30f, -1e30f}) == 0.0f); // inf - inf in float
    CHECK(score(dot_product, {1e30f, 1e30f}, {1e30f, 1e30f}) == most);
    CHECK(score(dot_product, {-1e30f, 1}, {1e30f, 1}) == -most);
    CHECK(score(dot_product, {1e30f, 2}, {1e-30f, 3}) == 7.0f);
    CHECK(score(dot_product, {1e30f, 1e30f, 1}, {1e30f, -1e30f, 3}) == 3.0f);
    CHECK(score(euclidean, {1e30f, 0}, {-1e30f, 0}) == -most);
    CHECK(score(euclidean, {3e38f, 0}, {-3e38f, 0}) == -most); // the difference overflows
    CHECK(score(dot_product, {1e-30f}, {1e-30f}) == 0.0f);
    for (auto const how : metrics) {
        trawl::flat_index index(2, how);
        for (float const x : {most, -most, 1e-45f, 0.0f, 1.0f, 1e19f, 1e-19f}) {
            for (float const y : {most, -most, -1e-45f}) index.add(std::vector<float>{x, y});
        }
        for (auto const& query : {std::vector<float>{most, most}, {most, -most}, {1e-45f, 1}}) {
            auto const all = index.search(query, 100);
            CHECK(all == exhaustive(index, query, 100));
            for (auto const& h : all) CHECK(trawl::detail::is_finite(h.score));
        }
    }
}

TEST_CASE("duplicates score alike and come by id", "[dense][metric]") {
    trawl::detail::random random(24);
    auto const m = random_matrix(random, 2, 384);
    for (auto const how : metrics) {
        trawl::flat_index index(384, how);
        for (int i = 0; i < 100; ++i) index.add(m.row(0));
        auto const found = index.search(m.row(1), 100);
        for (trawl::doc_id id = 0; id < 100; ++id)
            CHECK(found[id] == trawl::hit{id, found[0].score});
    }
}

TEST_CASE("an explanation has the bits of the score and adds up", "[dense][explain]") {
    trawl::detail::random random(25);
    for (auto const how : metrics) {
        trawl::flat_index index(100, how);
        index.add_all(random_matrix(random, 50, 100));
        index.add(std::vector<float>(100, 0.0f));
        index.add(std::vector<float>(100, 1e30f));
        index.add(std::vector<float>(100, 1e-44f));
        auto const query = random_matrix(random, 1, 100);
        for (auto const& vector :
            {query.values, std::vector<float>(100, 0.0f), std::vector<float>(100, 3e30f)}) {
            for (auto const& h : index.search(vector, 100)) {
                auto const tree = index.explain({.vector = vector}, h.id);
                CAPTURE(trawl::name_of(how), trawl::to_text(tree));
                CHECK(trawl::adds_up(tree));
                CHECK(std::bit_cast<std::uint64_t>(tree.value)
                      == std::bit_cast<std::uint64_t>(static_cast<double>(h.score)));
            }
        }
    }
}

TEST_CASE("a clamped cosine is explained by the clamp", "[dense][explain]") {
    trawl::detail::random random(26);
    for (int round = 0; round < 2000; ++round) {
        auto const m = random_matrix(random, 1, 8);
        std::vector<float> longer;
        for (auto const x : m.values) longer.push_back(x * -3.3f);
        trawl::flat_index index(8);
        index.add(longer);
        auto const tree = index.explain({.vector = m.values}, 0);
        if (tree.op != trawl::operation::max) continue;
        CHECK((tree.value == -1 && tree.children.size() == 2 && tree.children[0].value < -1));
        CHECK(trawl::adds_up(tree));
        return;
    }
    FAIL("no cosine was clamped");
}

TEST_CASE("what search never returns is explained by a leaf of value 0", "[dense][explain]") {
    trawl::flat_index index(1);
    float const v[] = {1};
    index.add(v);
    index.add(v);
    index.erase(1);
    trawl::doc_set const nothing(2);
    for (auto const& tree :
        {index.explain({.text = "words"}, 0), index.explain({.vector = v}, 1),
            index.explain({.vector = v}, 9), index.explain({.vector = v}, 0, {.where = nothing})}) {
        CAPTURE(tree.label);
        CHECK((tree.op == trawl::operation::leaf && tree.value == 0
               && tree.label.starts_with("no match")));
    }
}

TEST_CASE("dot product over vectors that are not unit is worth a warning", "[dense][warnings]") {
    float const unit[] = {0.6f, 0.8f};
    float const longer[] = {3, 4};
    float const zero[] = {0, 0};
    trawl::flat_index index(2, trawl::metric::dot_product);
    index.add(unit);
    CHECK(index.warnings({.vector = unit}).empty());
    index.add(longer);
    index.add(zero);
    REQUIRE(index.warnings({.vector = unit}).size() == 1);
    CHECK(index.warnings({.vector = unit})[0].find("2 of 3 vectors") != std::string::npos);
    CHECK(index.warnings({.text = "words"}).empty());
    index.erase(1);
    index.erase(2);
    CHECK(index.warnings({.vector = unit}).empty());
    CHECK(index.warnings({.vector = zero}).size() == 1);

    for (auto const how : {trawl::metric::cosine, trawl::metric::euclidean}) {
        trawl::flat_index other(2, how);
        other.add(longer);
        CHECK(other.warnings({.vector = longer}).empty());
    }
}
