// SPDX-License-Identifier: MIT
// Files whose checksums are right and whose contents are not: an error that names the path, or
// results that keep the laws.
#include <trawl/dense/inverted_file_storage.hpp>
#include <trawl/dense/storage.hpp>

#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <trawl/detail/floating_point.hpp>

#include "support/file_sections.hpp"

#include "dense/support.hpp"
#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

std::string const path = (std::filesystem::temp_directory_path()
                          / ("trawl_dense_hostile_test_" + std::to_string(getpid())))
                             .string();

constexpr std::size_t dim = 12;
constexpr auto infinity = std::numeric_limits<float>::infinity();
constexpr auto not_a_number = std::numeric_limits<float>::quiet_NaN();

template <class Index>
Index filled(std::size_t count = 300) {
    trawl::detail::random random(3);
    Index index(dim);
    index.add_all(random_matrix(random, count, dim));
    if constexpr (std::is_same_v<Index, trawl::inverted_file_index>) index.train(9);
    return index;
}

bool take_bit(std::vector<std::byte>& words, std::size_t i) {
    auto const bit = std::byte{1} << i % 8;
    bool const was = (words[i / 8] & bit) != std::byte{0};
    words[i / 8] &= ~bit;
    return was;
}

// The saved file of filled(), in which every seventh row is erased but still there: files that
// version 0.1 wrote may be so.
support::file_sections saved_with_erased_rows() {
    auto made = support::file_sections::of(path);
    auto const lives = [&](std::size_t row) { return row % 7 != 0; };
    for (std::size_t row = 0; row < 300; ++row) {
        if (!lives(row)) CHECK(take_bit(made["live"], row));
    }
    if (made.kind != "inverted_file") return made;
    std::size_t entry = 0, word = 0;
    for (std::size_t l = 0; l < made["list sizes"].size() / 8; ++l) {
        std::uint64_t size = 0;
        std::memcpy(&size, made["list sizes"].data() + 8 * l, 8);
        for (std::size_t i = 0; i < size; ++i, ++entry) {
            std::uint32_t row = 0;
            std::memcpy(&row, made["list rows"].data() + 4 * entry, 4);
            if (!lives(row)) CHECK(take_bit(made["list live"], 64 * word + i));
        }
        word += (size + 63) / 64;
    }
    return made;
}

// What holds of every answer, whatever the file.
template <class Index>
void check_answers(Index const& index, trawl::query const& q) {
    trawl::doc_set some(400);
    for (trawl::doc_id id = 0; id < 400; id += 3) some.insert(id);
    for (auto const* const where :
        {static_cast<trawl::doc_set const*>(nullptr), static_cast<trawl::doc_set const*>(&some)}) {
        for (std::size_t const k : {1u, 7u, 1000u}) {
            auto const hits = index.search(
                q, {.k = k, .where = where == nullptr ? trawl::filter() : trawl::filter(*where)});
            CHECK(hits.size() <= (std::min)(k, index.size()));
            for (std::size_t i = 0; i < hits.size(); ++i) {
                bool const good = trawl::detail::is_finite(hits[i].score)
                                  && (where == nullptr || where->contains(hits[i].id))
                                  && (i == 0 || trawl::by_rank{}(hits[i - 1], hits[i]));
                if (!good) FAIL("hit " << i << " breaks a law");
            }
        }
    }
    std::vector<trawl::doc_id> ids;
    for (trawl::doc_id id = 0; id < 320; ++id) ids.push_back(id);
    for (auto const& h : index.score(q, ids)) {
        CHECK(trawl::detail::is_finite(h.score));
        CHECK(trawl::adds_up(index.explain(q, h.id)));
    }
}

template <class Index>
void check_damaged(int rounds) {
    auto made = filled<Index>();
    trawl::save(made, path);
    auto const good = saved_with_erased_rows();
    good.write(path);
    for (trawl::doc_id id = 0; id < 300; id += 7) made.erase(id);
    auto const whole = trawl::open<Index>(path);
    CHECK(whole.search(std::vector<float>(dim, 0.5f), 300)
          == made.search(std::vector<float>(dim, 0.5f), 300));
    trawl::detail::random random(9);
    std::vector<float> const query(dim, 0.5f);
    int opened = 0;
    for (int round = 0; round < rounds; ++round) {
        CAPTURE(round);
        auto bad = good;
        bad.damage(random);
        bad.write(path);
        try {
            auto index = trawl::open<Index>(path, {.verify = trawl::verification::all});
            ++opened;
            if (index.dim() != dim) continue;
            check_answers(index, {.vector = query});
            for (trawl::doc_id id = 1; id < 300; id += 2) index.erase(id);
            try {
                index.compact();
            } catch (trawl::error const& e) { // codes are not learnt from damaged vectors
                CHECK(e.code() == trawl::errc::corrupt);
                CHECK(std::string(e.what()).starts_with("quantised_index::compact: "));
            }
            check_answers(index, {.vector = query});
        } catch (trawl::error const& e) {
            CAPTURE(e.what());
            CHECK(std::string(e.what()).starts_with(path));
        }
    }
    CHECK(opened > 0);
    std::filesystem::remove(path);
}

} // namespace

TEST_CASE("any change of any section is an error or keeps the laws", "[dense][storage][errors]") {
    check_damaged<trawl::flat_index>(150);
    check_damaged<trawl::bfloat16_index>(150);
    check_damaged<trawl::int8_index>(150);
    check_damaged<trawl::one_bit_index>(150);
    check_damaged<trawl::inverted_file_index>(150);
}

TEST_CASE("ids of files ascend", "[dense][storage][errors]") {
    trawl::save(filled<trawl::flat_index>(), path);
    auto const good = support::file_sections::of(path);
    for (auto const id : {9u, 12u}) { // row 10's: the one before, and the one behind the next
        auto bad = good;
        bad.set<trawl::doc_id>("ids", 10, id);
        bad.write(path);
        auto const error =
            support::error_of([] { static_cast<void>(trawl::open<trawl::flat_index>(path)); });
        CHECK((error.code == trawl::errc::corrupt && error.text.starts_with(path)));
        CHECK((error.names("ids must ascend")));
    }
    std::filesystem::remove(path);
}

TEST_CASE("values that are not finite are no scores, and no vectors", "[dense][storage][errors]") {
    // bfloat16: 0x7F80 is infinity. Lengths say that all rows are ordinary.
    trawl::bfloat16_index halves(dim, trawl::metric::dot_product);
    trawl::detail::random random(4);
    halves.add_all(random_matrix(random, 100, dim));
    trawl::save(halves, path);
    auto bad = support::file_sections::of(path);
    bad.set<std::uint16_t>("vectors", 5 * dim, 0x7F80);
    bad.write(path);
    auto const index = trawl::open<trawl::bfloat16_index>(path);
    std::vector<float> const query(dim, 1.0f);
    CHECK(index.search(query, 100).size() == 99);
    check_answers(index, {.vector = query});

    for (float const value : {infinity, -infinity, not_a_number}) {
        trawl::save(filled<trawl::flat_index>(), path);
        auto flat = support::file_sections::of(path);
        flat.set<float>("vectors", 5 * dim + 1, value);
        flat.write(path);
        auto const damaged = trawl::open<trawl::flat_index>(path);
        trawl::doc_id const id = 5;
        CHECK(damaged.score({.vector = query}, {&id, 1}).empty());
        CHECK(damaged.explain({.vector = query}, id).value == 0);
        std::vector<float> out(dim);
        CHECK(
            support::error_of([&] { damaged.copy_vector(id, out); }).code == trawl::errc::corrupt);
        CHECK(damaged.search(query, 300).size() == damaged.size() - 1);
    }
    std::filesystem::remove(path);
}

TEMPLATE_TEST_CASE("codes and lists are not learnt from damaged vectors",
    "[dense][storage][errors]", trawl::inverted_file_index, trawl::int8_index,
    trawl::one_bit_index) {
    // Finite, too: the file gives the vector another length, so that sums overflow.
    for (float const value : {infinity, not_a_number, 1e38f, 40.0f}) {
        CAPTURE(value);
        trawl::save(filled<TestType>(), path);
        auto bad = support::file_sections::of(path);
        bad.set<float>("vectors", 5 * dim + 1, value);
        bad.write(path);
        auto index = trawl::open<TestType>(path);
        std::vector<float> const query(dim, 1.0f);
        auto const before = index.search(query, 20);
        auto const error = support::error_of([&] { index.train(); });
        CHECK(error.code == trawl::errc::corrupt);
        CHECK((error.names("train") && error.names("document 5")));
        CHECK(index.search(query, 20) == before);
        index.erase(5);
        index.train();
        index.compact();
        trawl::save(index, path);
        CHECK(trawl::open<TestType>(path).search(query, 20) == index.search(query, 20));
    }
    std::filesystem::remove(path);
}

TEST_CASE("codes are not begun with damaged vectors", "[dense][storage][errors]") {
    trawl::int8_index made(dim);
    trawl::detail::random random(6);
    made.add_all(random_matrix(random, 255, dim));
    trawl::save(made, path);
    auto bad = support::file_sections::of(path);
    bad.set<float>("vectors", 5 * dim, infinity);
    bad.write(path);
    auto index = trawl::open<trawl::int8_index>(path);
    auto const error =
        support::error_of([&] { index.add(std::vector<float>(dim, 1.0f)); }); // the 256th
    CHECK(error.code == trawl::errc::corrupt);
    CHECK((error.names("add") && error.names("value 0 of document 5")));
    CHECK(index.size() == 255);
    std::filesystem::remove(path);
}

TEST_CASE("lists without rows take no memory", "[dense][storage][errors]") {
    trawl::inverted_file_index index(1, {.metric = trawl::metric::euclidean});
    float const ten[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    index.add_all({ten, 10, 1});
    index.train(3);
    trawl::save(index, path);
    auto many = support::file_sections::of(path);
    many["means"].resize(std::size_t{4} * 1'000'000);
    many["list sizes"].resize(std::size_t{8} * 1'000'000);
    many.write(path);
    auto const opened = trawl::open<trawl::inverted_file_index>(path);
    CHECK(opened.lists() == 3);
    float const query[] = {4.2f};
    CHECK(opened.search(query, 10) == index.search(query, 10));
    std::filesystem::remove(path);
}

TEST_CASE("int8 files of version 2, whose codes have no centre, are read", "[dense][storage]") {
    trawl::int8_index made(dim, {.candidates = 300});
    trawl::detail::random random(5);
    made.add_all(random_matrix(random, 300, dim));
    trawl::save(made, path);
    auto old = support::file_sections::of(path);
    CHECK(old.version == 3);
    old.version = 2;
    old["centre"].clear();
    old.write(path);
    auto const index = trawl::open<trawl::int8_index>(path);
    // As many candidates as documents: the scores do not depend on the codes.
    std::vector<float> const query(dim, 0.5f);
    CHECK(index.search(query, 300) == made.search(query, 300));
    std::filesystem::remove(path);
}
