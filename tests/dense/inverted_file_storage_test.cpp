// SPDX-License-Identifier: MIT
#include <trawl/dense/inverted_file_storage.hpp>

#include <unistd.h>

#include <cstdio>
#include <string>

#include <trawl/storage/file.hpp>

#include "dense/support.hpp"
#include "support/catch.hpp"
#include "support/damaged.hpp"

namespace {

std::string const path = "trawl_inverted_storage_test_" + std::to_string(getpid());

trawl::inverted_file_index made(trawl::metric how, bool trained) {
    trawl::detail::random random(50);
    trawl::inverted_file_index index(
        20, {.metric = how, .probes = 3, .candidates = 30, .seed = 5, .margin = 0.25});
    auto const data = random_matrix(random, 300, 20);
    for (trawl::doc_id i = 0; i < 300; ++i) index.add(i + i / 100, data.row(i));
    if (trained) index.train(10);
    for (trawl::doc_id id = 0; id < 200; id += 10) index.erase(id);
    // to another list
    for (trawl::doc_id id = 1; id < 200; id += 10) index.update(id, data.row(299 - id));
    return index;
}

} // namespace

TEST_CASE("lists that were saved and opened are those in memory, to the bit",
    "[dense][inverted][storage]") {
    trawl::detail::random random(51);
    auto const query = random_matrix(random, 1, 20);
    for (auto const how :
        {trawl::metric::cosine, trawl::metric::dot_product, trawl::metric::euclidean}) {
        for (bool const trained : {false, true}) {
            CAPTURE(trawl::name_of(how), trained);
            auto index = made(how, trained);
            trawl::save(index, path);
            auto const bytes = trawl::read_file(path);
            auto again =
                trawl::open<trawl::inverted_file_index>(path, {.verify = trawl::verification::all});
            CHECK((again.trained() == trained && again.lists() == index.lists()
                   && again.size() == index.size()));
            CHECK((again.options().probes == 3 && again.options().margin == 0.25));
            CHECK(again.search(query.row(0), 300) == index.search(query.row(0), 300));
            trawl::save(again, path);
            CHECK(trawl::read_file(path) == bytes);
            for (auto* const one : {&again, &index}) { // it can be changed
                CHECK(one->add(query.row(0)) == 302);
                CHECK(one->update(2, query.row(0)));
                CHECK(one->erase(5));
                one->compact();
            }
            CHECK(again.search(query.row(0), 300) == index.search(query.row(0), 300));
        }
    }
    std::remove(path.c_str());
}

TEST_CASE("a damaged file of lists is an error or stays in bounds",
    "[dense][inverted][storage][errors]") {
    trawl::detail::random random(52);
    trawl::save(made(trawl::metric::cosine, true), path);
    auto const good = trawl::read_file(path);
    auto const query = random_matrix(random, 1, 20);
    for (int round = 0; round < 300; ++round) {
        auto const bad = support::damaged(good, round, random);
        trawl::write_file(path, bad);
        try {
            auto opened = trawl::open<trawl::inverted_file_index>(path);
            CHECK(opened.search(query.row(0), 20).size() <= opened.size());
            opened.compact();
            CHECK(opened.search(query.row(0), 300).size() <= opened.size());
        } catch (trawl::error const& e) {
            CHECK(std::string(e.what()).starts_with(path));
        }
    }
    std::remove(path.c_str());
}
