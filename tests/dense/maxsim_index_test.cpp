// SPDX-License-Identifier: MIT
#include <trawl/dense/maxsim_index.hpp>

#include <limits>

#include <trawl/core/concepts.hpp>
#include <trawl/core/thread_executor.hpp>
#include <trawl/rerank/maxsim.hpp>

#include "dense/support.hpp"
#include "support/catch.hpp"
#include "support/error_of.hpp"

static_assert(trawl::scoring_retriever<trawl::maxsim_index>);
static_assert(trawl::token_vector_source<trawl::maxsim_index>);

namespace {

using trawl::doc_id;

trawl::matrix_view<float const> view(std::vector<float> const& values, std::size_t dim) {
    return {values.data(), values.size() / dim, dim};
}

} // namespace

TEST_CASE("documents are ranked by the sum of each token's best product", "[dense][maxsim]") {
    trawl::maxsim_index index(2);
    index.add(view({1, 0, 0, 2}, 2)); // (1, 0), (0, 2)
    index.add(view({0.5f, 0.5f}, 2));
    index.add(7, view({-1, 0}, 2));
    std::vector<float> const tokens{1, 0, 1, 1}; // (1, 0), (1, 1)
    trawl::query const q{.token_vectors = view(tokens, 2)};
    // 0: max(1, 0) + max(1, 2) = 3; 1: .5 + 1; 7: -1 - 1.
    CHECK(index.search(q, {}) == trawl::ranking{{0, 3}, {1, 1.5f}, {7, -2}});
    CHECK(index.search(q, {.k = 1}) == trawl::ranking{{0, 3}});
    CHECK(index.search({.text = "words"}, {}).empty());
    CHECK(index.search(q, {.k = 0}).empty());

    auto const tree = index.explain(q, 0);
    CHECK((trawl::adds_up(tree) && tree.value == 3));
    CHECK(tree.children.at(0).children.at(1).label == "token 1: best is token 1 of the document");
    CHECK(index.explain(q, 3).value == 0);

    CHECK(index.update(1, view({3, 3}, 2))); // 3 + 6
    CHECK_FALSE(index.update(2, view({3, 3}, 2)));
    CHECK((index.erase(0) && !index.erase(0) && !index.contains(0) && index.size() == 2));
    CHECK(index.search(q, {}) == trawl::ranking{{1, 9}, {7, -2}});
    CHECK(index.update(7, index(1))); // a view of the index's own
    index.compact();
    CHECK(index.search(q, {}) == trawl::ranking{{1, 9}, {7, 9}});
    CHECK(index.add(view({0, 0}, 2)) == 8);
    CHECK((index(7).rows == 1 && index(0).rows == 0));
}

TEST_CASE("any numbers of tokens give the bits of the reranker, on any number of threads",
    "[dense][maxsim]") {
    constexpr std::uint64_t seed = 3;
    CAPTURE(seed);
    trawl::detail::random random(seed);
    trawl::thread_executor const threads(2);
    for (std::size_t const dim : {1u, 15u, 33u}) {
        trawl::maxsim_index index(dim);
        for (doc_id id = 0; id < 300; ++id) {
            // Some are longer than the blocks that are compared together.
            auto const tokens =
                random.below(40) == 0 ? 90 + random.below(150) : 1 + random.below(12);
            index.add(2 * id, random.below(3) == 0 ? tied_matrix(random, tokens, dim)
                                                   : random_matrix(random, tokens, dim));
        }
        trawl::doc_set allowed(600);
        for (doc_id id = 0; id < 600; id += 3) allowed.insert(id);
        for (std::size_t const tokens : {1u, 2u, 4u, 7u, 32u}) {
            CAPTURE(dim, tokens);
            auto const asked = random_matrix(random, tokens, dim);
            trawl::query const q{.token_vectors = asked};
            trawl::ranking expected;
            trawl::maxsim const reranker(index);
            for (doc_id id = 0; id < 600; id += 2) {
                trawl::candidate const one{id, 0, {}};
                float score = 0;
                reranker(q, {&one, 1}, {&score, 1});
                expected.push_back({id, score});
            }
            std::sort(expected.begin(), expected.end(), trawl::by_rank{});
            auto const all = index.search(q, {.k = 1000});
            CHECK(all == expected);
            CHECK(index.search(q, {.k = 1000, .executor = &threads}) == expected);
            CHECK(index.search(q, {.k = 5})
                  == trawl::ranking(expected.begin(), expected.begin() + 5));
            std::erase_if(expected, [&](trawl::hit const& h) { return !allowed.contains(h.id); });
            CHECK(index.search(q, {.k = 1000, .where = allowed}) == expected);
            std::vector<doc_id> const ids{4, 3, 0, 6};
            auto const scores = index.score(q, ids, {.where = allowed});
            REQUIRE(scores.size() == 2); // 4 is outside, 3 is not there
            for (auto const& h : scores) {
                CHECK(std::find(expected.begin(), expected.end(), h) != expected.end());
                CHECK(index.explain(q, h.id).value == static_cast<double>(h.score));
            }
        }
    }
}

TEST_CASE("bad token vectors are errors, and change nothing", "[dense][maxsim][errors]") {
    CHECK_THROWS_AS(trawl::maxsim_index(0), trawl::error);
    trawl::maxsim_index index(2);
    constexpr auto nan = std::numeric_limits<float>::quiet_NaN();
    CHECK_THROWS_AS(index.add(view({}, 2)), trawl::error);
    CHECK_THROWS_AS(index.add(view({1, 2, 3}, 3)), trawl::error);
    CHECK_THROWS_AS(index.add(view({1, 2, 3, nan}, 2)), trawl::error);
    CHECK_THROWS_AS(index.add(view({1e30f, 2}, 2)), trawl::error);
    CHECK_THROWS_AS(index.add(trawl::no_doc, view({1, 2}, 2)), trawl::error);
    CHECK((index.size() == 0 && index.next_id() == 0));
    index.add(5, view({1, 2}, 2));
    CHECK_THROWS_AS(index.add(5, view({1, 2}, 2)), trawl::error);
    CHECK_THROWS_AS(index.update(5, view({1, nan}, 2)), trawl::error);
    CHECK_THROWS_AS(index.update(5, view({}, 2)), trawl::error);
    std::vector<float> const bad{1, 2, nan, 4};
    CHECK_THROWS_AS(index.search({.token_vectors = view(bad, 2)}, {}), trawl::error);
    CHECK_THROWS_AS(
        index.score({.token_vectors = view(bad, 4)}, std::vector<doc_id>{5}), trawl::error);
    CHECK_THROWS_AS(index.explain({.token_vectors = view(bad, 4)}, 5), trawl::error);
    CHECK(support::error_of([&] {
        static_cast<void>(index.search({.token_vectors = view(bad, 4)}, {}));
    }).text
          == "maxsim_index::search: the query's token vectors have 4 values, the index 2");
}
