// SPDX-License-Identifier: MIT
#include <trawl/dense/flat_index.hpp>

#include <fstream>
#include <string>

#include <trawl/core/concepts.hpp>
#include <trawl/core/thread_executor.hpp>

#include "dense/support.hpp"
#include "support/catch.hpp"

static_assert(trawl::retriever<trawl::flat_index> && trawl::scoring_retriever<trawl::flat_index>);
static_assert(trawl::vector_source<trawl::flat_index>);

namespace {

constexpr trawl::metric metrics[] = {
    trawl::metric::cosine, trawl::metric::dot_product, trawl::metric::euclidean};

// Every third id is a gap, every seventh document is erased.
trawl::flat_index with_gaps(trawl::metric how, matrix const& data) {
    trawl::flat_index index(data.cols, how);
    for (trawl::doc_id i = 0; i < data.rows; ++i) index.add(i + i / 2, data.row(i));
    for (trawl::doc_id id = 0; id < index.next_id(); id += 7) index.erase(id);
    return index;
}

trawl::doc_set random_set(trawl::detail::random& random, std::size_t universe, double share) {
    trawl::doc_set set(universe);
    for (trawl::doc_id id = 0; id < universe; ++id) {
        if (random.uniform() < share) set.insert(id);
    }
    return set;
}

} // namespace

TEST_CASE("scores and order are numpy's", "[dense][flat_index][golden]") {
    std::ifstream in("tests/golden/dense/numpy_scores.txt");
    std::size_t rows = 0, dim = 0;
    REQUIRE((in >> rows >> dim));
    matrix data{rows, dim, std::vector<float>(rows * dim)};
    for (auto& v : data.values) in >> v;
    std::vector<float> query(dim);
    for (auto& v : query) in >> v;
    for (auto const how : metrics) {
        std::string name;
        in >> name;
        REQUIRE(name == trawl::name_of(how));
        trawl::flat_index index(dim, how);
        index.add_all(data);
        auto const best = index.search(query, 10);
        REQUIRE(best.size() == 10);
        for (auto const& h : best) {
            trawl::doc_id id = 0;
            in >> id;
            CHECK(h.id == id);
        }
        for (trawl::doc_id id = 0; id < rows; ++id) {
            double expected = 0;
            in >> expected;
            auto const actual = index.score({.vector = query}, {&id, 1}).at(0).score;
            CHECK_THAT(
                static_cast<double>(actual), WithinAbs(expected, 1e-6 * (1 + std::abs(expected))));
        }
    }
    CHECK(in);
}

TEST_CASE("a search is a full sort cut at k, for any k, gaps, erased documents and ties",
    "[dense][flat_index]") {
    auto const seed = GENERATE(1u, 2u, 3u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    for (auto const how : metrics) {
        auto const index = with_gaps(how, tied_matrix(random, 300, 5));
        auto const queries = tied_matrix(random, 4, 5);
        for (std::size_t q = 0; q < queries.rows; ++q) {
            for (std::size_t const k : {0u, 1u, 2u, 10u, 63u, 64u, 65u, 257u, 300u, 100000u}) {
                CAPTURE(trawl::name_of(how), q, k);
                CHECK(index.search(queries.row(q), k) == exhaustive(index, queries.row(q), k));
            }
        }
        auto const all = static_cast<std::size_t>(-1);
        CHECK(index.search(queries.row(0), all).size() == index.size());
    }
}

TEST_CASE(
    "a filtered search is the exhaustive one under the same filter, and never returns too few",
    "[dense][flat_index][filter]") {
    auto const seed = GENERATE(1u, 2u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    for (auto const how : metrics) {
        for (bool const gaps : {false, true}) {
            auto const data = tied_matrix(random, 500, 9);
            auto index = with_gaps(how, data);
            if (!gaps) {
                index = trawl::flat_index(data.cols, how);
                index.add_all(data);
            }
            auto const query = tied_matrix(random, 1, 9);
            for (double const share : {0.0, 0.01, 0.5, 1.0}) {
                // A set may know fewer documents than the index, or more.
                for (std::size_t const universe : {std::size_t{100}, std::size_t{index.next_id()},
                         std::size_t{index.next_id()} + 100}) {
                    auto const allowed = random_set(random, universe, share);
                    for (std::size_t const k : {1u, 10u, 1000u}) {
                        CAPTURE(trawl::name_of(how), gaps, share, universe, k);
                        auto const found = index.search(query.row(0), k, allowed);
                        CHECK(found == exhaustive(index, query.row(0), k, &allowed));
                        std::size_t eligible = 0;
                        allowed.for_each([&](trawl::doc_id id) { eligible += index.contains(id); });
                        CHECK(found.size() == (std::min)(k, eligible));
                    }
                }
            }
        }
    }
}

TEST_CASE("ids may start anywhere and leave gaps of any width", "[dense][flat_index][filter]") {
    trawl::flat_index index(1, trawl::metric::dot_product);
    float const one[] = {1};
    float const two[] = {2};
    CHECK(index.add(70, one) == 70);
    CHECK(index.add(two) == 71);
    CHECK(index.add(trawl::no_doc - 1, one) == trawl::no_doc - 1);
    CHECK(index.next_id() == trawl::no_doc);
    CHECK(index.search(one, 9) == trawl::ranking{{71, 2}, {70, 1}, {trawl::no_doc - 1, 1}});
    CHECK(index.search(one, 9, trawl::doc_set(72, {0, 70})) == trawl::ranking{{70, 1}});
    CHECK((!index.contains(69) && index.contains(70) && !index.contains(72)));
}

TEST_CASE("many queries at once, on any number of threads, give the bits of one by one",
    "[dense][flat_index][executor]") {
    trawl::detail::random random(11);
    trawl::thread_executor const threads(3);
    for (auto const how : metrics) {
        auto const index = with_gaps(how, random_matrix(random, 4000, 33));
        auto const allowed = random_set(random, index.next_id(), 0.3);
        auto const queries = random_matrix(random, 17, 33);
        for (trawl::filter const& where : {trawl::filter{}, trawl::filter{allowed}}) {
            for (std::size_t const k : {1u, 10u, 2000u}) {
                CAPTURE(trawl::name_of(how), k);
                std::vector<trawl::ranking> one_by_one;
                for (std::size_t i = 0; i < queries.rows; ++i)
                    one_by_one.push_back(index.search(queries.row(i), k, where));
                CHECK(index.search(queries, {.k = k, .where = where}) == one_by_one);
                CHECK(index.search(queries, {.k = k, .where = where, .executor = &threads})
                      == one_by_one);
                for (std::size_t const first : {0u, 3u, 16u}) {
                    auto const part =
                        trawl::matrix_view<float const>{queries.row(first).data(), 1, 33};
                    CHECK(index.search(part, {.k = k, .where = where}).at(0) == one_by_one[first]);
                }
            }
        }
    }
}

TEST_CASE("an index grown one by one, at once or with documents erased later is the same",
    "[dense][flat_index]") {
    trawl::detail::random random(12);
    auto const data = random_matrix(random, 200, 17);
    auto const query = random_matrix(random, 1, 17);
    for (auto const how : metrics) {
        trawl::flat_index at_once(17, how), one_by_one(17, how), in_parts(17, how), fewer(17, how);
        CHECK(at_once.add_all(data) == 0);
        for (std::size_t i = 0; i < data.rows; ++i) CHECK(one_by_one.add(data.row(i)) == i);
        CHECK(in_parts.add_all({data.values.data(), 77, 17}) == 0);
        CHECK(in_parts.add_all({data.row(77).data(), 123, 17}) == 77);
        auto const expected = at_once.search(query.row(0), 200);
        CHECK(one_by_one.search(query.row(0), 200) == expected);
        CHECK(in_parts.search(query.row(0), 200) == expected);

        for (trawl::doc_id id = 0; id < 200; ++id) {
            if (id % 3 != 0) fewer.add(id, data.row(id));
            if (id % 3 == 0) CHECK(at_once.erase(id));
        }
        CHECK(at_once.size() == fewer.size());
        CHECK(at_once.search(query.row(0), 200) == fewer.search(query.row(0), 200));
    }
}

TEST_CASE("erase retires a document for good", "[dense][flat_index]") {
    trawl::flat_index index(2);
    float const v[] = {1, 2};
    index.add(v);
    index.add(v);
    CHECK((index.erase(0) && !index.erase(0) && !index.erase(2) && !index.erase(trawl::no_doc)));
    CHECK((index.size() == 1 && !index.contains(0) && index.next_id() == 2));
    CHECK(index.search(v, 5) == trawl::ranking{{1, 1}});
    CHECK(index.erase(1));
    CHECK(index.search(v, 5).empty());
    CHECK(index.add(v) == 2);
    CHECK(index.search(v, 5) == trawl::ranking{{2, 1}});
}

TEST_CASE("score gives search's bits for the ids that are here, in the order given",
    "[dense][flat_index]") {
    trawl::detail::random random(13);
    for (auto const how : metrics) {
        auto const index = with_gaps(how, random_matrix(random, 300, 40));
        auto const query = random_matrix(random, 1, 40);
        auto const allowed = random_set(random, index.next_id(), 0.5);
        auto const all = index.search(query.row(0), 1000, allowed);
        std::vector<trawl::doc_id> ids{trawl::no_doc, 5, 5, 0};
        for (trawl::doc_id id = index.next_id() + 3; id > 0; --id) ids.push_back(id);
        auto const scored = index.score({.vector = query.row(0)}, ids, {.k = 1, .where = allowed});
        trawl::ranking expected;
        for (auto const id : ids) {
            for (auto const& h : all) {
                if (h.id == id) expected.push_back(h);
            }
        }
        CHECK(scored == expected);
    }
}

TEST_CASE("empty queries, indexes and k = 0 give empty rankings", "[dense][flat_index]") {
    trawl::flat_index index(3);
    float const v[] = {1, 2, 3};
    CHECK(index.search(v, 10).empty());
    CHECK(index.search(trawl::matrix_view<float const>{v, 1, 3}, {})
          == std::vector<trawl::ranking>(1));
    CHECK(index.search(trawl::matrix_view<float const>{}, {}).empty());
    CHECK(index.add_all({}) == 0);
    index.add(v);
    trawl::doc_id const id = 0;
    CHECK(index.search(v, 0).empty());
    CHECK(index.search(trawl::query{.text = "words"}, {}).empty());
    CHECK(index.score({.text = "words"}, {&id, 1}).empty());
    CHECK(index.score({.vector = v}, {}).empty());
    CHECK(index.search(v, 10, trawl::doc_set(1)).empty());
}

TEST_CASE("copy_vector gives back what was added", "[dense][flat_index]") {
    trawl::flat_index index(2, trawl::metric::cosine);
    float const v[] = {3, 4};
    float out[] = {9, 9};
    index.add(5, v);
    CHECK((index.copy_vector(5, out) && out[0] == 3 && out[1] == 4));
    CHECK((!index.copy_vector(4, out) && out[0] == 0 && out[1] == 0));
    CHECK((index.dim() == 2 && index.metric() == trawl::metric::cosine));
}

TEST_CASE("a search stops early when told to", "[dense][flat_index]") {
    trawl::detail::random random(14);
    trawl::flat_index index(4);
    index.add_all(random_matrix(random, 1000, 4));
    auto const query = random_matrix(random, 1, 4);
    int polls = 0;
    auto const stop = [](void* counter) { return ++*static_cast<int*>(counter) == 3; };
    auto const part =
        index.search({.vector = query.row(0)}, {.k = 1000, .stop = stop, .stop_context = &polls});
    CHECK(polls == 3);
    CHECK(part.size() == 384); // two blocks of 192 before the third poll
}
