// SPDX-License-Identifier: MIT
#include <trawl/collection/collection.hpp>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <csignal>

#include <sys/resource.h>
#include <unistd.h>

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

/// Two values: the length of the text times a factor, and 1. Throws when its texts run out.
struct lengths {
    double factor = 1;
    std::size_t* texts_left = nullptr; ///< null: without end

    static std::size_t dim() { return 2; }
    [[nodiscard]] std::uint64_t fingerprint() const {
        return 100 + static_cast<std::uint64_t>(factor);
    }
    void embed(std::span<std::string_view const> texts, trawl::text_role,
        trawl::matrix_view<float> out) const {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (texts_left != nullptr && (*texts_left)-- == 0)
                throw std::runtime_error("the model is gone");
            out.row(i)[0] = static_cast<float>(factor * static_cast<double>(texts[i].size()));
            out.row(i)[1] = 1;
        }
    }
};

trawl::collection_options with_embedder(lengths model) {
    auto made = options();
    made.vectors = {{.metric = trawl::metric::dot_product, .embedder = lengths(model)}};
    return made;
}

/// Documents of one passage whose title and text together, with the line break between, have 10 to 12
/// bytes.
void put_lengths(collection& notes) {
    std::vector<trawl::document> given;
    for (std::size_t i = 0; i < 3; ++i) {
        given.push_back(
            {.key = "k" + std::to_string(i), .title = "title", .text = std::string(4 + i, 'a')});
    }
    notes.put_all(given);
}

/// The vectors are those of the model of this factor, and the words are there: k2 has 12 bytes, and
/// the query, of one byte, the vector (factor, 1).
void check_embedded(collection const& notes, double factor) {
    auto const found = notes.search("q", {.weights = {0, 1}});
    REQUIRE(found.size() == 3);
    CHECK(found.hits[0].key == "k2");
    CHECK(found.hits[0].arms.at(1).score == static_cast<float>(12 * factor * factor + 1));
    CHECK(notes.search("+title", {.weights = {1, 0}}).size() == 3);
}

/// Acts as a user who owns nothing, so that permissions count for tests of root, too.
struct as_nobody {
    as_nobody() {
        if (before == 0) dropped = ::seteuid(65534) == 0;
    }
    as_nobody(as_nobody const&) = delete;
    as_nobody& operator=(as_nobody const&) = delete;
    ~as_nobody() {
        if (dropped) static_cast<void>(::seteuid(before));
    }
    ::uid_t before = ::geteuid();
    bool dropped = false;
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
    SECTION("maintain") {
        auto const failed = support::fail_each_allocation(
            [] {
                auto with = options();
                with.merge_on_commit = false;
                auto notes = collection::in_memory(with);
                for (int i = 0; i < 8; ++i) {
                    put_three(notes, i < 7 ? "old" : "new");
                    notes.commit();
                }
                return notes;
            },
            [](collection& notes) { static_cast<void>(notes.maintain()); },
            [](collection& notes, bool) {
                check_holds(notes, "new", "old");
                notes.verify();
                put_three(notes, "newer");
                notes.commit();
                static_cast<void>(notes.maintain());
                check_holds(notes, "newer", "new");
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

TEST_CASE("memory that runs out in a refit or an embedder leaves both arms in step",
    "[collection][faults]") {
    auto const make = [] {
        auto notes = collection::in_memory(with_embedder({.factor = 1}));
        put_lengths(notes);
        notes.commit();
        return notes;
    };
    SECTION("refit") {
        auto const failed = support::fail_each_allocation(
            make, [](collection& notes) { notes.refit("vector", lengths{.factor = 2}); },
            [](collection& notes, bool changed) {
                check_embedded(notes, changed ? 2 : 1);
                notes.verify();
                notes.refit("vector", lengths{.factor = 3});
                check_embedded(notes, 3);
            });
        CHECK(failed > 100);
    }
    SECTION("put and commit") {
        support::fail_each_allocation(
            make,
            [](collection& notes) {
                notes.put({.key = "k0", .title = "title", .text = std::string(40, 'b')});
                notes.commit();
            },
            [](collection& notes, bool changed) {
                auto const found = notes.search("q", {.weights = {0, 1}});
                CHECK(found.hits.at(0).key == (changed ? "k0" : "k2"));
                CHECK(notes.search("+title", {.weights = {1, 0}}).size() == 3);
                notes.verify();
            });
    }
}

TEST_CASE("an embedder that throws leaves the old state", "[collection][faults]") {
    std::size_t left = 0;
    auto notes = collection::in_memory(with_embedder({.factor = 1}));
    put_lengths(notes);
    notes.commit();
    SECTION("in a refit, at any text") {
        for (std::size_t const texts : {0u, 1u, 2u}) {
            left = texts;
            CHECK_THROWS_AS(notes.refit("vector", lengths{.factor = 2, .texts_left = &left}),
                std::runtime_error);
            check_embedded(notes, 1);
            CHECK(notes.pending() == 0);
        }
        left = 3;
        notes.refit("vector", lengths{.factor = 2, .texts_left = &left});
        left = 2; // queries
        check_embedded(notes, 2);
    }
    SECTION("in a search and a put") {
        left = 3;
        notes.refit("vector", lengths{.factor = 2, .texts_left = &left});
        left = 0;
        CHECK_THROWS_AS(notes.search("q"), std::runtime_error);
        left = 2;
        CHECK_THROWS_AS(put_lengths(notes), std::runtime_error);
        CHECK(notes.pending() == 0);
        left = 2;
        check_embedded(notes, 2);
    }
}

TEST_CASE("a directory that may only be read serves readers and refuses writers",
    "[collection][faults]") {
    auto const path = (fs::temp_directory_path() / "trawl_faults_test.tmp").string();
    fs::remove_all(path);
    {
        auto notes = collection::open(path, options());
        put_three(notes, "old");
        notes.commit();
    }
    auto const permit = [&](bool writing) {
        auto const bits = writing ? fs::perms::owner_all | fs::perms::group_read : fs::perms(0555);
        for (auto const& file : fs::directory_iterator(path)) fs::permissions(file, bits);
        fs::permissions(path, bits);
    };
    permit(false);
    {
        as_nobody const user;
        auto reading = options();
        reading.read_only = true;
        auto notes = collection::open(path, reading);
        check_holds(notes, "old", "new");
        notes.verify();
        CHECK_FALSE(notes.refresh());
        auto const put = error_of([&] { notes.put({.key = "k", .text = "t"}); });
        CHECK(put.names("is open for reading only"));

        auto const writer = error_of([&] { static_cast<void>(collection::open(path, options())); });
        CHECK(writer.code == trawl::errc::io);
        CHECK(writer.text.starts_with(path));
        CHECK(writer.names("Permission denied"));
        CHECK(writer.names("read_only"));
        auto const created =
            error_of([&] { static_cast<void>(collection::open(path + "/another", options())); });
        CHECK(created.code == trawl::errc::io);
        CHECK(created.names("another: cannot be created: Permission denied"));
    }
    permit(true);
    {
        // It may be written when it is opened, and no longer when it is committed.
        auto notes = collection::open(path, options());
        put_three(notes, "new");
        permit(false);
        {
            as_nobody const user;
            auto const thrown = error_of([&] { notes.commit(); });
            CHECK(thrown.code == trawl::errc::io);
            CHECK(thrown.text.starts_with(path));
            CHECK(thrown.names("Permission denied"));
            check_holds(notes, "old", "new");
            CHECK(notes.pending() == 4);
        }
        permit(true);
        notes.commit();
        check_holds(notes, "new", "old");
        notes.verify();
    }
    fs::remove_all(path);
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
