// SPDX-License-Identifier: MIT
#include <trawl/collection/collection.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include <trawl/collection/detail/segment_store.hpp>
#include <trawl/storage/file.hpp>

#include "golden/collection/first_format.hpp"
#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "support/file_sections.hpp"

namespace fs = std::filesystem;
using support::error_of;
using trawl::collection;

namespace {

std::string const stored = "tests/golden/collection/first_format";

struct folder {
    folder() {
        fs::remove_all(path);
        fs::copy(stored, path);
    }
    folder(folder const&) = delete;
    folder& operator=(folder const&) = delete;
    ~folder() { fs::remove_all(path); }
    std::string path = "upgrade_test.tmp";
};

trawl::collection_options reading() {
    auto made = first_format::options();
    made.read_only = true;
    return made;
}

std::string answers_then() { return trawl::read_file(stored + ".txt"); }

void check_documents(collection const& notes) {
    CHECK(notes.size() == first_format::documents().size());
    for (auto const& each : first_format::documents()) {
        CAPTURE(each.key);
        auto const found = notes.get(each.key);
        REQUIRE(found.has_value());
        auto as_put = *found;
        // A file of version 1 may not say which of a document's vectors were given.
        if (each.key == "here" || each.key == "there") as_put.vector.clear();
        CHECK(as_put == each);
    }
    CHECK_FALSE(notes.get("gone.md").has_value());
}

} // namespace

TEST_CASE("a collection of the first format opens and answers as it did", "[collection][upgrade]") {
    auto const notes = collection::open(stored, reading());
    check_documents(notes);
    CHECK(first_format::answers(notes.all()) == answers_then());
    notes.verify();
}

TEST_CASE("without options it opens too", "[collection][upgrade]") {
    auto const notes = collection::open(stored, {.read_only = true});
    check_documents(notes);
    CHECK(notes.fields() == first_format::options().fields);
    // No embedder: what is left of a search is the words.
    CHECK(notes.search("\"three days\"").hits.at(0).key == "guide.md#1");
}

TEST_CASE("the first format is written on in today's", "[collection][upgrade]") {
    folder const here;
    {
        auto notes = collection::open(here.path, first_format::options());
        notes.put({.key = "new.md", .title = "New", .text = "A zebra of today."});
        notes.commit();
        CHECK(notes.search("+zebra").hits.at(0).key == "new.md");
        notes.verify();
        notes.erase("new.md");
        notes.commit();
        check_documents(notes);
    }
    {
        auto notes = collection::open(here.path, first_format::options());
        check_documents(notes);
        CHECK(first_format::answers(notes.all()) == answers_then());
        notes.compact();
        check_documents(notes);
        CHECK(first_format::answers(notes.all()) == answers_then());
        notes.verify();
    }
    // One segment, of today's version, is all that is left.
    std::vector<std::string> segments;
    for (auto const& file : fs::directory_iterator(here.path)) {
        if (file.path().extension() == ".segment") segments.push_back(file.path().string());
    }
    REQUIRE(segments.size() == 1);
    CHECK(trawl::section_file(segments[0]).version() == trawl::detail::segment_version);
    CHECK(
        trawl::section_file(here.path + "/manifest").version() == trawl::detail::manifest_version);
}

TEST_CASE("a format newer than ours is refused, saying so", "[collection][upgrade]") {
    folder const here;
    for (auto const* const file : {"manifest", "4.segment"}) {
        auto const path = here.path + "/" + file;
        auto const good = trawl::read_file(path);
        auto newer = support::file_sections::of(path);
        newer.version = 99;
        newer.write(path);
        for (auto const read_only : {true, false}) {
            CAPTURE(file, read_only);
            auto with = first_format::options();
            with.read_only = read_only;
            auto const thrown =
                error_of([&] { static_cast<void>(collection::open(here.path, with)); });
            CHECK(thrown.code == trawl::errc::corrupt);
            CHECK(thrown.text.starts_with(path));
            CHECK(thrown.names("version 99"));
            CHECK(thrown.names("a newer version of trawl"));
            // Nothing is changed: the newer program still finds all of its files.
            CHECK(fs::exists(here.path + "/3.segment"));
            CHECK(support::file_sections::of(path).version == 99);
        }
        trawl::write_file(path, good);
    }
    check_documents(collection::open(here.path, reading()));
}
