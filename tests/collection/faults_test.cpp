// SPDX-License-Identifier: MIT
#include <trawl/collection/collection.hpp>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <csignal>

#include <sys/resource.h>

#include <trawl/detail/random.hpp>
#include <trawl/storage/sections.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "support/failing_new.hpp"

namespace fs = std::filesystem;
using support::error_of;
using trawl::collection;

namespace {

trawl::collection_options options() {
    return {.fields = {{"n", trawl::integer_field}, {"tags", trawl::text_list_field}},
        .vectors = {{.dim = 2}},
        .chunks = trawl::chunk_options{.tokens = 8, .overlap = 0}};
}

void put_three(collection& notes, std::string const& word) {
    for (int i = 0; i < 3; ++i) {
        notes.put({.key = "k" + std::to_string(i),
            .title = "title",
            .text = word + " alpha beta gamma delta. Epsilon " + word + ".",
            .metadata = {{"n", i}, {"tags", {"a", word}}}});
    }
    notes.put({.key = "v", .text = word, .vector = {1, 2}});
}

/// All arms hold the documents of this word and of no other.
void check_holds(collection const& notes, std::string const& word, std::string const& other) {
    std::vector<float> const vector{1, 1};
    CHECK(notes.size() == 4);
    CHECK(notes.search("+" + word, {.k = 50, .count = true}).matches == 4);
    CHECK(notes.search(other, {.count = true}).matches == 0);
    CHECK(notes.search("", {.vector = vector}).size() == 1);
    CHECK(notes.search("", {.where = trawl::field("tags").contains(word), .count = true}).matches
          == 3);
    CHECK(notes.get("v")->text == word);
}

std::string bytes_of(fs::path const& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}
void write_bytes(fs::path const& file, std::string const& bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

struct folder {
    folder() { fs::remove_all(path); }
    folder(folder const&) = delete;
    folder& operator=(folder const&) = delete;
    ~folder() { fs::remove_all(path); }
    std::string path = "faults_test.tmp";
};

} // namespace

TEST_CASE("memory that runs out anywhere leaves the old state", "[collection][faults]") {
    SECTION("put") {
        auto const failed = support::fail_each_allocation(
            [] {
                auto notes = collection::in_memory(options());
                put_three(notes, "old");
                notes.commit();
                return notes;
            },
            [](collection& notes) {
                notes.put({.key = "k1",
                    .title = "t",
                    .text = "new words. And more of them here.",
                    .metadata = {{"n", 1}, {"tags", {"a", "b"}}}});
            },
            [](collection& notes, bool changed) {
                CHECK(notes.pending() == (changed ? 1 : 0));
                notes.commit();
                CHECK(notes.search("new", {.count = true}).matches == (changed ? 1 : 0));
                CHECK(notes.search("+old", {.count = true}).matches == (changed ? 3 : 4));
            });
        CHECK(failed > 20);
    }
    SECTION("commit") {
        auto const failed = support::fail_each_allocation(
            [] {
                auto notes = collection::in_memory(options());
                put_three(notes, "old");
                notes.commit();
                put_three(notes, "new");
                return notes;
            },
            [](collection& notes) { notes.commit(); },
            [](collection& notes, bool changed) {
                check_holds(notes, changed ? "new" : "old", changed ? "old" : "new");
                if (changed) return;
                CHECK(notes.pending() == 4);
                notes.commit();
                check_holds(notes, "new", "old");
            });
        CHECK(failed > 100);
    }
    SECTION("compact") {
        support::fail_each_allocation(
            [] {
                auto notes = collection::in_memory(options());
                put_three(notes, "old");
                notes.commit();
                put_three(notes, "new");
                notes.commit();
                return notes;
            },
            [](collection& notes) { notes.compact(); },
            [](collection& notes, bool) {
                check_holds(notes, "new", "old");
                notes.verify();
            });
    }
}

TEST_CASE("a disk that is full fails the commit and nothing else", "[collection][faults]") {
    folder const here;
    auto notes = collection::open(here.path, options());
    put_three(notes, "old");
    notes.commit();
    put_three(notes, "new");
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before = {};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
    for (::rlim_t const most : {0u, 100u, 1000u, 4000u}) {
        CAPTURE(most);
        rlimit const little{most, before.rlim_max};
        REQUIRE(::setrlimit(RLIMIT_FSIZE, &little) == 0);
        auto const thrown = error_of([&] { notes.commit(); });
        REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
        CHECK(thrown.code == trawl::errc::io);
        CHECK(thrown.names("cannot be written"));
        check_holds(notes, "old", "new");
        CHECK(notes.pending() == 4);
        for (auto const& file : fs::directory_iterator(here.path))
            CHECK_FALSE(file.path().filename().string().starts_with(".trawl-"));
    }
    notes.commit();
    check_holds(notes, "new", "old");
    notes.verify();
}

TEST_CASE("damage anywhere is found, and nothing is read out of bounds", "[collection][faults]") {
    folder const here;
    {
        auto notes = collection::open(here.path, options());
        put_three(notes, "old");
        notes.commit();
        put_three(notes, "new");
        notes.commit();
    }
    std::vector<fs::path> files;
    for (auto const& file : fs::directory_iterator(here.path)) {
        if (file.path().filename() != "lock") files.push_back(file.path());
    }
    REQUIRE(files.size() == 3); // the manifest and two segments
    trawl::detail::random random(5);
    for (auto const& file : files) {
        auto const good = bytes_of(file);
        CAPTURE(file);
        for (int round = 0; round < 120; ++round) {
            auto bad = good;
            auto const at = random.below(good.size());
            if (round % 4 == 0) {
                bad.resize(at); // cut short
            } else {
                bad[at] = static_cast<char>(bad[at] ^ static_cast<char>(1u << random.below(8)));
            }
            write_bytes(file, bad);
            CAPTURE(round, at);
            auto const thrown = error_of([&] {
                auto damaged = options();
                damaged.read_only = true;
                auto const notes = collection::open(here.path, damaged);
                // Whatever is in there, searches end in bounds.
                std::vector<float> const vector{1, 1};
                try {
                    for (auto const* const text :
                        {"new", "+old alpha", "\"alpha beta\"", "g*", ""}) {
                        static_cast<void>(notes.search(
                            text, {.vector = vector, .count = true, .facets = {"n", "tags"}}));
                    }
                    static_cast<void>(notes.get("k1"));
                    static_cast<void>(notes.completions("a"));
                } catch (trawl::error const&) {
                }
                notes.verify();
            });
            CHECK(thrown.code == trawl::errc::corrupt);
        }
        write_bytes(file, good);
    }
    auto const notes = collection::open(here.path, options());
    check_holds(notes, "new", "old");
}
