// SPDX-License-Identifier: MIT
#include <trawl/dense/inverted_file_index.hpp>

#include <fstream>
#include <limits>

#include <trawl/core/concepts.hpp>
#include <trawl/core/thread_executor.hpp>
#include <trawl/formats/npy.hpp>

#include "dense/support.hpp"
#include "support/catch.hpp"

static_assert(trawl::scoring_retriever<trawl::inverted_file_index>);
static_assert(trawl::vector_source<trawl::inverted_file_index>);

namespace {

using trawl::doc_id;
using trawl::inverted_file_index;

constexpr trawl::metric metrics[] = {
    trawl::metric::cosine, trawl::metric::dot_product, trawl::metric::euclidean};

// Vectors round 30 centres.
matrix grouped(std::size_t rows, std::size_t dim, std::uint64_t seed) {
    trawl::detail::random centres_from(99), random(seed);
    auto const centres = random_matrix(centres_from, 30, dim);
    auto made = random_matrix(random, rows, dim);
    for (std::size_t i = 0; i < rows; ++i) {
        auto const c = random.below(30);
        for (std::size_t d = 0; d < dim; ++d)
            made.values[i * dim + d] += 2 * centres.values[c * dim + d];
    }
    return made;
}

} // namespace

TEST_CASE("all lists and all candidates are an exact search", "[dense][inverted]") {
    auto const data = grouped(700, 40, 7);
    auto const queries = grouped(5, 40, 8);
    for (auto const how : metrics) {
        CAPTURE(trawl::name_of(how));
        trawl::flat_index flat(40, how);
        flat.add_all(data);
        inverted_file_index index(40, {.metric = how, .probes = 20, .candidates = 700});
        index.add_all(data);
        // not trained yet
        CHECK(index.search(queries, {.k = 20}) == flat.search(queries, {.k = 20}));
        index.train(20);
        CHECK((index.trained() && index.lists() == 20));
        CHECK(index.search(queries, {.k = 20}) == flat.search(queries, {.k = 20}));
        CHECK(index.recall(queries, 20) == 1);
        CHECK(index.score({.vector = queries.row(0)}, std::vector<doc_id>{3, 900, 4})
              == flat.score({.vector = queries.row(0)}, std::vector<doc_id>{3, 4}));
    }
}

TEST_CASE("lists obey the laws of every index", "[dense][inverted]") {
    trawl::thread_executor const threads(2);
    auto const data = grouped(900, 50, 5);
    auto const queries = grouped(6, 50, 6);
    for (auto const how : metrics) {
        CAPTURE(trawl::name_of(how));
        inverted_file_index index(50, {.metric = how, .probes = 4, .candidates = 60});
        index.add_all(data);
        index.train(30);
        auto const found = index.search(queries, {.k = 10});
        for (std::size_t q = 0; q < queries.rows; ++q)
            CHECK(found[q] == index.search(queries.row(q), 10));
        CHECK(index.search(queries, {.k = 10, .executor = &threads}) == found);
        inverted_file_index again(50, {.metric = how, .probes = 4, .candidates = 60});
        again.add_all(data);
        again.train(30, &threads);
        CHECK(again.search(queries, {.k = 10}) == found);

        // k beyond the candidates and beyond the lists probed: all documents, the first ones the
        // same.
        auto const more = index.search(queries.row(0), 5000);
        CHECK(more.size() == 900);
        CHECK(std::equal(found[0].begin(), found[0].end(), more.begin()));
        CHECK(std::is_sorted(more.begin(), more.end(), trawl::by_rank{}));
        auto const middle = index.search(queries.row(0), 200);
        CHECK(std::equal(middle.begin(), middle.end(), more.begin()));

        // A filter never costs hits, however few documents pass and wherever they lie.
        trawl::doc_set allowed(900, {3, 7, 800});
        CHECK(index.search(queries.row(0), 10, allowed).size() == 3);
        CHECK(index.search(queries.row(0), 10, trawl::doc_set(900)).empty());
        trawl::doc_set some(900);
        for (doc_id id = 0; id < 900; id += 20) some.insert(id);
        CHECK(index.search(queries.row(0), 45, some)
              == index.exact().search(queries.row(0), 45, some));

        for (auto const& h : found[0]) {
            CHECK(index.score({.vector = queries.row(0)}, {&h.id, 1}) == trawl::ranking{h});
            auto const tree = index.explain({.vector = queries.row(0)}, h.id);
            CHECK((trawl::adds_up(tree) && static_cast<float>(tree.value) == h.score));
        }
        CHECK(index.search({.text = "words"}, {}).empty());
        CHECK(index.search(queries, {.k = 0}) == std::vector<trawl::ranking>(6));
    }
}

TEST_CASE("a margin leaves out lists that lie farther from the query than the nearest",
    "[dense][inverted]") {
    // Two lists, round (0, 0) and (10, 0); of (2, 0), whose squared distances are 4 and 64, the
    // centres differ in score by 30.
    inverted_file_index index(
        2, {.metric = trawl::metric::euclidean, .probes = 2, .candidates = 1});
    for (float const x : {0.0f, 10.0f}) {
        for (float const y : {-1.0f, 0.0f, 1.0f}) index.add(std::vector<float>{x, y});
    }
    index.train(2);
    trawl::doc_set const right(6, {3, 4, 5});
    std::vector<float> const query{2, 0};
    auto const found = [&](double margin) {
        index.set_margin(margin);
        return index.search(query, 1).at(0).id;
    };
    CHECK((found(0) == 1 && found(29.5) == 1 && found(30.5) == 1));
    // whatever the margin, a filter costs no hits
    CHECK(index.search(query, 1, right).at(0).id == 4);
    CHECK(index.search(query, 6).size() == 6);

    // As many lists as lie within it are read: the nearest n give the answer of n probes.
    auto const data = grouped(900, 50, 5);
    auto const queries = grouped(6, 50, 6);
    for (auto const how : metrics) {
        CAPTURE(trawl::name_of(how));
        inverted_file_index wide(50, {.metric = how, .probes = 30, .candidates = 30});
        wide.add_all(data);
        wide.train(30);
        auto counted = wide;
        for (std::size_t q = 0; q < queries.rows; ++q) {
            // of the counts that give the margin's answer, as the margin grows
            std::size_t fewest = 30;
            for (double const margin : {1e9, 300.0, 100.0, 30.0, 10.0, 1.0, 0.3, 0.1, 0.03, 0.0}) {
                wide.set_margin(margin);
                auto const answer = wide.search(queries.row(q), 10);
                std::size_t same = 0;
                for (std::size_t n = 1; n <= fewest && same == 0; ++n) {
                    counted.set_probes(n);
                    if (counted.search(queries.row(q), 10) == answer) same = n;
                }
                CAPTURE(q, margin);
                CHECK(same > 0);
                fewest = (std::max)(same, std::size_t{1});
            }
            CHECK(fewest == 1); // margin 0: the nearest list
            auto const five = wide.search(queries.row(q), 5);
            auto const ten = wide.search(queries.row(q), 10);
            CHECK(std::equal(five.begin(), five.end(), ten.begin()));
        }
    }
}

TEST_CASE("documents come, change and go after the lists were made", "[dense][inverted]") {
    auto const data = grouped(800, 33, 11);
    auto const queries = grouped(4, 33, 12);
    inverted_file_index index(33, {.probes = 3, .candidates = 50});
    for (std::size_t i = 0; i < 500; ++i) index.add(data.row(i));
    index.train(20);
    auto at_once = index;
    for (std::size_t i = 500; i < 800; ++i) index.add(data.row(i));
    at_once.add_all(trawl::matrix_view<float const>{data.row(500).data(), 300, 33});
    CHECK(index.search(queries, {.k = 20}) == at_once.search(queries, {.k = 20}));

    CHECK(index.update(77, queries.row(0)));
    CHECK(index.search(queries.row(0), 1) == trawl::ranking{{77, 1}});
    CHECK(index.update(77, queries.row(1)));
    CHECK(index.update(77, queries.row(1))); // stays in its list
    CHECK(index.search(queries.row(1), 1) == trawl::ranking{{77, 1}});
    CHECK(index.search(queries.row(0), 1).at(0).id != 77);
    CHECK_FALSE(index.update(4000, queries.row(0)));
    CHECK((index.erase(77) && !index.erase(77) && !index.contains(77) && index.size() == 799));
    for (doc_id id = 0; id < 800; id += 3) index.erase(id);
    for (auto const& h : index.search(queries.row(1), 800)) CHECK((h.id != 77 && h.id % 3 != 0));
    auto const before = index.search(queries, {.k = 200});
    CHECK(before[0].size() == 200);
    index.compact();
    CHECK(index.search(queries, {.k = 200}) == before);
    CHECK(index.add(data.row(0)) == 800);
    CHECK(index.search(data.row(0), 1).at(0).id == 800);
    CHECK(index.update(1, data.row(3)));
    CHECK(index.search(data.row(3), 1) == trawl::ranking{{1, 1}});
    index.train(); // anew, the square root of 533 lists
    CHECK(index.lists() == 23);
    CHECK(index.search(data.row(3), 1) == trawl::ranking{{1, 1}});
}

TEST_CASE("a thousand copies of one vector are found, and trap nothing else", "[dense][inverted]") {
    // qdrant#1788: copies linked only to each other.
    auto data = grouped(1500, 24, 13);
    for (std::size_t i = 0; i < 1000; ++i)
        std::copy_n(
            data.row(1200).begin(), 24, data.values.begin() + static_cast<std::ptrdiff_t>(i * 24));
    inverted_file_index index(24, {.probes = 2, .candidates = 100});
    index.add_all(data);
    index.train();
    for (std::size_t i = 1000; i < 1500; ++i) {
        if (i == 1200) continue;
        REQUIRE(index.search(data.row(i), 1).at(0).id == i);
    }
    auto const copies = index.search(data.row(1200), 100);
    for (std::size_t i = 0; i < 100; ++i) CHECK(copies.at(i).score == 1);
}

TEST_CASE("real vectors are found", "[dense][inverted]") {
    std::string const folder = "../shared/data/scifact/";
    if (!std::ifstream(folder + "minilm_corpus.npy")) {
        WARN("no " + folder + ": skipped");
        return;
    }
    auto const corpus = trawl::read_npy(folder + "minilm_corpus.npy");
    auto const questions = trawl::read_npy(folder + "minilm_queries.npy");
    inverted_file_index index(corpus.cols, {.probes = 16, .candidates = 100});
    index.add_all(trawl::matrix_view<float const>{corpus.values.data(), 3000, corpus.cols});
    index.train(50);
    CHECK(index.recall({questions.values.data(), 50, questions.cols}, 10) > 0.95);
    index.set_probes(50);
    index.set_candidates(200);
    CHECK(index.recall({questions.values.data(), 50, questions.cols}, 10) > 0.99);
}

TEST_CASE("few documents, zero vectors and empty lists are no special case", "[dense][inverted]") {
    inverted_file_index index(2);
    index.train(); // nothing to divide
    CHECK_FALSE(index.trained());
    index.add(std::vector<float>{0, 0});
    index.add(std::vector<float>{3, 4});
    index.add(std::vector<float>{3, 4});
    index.train(10);
    CHECK(index.lists() == 3);
    CHECK(index.search(std::vector<float>{3, 4}, 5) == trawl::ranking{{1, 1}, {2, 1}, {0, 0}});
    CHECK(index.search(std::vector<float>{0, 0}, 5) == trawl::ranking{{0, 0}, {1, 0}, {2, 0}});
    for (doc_id const id : {0u, 1u, 2u}) CHECK(index.erase(id));
    CHECK(index.search(std::vector<float>{3, 4}, 5).empty());
    index.compact();
    index.train();
    CHECK(index.search(std::vector<float>{3, 4}, 5).empty());
}

TEST_CASE("bad arguments of an inverted file are errors, and change nothing",
    "[dense][inverted][errors]") {
    CHECK_THROWS_AS(inverted_file_index(0), trawl::error);
    CHECK_THROWS_AS(inverted_file_index(2, {.probes = 0}), trawl::error);
    CHECK_THROWS_AS(inverted_file_index(2, {.candidates = 0}), trawl::error);
    CHECK_THROWS_AS(inverted_file_index(2, {.margin = -1}), trawl::error);
    inverted_file_index index(2);
    for (int i = 0; i < 5; ++i) index.add(std::vector<float>{static_cast<float>(i), 1});
    for (bool const trained : {false, true}) {
        CAPTURE(trained);
        if (trained) index.train(2);
        constexpr auto nan = std::numeric_limits<float>::quiet_NaN();
        CHECK_THROWS_AS(index.set_probes(0), trawl::error);
        CHECK_THROWS_AS(index.set_candidates(0), trawl::error);
        CHECK_THROWS_AS(index.set_margin(-0.1), trawl::error);
        CHECK_THROWS_AS(index.set_margin(static_cast<double>(nan)), trawl::error);
        CHECK_THROWS_AS(index.set_margin(std::numeric_limits<double>::infinity()), trawl::error);
        CHECK_THROWS_AS(index.add(std::vector<float>{1}), trawl::error);
        CHECK_THROWS_AS(index.add(std::vector<float>{1, nan}), trawl::error);
        CHECK_THROWS_AS(index.add(std::vector<float>{1e30f, 1}), trawl::error);
        CHECK_THROWS_AS(index.add(3, std::vector<float>{1, 1}), trawl::error);
        CHECK_THROWS_AS(index.update(0, std::vector<float>{1, nan}), trawl::error);
        CHECK_THROWS_AS(index.search(std::vector<float>{1}, 3), trawl::error);
        CHECK_THROWS_AS(index.search(std::vector<float>{1, nan}, 3), trawl::error);
        CHECK((index.size() == 5 && index.next_id() == 5));
    }
}
