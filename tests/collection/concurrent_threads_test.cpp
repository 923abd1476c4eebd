// SPDX-License-Identifier: MIT
#include <trawl/collection/collection.hpp>

#include <atomic>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

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
