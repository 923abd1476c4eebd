// SPDX-License-Identifier: MIT
#include <trawl/collection/collection.hpp>

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <trawl/core/thread_executor.hpp>

#include "support/catch.hpp"

using trawl::collection;

TEST_CASE("readers see whole commits, in all arms, while one thread writes", "[collection]") {
    auto notes =
        collection::in_memory({.fields = {{"n", trawl::integer_field}}, .vectors = {{.dim = 2}}});
    constexpr int commits = 60;
    constexpr int documents = 4; // of each commit, all with the same n
    std::atomic<bool> done{false};
    std::atomic<int> torn{0};
    std::atomic<int> looked{0};
    auto const read = [&] {
        std::vector<float> const vector{1, 1};
        int newest = 0;
        do {
            auto const now = notes.snapshot();
            auto const found = now.search("word", {.k = 20, .vector = vector, .window = 20});
            if (found.empty()) continue;
            auto const n = found.hits[0].metadata.at("n").as_integer();
            if (found.size() != documents || now.size() != documents || n < newest) ++torn;
            for (auto const& hit : found) {
                if (hit.metadata.at("n").as_integer() != n) ++torn;
                if (hit.text != "word " + std::to_string(n)) ++torn;
                for (auto const& arm : hit.arms)
                    if (!arm.score) ++torn;
                if (!now.get(hit.key)) ++torn;
            }
            auto const live = notes.search("word", {.k = 20, .where = trawl::field("n") >= n});
            if (live.size() != documents) ++torn;
            newest = static_cast<int>(n);
            ++looked;
        } while (!done);
    };
    std::vector<std::thread> readers;
    for (int i = 0; i < 4; ++i) readers.emplace_back(read);
    for (int n = 1; n <= commits; ++n) {
        for (int i = 0; i < documents; ++i) {
            notes.put({.key = "k" + std::to_string(i),
                .text = "word " + std::to_string(n),
                .metadata = {{"n", n}},
                .vector = {1, static_cast<float>(i)}});
        }
        notes.commit();
        if (n % 10 == 0) notes.compact();
    }
    done = true;
    for (auto& reader : readers) reader.join();
    CHECK(torn == 0);
    CHECK(looked > 0);
}

TEST_CASE("segments are merged beside commits and searches", "[collection]") {
    auto const on_disk = GENERATE(false, true);
    CAPTURE(on_disk);
    std::string const path = "concurrent_threads_test.tmp";
    std::filesystem::remove_all(path);
    trawl::collection_options const options{
        .fields = {{"n", trawl::integer_field}}, .vectors = {{.dim = 2}}, .merge_on_commit = false};
    {
        auto notes = on_disk ? collection::open(path, options) : collection::in_memory(options);
        trawl::thread_executor const pool(2);
        constexpr int commits = 120;
        constexpr int slots = 30;
        std::atomic<bool> done{false};
        std::atomic<int> merges{0};
        std::atomic<int> wrong{0};
        std::thread keeper([&] {
            while (!done) merges += notes.maintain(&pool) ? 1 : 0;
        });
        std::vector<std::thread> readers;
        for (int i = 0; i < 3; ++i) {
            readers.emplace_back([&] {
                while (!done) {
                    auto const now = notes.snapshot();
                    auto const found = now.search("all", {.k = 1, .count = true});
                    if (found.matches != now.size()) ++wrong;
                    for (auto const& hit : found)
                        if (!hit.arms[0].score || !now.get(hit.key)) ++wrong;
                }
            });
        }
        // Slot n % slots holds the newest n; every 7th commit erases one; terms are new all the time.
        std::vector<int> kept(slots, -1);
        for (int n = 0; n < commits; ++n) {
            auto const slot = n % slots;
            notes.put({.key = "slot" + std::to_string(slot),
                .text = "all w" + std::to_string(n),
                .metadata = {{"n", n}},
                .vector = {1, static_cast<float>(n)}});
            kept[static_cast<std::size_t>(slot)] = n;
            if (n % 7 == 0) {
                auto const gone = static_cast<std::size_t>((n * 5 + 3) % slots);
                static_cast<void>(notes.erase("slot" + std::to_string(gone)));
                kept[gone] = -1;
            }
            notes.commit();
            if (n == 70) notes.compact(); // a merge under way is for nothing then
        }
        // The last merges may still come.
        while (merges == 0) std::this_thread::yield();
        done = true;
        keeper.join();
        for (auto& reader : readers) reader.join();
        CHECK(wrong == 0);
        static_cast<void>(notes.maintain());
        auto const check = [&](collection const& of) {
            of.verify();
            std::size_t live = 0;
            for (std::size_t slot = 0; slot < kept.size(); ++slot) {
                auto const n = kept[slot];
                CAPTURE(slot, n);
                auto const found = of.get("slot" + std::to_string(slot));
                REQUIRE(found.has_value() == (n >= 0));
                if (n < 0) continue;
                ++live;
                CHECK(found->text == "all w" + std::to_string(n));
                CHECK(found->vector == std::vector<float>{1, static_cast<float>(n)});
                auto const hits =
                    of.search("+w" + std::to_string(n), {.where = trawl::field("n") == n});
                REQUIRE(hits.size() == 1);
                CHECK(hits.hits[0].document == found->key);
            }
            CHECK(of.size() == live);
            CHECK(of.search("all", {.count = true}).matches == live);
        };
        check(notes);
        if (on_disk) {
            auto reading = options;
            reading.read_only = true;
            check(collection::open(path, reading));
            std::size_t segments = 0;
            for (auto const& file : std::filesystem::directory_iterator(path)) {
                auto const name = file.path().filename().string();
                CHECK_FALSE(name.starts_with(".trawl-"));
                segments += name.ends_with(".segment") ? 1u : 0u;
            }
            CHECK(segments < 30); // of 50 commits since all was one
        }
    }
    std::filesystem::remove_all(path);
}
