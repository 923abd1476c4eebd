// SPDX-License-Identifier: MIT
#include <trawl/storage/sections.hpp>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <trawl/detail/random.hpp>
#include <trawl/storage/checksum.hpp>
#include <trawl/storage/detail/section_layout.hpp>
#include <trawl/storage/file.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace fs = std::filesystem;
using support::error_of;
using trawl::section_file;
using trawl::verification;

namespace {

// Files of this test, gone with it.
struct folder {
    folder() { fs::create_directories("sections_test.tmp"); }
    folder(folder const&) = delete;
    folder& operator=(folder const&) = delete;
    ~folder() { fs::remove_all("sections_test.tmp"); }
};

std::string const path = "sections_test.tmp/a";

// Without write_file's wait for the disk.
void put(std::string const& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void write_small() {
    std::vector<std::uint32_t> const numbers{1, 2, 3};
    std::string const text = "standard";
    trawl::section_writer writer("numbers", 3);
    writer.add("numbers", std::span(numbers));
    writer.add("nothing", std::span<double const>());
    writer.add("text", std::span(text));
    writer.write(path);
}

} // namespace

TEST_CASE("arrays come back as they were written, mapped or copied", "[io][sections]") {
    folder const here;
    auto const seed = GENERATE(1u, 2u, 3u);
    auto const copy = GENERATE(false, true);
    CAPTURE(seed, copy);
    trawl::detail::random random(seed);
    std::vector<std::vector<std::uint32_t>> arrays(random.below(6));
    trawl::section_writer writer("numbers", 1);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        // many blocks
        arrays[i].resize(random.below(2) == 0 ? random.below(20) : random.below(60'000));
        for (auto& value : arrays[i]) value = static_cast<std::uint32_t>(random.below(1u << 31));
        writer.add("array " + std::to_string(i), std::span(arrays[i]));
    }
    writer.write(path);
    trawl::verify(path);

    section_file const file(path, "numbers", 1, {.copy = copy, .verify = verification::all});
    auto const shared = file; // keeps the file as well
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        auto const values = shared.array<std::uint32_t>("array " + std::to_string(i));
        CHECK(std::equal(values.begin(), values.end(), arrays[i].begin(), arrays[i].end()));
        CHECK(reinterpret_cast<std::uintptr_t>(values.data()) % 64 == 0);
    }
    auto const first = trawl::read_file(path);
    writer.write(path);
    CHECK(trawl::read_file(path) == first);
}

TEST_CASE("an open file stays what it was when it is replaced", "[io][sections]") {
    folder const here;
    write_small();
    section_file const file(path, "numbers", 3);
    trawl::section_writer("other", 1).write(path);
    CHECK(file.value<std::uint64_t>("text") != 0);
    CHECK(file.text("text") == "standard");
    CHECK(file.array<std::uint32_t>("numbers")[2] == 3);
    CHECK(file.array<double>("nothing").empty());
    CHECK(section_file(path).kind() == "other");
    CHECK(
        std::distance(fs::directory_iterator("sections_test.tmp"), fs::directory_iterator()) == 1);
}

TEST_CASE("what is asked for wrongly is refused with the reason", "[io][sections][bad]") {
    folder const here;
    write_small();
    CHECK(error_of([] { section_file("sections_test.tmp/none"); }).code == trawl::errc::io);
    CHECK(error_of([] { section_file("sections_test.tmp"); }).names("is no regular file"));
    CHECK_THROWS_WITH(section_file(path, "vectors", 3), path + ": holds a numbers, not a vectors");
    CHECK_THROWS_WITH(section_file(path, "numbers", 2),
        path
            + ": is of version 3 of numbers, which a newer version of trawl writes; this program "
              "reads up to 2");
    section_file const file(path, "numbers", 3);
    CHECK(file.has("text"));
    CHECK(!file.has("tex"));
    CHECK_THROWS_WITH(file.array<int>("tex"), path + ": has no section tex");
    CHECK_THROWS_WITH(file.array<double>("numbers"),
        path + ": section numbers of 12 bytes is no array of values of 8");
    CHECK_THROWS_WITH(
        file.value<std::uint32_t>("numbers"), path + ": section numbers has 3 values, not 1");
    for (std::string const text :
        {"", "\x93", "\x93TRAWL\r\n", "no file of ours, but longer than any header of ours is"}) {
        put(text);
        CHECK(error_of([] { section_file{path}; }).code == trawl::errc::corrupt);
    }
}

TEST_CASE("a damaged byte anywhere is found", "[io][sections][corrupt]") {
    folder const here;
    write_small();
    auto const good = trawl::read_file(path);
    for (std::size_t at = 0; at < good.size(); ++at) {
        for (unsigned const flipped : {1u, 0x80u, 0xFFu}) {
            auto bad = good;
            bad[at] = static_cast<char>(static_cast<unsigned char>(bad[at]) ^ flipped);
            put(bad);
            CAPTURE(at, flipped);
            CHECK(error_of([] { trawl::verify(path); }).code == trawl::errc::corrupt);
            try { // unverified, it may open; then nothing lies outside
                section_file const file(path);
                std::uint32_t sum = 0;
                for (auto const value : file.array<std::uint32_t>("numbers")) sum += value;
                CHECK(sum != 6 + 1'000'000'000u);
            } catch (trawl::error const& e) {
                CHECK(e.code() == trawl::errc::corrupt);
            }
        }
    }
}

TEST_CASE("a damaged block is named", "[io][sections][corrupt]") {
    folder const here;
    std::vector<unsigned char> const bytes(200'000, 7);
    trawl::section_writer writer("numbers", 1);
    writer.add("first", std::span(bytes));
    writer.add("second", std::span(bytes));
    writer.write(path);
    auto bad = trawl::read_file(path);
    bad[bad.size() - 1000] = 8;
    put(bad);
    CHECK_THROWS_WITH(trawl::verify(path),
        path + ": section second is damaged in the 3392 bytes from byte 196608");
    CHECK(section_file(path).array<unsigned char>("first").size() == 200'000);
}

TEST_CASE("a file that is cut short or too long is refused", "[io][sections][corrupt]") {
    folder const here;
    write_small();
    auto const good = trawl::read_file(path);
    for (std::size_t size = 0; size < good.size(); ++size) {
        put(good.substr(0, size));
        CAPTURE(size);
        CHECK(error_of([] { section_file{path}; }).code == trawl::errc::corrupt);
    }
    put(good + '\0');
    CHECK(error_of([] { section_file{path}; }).code == trawl::errc::corrupt);
}

// A header whose checksum is right may still lie.
TEST_CASE("a hostile table of sections stays within the file", "[io][sections][corrupt]") {
    folder const here;
    write_small();
    auto const good = trawl::read_file(path);
    auto const seed = GENERATE(range(1u, 30u));
    CAPTURE(seed);
    trawl::detail::random random(seed);
    for (int i = 0; i < 100; ++i) {
        auto bad = good;
        trawl::detail::file_header header;
        std::memcpy(&header, bad.data(), sizeof header);
        auto const payload = header.payload;
        auto const set = [&](std::size_t at, std::uint64_t value) {
            std::memcpy(bad.data() + at, &value, 8);
        };
        auto const lie = [&]() -> std::uint64_t {
            switch (random.below(4)) {
            case 0:
                return random.below(1000);
            case 1:
                return ~std::uint64_t{0} - random.below(100);
            case 2:
                return std::uint64_t{1} << random.below(64);
            default:
                return good.size() - random.below(100);
            }
        };
        auto const entry = 64 + 32 * random.below(3);
        if (random.below(2) == 0) set(entry + 16, lie());
        if (random.below(2) == 0) set(entry + 24, lie());
        if (random.below(4) == 0) bad[12] = static_cast<char>(random.below(256));
        if (random.below(4) == 0) set(48, lie());
        set(56, 0);
        std::memcpy(&header, bad.data(), sizeof header);
        auto const end = header.payload <= bad.size() ? header.payload : payload;
        set(56, trawl::checksum(std::as_bytes(std::span(bad)).first(end)));
        put(bad);
        try {
            section_file const file(path, {.verify = verification::all});
            for (auto const* const name : {"numbers", "nothing", "text"}) {
                for (auto const c : file.text(name)) CHECK((c != 'x'));
            }
        } catch (trawl::error const& e) {
            CHECK(e.code() == trawl::errc::corrupt);
        }
    }
}

// A name that was cut would be found under no name, or take another's place.
TEST_CASE("a name that does not fit is refused before anything is written", "[io][sections][bad]") {
    folder const here;
    std::vector<std::uint32_t> const numbers{1};
    auto const too_long = std::string(17, 'n');
    CHECK_THROWS_WITH(trawl::section_writer(too_long, 1),
        "kind: must have 1 to 16 bytes, " + too_long + " has 17");
    trawl::section_writer writer("numbers", 1);
    for (auto const& name : {std::string(), too_long, std::string("a\0b", 3)}) {
        auto const refused = error_of([&] { writer.add(name, std::span(numbers)); });
        CHECK(refused.code == trawl::errc::invalid_argument);
        CHECK(refused.names("name of a section"));
    }
    writer.add(std::string(16, 'n'), std::span(numbers));
    writer.write(path);
    CHECK(section_file(path).value<std::uint32_t>(std::string(16, 'n')) == 1);
    CHECK(!section_file(path).has(too_long));
    writer.add(std::string(16, 'n'), std::span(numbers));
    auto const before = trawl::read_file(path);
    auto const twice = error_of([&] { writer.write(path); });
    CHECK(twice.code == trawl::errc::invalid_argument);
    CHECK(twice.names("nnnnnnnnnnnnnnnn twice"));
    CHECK(trawl::read_file(path) == before);
}

TEST_CASE("a file with two sections of one name is refused", "[io][sections][corrupt]") {
    folder const here;
    write_small();
    auto bad = trawl::read_file(path);
    std::memcpy(bad.data() + 64 + 32, bad.data() + 64, 16); // "nothing" is called "numbers"
    std::memset(bad.data() + 56, 0, 8);
    trawl::detail::file_header header;
    std::memcpy(&header, bad.data(), sizeof header);
    auto const sum = trawl::checksum(std::as_bytes(std::span(bad)).first(header.payload));
    std::memcpy(bad.data() + 56, &sum, 8);
    put(bad);
    CHECK_THROWS_WITH(section_file(path), path + ": has two sections numbers");
}

// An index of thousands of fields looks each section of each field up, and each field keeps the file.
TEST_CASE("many sections are found, and copies share what is known of them", "[io][sections]") {
    folder const here;
    constexpr std::uint32_t count = 30'000;
    std::vector<std::uint32_t> numbers(count);
    trawl::section_writer writer("numbers", 1);
    for (std::uint32_t i = 0; i < count; ++i) {
        numbers[i] = i;
        writer.add("s" + std::to_string(i), std::span(numbers).subspan(i, 1));
    }
    writer.write(path);
    section_file const file(path);
    std::vector<section_file> const copies(1000, file);
    CHECK(&copies.back().path() == &file.path());
    for (std::uint32_t i = 0; i < count; ++i) {
        if (copies[i % 1000].value<std::uint32_t>("s" + std::to_string(i)) != i) FAIL(i);
    }
    CHECK(!file.has("s30000"));
}

TEST_CASE("a file in memory is the file that would be written", "[io][sections]") {
    folder const here;
    std::vector<std::uint32_t> const numbers(40'000, 7);
    std::string const text = "standard";
    trawl::section_writer writer("numbers", 3);
    writer.add("numbers", std::span(numbers));
    writer.add("nothing", std::span<double const>());
    writer.add("text", std::span(text));
    writer.write(path);
    section_file const written(path);
    auto const held = writer.in_memory("held");
    CHECK(held.path() == "held");
    CHECK(held.kind() == "numbers");
    CHECK(held.version() == 3);
    CHECK(held.size() == written.size());
    CHECK(held.size() == fs::file_size(path));
    CHECK(held.text("text") == "standard");
    CHECK(held.array<std::uint32_t>("numbers").size() == 40'000);
    CHECK(held.array<double>("nothing").empty());
    held.verify();
    writer.add("text", std::span(text));
    CHECK(error_of([&] { static_cast<void>(writer.in_memory("held")); }).text
          == "held: must have each section once, has text twice");
}
