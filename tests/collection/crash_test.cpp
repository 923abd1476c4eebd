// SPDX-License-Identifier: MIT
#include <trawl/collection/collection.hpp>

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include <trawl/detail/random.hpp>

#include "support/catch.hpp"

namespace fs = std::filesystem;
using trawl::collection;

namespace {

constexpr int slots = 7;

trawl::collection_options options() {
    return {.fields = {{"n", trawl::integer_field}}, .vectors = {{.dim = 2}}};
}

/// Commit number n: of two documents, the counter and slot n % slots; at times a slot is erased and
/// everything compacted.
void change(collection& notes, int n) {
    auto const word = "w" + std::to_string(n);
    notes.put({.key = "counter", .text = "counter " + word, .metadata = {{"n", n}}});
    notes.put({.key = "slot" + std::to_string(n % slots),
        .text = word,
        .metadata = {{"n", n}},
        .vector = {1, static_cast<float>(n)}});
    if (n % 11 == 0) notes.erase("slot" + std::to_string((n + 3) % slots));
    notes.commit();
    if (n % 13 == 0) notes.compact();
}

/// Checks that the collection is what the commits 1 to n made of it.
void check_whole(collection const& notes, int n) {
    std::vector<int> kept(slots, 0);
    for (int i = 1; i <= n; ++i) {
        kept[static_cast<std::size_t>(i % slots)] = i;
        if (i % 11 == 0) kept[static_cast<std::size_t>((i + 3) % slots)] = 0;
    }
    std::size_t documents = n > 0 ? 1 : 0;
    for (int slot = 0; slot < slots; ++slot) {
        auto const at = kept[static_cast<std::size_t>(slot)];
        auto const found = notes.get("slot" + std::to_string(slot));
        CAPTURE(n, slot, at);
        REQUIRE(found.has_value() == (at > 0));
        if (at == 0) continue;
        ++documents;
        REQUIRE(found->metadata.at("n").as_integer() == at);
        // All arms are in step.
        auto const hits = notes.search(
            "+w" + std::to_string(at), {.where = trawl::field("n") == at, .vector = found->vector});
        REQUIRE(hits.size() == (at == n ? 2u : 1u));
        REQUIRE(found->vector == std::vector<float>{1, static_cast<float>(at)});
    }
    REQUIRE(notes.size() == documents);
    REQUIRE(notes.search("counter").size() == (n > 0 ? 1u : 0u));
}

[[noreturn]] void write_until_killed(std::string const& path, int first, int to) {
    try {
        auto with = options();
        with.merge_on_commit = first % 2 == 0; // or beside commits
        auto notes = collection::open(path, with);
        std::thread const keeper([&] {
            while (!with.merge_on_commit) static_cast<void>(notes.maintain());
        });
        for (int n = first;; ++n) {
            char const begun = 'b';
            if (::write(to, &begun, 1) != 1) ::_exit(1);
            change(notes, n);
            char const done = 'd';
            if (::write(to, &done, 1) != 1) ::_exit(1);
        }
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s\n", e.what());
        ::_exit(2);
    }
}

void kill_writers(int kills, unsigned seed) {
    std::string const path = "crash_test.tmp";
    fs::remove_all(path);
    trawl::detail::random random(seed);
    int committed = 0;
    for (int kill = 0; kill < kills; ++kill) {
        CAPTURE(kill);
        int ends[2];
        REQUIRE(::pipe(ends) == 0);
        auto const writer = ::fork();
        REQUIRE(writer >= 0);
        if (writer == 0) {
            ::close(ends[0]);
            write_until_killed(path, committed + 1, ends[1]);
        }
        ::close(ends[1]);
        // After some commits, at any moment of the next.
        auto left = random.below(6);
        char event = 0;
        int begun = committed;
        int done = committed;
        auto const read_one = [&] {
            if (::read(ends[0], &event, 1) != 1) return false;
            if (event == 'b') ++begun;
            if (event == 'd') ++done;
            return true;
        };
        for (; left > 0 && read_one(); --left) {
        }
        ::usleep(static_cast<unsigned>(random.below(8000)));
        ::kill(writer, SIGKILL);
        int status = 0;
        REQUIRE(::waitpid(writer, &status, 0) == writer);
        REQUIRE(WIFSIGNALED(status));
        while (read_one()) {
        }
        ::close(ends[0]);

        auto const notes = collection::open(path, options());
        auto const counter = notes.get("counter");
        auto const now = counter ? static_cast<int>(counter->metadata.at("n").as_integer()) : 0;
        CAPTURE(done, begun, now);
        REQUIRE(now >= done);  // no commit is lost
        REQUIRE(now <= begun); // and none is there that was not asked for
        notes.verify();
        check_whole(notes, now);
        committed = now;
    }
    // What killed writers left is gone.
    { auto const notes = collection::open(path, options()); }
    for (auto const& file : fs::directory_iterator(path)) {
        auto const name = file.path().filename().string();
        CHECK((name == "manifest" || name == "lock" || name.ends_with(".segment")));
    }
    fs::remove_all(path);
}

} // namespace

TEST_CASE("a killed writer loses no commit and leaves no torn one", "[collection][crash]") {
    kill_writers(50, 1);
}

TEST_CASE("a thousand kills", "[.][long][collection][crash]") { kill_writers(1000, 2); }
