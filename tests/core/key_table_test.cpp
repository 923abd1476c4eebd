// SPDX-License-Identifier: MIT
#include <trawl/core/key_table.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <map>
#include <string>

using trawl::doc_id;
using trawl::key_table;
using trawl::no_doc;

TEST_CASE("key_table maps keys to ascending ids and back", "[core][key_table]") {
    trawl::key_table keys;
    CHECK(keys.add("a") == 0);
    CHECK(keys.add("") == 1);
    CHECK(keys.add(5, "c") == 5);
    CHECK(keys.next_id() == 6);
    CHECK(keys.size() == 3);
    CHECK(keys.find("c") == 5u);
    CHECK(keys.find("") == 1u);
    CHECK_FALSE(keys.find("d").has_value());
    CHECK(keys.key(0) == "a");
    CHECK(keys.key(1).empty());
    CHECK_FALSE(keys.contains(3));
    CHECK_FALSE(keys.contains(6));
}

TEST_CASE("key_table retires an erased id, while its key may come again", "[core][key_table]") {
    trawl::key_table keys;
    keys.add("a");
    keys.add("b");
    CHECK(keys.erase(1));
    CHECK_FALSE(keys.erase(1));
    CHECK_FALSE(keys.erase(7));
    CHECK_FALSE(keys.find("b").has_value());
    CHECK(keys.size() == 1);
    CHECK(keys.add("b") == 2);
    CHECK(keys.find("b") == 2u);
    CHECK_FALSE(keys.contains(1));
    CHECK_THROWS_AS(keys.key(1), trawl::error);
}

TEST_CASE("key_table's copies and moves stand alone", "[core][key_table]") {
    trawl::key_table first;
    for (int i = 0; i < 100; ++i) first.add("key " + std::to_string(i));
    first.erase(50);

    auto copy = first;
    first.erase(1);
    first.add("new");
    CHECK(copy.key(1) == "key 1");
    CHECK(copy.size() == 99);
    CHECK_FALSE(copy.find("new").has_value());
    CHECK_FALSE(copy.contains(50));

    auto const moved = std::move(copy);
    CHECK(moved.key(99) == "key 99");
    CHECK(moved.find("key 99") == 99u);

    trawl::key_table assigned;
    assigned.add("old");
    assigned = moved;
    assigned = *&assigned;
    CHECK(assigned.key(0) == "key 0");
    CHECK_FALSE(assigned.find("old").has_value());
    assigned = trawl::key_table();
    CHECK(assigned.size() == 0);
    CHECK(assigned.next_id() == 0);
    CHECK(moved.key(0) == "key 0");
}

TEST_CASE("key_table refuses what would damage it and stays as it was", "[core][key_table]") {
    trawl::key_table keys;
    keys.add("a");
    keys.add(4, "b");
    CHECK_THROWS_WITH(keys.add("a"), "key_table::add: key 'a' is document 0 already");
    CHECK_THROWS_WITH(keys.add(4, "c"), "key_table::add: id 4 is below the next id 5");
    CHECK_THROWS_AS(keys.add(trawl::no_doc, "c"), trawl::error);
    CHECK_THROWS_WITH(keys.key(2), "key_table::key: no document 2");
    CHECK(keys.size() == 2);
    CHECK(keys.next_id() == 5);
    CHECK_FALSE(keys.find("c").has_value());
}

TEST_CASE("Memory grows with the keys, not with the ids", "[core][key_table]") {
    key_table table;
    CHECK(table.add(4'000'000'000, "far") == 4'000'000'000); // 32 GB, were each id a pointer
    CHECK(table.add("next") == 4'000'000'001);
    CHECK(table.add(no_doc - 1, "last") == no_doc - 1);
    CHECK(table.next_id() == no_doc);
    CHECK_THROWS_AS(table.add("one too many"), trawl::error);
    CHECK(table.key(4'000'000'000) == "far");
    CHECK(table.find("next") == 4'000'000'001);
    CHECK_FALSE(table.contains(0));
    CHECK_FALSE(table.contains(4'000'000'002));
    CHECK(table.erase(4'000'000'001));
    CHECK_FALSE(table.erase(4'000'000'001));
    CHECK(table.find("last") == no_doc - 1);
    CHECK(table.size() == 2);
}

TEST_CASE("A table agrees with std::map under any history", "[core][key_table]") {
    std::uint32_t state = 1;
    auto const random = [&](std::uint32_t bound) {
        state = state * 1664525u + 1013904223u;
        return (state >> 8) % bound;
    };
    key_table table;
    std::map<std::string, doc_id> right;
    for (int step = 0; step < 4000; ++step) {
        auto const key = std::to_string(random(300));
        auto const found = right.find(key);
        if (found == right.end()) {
            auto const id = table.next_id() + random(3);
            CHECK(table.add(id, key) == id);
            right.emplace(key, id);
        } else if (random(2) == 0) {
            CHECK(table.erase(found->second));
            right.erase(found);
        } else {
            CHECK_THROWS_AS(table.add(key), trawl::error);
        }
        if (step == 2000) table = key_table(table);
    }
    CHECK(table.size() == right.size());
    std::size_t there = 0;
    for (doc_id id = 0; id < table.next_id(); ++id) there += table.contains(id) ? 1u : 0u;
    CHECK(there == right.size());
    for (int k = 0; k < 300; ++k) {
        auto const key = std::to_string(k);
        auto const found = right.find(key);
        if (found == right.end()) {
            CHECK_FALSE(table.find(key));
        } else {
            CHECK(table.find(key) == found->second);
            CHECK(table.key(found->second) == key);
        }
    }
}
