// SPDX-License-Identifier: MIT
// Memory runs out at every allocation of every call that changes a dense index: nothing changes.
#include <trawl/dense/inverted_file_index.hpp>
#include <trawl/dense/maxsim_index.hpp>
#include <trawl/dense/quantised_index.hpp>

#include "support/failing_new.hpp"

#include "dense/support.hpp"
#include "support/catch.hpp"

namespace {

constexpr std::size_t dim = 20;

matrix const& data() {
    static matrix const made = [] {
        trawl::detail::random random(81);
        return random_matrix(random, 320, dim);
    }();
    return made;
}

trawl::matrix_view<float const> rows(std::size_t first, std::size_t count) {
    return {data().row(first).data(), count, dim};
}

// What an index answers.
struct answers {
    std::size_t size;
    trawl::doc_id next_id;
    trawl::ranking first, second;
    friend bool operator==(answers const&, answers const&) = default;
};

template <class Index>
answers asked(Index const& index) {
    return {index.size(), index.next_id(), index.search({.vector = data().row(0)}, {.k = 400}),
        index.search({.vector = data().row(7)}, {.k = 5})};
}

answers asked(trawl::maxsim_index const& index) {
    return {index.size(), index.next_id(), index.search({.token_vectors = rows(0, 3)}, {.k = 400}),
        index.search({.token_vectors = rows(7, 2)}, {.k = 5})};
}

// Each call that changes an index either does, or fails and leaves it as it was; then the same call
// works.
template <class Index, class Change>
void check(Index const& original, Change change) {
    auto const before = asked(original);
    auto changed = original;
    change(changed);
    auto const after = asked(changed);
    support::fail_each_allocation([&] { return original; }, change,
        [&](Index& index, bool done) {
            if (asked(index) != (done ? after : before)) FAIL("the index is neither old nor new");
            if (done) return;
            change(index);
            if (asked(index) != after) FAIL("the call that failed left something behind");
        });
}

template <class Index>
void check_all(Index const& index) {
    trawl::doc_id const one = 3;
    check(index, [](Index& i) { i.add(rows(300, 1).row(0)); });
    check(index, [&](Index& i) { i.add(i.next_id() + 5, rows(301, 1).row(0)); });
    check(index, [](Index& i) { i.add_all(rows(290, 30)); });
    check(index, [&](Index& i) { static_cast<void>(i.update(one, rows(302, 1).row(0))); });
    check(index, [&](Index& i) { static_cast<void>(i.erase(one)); });
    check(index, [](Index& i) { i.compact(); });
}

template <class Index>
Index filled(Index index, std::size_t count) {
    index.add_all(rows(0, count));
    index.erase(5);
    index.erase(17);
    return index;
}

} // namespace

TEST_CASE("flat indexes keep the strong guarantee", "[dense][memory]") {
    check_all(filled(trawl::flat_index(dim), 64));
    check_all(filled(trawl::bfloat16_index(dim), 64));
    check_all(filled(trawl::float16_index(dim, trawl::metric::euclidean), 63));
    auto borrowed = trawl::flat_index::over(rows(0, 60));
    check_all(borrowed);
}

TEST_CASE("quantised indexes keep the strong guarantee, before, at and after their sample",
    "[dense][memory]") {
    for (bool const keep_full : {true, false}) {
        for (std::size_t const count : {100u, 255u, 256u}) {
            CAPTURE(keep_full, count);
            trawl::quantised_options const options{.candidates = 20, .keep_full = keep_full};
            check_all(filled(trawl::int8_index(dim, options), count));
            check_all(filled(trawl::one_bit_index(dim, options), count));
        }
    }
    check(filled(trawl::int8_index(dim, {.candidates = 20}), 280),
        [](trawl::int8_index& index) { index.train(); });
}

TEST_CASE("inverted files keep the strong guarantee", "[dense][memory]") {
    auto index = filled(trawl::inverted_file_index(dim, {.probes = 2, .candidates = 20}), 128);
    check(index, [](trawl::inverted_file_index& i) { i.train(6); });
    check_all(index);
    index.train(6);
    check_all(index);
    for (trawl::doc_id id = 0; id < 125; ++id) index.erase(id); // more lists than documents
    check(index, [](trawl::inverted_file_index& i) { i.compact(); });
}

TEST_CASE("late interaction keeps the strong guarantee", "[dense][memory]") {
    trawl::maxsim_index index(dim);
    for (std::size_t i = 0; i < 16; ++i) index.add(rows(3 * i, 3));
    index.erase(2);
    check(index, [](trawl::maxsim_index& i) { i.add(rows(100, 4)); });
    check(index, [](trawl::maxsim_index& i) { i.add(i.next_id() + 2, rows(100, 4)); });
    check(index, [](trawl::maxsim_index& i) {
        trawl::matrix_view<float const> const two[] = {rows(100, 4), rows(104, 2)};
        i.add_all(two);
    });
    check(index, [](trawl::maxsim_index& i) { static_cast<void>(i.update(3, rows(110, 5))); });
    check(index, [](trawl::maxsim_index& i) { static_cast<void>(i.erase(3)); });
    check(index, [](trawl::maxsim_index& i) { i.compact(); });
}
