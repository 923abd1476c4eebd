// SPDX-License-Identifier: MIT
// What changes an index, or makes one of other people's memory; range search; half-sized elements.
#include <trawl/dense/flat_index.hpp>

#include <limits>

#include <trawl/core/thread_executor.hpp>
#include <trawl/dense/detail/element_conversion.hpp>

#include "dense/support.hpp"
#include "support/catch.hpp"

namespace {

constexpr trawl::metric metrics[] = {
    trawl::metric::cosine, trawl::metric::dot_product, trawl::metric::euclidean};

} // namespace

TEST_CASE("an updated index is the one built from the new vectors", "[dense][flat_index][update]") {
    trawl::detail::random random(31);
    auto const before = random_matrix(random, 100, 20);
    auto after = random_matrix(random, 100, 20);
    for (std::size_t c = 0; c < 20; ++c) after.values[40 + c] *= 1e30f; // not an ordinary length
    auto const query = random_matrix(random, 1, 20);
    for (auto const how : metrics) {
        trawl::flat_index updated(20, how), built(20, how);
        updated.add_all(before);
        built.add_all(after);
        for (trawl::doc_id id = 0; id < 100; ++id) CHECK(updated.update(id, after.row(id)));
        CHECK(updated.search(query.row(0), 100) == built.search(query.row(0), 100));
        CHECK(
            updated.warnings({.vector = query.row(0)}) == built.warnings({.vector = query.row(0)}));
        CHECK_FALSE(updated.update(100, after.row(0)));
        updated.erase(3);
        CHECK_FALSE(updated.update(3, after.row(0)));
        auto bad = after;
        bad.values[5] = std::numeric_limits<float>::infinity();
        CHECK_THROWS_AS(updated.update(0, bad.row(0)), trawl::error);
        CHECK_THROWS_AS(updated.update(0, bad.row(0).first(3)), trawl::error);
        CHECK(updated.score({.vector = query.row(0)}, std::vector<trawl::doc_id>{0})
              == built.score({.vector = query.row(0)}, std::vector<trawl::doc_id>{0}));
    }
}

TEST_CASE("compaction changes neither ids nor scores", "[dense][flat_index][compact]") {
    auto const seed = GENERATE(1u, 2u, 3u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    auto const data = random_matrix(random, 300, 9);
    auto const query = random_matrix(random, 1, 9);
    for (auto const how : metrics) {
        for (double const share : {0.0, 0.5, 1.0}) {
            trawl::flat_index index(9, how);
            for (trawl::doc_id i = 0; i < 300; ++i) index.add(i * 2, data.row(i));
            for (trawl::doc_id i = 0; i < 300; ++i) {
                if (random.uniform() < share) index.erase(i * 2);
            }
            index.erase(598); // the last one: its id stays taken
            auto const before = index.search(query.row(0), 1000);
            auto const size = index.size();
            index.compact();
            CHECK(index.search(query.row(0), 1000) == before);
            CHECK((index.size() == size && index.next_id() == 599 && !index.contains(598)));
            CHECK_THROWS_AS(index.add(598, data.row(0)), trawl::error);
            CHECK(index.add(data.row(0)) == 599);
            CHECK(index.search(query.row(0), 1000) == exhaustive(index, query.row(0), 1000));
            index.compact();
            CHECK(index.search(query.row(0), 1000) == exhaustive(index, query.row(0), 1000));
        }
    }
}

TEST_CASE("an index over borrowed rows is the one that copied them", "[dense][flat_index][view]") {
    trawl::detail::random random(33);
    auto const data = random_matrix(random, 200, 11);
    auto const more = random_matrix(random, 70, 11);
    auto const query = random_matrix(random, 1, 11);
    for (auto const how : metrics) {
        auto view = trawl::flat_index::over(data, how);
        trawl::flat_index copy(11, how);
        copy.add_all(data);
        CHECK(view.search(query.row(0), 300) == copy.search(query.row(0), 300));
        CHECK((view.erase(7) && copy.erase(7)));
        CHECK(view.add_all(more) == copy.add_all(more));
        CHECK(view.search(query.row(0), 300) == copy.search(query.row(0), 300));
        auto const unchanged = data.values;
        CHECK((view.update(9, more.row(0)) && copy.update(9, more.row(0))));
        CHECK(data.values == unchanged);
        view.compact();
        CHECK(view.search(query.row(0), 300) == copy.search(query.row(0), 300));
    }
    auto bad = data;
    bad.values[12] = std::numeric_limits<float>::quiet_NaN();
    CHECK_THROWS_AS(trawl::flat_index::over(bad), trawl::error);
    auto const owner = std::make_shared<int>(1);
    {
        auto const shared = trawl::flat_index::over(data, trawl::metric::cosine, owner);
        CHECK(owner.use_count() == 2);
    }
    CHECK(owner.use_count() == 1);
    auto const nothing = trawl::flat_index::over({nullptr, 0, 3});
    CHECK(nothing.search(std::vector<float>{1, 2, 3}, 3).empty());
}

TEST_CASE("search_above finds every document of at least a score", "[dense][flat_index][range]") {
    trawl::detail::random random(34);
    trawl::thread_executor const threads(2);
    for (auto const how : metrics) {
        trawl::flat_index index(5, how);
        index.add_all(tied_matrix(random, 3000, 5));
        auto const query = tied_matrix(random, 1, 5);
        auto const all = index.search(query.row(0), 3000);
        trawl::doc_set allowed(3000);
        for (trawl::doc_id id = 0; id < 3000; id += 3) allowed.insert(id);
        for (float const least :
            {all.front().score, all[100].score, 0.0f, -1.0f, all.back().score, 1e30f}) {
            trawl::ranking expected, filtered;
            for (auto const& h : all) {
                if (h.score < least) continue;
                expected.push_back(h);
                if (allowed.contains(h.id)) filtered.push_back(h);
            }
            CAPTURE(trawl::name_of(how), least);
            CHECK(index.search_above({.vector = query.row(0)}, least) == expected);
            CHECK(index.search_above({.vector = query.row(0)}, least, {.where = allowed})
                  == filtered);
            CHECK(index.search_above({.vector = query.row(0)}, least, {.executor = &threads})
                  == expected);
        }
        CHECK(index.search_above({.text = "words"}, 0).empty());
        CHECK_THROWS_AS(
            index.search_above({.vector = query.row(0)}, std::numeric_limits<float>::quiet_NaN()),
            trawl::error);
    }
}

TEST_CASE("every batch size gives the rankings of one by one", "[dense][flat_index][batch]") {
    trawl::detail::random random(35);
    trawl::thread_executor const threads(3);
    for (auto const how : metrics) {
        for (std::size_t const dim : {1u, 17u, 100u, 600u}) {
            trawl::flat_index index(dim, how);
            index.add_all(random_matrix(random, 1100, dim));
            index.add_all(tied_matrix(random, 100, dim));
            auto const queries = random_matrix(random, 34, dim);
            std::vector<trawl::ranking> one_by_one;
            for (std::size_t i = 0; i < queries.rows; ++i)
                one_by_one.push_back(index.search(queries.row(i), 12));
            for (std::size_t n = 1; n <= queries.rows; n += n < 10 ? 1 : 8) {
                CAPTURE(trawl::name_of(how), dim, n);
                trawl::matrix_view<float const> const batch{queries.values.data(), n, dim};
                auto const expected = std::vector(
                    one_by_one.begin(), one_by_one.begin() + static_cast<std::ptrdiff_t>(n));
                CHECK(index.search(batch, {.k = 12}) == expected);
                CHECK(index.search(batch, {.k = 12, .executor = &threads}) == expected);
            }
        }
    }
}

TEST_CASE(
    "half-sized elements give the scores of the rounded vectors, to the bit", "[dense][element]") {
    auto const check = [](auto element, float value, float stored) {
        CAPTURE(value);
        CHECK(
            trawl::detail::as_float(trawl::detail::stored_as<decltype(element)>(value)) == stored);
    };
    check(trawl::bfloat16{}, 1.00390625f, 1.0f);      // 1 + 2^-8, half way: to even
    check(trawl::bfloat16{}, 1.01171875f, 1.015625f); // 1 + 3 * 2^-8: to even, upwards
    check(trawl::bfloat16{}, -3.3e38f, -0x1.F0p127f);
    check(trawl::float16{}, 1.00048828125f, 1.0f); // 1 + 2^-11
    check(trawl::float16{}, 65519.0f, 65504.0f);
    check(trawl::float16{}, 0x1p-24f, 0x1p-24f); // the least
    check(trawl::float16{}, 0x1p-25f, 0.0f);     // half of it: to even
    check(trawl::float16{}, 0x1.8p-25f, 0x1p-24f);
    check(trawl::float16{}, 0x1.FFEp-15f, 0x1p-14f); // up to a normal number
    check(trawl::float16{}, -0x1.004p-14f, -0x1.004p-14f);

    trawl::detail::random random(36);
    auto const run = [&](auto element, float scale) {
        using type = decltype(element);
        for (auto const how : metrics) {
            for (std::size_t const dim : {1u, 9u, 40u, 384u}) {
                auto data = random_matrix(random, 400, dim);
                for (auto& v : data.values) v *= scale;
                auto rounded = data;
                for (auto& v : rounded.values)
                    v = trawl::detail::as_float(trawl::detail::stored_as<type>(v));
                trawl::basic_flat_index<type> narrow(dim, how);
                trawl::flat_index wide(dim, how);
                narrow.add_all(data);
                wide.add_all(rounded);
                auto const queries = random_matrix(random, 6, dim);
                CAPTURE(trawl::name_of(how), dim);
                CHECK(narrow.search(queries, {.k = 20}) == wide.search(queries, {.k = 20}));
                CHECK(narrow.search(queries.row(0), 400) == wide.search(queries.row(0), 400));
                auto const tree = narrow.explain({.vector = queries.row(0)}, 3);
                CHECK((trawl::adds_up(tree)
                       && tree.value == wide.explain({.vector = queries.row(0)}, 3).value));
                std::vector<float> out(dim);
                CHECK(narrow.copy_vector(5, out));
                CHECK(std::equal(out.begin(), out.end(), rounded.row(5).begin()));
            }
        }
    };
    run(trawl::bfloat16{}, 1);
    run(trawl::float16{}, 1);
    run(trawl::bfloat16{}, 1e30f);
    run(trawl::float16{}, 1e-6f);
    trawl::float16_index index(1);
    CHECK_THROWS_AS(index.add(std::vector<float>{70000}), trawl::error);
    CHECK(index.add(std::vector<float>{65504}) == 0);
}
