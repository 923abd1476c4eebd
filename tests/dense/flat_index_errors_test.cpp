// SPDX-License-Identifier: MIT
#include <trawl/dense/flat_index.hpp>

#include <cmath>
#include <limits>
#include <string>

#include "support/catch.hpp"

namespace {

template <class Call>
void check_error(trawl::errc code, std::string const& what, Call&& call) {
    try {
        call();
        FAIL("no error; expected: " << what);
    } catch (trawl::error const& e) {
        CHECK(e.what() == what);
        CHECK(e.code() == code);
    }
}

constexpr auto not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr auto infinity = std::numeric_limits<float>::infinity();
using matrix = trawl::matrix_view<float const>;

} // namespace

TEST_CASE(
    "bad arguments are errors that name them, and change nothing", "[dense][flat_index][errors]") {
    using trawl::errc;
    check_error(errc::invalid_argument, "flat_index: dim must be > 0, is 0",
        [] { trawl::flat_index index(0); });

    trawl::flat_index index(3);
    float const good[] = {1, 2, 3, 4, 5, 6};
    auto const v = std::span(good).first(3);
    index.add(7, v);
    float const bad[] = {1, 2, 3, 1, not_a_number, 3};
    float const endless[] = {1, 2, -infinity};

    check_error(errc::dimension_mismatch, "flat_index::add: the vector has 6 values, the index 3",
        [&] { index.add(good); });
    check_error(errc::dimension_mismatch, "flat_index::add: the vector has 0 values, the index 3",
        [&] { index.add(std::span<float const>{}); });
    check_error(
        errc::dimension_mismatch, "flat_index::add_all: row 0 has 2 values, the index 3", [&] {
            index.add_all(matrix{good, 3, 2});
        });
    check_error(errc::not_finite, "flat_index::add_all: value 1 of row 1 is nan", [&] {
        index.add_all(matrix{bad, 2, 3});
    });
    check_error(errc::not_finite, "flat_index::add: value 2 of the vector is -inf",
        [&] { index.add(endless); });
    check_error(
        errc::id_order, "flat_index::add: id 7 is below the next id 8", [&] { index.add(7, v); });
    check_error(errc::invalid_argument,
        "flat_index::add: id 4294967295 is no_doc, which is never a document",
        [&] { index.add(trawl::no_doc, v); });
    CHECK((index.size() == 1 && index.next_id() == 8));
    CHECK(index.search(v, 9) == trawl::ranking{{7, 1}});

    trawl::doc_id const id = 7;
    trawl::query const short_query{.vector = std::span(good).first(2)};
    trawl::query const nan_query{.vector = std::span(bad).last(3)};
    check_error(errc::dimension_mismatch,
        "flat_index::search: the query's vector has 2 values, the index 3",
        [&] { (void)index.search(short_query, {}); });
    check_error(errc::dimension_mismatch,
        "flat_index::search: the query's vector has 0 values, the index 3",
        [&] { (void)index.search(std::span<float const>{}, 5); });
    check_error(errc::not_finite, "flat_index::search: value 1 of the query's vector is nan",
        [&] { (void)index.search(nan_query, {.k = 0}); });
    check_error(errc::not_finite, "flat_index::search: value 1 of query 1 is nan", [&] {
        (void)index.search(matrix{bad, 2, 3}, {});
    });
    check_error(
        errc::dimension_mismatch, "flat_index::search: query 0 has 6 values, the index 3", [&] {
            (void)index.search(matrix{bad, 1, 6}, {});
        });
    check_error(errc::not_finite, "flat_index::score: value 1 of the query's vector is nan", [&] {
        (void)index.score(nan_query, {&id, 1});
    });
    check_error(errc::dimension_mismatch,
        "flat_index::explain: the query's vector has 2 values, the index 3",
        [&] { (void)index.explain(short_query, 7); });
    float out[2];
    check_error(errc::dimension_mismatch, "flat_index::copy_vector: out has 2 values, the index 3",
        [&] { (void)index.copy_vector(7, out); });
}

TEST_CASE("a query is checked even where the index is empty", "[dense][flat_index][errors]") {
    trawl::flat_index const index(1);
    float const bad[] = {not_a_number};
    CHECK_THROWS_AS(index.search(bad, 1), trawl::error);
}

TEST_CASE("no id follows the last one", "[dense][flat_index][errors]") {
    trawl::flat_index index(1);
    float const v[] = {1};
    index.add(trawl::no_doc - 1, v);
    CHECK_THROWS_AS(index.add(v), trawl::error);
    CHECK_THROWS_AS(index.add_all(matrix{v, 1, 1}), trawl::error);
    CHECK(index.size() == 1);
}
