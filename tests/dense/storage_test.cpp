// SPDX-License-Identifier: MIT
#include <trawl/dense/storage.hpp>

#include <unistd.h>

#include <filesystem>
#include <string>

#include <trawl/storage/file.hpp>

#include "dense/support.hpp"
#include "support/catch.hpp"
#include "support/damaged.hpp"

namespace {

std::string const path = (std::filesystem::temp_directory_path()
                          / ("trawl_dense_storage_test_" + std::to_string(getpid())))
                             .string();

template <class Index>
void check_round_trip(Index index, std::size_t dim) {
    trawl::detail::random random(41);
    auto const query = random_matrix(random, 1, dim);
    trawl::save(index, path);
    auto const bytes = trawl::read_file(path);
    for (bool const copy : {false, true}) {
        auto again = trawl::open<Index>(path, {.copy = copy, .verify = trawl::verification::all});
        CHECK(again.search(query.row(0), 100) == index.search(query.row(0), 100));
        CHECK((again.size() == index.size() && again.next_id() == index.next_id()));
        trawl::save(again, path);
        CHECK(trawl::read_file(path) == bytes);
        // It can be changed; the file stays.
        auto changed = index;
        for (auto* const one : {&again, &changed}) {
            CHECK(one->add(query.row(0)) == index.next_id());
            CHECK(one->update(1, query.row(0)));
            CHECK(one->erase(5));
            one->compact();
        }
        CHECK(again.search(query.row(0), 100) == changed.search(query.row(0), 100));
        CHECK(trawl::read_file(path) == bytes);
    }
    std::filesystem::remove(path);
}

} // namespace

TEST_CASE(
    "an index that was saved and opened is the one in memory, to the bit", "[dense][storage]") {
    trawl::detail::random random(40);
    auto const data = random_matrix(random, 400, 40);
    for (auto const how :
        {trawl::metric::cosine, trawl::metric::dot_product, trawl::metric::euclidean}) {
        CAPTURE(trawl::name_of(how));
        auto const filled = [&](auto index) {
            for (trawl::doc_id i = 0; i < 400; ++i) index.add(i + i / 100, data.row(i));
            for (trawl::doc_id id = 0; id < 403; id += 10) index.erase(id);
            index.erase(402);
            return index;
        };
        check_round_trip(filled(trawl::flat_index(40, how)), 40);
        check_round_trip(filled(trawl::bfloat16_index(40, how)), 40);
        check_round_trip(filled(trawl::float16_index(40, how)), 40);
        for (bool const keep_full : {true, false}) {
            trawl::quantised_options const options{
                .metric = how, .candidates = 50, .keep_full = keep_full};
            check_round_trip(filled(trawl::int8_index(40, options)), 40);
            check_round_trip(filled(trawl::one_bit_index(40, options)), 40);
        }
    }
}

TEST_CASE("an empty index is saved and opened", "[dense][storage]") {
    trawl::save(trawl::flat_index(3), path);
    auto index = trawl::open<trawl::flat_index>(path);
    float const v[] = {1, 2, 3};
    CHECK((index.search(v, 3).empty() && index.add(v) == 0));
    trawl::save(trawl::one_bit_index(3), path);
    CHECK(trawl::open<trawl::one_bit_index>(path).size() == 0);
    CHECK_THROWS_AS(trawl::open<trawl::flat_index>(path), trawl::error);
    CHECK_THROWS_AS(trawl::open<trawl::int8_index>(path), trawl::error);
    std::filesystem::remove(path);
}

TEST_CASE("a damaged file is an error or stays in bounds, whichever byte it is",
    "[dense][storage][errors]") {
    trawl::detail::random random(42);
    trawl::one_bit_index index(20, {.candidates = 10});
    index.add_all(random_matrix(random, 300, 20));
    trawl::save(index, path);
    auto const good = trawl::read_file(path);
    auto const query = random_matrix(random, 1, 20);
    for (int round = 0; round < 400; ++round) {
        auto const bad = support::damaged(good, round, random);
        trawl::write_file(path, bad);
        try {
            auto const opened = trawl::open<trawl::one_bit_index>(path);
            CHECK(opened.search(query.row(0), 20).size() <= opened.size());
        } catch (trawl::error const& e) {
            CHECK(std::string(e.what()).starts_with(path));
        }
        if (bad != good)
            CHECK_THROWS_AS(
                trawl::open<trawl::one_bit_index>(path, {.verify = trawl::verification::all}),
                trawl::error);
    }
    std::filesystem::remove(path);
}
