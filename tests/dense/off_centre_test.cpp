// SPDX-License-Identifier: MIT
// Codes and lists of vectors that lie far from the origin, or have one value that dwarfs the others.
#include <trawl/dense/inverted_file_index.hpp>
#include <trawl/dense/quantised_index.hpp>

#include <limits>

#include "dense/support.hpp"
#include "support/catch.hpp"

namespace {

using trawl::metric;

// Vectors round 30 centres; then `move` changes each.
template <class Move>
matrix clusters(std::size_t rows, std::size_t dim, std::uint64_t seed, Move move) {
    trawl::detail::random centres(5), random(seed);
    auto const centre = random_matrix(centres, 30, dim);
    auto made = random_matrix(random, rows, dim);
    for (std::size_t r = 0; r < rows; ++r) {
        auto const c = random.below(30);
        for (std::size_t d = 0; d < dim; ++d) {
            auto& v = made.values[r * dim + d];
            v = move(v + 2 * centre.row(c)[d], d);
        }
    }
    return made;
}

template <class Move>
void check(metric how, std::size_t dim, double least, Move move) {
    CAPTURE(trawl::name_of(how), dim);
    auto const data = clusters(3000, dim, 1, move);
    auto const queries = clusters(40, dim, 2, move);
    trawl::int8_index bytes(dim, {.metric = how});
    bytes.add_all(data);
    CHECK(bytes.recall(queries, 10) >= least);
    trawl::one_bit_index bits(dim, {.metric = how});
    bits.add_all(data);
    CHECK(bits.recall(queries, 10) >= least);
    trawl::inverted_file_index lists(dim, {.metric = how, .probes = 16, .candidates = 200});
    lists.add_all(data);
    lists.train(50);
    CHECK(lists.recall(queries, 10) >= least);
}

} // namespace

TEST_CASE("100 added to every value costs no recall", "[dense][recall]") {
    for (auto const how : {metric::euclidean, metric::dot_product, metric::cosine})
        check(how, 64, 0.97, [](float v, std::size_t) { return v + 100; });
}

TEST_CASE("places in metres, in two dimensions, are found", "[dense][recall]") {
    check(metric::euclidean, 2, 0.97,
        [](float v, std::size_t d) { return 1000 * v + (d == 0 ? 500'000.0f : 5'500'000.0f); });
}

TEST_CASE("one constant value among 64 costs no recall", "[dense][recall]") {
    for (auto const how : {metric::euclidean, metric::dot_product}) {
        check(how, 64, 0.97, [](float v, std::size_t d) { return d == 9 ? 3000.0f : v; });
    }
}

TEST_CASE("a code learns anew what the first rows taught it wrongly", "[dense][recall]") {
    auto const same = [](float v, std::size_t) { return v; };
    auto const moved = [](float v, std::size_t) { return v + 1000; };
    auto const early = clusters(256, 48, 3, same);
    auto const late = clusters(3000, 48, 4, moved);
    auto const queries = clusters(40, 48, 5, moved);
    for (bool const by_compact : {false, true}) {
        CAPTURE(by_compact);
        trawl::int8_index index(48, {.metric = metric::euclidean});
        index.add_all(early);
        index.add_all(late);
        auto const before = index.recall(queries, 10);
        for (trawl::doc_id id = 0; id < 256; ++id) index.erase(id);
        if (by_compact) {
            index.compact();
        } else {
            index.train();
        }
        CHECK(before < 0.9); // of what no centre of the first rows can do
        CHECK(index.recall(queries, 10) >= 0.97);
    }
    trawl::int8_index without(48, {.keep_full = false});
    CHECK_THROWS_AS(without.train(), trawl::error);
}

TEST_CASE("dimensions whose sums would overflow are refused", "[dense][errors]") {
    // 127 * 127 * 133,144 = 2,147,479,576 is the last sum below 2^31 = 2,147,483,648.
    static_cast<void>(trawl::int8_index(133'144));
    CHECK_THROWS_AS(trawl::int8_index(133'145), trawl::error);
    CHECK_THROWS_AS(trawl::int8_index(200'000), trawl::error);
    trawl::int8_index prefix(200'000, {.prefix = 1000});
    CHECK_THROWS_AS(trawl::one_bit_index(std::size_t{1} << 40), trawl::error);
    CHECK_THROWS_AS(trawl::inverted_file_index(std::size_t{1} << 40), trawl::error);
}
