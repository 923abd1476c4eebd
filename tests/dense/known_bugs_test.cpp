// SPDX-License-Identifier: MIT
// What users of other engines reported, by the number of ../shared/anchors/dense.md, section 3; and
// where the test is: 1, 2 filters and erasure return fewer than k flat_index_test,
// inverted_file_index_test, here 3, 6 capacity, threads beyond the slots here 4 crafted files
// storage_test, fuzz/dense_files 5 duplicates that trap inverted_file_index_test 7 erased documents
// come back flat_index_test, here 8, 15 k beyond the rows, k above 4096 here 9, 10 cosines of zero
// vectors and of themselves similarity_test, kernels_test 11 NaN, ids of -1, empty indexes
// flat_index_errors_test, here 12 scores that depend on the batch flat_index_test,
// flat_index_update_test 13 filters ignored or of little recall here 14 illegal instructions
// dispatch_test 16 one query on several threads, Matryoshka flat_index_test, quantised_index_test
#include <trawl/dense/inverted_file_index.hpp>
#include <trawl/dense/quantised_index.hpp>

#include <thread>

#include <trawl/core/thread_executor.hpp>

#include "dense/support.hpp"
#include "support/catch.hpp"

namespace {

using trawl::doc_id;

matrix rows_of(std::size_t rows, std::uint64_t seed) {
    trawl::detail::random random(seed);
    auto made = random_matrix(random, rows, 24);
    for (auto& v : made.values) v += 0.2f;
    return made;
}

void prepare(trawl::inverted_file_index& index) { index.train(40); }
template <class Index>
void prepare(Index&) {}

template <class Index>
void check() {
    auto const data = rows_of(6000, 1);
    auto const queries = rows_of(24, 2);
    Index index(24);
    // 11: faiss#3830: an empty index, 20 queries and more.
    CHECK(index.search(queries, {.k = 5}) == std::vector<trawl::ranking>(24));
    // 3: no capacity to reserve.
    for (std::size_t i = 0; i < data.rows; ++i) index.add(data.row(i));
    prepare(index);

    // 8, 15: every row, once, in order, for k above all limits.
    for (auto const& hits : index.search({queries.values.data(), 3, 24}, {.k = 100'000})) {
        CHECK(hits.size() == 6000);
        CHECK(std::is_sorted(hits.begin(), hits.end(), trawl::by_rank{}));
    }

    // 13, 1: a filter of 1 % is obeyed and finds what an exact search finds.
    trawl::doc_set some(6000);
    for (doc_id id = 5; id < 6000; id += 100) some.insert(id);
    trawl::flat_index exact(24);
    exact.add_all(data);
    for (std::size_t q = 0; q < queries.rows; ++q)
        CHECK(index.search(queries.row(q), 10, some) == exact.search(queries.row(q), 10, some));

    // 6: more threads than anyone planned for, each with an executor of its own.
    auto const alone = index.search(queries.row(0), 10);
    std::vector<trawl::ranking> found(8);
    std::vector<std::thread> threads;
    for (auto& f : found) {
        threads.emplace_back([&] {
            trawl::thread_executor const two(2);
            f = index.search({.vector = queries.row(0)}, {.k = 10, .executor = &two});
        });
    }
    for (auto& thread : threads) thread.join();
    CHECK(found == std::vector(8, alone));

    // 7, 1: erased ones are gone, even where k is all that is left.
    for (doc_id id = 0; id < 6000; ++id) {
        if (id % 60 != 0) CHECK(index.erase(id));
    }
    auto const rest = index.search(queries.row(0), 6000);
    CHECK((rest.size() == 100 && index.size() == 100));
    for (auto const& h : rest) CHECK(h.id % 60 == 0);
    CHECK(index.search(queries.row(0), 10).size() == 10);
    CHECK(index.search(queries.row(0), 10, some).empty()); // 5, 105, ...: none is left
}

} // namespace

TEST_CASE("what broke elsewhere holds in every index", "[dense][known]") {
    check<trawl::int8_index>();
    check<trawl::one_bit_index>();
    check<trawl::inverted_file_index>();
}
