// SPDX-License-Identifier: MIT
// A writer and readers at once; the sanitizer of threads watches.
#include "lexical/fields.hpp"

#include <trawl/lexical/lexical_query.hpp>

#include "support/catch.hpp"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

using trawl::doc_id;

TEST_CASE("Readers see whole documents, and all that was written before, while a writer goes on",
    "[lexical][threads]") {
    // Document i holds "all" and a word of its own. Writers add, change the word and erase every
    // third document.
    constexpr doc_id documents = 1500;
    test::index index;
    std::atomic<doc_id> written = 0;
    std::atomic<int> wrong = 0;
    auto const read = [&] {
        while (written.load() < documents) {
            auto const before = written.load();
            auto const hits = index.search("all", 2 * documents);
            // Each step of the writer adds one and erases at most one of three.
            if (hits.size() + before / 3 + 1 < before) ++wrong;
            for (std::size_t i = 1; i < hits.size(); ++i) {
                if (!trawl::by_rank{}(hits[i - 1], hits[i])) ++wrong;
            }
            if (before > 0) {
                auto const last = before - 1;
                auto const found = index.search("new" + std::to_string(last), 5);
                if (last % 3 != 0 && (found.size() != 1 || found[0].id != last)) ++wrong;
                if (index.next_id() < before) ++wrong;
            }
            test::index const copy(index);
            if (copy.size() + before / 3 + 1 < before) ++wrong;
        }
    };
    std::thread first(read);
    std::thread second(read);
    for (doc_id i = 0; i < documents; ++i) {
        auto const number = std::to_string(i);
        index.add("all old" + number);
        index.update(i, "all new" + number);
        if (i % 3 == 0) index.erase(i);
        if (i % 500 == 499) index.compact();
        written = i + 1;
    }
    first.join();
    second.join();
    CHECK(wrong == 0);
    CHECK(index.size() == documents - documents / 3);
    CHECK(index.search("old7", 5).empty());
}

TEST_CASE("Several writers take turns", "[lexical][threads]") {
    test::index index;
    std::vector<std::thread> writers;
    for (int w = 0; w < 3; ++w) {
        writers.emplace_back([&, w] {
            for (int i = 0; i < 300; ++i)
                index.erase(index.add("a w" + std::to_string(w)) - (i % 2 == 0 ? 0u : 1u));
        });
    }
    for (auto& writer : writers) writer.join();
    CHECK(index.next_id() == 900);
    CHECK(index.search("a", 1000).size() == index.size());
}

TEST_CASE("Readers see all fields of a document, or none, while a writer goes on",
    "[lexical][fields][threads]") {
    // Each document holds a number in both fields, and "t" in one of them.
    constexpr doc_id documents = 600;
    test::field_index index({{"title", 2}, {"text"}}, {}, {.positions = true});
    std::atomic<bool> done = false;
    std::atomic<int> wrong = 0;
    auto const read = [&] {
        while (!done.load()) {
            auto const size = index.size();
            // An update puts the number into other fields of the document, in one step.
            if (index.search("t", 2 * documents).size() < size) ++wrong;
            if (index.search(trawl::ask::phrase("t end").in("title"), 2 * documents).size()
                > index.next_id()) {
                ++wrong;
            }
            test::field_index const copy(index);
            if (copy.search("t", 2 * documents).size() != copy.size()) ++wrong;
        }
    };
    std::thread first(read);
    std::thread second(read);
    for (doc_id i = 0; i < documents; ++i) {
        auto const number = std::to_string(i);
        index.add({"t end", number});
        index.update(i, {number, "t end"});
        if (i % 200 == 199) index.compact();
    }
    done = true;
    first.join();
    second.join();
    CHECK(wrong == 0);
    CHECK(index.size() == documents);
}
