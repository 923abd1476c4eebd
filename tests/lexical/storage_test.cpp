// SPDX-License-Identifier: MIT
// A saved index opened again is the same index, to the bit; whatever the bytes of a file, nothing outside is
// read.
#include <trawl/lexical/storage.hpp>

#include <trawl/detail/random.hpp>
#include <trawl/text/whitespace_analyzer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace fs = std::filesystem;
using index_type = trawl::basic_bm25_index<trawl::whitespace_analyzer>;
using support::error_of;

namespace {

struct folder {
    folder() { fs::create_directories("storage_test.tmp"); }
    folder(folder const&) = delete;
    folder& operator=(folder const&) = delete;
    ~folder() { fs::remove_all("storage_test.tmp"); }
};

std::string const path = "storage_test.tmp/a";

std::string random_text(trawl::detail::random& random) {
    std::string text;
    for (auto left = random.below(20); left > 0; --left) {
        text += 'w';
        text += std::to_string(random.below(1 + random.below(60)));
        text += ' ';
    }
    return text;
}

index_type random_index(trawl::detail::random& random) {
    trawl::bm25 parameters{.k1 = random.uniform() * 3, .b = random.uniform()};
    if (random.below(2) == 0) parameters.variant = trawl::bm25_variant::bm25plus;
    if (random.below(2) == 0) parameters.delta = random.uniform();
    index_type index(parameters);
    auto const gaps = random.below(2) == 0;
    for (auto left = random.below(800); left > 0; --left) {
        auto const id = index.next_id() + static_cast<trawl::doc_id>(gaps ? random.below(3) : 0);
        index.add(id, random_text(random));
        if (random.below(10) == 0) index.erase(static_cast<trawl::doc_id>(random.below(index.next_id())));
    }
    return index;
}

void check_same(index_type const& a, index_type const& b, trawl::detail::random& random) {
    CHECK(a.size() == b.size());
    CHECK(a.next_id() == b.next_id());
    CHECK(a.parameters() == b.parameters());
    for (int i = 0; i < 20; ++i) {
        auto const text = random_text(random);
        auto const k = std::size_t{1} + random.below(100);
        CHECK(a.search(text, k) == b.search(text, k));
        auto const id = static_cast<trawl::doc_id>(random.below(std::uint64_t{a.next_id()} + 1));
        CHECK(a.contains(id) == b.contains(id));
        CHECK(trawl::to_text(a.explain({.text = text}, id)) == trawl::to_text(b.explain({.text = text}, id)));
    }
}

void put(std::string const& bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// Opens whatever is there and uses all of it; an error is as good as a result.
void use() {
    try {
        auto index = trawl::open<index_type>(path);
        static_cast<void>(index.search("w0 w1 w2 w5", 10));
        static_cast<void>(index.search("w1 w3", 1000));
        static_cast<void>(index.explain({.text = "w1"}, 1));
        trawl::doc_set some(100, {1, 3, 50});
        static_cast<void>(index.search("w0 w1", 10, some));
        static_cast<void>(index.erase(0));
        static_cast<void>(index.search("w0 w1 w2 w5", 10));
        if (index.next_id() < 0xFFFFFF00u) index.add("w0 w1 more");
        index.compact();
        static_cast<void>(index.search("w0 w1 w2 more", 10));
    } catch (trawl::error const&) {
    }
}

} // namespace

TEST_CASE("an index opened again gives the same bits and grows on alike", "[lexical][storage][laws]") {
    folder const here;
    auto const seed = GENERATE(range(1u, 13u));
    auto const copy = GENERATE(false, true);
    CAPTURE(seed, copy);
    trawl::detail::random random(seed);
    auto index = random_index(random);
    trawl::save(index, path);
    trawl::verify(path);
    auto opened = trawl::open<index_type>(path, {.copy = copy});
    check_same(index, opened, random);

    for (auto left = random.below(300); left > 0; --left) { // beyond a tail
        auto const text = random_text(random) + "new" + std::to_string(left);
        CHECK(index.add(text) == opened.add(text));
        auto const id = static_cast<trawl::doc_id>(random.below(index.next_id()));
        if (random.below(3) == 0) CHECK(index.erase(id) == opened.erase(id));
    }
    check_same(index, opened, random);
    auto const copied = opened;
    trawl::save(opened, path); // over the file that is mapped
    check_same(index, opened, random);
    auto const again = trawl::open<index_type>(path);
    check_same(index, again, random);
    check_same(index, copied, random);
    opened.compact();
    check_same(index, opened, random);
}

TEST_CASE("the same documents give the same file", "[lexical][storage]") {
    folder const here;
    index_type grown;
    index_type compact;
    for (int i = 0; i < 200; ++i) {
        auto const text = "w" + std::to_string(i % 17) + " w" + std::to_string(i);
        grown.add(text);
        compact.add(text);
    }
    compact.compact();
    trawl::save(grown, path);
    auto const first = trawl::read_file(path);
    trawl::save(compact, path);
    CHECK(trawl::read_file(path) == first);
}

TEST_CASE("a caller's own sections go into the file", "[lexical][storage]") {
    folder const here;
    std::string const note = "made by a test";
    trawl::save(
        index_type(), path, [&](trawl::section_writer& writer) { writer.add("my note", std::span(note)); });
    CHECK(trawl::section_file(path).text("my note") == note);
    CHECK(trawl::open<index_type>(path).size() == 0);
}

TEST_CASE("another analyzer, kind or parameter is refused", "[lexical][storage][bad]") {
    folder const here;
    index_type index;
    index.add("a b");
    trawl::save(index, path);
    auto const other = error_of([] { static_cast<void>(trawl::open<trawl::bm25_index>(path)); });
    CHECK(other.code == trawl::errc::corrupt);
    CHECK(other.names("another") + other.names("differently") > 0);
    CHECK(
        error_of([] { static_cast<void>(trawl::open<index_type>("no/such/file")); }).code == trawl::errc::io);
    CHECK(error_of([&] { trawl::save(index, "no/such/file"); }).code == trawl::errc::io);
    index_type const placed({}, {}, {.positions = true});
    CHECK(error_of([&] { trawl::save(placed, path); }).names("positions"));
    trawl::section_writer("flat_index", 1).write(path);
    CHECK_THROWS_WITH(
        static_cast<void>(trawl::open<index_type>(path)), path + ": holds a flat_index, not a bm25_index");
}

// The checksums of the front are made right again, so that the damage reaches the index.
TEST_CASE("damaged bytes of an index give an error or some result", "[lexical][storage][corrupt]") {
    folder const here;
    index_type index;
    trawl::detail::random texts(3);
    for (int i = 0; i < 400; ++i) index.add(random_text(texts));
    trawl::save(index, path);
    auto const good = trawl::read_file(path);
    auto const seed = GENERATE(range(1u, 9u));
    CAPTURE(seed);
    trawl::detail::random random(seed);
    for (int i = 0; i < 60; ++i) {
        auto bad = good;
        for (auto left = 1 + random.below(30); left > 0; --left) {
            auto const at = 64 + random.below(bad.size() - 64);
            bad[at] = static_cast<char>(random.below(3) == 0 ? 0xFF : random.below(256));
        }
        trawl::detail::file_header header;
        std::memcpy(&header, bad.data(), sizeof header);
        std::memset(bad.data() + 56, 0, 8);
        auto const sum = trawl::checksum(std::as_bytes(std::span(bad)).first(header.payload));
        std::memcpy(bad.data() + 56, &sum, 8);
        put(bad);
        use();
    }
    put(good);
    use();
    for (std::size_t size = 0; size < good.size(); size += 1 + size / 20) {
        put(good.substr(0, size));
        CHECK(
            error_of([] { static_cast<void>(trawl::open<index_type>(path)); }).code == trawl::errc::corrupt);
    }
}
