// SPDX-License-Identifier: MIT
#include <cmath>
#include <trawl/dense/quantised_index.hpp>

#include <limits>

#include <trawl/core/concepts.hpp>
#include <trawl/core/thread_executor.hpp>

#include "dense/support.hpp"
#include "support/catch.hpp"

static_assert(
    trawl::scoring_retriever<trawl::int8_index> && trawl::scoring_retriever<trawl::one_bit_index>);
static_assert(trawl::vector_source<trawl::one_bit_index>);

namespace {

constexpr trawl::metric metrics[] = {
    trawl::metric::cosine, trawl::metric::dot_product, trawl::metric::euclidean};

// Off the origin, as embeddings are.
matrix shifted(std::size_t rows, std::size_t dim, std::uint64_t seed) {
    trawl::detail::random random(seed);
    auto data = random_matrix(random, rows, dim);
    for (auto& v : data.values) v += 0.3f;
    return data;
}

template <class Index>
void check_laws(trawl::metric how, bool keep_full) {
    CAPTURE(trawl::name_of(how), keep_full);
    trawl::thread_executor const threads(2);
    auto const data = shifted(900, 50, 5);
    auto const queries = shifted(6, 50, 6);
    Index index(50, {.metric = how, .candidates = 60, .keep_full = keep_full});
    index.add_all(data);
    CHECK((index.erase(3) && !index.erase(3) && index.size() == 899 && index.next_id() == 900));

    std::vector<trawl::ranking> one_by_one;
    for (std::size_t q = 0; q < queries.rows; ++q)
        one_by_one.push_back(index.search(queries.row(q), 10));
    CHECK(index.search(queries, {.k = 10}) == one_by_one);
    CHECK(index.search(queries, {.k = 10, .executor = &threads}) == one_by_one);

    // Beyond the candidates: still k, in order, the first ones the same.
    auto const more = index.search(queries.row(0), 200);
    REQUIRE(more.size() == 200);
    CHECK(std::equal(one_by_one[0].begin(), one_by_one[0].end(), more.begin()));
    CHECK(std::is_sorted(more.begin(), more.end(), trawl::by_rank{}));
    CHECK(index.search(queries.row(0), 5000).size() == 899);

    for (auto const& h : one_by_one[0]) {
        CHECK(index.score({.vector = queries.row(0)}, std::vector<trawl::doc_id>{h.id})
              == trawl::ranking{h});
        auto const tree = index.explain({.vector = queries.row(0)}, h.id);
        CHECK((trawl::adds_up(tree) && static_cast<float>(tree.value) == h.score));
    }
    trawl::doc_set allowed(900, {3, 7, 800});
    CHECK(index.search(queries.row(0), 10, allowed).size() == 2);
    CHECK(index.search(queries.row(0), 10, trawl::doc_set(900)).empty());
    CHECK(index.search({.text = "words"}, {}).empty());

    Index one_at_a_time(50, {.metric = how, .candidates = 60, .keep_full = keep_full});
    for (std::size_t i = 0; i < data.rows; ++i) one_at_a_time.add(data.row(i));
    one_at_a_time.erase(3);
    CHECK(one_at_a_time.search(queries, {.k = 10}) == one_by_one);
    // Compaction learns the centre anew if it has the vectors, however the index came about.
    one_at_a_time.compact();
    index.compact();
    CHECK(one_at_a_time.search(queries, {.k = 10}) == index.search(queries, {.k = 10}));
    if (!keep_full) CHECK(one_at_a_time.search(queries, {.k = 10}) == one_by_one);

    CHECK(index.update(500, queries.row(1)));
    CHECK(one_at_a_time.update(500, queries.row(1)));
    CHECK(index.search(queries, {.k = 10}) == one_at_a_time.search(queries, {.k = 10}));
    if (how != trawl::metric::dot_product) CHECK(index.search(queries.row(1), 1).at(0).id == 500);
}

} // namespace

TEST_CASE("codes obey the laws of every index", "[dense][quantised]") {
    for (auto const how : metrics) {
        for (bool const keep_full : {true, false}) {
            check_laws<trawl::int8_index>(how, keep_full);
            check_laws<trawl::one_bit_index>(how, keep_full);
        }
    }
}

TEST_CASE("with as many candidates as documents, codes find what an exact search finds",
    "[dense][quantised]") {
    auto const data = shifted(700, 40, 7);
    auto const queries = shifted(5, 40, 8);
    for (auto const how : metrics) {
        trawl::flat_index flat(40, how);
        flat.add_all(data);
        trawl::one_bit_index bits(40, {.metric = how, .candidates = 700});
        bits.add_all(data);
        trawl::int8_index bytes(40, {.metric = how, .candidates = 700});
        bytes.add_all(data);
        CHECK(bits.search(queries, {.k = 20}) == flat.search(queries, {.k = 20}));
        CHECK(bytes.search(queries, {.k = 20}) == flat.search(queries, {.k = 20}));
        CHECK((bits.recall(queries, 10) == 1 && bytes.recall(queries, 10) == 1));
    }
}

TEST_CASE("estimates are near the scores that they stand for", "[dense][quantised]") {
    auto const data = shifted(400, 128, 9);
    auto const queries = shifted(8, 128, 10);
    for (auto const how : metrics) {
        CAPTURE(trawl::name_of(how));
        trawl::flat_index flat(128, how);
        flat.add_all(data);
        trawl::int8_index bytes(128, {.metric = how, .keep_full = false});
        bytes.add_all(data);
        trawl::one_bit_index bits(128, {.metric = how, .keep_full = false});
        bits.add_all(data);
        double of_bytes = 0, of_bits = 0, bias = 0, spread = 0;
        for (std::size_t q = 0; q < queries.rows; ++q) {
            for (trawl::doc_id id = 0; id < 400; ++id) {
                auto const score = [&](auto const& index) {
                    return static_cast<double>(
                        index.score({.vector = queries.row(q)}, {&id, 1})[0].score);
                };
                auto const exact = score(flat);
                of_bytes += std::fabs(score(bytes) - exact);
                of_bits += std::fabs(score(bits) - exact);
                bias += score(bits) - exact;
                spread += std::fabs(exact - score(flat)) + 1;
            }
        }
        // |x| of these vectors is about 12; a dot product's error is measured against |q| |d|.
        double const unit = how == trawl::metric::cosine ? 1 : 140;
        CHECK(of_bytes / spread < 0.005 * unit);
        CHECK(of_bits / spread < 0.1 * unit);
        CHECK(std::fabs(bias / spread) < 0.02 * unit);
    }
}

TEST_CASE(
    "few documents are searched exactly until one bit has seen its sample", "[dense][quantised]") {
    auto const data = shifted(256, 30, 11);
    trawl::one_bit_index bits(30, {.candidates = 10});
    trawl::flat_index flat(30);
    for (std::size_t i = 0; i < 255; ++i) {
        bits.add(data.row(i));
        flat.add(data.row(i));
    }
    CHECK(bits.search(data.row(7), 255) == flat.search(data.row(7), 255));
    bits.add(data.row(255));
    CHECK(bits.search(data.row(7), 255).size() == 255);
    CHECK(bits.search(data.row(7), 1) == trawl::ranking{{7, 1}});
}

TEST_CASE("a prefix is coded, the whole is scored", "[dense][quantised][matryoshka]") {
    auto const data = shifted(500, 96, 12);
    trawl::flat_index flat(96);
    flat.add_all(data);
    trawl::int8_index index(96, {.candidates = 500, .prefix = 32});
    index.add_all(data);
    auto const queries = shifted(4, 96, 13);
    CHECK(index.search(queries, {.k = 10}) == flat.search(queries, {.k = 10}));
}

TEST_CASE("bad arguments of a quantised index are errors, and change nothing",
    "[dense][quantised][errors]") {
    CHECK_THROWS_AS(trawl::int8_index(0), trawl::error);
    CHECK_THROWS_AS(trawl::one_bit_index(8, {.prefix = 9}), trawl::error);
    trawl::int8_index index(2);
    CHECK_THROWS_AS(index.add(std::vector<float>{1}), trawl::error);
    CHECK_THROWS_AS(
        index.add(std::vector<float>{1, std::numeric_limits<float>::quiet_NaN()}), trawl::error);
    CHECK_THROWS_AS(index.add(std::vector<float>{1e30f, 1}), trawl::error);
    CHECK(index.size() == 0);
    CHECK(index.add(5, std::vector<float>{3, 4}) == 5);
    CHECK_THROWS_AS(index.add(5, std::vector<float>{3, 4}), trawl::error);
    CHECK_THROWS_AS(index.search(std::vector<float>{1}, 3), trawl::error);
    CHECK_THROWS_AS(index.update(5, std::vector<float>{1}), trawl::error);
    CHECK_FALSE(index.update(4, std::vector<float>{1, 2}));
    CHECK(index.search(std::vector<float>{3, 4}, 3) == trawl::ranking{{5, 1}});
    index.add(std::vector<float>{0, 0}); // has cosine 0 with everything
    CHECK(index.search(std::vector<float>{3, 4}, 3) == trawl::ranking{{5, 1}, {6, 0}});
    trawl::int8_index without(2, {.keep_full = false});
    CHECK_THROWS_AS(without.exact(), trawl::error);
    std::vector<float> out(2);
    CHECK_THROWS_AS(without.copy_vector(0, out), trawl::error);
}
