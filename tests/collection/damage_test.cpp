// SPDX-License-Identifier: MIT
#include <trawl/collection/collection.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <trawl/detail/random.hpp>
#include <trawl/storage/file.hpp>

#include "collection/hostile.hpp"
#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "support/file_sections.hpp"

namespace fs = std::filesystem;
using support::error_of;

namespace {

struct folder {
    folder() { hostile::write_collection(path); }
    folder(folder const&) = delete;
    folder& operator=(folder const&) = delete;
    ~folder() { fs::remove_all(path); }

    [[nodiscard]] std::vector<std::string> files() const {
        std::vector<std::string> made;
        for (auto const& file : fs::directory_iterator(path)) {
            if (file.path().filename() != "lock") made.push_back(file.path().string());
        }
        std::sort(made.begin(), made.end());
        return made;
    }
    std::string path = "damage_test.tmp";
};

/// Without waiting for the disk, as trawl::write_file() does.
void write_bytes(std::string const& file, std::string const& bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

struct section_place {
    std::string name;
    std::size_t begin;
    std::size_t size;
};

/// Where the sections of a file are: docs/formats.md, "What holds for every file".
std::vector<section_place> sections_of(std::string const& bytes) {
    auto const number = [&](std::size_t at, std::size_t size) {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes.data() + at, size);
        return static_cast<std::size_t>(value);
    };
    std::vector<section_place> made{{"header", 0, 64}, {"table", 64, 32 * number(12, 4)},
        {"checksums", 64 + 32 * number(12, 4), 8}};
    for (std::size_t i = 0; i < number(12, 4); ++i) {
        auto const entry = 64 + 32 * i;
        made.push_back({std::string(bytes.c_str() + entry).substr(0, 16), number(entry + 16, 8),
            number(entry + 24, 8)});
    }
    return made;
}

trawl::collection_options reading() {
    auto made = first_format::options();
    made.read_only = true;
    return made;
}

/// A collection that was damaged: whatever is asked ends, and opening or verify() finds the damage.
void check_found(std::string const& path, std::string const& file) {
    hostile::collection_check laws;
    CHECK_FALSE(laws.all(path, false));
    CAPTURE(laws.message());
    CHECK(laws.broken() == nullptr);
    auto const thrown = error_of([&] { trawl::collection::open(path, reading()).verify(); });
    CHECK(thrown.code == trawl::errc::corrupt);
    CHECK(thrown.text.starts_with(file + ": "));
}

} // namespace

TEST_CASE("flipped bits in every section of every file are found", "[collection][damage]") {
    folder const here;
    trawl::detail::random random(16);
    std::set<std::string> seen;
    for (auto const& file : here.files()) {
        auto const good = trawl::read_file(file);
        for (auto const& [name, begin, size] : sections_of(good)) {
            seen.insert(name);
            CAPTURE(file, name);
            std::vector<std::size_t> places;
            if (size > 0) places = {begin, begin + size / 2, begin + size - 1};
            for (int i = 0; size > 3 && i < 2; ++i) places.push_back(begin + random.below(size));
            for (auto const at : places) {
                auto bad = good;
                auto const bit = random.below(8);
                bad[at] = static_cast<char>(bad[at] ^ static_cast<char>(1u << bit));
                CAPTURE(at, bit);
                write_bytes(file, bad);
                check_found(here.path, file);
            }
        }
        write_bytes(file, good);
    }
    // Manifest, texts, words, vectors and columns.
    for (auto const* const name : {"schema", "segments", "live", "ids", "key text", "passages",
             "t0 text", "0 postings", "2 positions", "v0 vectors", "v1 lengths"})
        CHECK(seen.contains(name));
    CHECK(std::any_of(seen.begin(), seen.end(), [](auto const& s) { return s.starts_with("m "); }));
    hostile::collection_check laws;
    CHECK(laws.all(here.path, false));
}

TEST_CASE(
    "files cut in every section, emptied, lengthened or gone are found", "[collection][damage]") {
    folder const here;
    for (auto const& file : here.files()) {
        auto const good = trawl::read_file(file);
        CAPTURE(file);
        for (auto const& [name, begin, size] : sections_of(good)) {
            if (size == 0) continue;
            CAPTURE(name);
            for (auto const at : {begin, begin + size / 2, begin + size - 1}) {
                CAPTURE(at);
                write_bytes(file, good.substr(0, at));
                check_found(here.path, file);
            }
        }
        write_bytes(file, good + std::string(64, '\0'));
        check_found(here.path, file);
        fs::remove(file);
        auto const thrown =
            error_of([&] { static_cast<void>(trawl::collection::open(here.path, reading())); });
        CHECK(thrown.code == trawl::errc::io);
        CHECK(thrown.names(here.path));
        write_bytes(file, good);
    }
    hostile::collection_check laws;
    CHECK(laws.all(here.path, false));
}

TEST_CASE("files of another moment or another collection are found", "[collection][damage]") {
    folder const here;
    std::vector<std::string> segments;
    for (auto const& file : here.files())
        if (file.ends_with(".segment")) segments.push_back(file);
    REQUIRE(segments.size() == 2);
    auto const first = trawl::read_file(segments[0]);
    auto const second = trawl::read_file(segments[1]);
    write_bytes(segments[0], second); // whole, and in the wrong place
    write_bytes(segments[1], first);
    auto const thrown = error_of([&] { trawl::collection::open(here.path, reading()).verify(); });
    CHECK(thrown.code == trawl::errc::corrupt);
    CHECK(thrown.text.starts_with(here.path));
}

TEST_CASE("changed sections with checksums that are right break no law", "[collection][damage]") {
    folder const here;
    trawl::detail::random random(17);
    for (auto const& file : here.files()) {
        auto const good = trawl::read_file(file);
        auto const whole = support::file_sections::of(file);
        CAPTURE(file);
        for (std::size_t section = 0; section < whole.sections.size(); ++section) {
            CAPTURE(whole.sections[section].first);
            for (int round = 0; round < 4; ++round) {
                CAPTURE(round);
                support::file_sections one{.sections = {whole.sections[section]}};
                one.damage(random);
                auto bad = whole;
                bad.sections[section] = one.sections[0];
                bad.write(file);
                hostile::collection_check laws;
                laws.all(here.path, false);
                CAPTURE(laws.message());
                CHECK(laws.broken() == nullptr);
            }
        }
        write_bytes(file, good);
    }
}
