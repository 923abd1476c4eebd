// SPDX-License-Identifier: MIT
#include <trawl/core/doc_set.hpp>
#include <trawl/core/filter.hpp>

#include <limits>
#include <set>
#include <utility>

#include <trawl/detail/random.hpp>

#include "support/catch.hpp"

namespace {

std::vector<trawl::doc_id> members(trawl::doc_set const& set) {
    std::vector<trawl::doc_id> ids;
    set.for_each([&](trawl::doc_id id) { ids.push_back(id); });
    return ids;
}

} // namespace

TEST_CASE("doc_set is a set, at the edges of its words too", "[core][doc_set]") {
    for (std::size_t const universe : {1u, 63u, 64u, 65u, 128u, 1000u}) {
        CAPTURE(universe);
        auto const last = static_cast<trawl::doc_id>(universe - 1);
        trawl::doc_set set(universe);
        CHECK(set.empty());
        set.insert(last);
        set.insert(0);
        CHECK(set.contains(last));
        CHECK_FALSE(set.contains(last + 1));
        CHECK_FALSE(set.contains(trawl::no_doc));
        CHECK(set.count() == (universe == 1 ? 1u : 2u));
        set.erase(last);
        set.erase(last);
        set.erase(last + 1);
        CHECK_FALSE(set.contains(last));
        CHECK(trawl::doc_set::all(universe).count() == universe);
        CHECK((~trawl::doc_set(universe)).count() == universe);
        CHECK((~trawl::doc_set::all(universe)).empty());
    }
}

TEST_CASE("doc_set's algebra is that of sets", "[core][doc_set]") {
    auto const seed = GENERATE(1u, 2u, 3u, 4u);
    CAPTURE(seed);
    trawl::detail::random random(seed);
    for (int round = 0; round < 50; ++round) {
        auto const draw = [&](std::size_t universe, std::set<trawl::doc_id>& ids) {
            trawl::doc_set set(universe);
            for (std::size_t i = 0; universe > 0 && i < universe / 2; ++i) {
                auto const id = static_cast<trawl::doc_id>(random.below(universe));
                set.insert(id);
                ids.insert(id);
            }
            return set;
        };
        std::set<trawl::doc_id> a_ids, b_ids;
        auto const a = draw(random.below(200), a_ids);
        auto const b = draw(random.below(200), b_ids);
        std::vector<trawl::doc_id> both, either, only_a;
        std::set_intersection(
            a_ids.begin(), a_ids.end(), b_ids.begin(), b_ids.end(), std::back_inserter(both));
        std::set_union(
            a_ids.begin(), a_ids.end(), b_ids.begin(), b_ids.end(), std::back_inserter(either));
        std::set_difference(
            a_ids.begin(), a_ids.end(), b_ids.begin(), b_ids.end(), std::back_inserter(only_a));
        CHECK(members(a & b) == both);
        CHECK(members(a | b) == either);
        CHECK(members(a - b) == only_a);
        CHECK((a & b).universe() == a.universe());
        CHECK((a | b).universe() == (std::max)(a.universe(), b.universe()));
        CHECK((a | b).count() == either.size());
        CHECK(~~a == a);
        CHECK((a & ~a).empty());
        CHECK((a | ~a) == trawl::doc_set::all(a.universe()));
    }
}

TEST_CASE("doc_set forgets what a smaller universe leaves out", "[core][doc_set]") {
    auto set = trawl::doc_set::all(70);
    set.resize(10);
    set.resize(200);
    CHECK(set.count() == 10);
    CHECK(set.universe() == 200);
    set.resize(0);
    CHECK(set.empty());
    CHECK(set == trawl::doc_set());
}

TEST_CASE("doc_set refuses a document outside its universe and names both", "[core][doc_set]") {
    trawl::doc_set set(3, {0, 2});
    CHECK_THROWS_WITH(set.insert(3), "doc_set::insert: id 3 is outside [0, 3)");
    CHECK_THROWS_AS(trawl::doc_set(2, {2}), trawl::error);
    CHECK(set == trawl::doc_set(3, {0, 2}));
}

TEST_CASE("No filter admits everything, the filter of an empty set nothing", "[core][filter]") {
    trawl::filter const none;
    CHECK(none.admits(0));
    CHECK(none.admits(trawl::no_doc - 1));
    CHECK(none.admits_all());
    CHECK(none.set() == nullptr);

    trawl::doc_set const empty;
    trawl::filter const nothing = empty;
    CHECK_FALSE(nothing.admits(0));
    CHECK_FALSE(nothing.admits_all());

    trawl::doc_set const some(5, {1, 4});
    trawl::filter const two = some;
    CHECK(two.admits(1));
    CHECK_FALSE(two.admits(2));
    CHECK_FALSE(two.admits(5));
    CHECK(two.set() == &some);
}

TEST_CASE("A universe larger than the ids is refused", "[core][doc_set]") {
    auto const huge = (std::numeric_limits<std::size_t>::max)();
    for (auto const universe : {huge, huge - 62, huge - 63, std::size_t{1} << 32}) {
        CAPTURE(universe);
        CHECK_THROWS_AS(trawl::doc_set(universe), trawl::error);
        CHECK_THROWS_AS(trawl::doc_set(universe, {3}), trawl::error);
        CHECK_THROWS_AS(trawl::doc_set::all(universe), trawl::error);
        trawl::doc_set set(5, {1, 4});
        CHECK_THROWS_AS(set.resize(universe), trawl::error);
        CHECK(set == trawl::doc_set(5, {1, 4}));
    }
    CHECK_THROWS_WITH(trawl::doc_set(std::size_t{1} << 32),
        "doc_set: the universe is 4294967296, must be <= 4294967295");
}

TEST_CASE("A set that was moved from is empty and refuses every id", "[core][doc_set]") {
    trawl::doc_set from(100, {3, 99});
    auto to = std::move(from);
    CHECK(from.universe() == 0); // NOLINT(bugprone-use-after-move)
    CHECK(from.empty());
    CHECK_THROWS_AS(from.insert(3), trawl::error);
    from = std::move(to);
    CHECK(from == trawl::doc_set(100, {3, 99}));
    CHECK_THROWS_AS(to.insert(3), trawl::error); // NOLINT(bugprone-use-after-move)
}
