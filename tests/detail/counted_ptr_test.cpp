// SPDX-License-Identifier: MIT
#include <trawl/detail/counted_ptr.hpp>

#include <thread>
#include <utility>
#include <vector>

#include "support/catch.hpp"

using trawl::detail::counted_ptr;

namespace {

struct noted {
    explicit noted(int& counter, int number = 0) : alive(&counter), value(number) { ++counter; }
    noted(noted const&) = delete;
    noted& operator=(noted const&) = delete;
    ~noted() { --*alive; }
    int* alive;
    int value;
};

struct declared; // as an engine whose header does not show what it holds
struct holder {
    counted_ptr<declared> inside;
};
struct declared {
    int value = 7;
};

} // namespace

TEST_CASE("An object lives as long as a counted_ptr to it", "[detail][counted_ptr]") {
    int alive = 0;
    auto first = counted_ptr<noted>::make(alive, 3);
    CHECK(first->value == 3);
    CHECK((*first).value == 3);
    CHECK(first.get() == &*first);
    counted_ptr<noted const> reading = first;
    auto moved = std::move(first);
    CHECK(first == nullptr);
    CHECK_FALSE(first);
    CHECK(moved != nullptr);
    CHECK(alive == 1);
    moved = nullptr;
    CHECK(alive == 1);
    reading = reading;
    CHECK(reading->value == 3);
    reading = counted_ptr<noted const>::make(alive, 4);
    CHECK(alive == 1);
    CHECK(reading->value == 4);
    auto const copy = reading;
    CHECK(copy == reading);
    CHECK_FALSE(copy == counted_ptr<noted const>::make(alive, 4));
    reading = nullptr;
    CHECK(alive == 1);
}

TEST_CASE("A constructor that throws leaves nothing behind", "[detail][counted_ptr]") {
    struct thrower {
        thrower() { throw 1; }
    };
    CHECK_THROWS_AS(counted_ptr<thrower>::make(), int);
}

TEST_CASE("A class may hold a counted_ptr to what it only declares", "[detail][counted_ptr]") {
    holder const made{counted_ptr<declared>::make()};
    auto const copy = made;
    CHECK(copy.inside->value == 7);
}

TEST_CASE("Threads may copy and drop at once", "[detail][counted_ptr]") {
    int alive = 0;
    {
        auto const shared = counted_ptr<noted const>::make(alive);
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([shared] {
                for (int i = 0; i < 10'000; ++i) {
                    auto const copy = shared;
                    static_cast<void>(copy);
                }
            });
        }
        for (auto& thread : threads) thread.join();
        CHECK(alive == 1);
    }
    CHECK(alive == 0);
}
