// SPDX-License-Identifier: MIT
// A saved index opened again is the same index, to the bit; whatever the bytes of a file, nothing
// outside is read.
#include <trawl/lexical/storage.hpp>

#include <trawl/detail/random.hpp>
#include <trawl/lexical/bm25f_storage.hpp>
#include <trawl/lexical/lexical_query.hpp>
#include <trawl/storage/checksum.hpp>
#include <trawl/storage/detail/section_layout.hpp>
#include <trawl/storage/file.hpp>
#include <trawl/text/analyzers/whitespace_analyzer.hpp>

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
using field_index = trawl::basic_bm25f_index<trawl::whitespace_analyzer>;
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
        if (random.below(10) == 0)
            index.erase(static_cast<trawl::doc_id>(random.below(index.next_id())));
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
        CHECK(trawl::to_text(a.explain({.text = text}, id))
              == trawl::to_text(b.explain({.text = text}, id)));
    }
}

void put(std::string const& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// A phrase, a beginning, a misspelt word: all that reads positions and the dictionary.
trawl::lexical_query wanted() {
    using namespace trawl::ask;
    return any_of({phrase("w0 w1", 1), phrase("w1 w0 w2", 3), prefix("w1"), fuzzy("w22", 1)});
}

// Writes bytes with the checksums of the front made right again, so that damage reaches the index.
void put_mended(std::string bytes) {
    trawl::detail::file_header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    std::memset(bytes.data() + 56, 0, 8);
    auto const sum = trawl::checksum(std::as_bytes(std::span(bytes)).first(header.payload));
    std::memcpy(bytes.data() + 56, &sum, 8);
    put(bytes);
}

std::string damaged(std::string bytes, trawl::detail::random& random) {
    for (auto left = 1 + random.below(30); left > 0; --left) {
        auto const at = 64 + random.below(bytes.size() - 64);
        bytes[at] = static_cast<char>(random.below(3) == 0 ? 0xFF : random.below(256));
    }
    return bytes;
}

// Opens whatever is there and uses all of it; an error is as good as a result.
template <class Index, class Text>
void use(Text const& more) {
    try {
        auto index = trawl::open<Index>(path);
        static_cast<void>(index.search("w0 w1 w2 w5", 10));
        static_cast<void>(index.search("w1 w3", 1000));
        static_cast<void>(index.explain({.text = "w1"}, 1));
        static_cast<void>(index.search(wanted(), 10));
        trawl::doc_set some(100, {1, 3, 50});
        static_cast<void>(index.search("w0 w1", 10, some));
        static_cast<void>(index.erase(0));
        static_cast<void>(index.search("w0 w1 w2 w5", 10));
        if (index.next_id() < 0xFFFFFF00u) index.add(more);
        index.compact();
        static_cast<void>(index.search(wanted(), 10));
        static_cast<void>(index.search("w0 w1 w2 more", 10));
    } catch (trawl::error const&) {
    }
}

} // namespace

TEST_CASE(
    "an index opened again gives the same bits and grows on alike", "[lexical][storage][laws]") {
    folder const here;
    auto const seed = GENERATE(range(1u, 9u));
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
    trawl::save(index_type(), path,
        [&](trawl::section_writer& writer) { writer.add("my note", std::span(note)); });
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
    CHECK(error_of([] { static_cast<void>(trawl::open<index_type>("no/such/file")); }).code
          == trawl::errc::io);
    CHECK(error_of([&] { trawl::save(index, "no/such/file"); }).code == trawl::errc::io);
    trawl::section_writer("flat_index", 1).write(path);
    CHECK_THROWS_WITH(static_cast<void>(trawl::open<index_type>(path)),
        path + ": holds a flat_index, not a bm25_index");
}

TEST_CASE("positions are in the file: phrases give the same bits, and go on being kept",
    "[lexical][storage][laws]") {
    folder const here;
    auto const seed = GENERATE(range(1u, 5u));
    auto const copy = GENERATE(false, true);
    CAPTURE(seed, copy);
    trawl::detail::random random(seed);
    index_type index({}, {.positions = true});
    auto const gaps = random.below(2) == 0;
    for (auto left = random.below(300); left > 0; --left) {
        index.add(index.next_id() + static_cast<trawl::doc_id>(gaps ? random.below(3) : 0),
            random_text(random));
        if (random.below(10) == 0)
            index.erase(static_cast<trawl::doc_id>(random.below(index.next_id())));
    }
    trawl::save(index, path);
    trawl::verify(path);
    auto opened = trawl::open<index_type>(path, {.copy = copy});
    auto const same = [&](index_type const& other) {
        CHECK(index.search(wanted(), 300) == other.search(wanted(), 300));
        auto const id =
            static_cast<trawl::doc_id>(random.below(std::uint64_t{index.next_id()} + 1));
        CHECK(trawl::to_text(index.explain(wanted(), id))
              == trawl::to_text(other.explain(wanted(), id)));
    };
    same(opened);
    for (int i = 0; i < 100; ++i) { // beyond a tail
        auto const text = random_text(random) + "w1 w0";
        CHECK(index.add(text) == opened.add(text));
        auto const id = static_cast<trawl::doc_id>(random.below(index.next_id()));
        if (random.below(3) == 0 && index.contains(id)) {
            auto const other = random.below(4) == 0 ? std::string() : random_text(random);
            index.update(id, other);
            opened.update(id, other);
        } else if (random.below(3) == 0) {
            CHECK(index.erase(id) == opened.erase(id));
        }
    }
    same(opened);
    trawl::save(opened, path); // over the file that is mapped
    same(opened);
    same(trawl::open<index_type>(path));
    opened.compact();
    same(opened);
}

TEST_CASE("an index of fields opened again gives the same bits and grows on alike",
    "[lexical][fields][storage][laws]") {
    folder const here;
    auto const seed = GENERATE(range(1u, 5u));
    auto const positions = GENERATE(false, true);
    CAPTURE(seed, positions);
    trawl::detail::random random(seed);
    trawl::bm25 parameters{.k1 = random.uniform() * 3, .b = random.uniform()};
    if (random.below(2) == 0) parameters.variant = trawl::bm25_variant::bm25l;
    std::vector<trawl::bm25_field> fields{{"title", 2.5, 0.3}, {"text"}};
    if (random.below(2) == 0) fields.push_back({"tags", 0.5});
    field_index index(fields, parameters, {.positions = positions});
    std::vector<std::string> texts;
    std::vector<std::string_view> views;
    auto const next_texts = [&]() -> std::span<std::string_view const> {
        texts.clear();
        for (std::size_t i = 0; i < fields.size(); ++i) texts.push_back(random_text(random));
        views.assign(texts.begin(), texts.end());
        return views;
    };
    for (auto left = random.below(400); left > 0; --left) {
        index.add(next_texts());
        if (random.below(10) == 0)
            index.erase(static_cast<trawl::doc_id>(random.below(index.next_id())));
    }
    trawl::save(index, path);
    trawl::verify(path);
    auto opened = trawl::open<field_index>(path);
    REQUIRE(opened.fields().size() == fields.size());
    for (std::size_t i = 0; i < fields.size(); ++i) {
        CHECK(opened.fields()[i].name == fields[i].name);
        CHECK(opened.fields()[i].weight == fields[i].weight);
        CHECK(opened.fields()[i].b == fields[i].b);
    }
    auto const same = [&](field_index const& other) {
        CHECK(index.size() == other.size());
        CHECK(index.next_id() == other.next_id());
        CHECK(index.parameters() == other.parameters());
        for (int i = 0; i < 10; ++i) {
            auto const text = random_text(random);
            CHECK(index.search(text, 50) == other.search(text, 50));
            auto const id =
                static_cast<trawl::doc_id>(random.below(std::uint64_t{index.next_id()} + 1));
            CHECK(trawl::to_text(index.explain({.text = text}, id))
                  == trawl::to_text(other.explain({.text = text}, id)));
        }
        auto const asked = positions ? wanted() : trawl::ask::prefix("w1").in("title");
        CHECK(index.search(asked, 100) == other.search(asked, 100));
    };
    same(opened);
    for (int i = 0; i < 100; ++i) {
        auto const added = next_texts();
        CHECK(index.add(added) == opened.add(added));
        auto const id = static_cast<trawl::doc_id>(random.below(index.next_id()));
        if (random.below(3) == 0) CHECK(index.erase(id) == opened.erase(id));
    }
    same(opened);
    auto const copied = opened;
    trawl::save(opened, path);
    same(opened);
    same(copied);
    same(trawl::open<field_index>(path, {.copy = true}));
    opened.compact();
    same(opened);
    CHECK_THROWS_WITH(static_cast<void>(trawl::open<index_type>(path)),
        path + ": holds a bm25f_index, not a bm25_index");
    CHECK(error_of([] {
        static_cast<void>(trawl::open<trawl::bm25f_index>(path));
    }).names("differently"));
}

TEST_CASE("damaged bytes of an index give an error or some result", "[lexical][storage][corrupt]") {
    folder const here;
    auto const positions = GENERATE(false, true);
    index_type index({}, {.positions = positions});
    trawl::detail::random texts(3);
    for (int i = 0; i < 400; ++i) index.add(random_text(texts));
    trawl::save(index, path);
    auto const good = trawl::read_file(path);
    auto const seed = GENERATE(range(1u, 5u));
    CAPTURE(positions, seed);
    trawl::detail::random random(seed);
    std::string const more = "w0 w1 more";
    for (int i = 0; i < 25; ++i) {
        put_mended(damaged(good, random));
        use<index_type>(more);
    }
    put(good);
    use<index_type>(more);
    for (std::size_t size = 0; size < good.size(); size += 1 + size / 8) {
        put(good.substr(0, size));
        CHECK(error_of([] { static_cast<void>(trawl::open<index_type>(path)); }).code
              == trawl::errc::corrupt);
    }
}

TEST_CASE("damaged bytes of an index of fields give an error or some result",
    "[lexical][fields][storage][corrupt]") {
    folder const here;
    // b 1: lengths divide
    field_index index({{"title", 2, 1.0}, {"text"}}, {.k1 = 0}, {.positions = true});
    trawl::detail::random texts(3);
    for (int i = 0; i < 400; ++i) {
        auto const title = random_text(texts);
        index.add({title, random_text(texts)});
    }
    trawl::save(index, path);
    auto const good = trawl::read_file(path);
    auto const seed = GENERATE(range(1u, 5u));
    CAPTURE(seed);
    trawl::detail::random random(seed);
    std::vector<std::string_view> const more{"w0 more", "w1"};
    for (int i = 0; i < 25; ++i) {
        put_mended(damaged(good, random));
        use<field_index>(more);
    }
    put(good);
    use<field_index>(more);
    for (std::size_t size = 0; size < good.size(); size += 1 + size / 8) {
        put(good.substr(0, size));
        CHECK(error_of([] { static_cast<void>(trawl::open<field_index>(path)); }).code
              == trawl::errc::corrupt);
    }
}
