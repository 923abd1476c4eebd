// SPDX-License-Identifier: MIT
#include <trawl/core/key_table.hpp>

#include "support/catch.hpp"

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
