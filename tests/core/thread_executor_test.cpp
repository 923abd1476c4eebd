// SPDX-License-Identifier: MIT
#include <trawl/core/thread_executor.hpp>

#include <atomic>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <sys/resource.h>
#include <unistd.h>
#define TEST_LIMITED_MEMORY
#endif

TEST_CASE("An executor runs each task once, however many threads it has", "[core][executor]") {
    for (std::size_t const threads : {1u, 2u, 3u, 8u}) {
        trawl::thread_executor const pool(threads);
        CHECK(pool.concurrency() == threads);
        for (std::size_t const count : {0u, 1u, 2u, 7u, 500u}) {
            CAPTURE(threads, count);
            std::vector<int> runs(count, 0); // a task touches its own element only
            pool.run(count, [&](std::size_t i) { ++runs[i]; });
            CHECK(runs == std::vector<int>(count, 1));
        }
    }
    CHECK(trawl::thread_executor().concurrency() >= 1);
}

TEST_CASE("Without an executor tasks run in order on the calling thread", "[core][executor]") {
    std::vector<std::size_t> order;
    auto const here = std::this_thread::get_id();
    trawl::run_tasks(nullptr, 4, [&](std::size_t i) {
        CHECK(std::this_thread::get_id() == here);
        order.push_back(i);
    });
    CHECK(order == std::vector<std::size_t>{0, 1, 2, 3});
}

TEST_CASE("A task may run tasks of its own on the same executor", "[core][executor]") {
    for (std::size_t const threads : {1u, 2u, 4u}) {
        trawl::thread_executor const pool(threads);
        std::atomic<int> leaves = 0;
        pool.run(8, [&](std::size_t) {
            pool.run(8, [&](std::size_t) { pool.run(4, [&](std::size_t) { ++leaves; }); });
        });
        CHECK(leaves == 8 * 8 * 4);
    }
}

TEST_CASE("Several threads may run tasks on one executor at once", "[core][executor]") {
    trawl::thread_executor const pool(3);
    std::atomic<int> done = 0;
    std::vector<std::thread> callers;
    for (int c = 0; c < 4; ++c) {
        callers.emplace_back([&] {
            for (int round = 0; round < 50; ++round) {
                std::vector<int> own(20, 0);
                pool.run(own.size(), [&](std::size_t i) { own[i] = 1; });
                for (int const o : own) done += o;
            }
        });
    }
    for (auto& caller : callers) caller.join();
    CHECK(done == 4 * 50 * 20);
}

TEST_CASE("Where tasks throw all others still run, and the lowest one's exception is passed on",
    "[core][executor]") {
    for (std::size_t const threads : {1u, 2u, 4u}) {
        trawl::thread_executor const pool(threads);
        for (int round = 0; round < 100; ++round) {
            std::atomic<int> ran = 0;
            auto const task = [&](std::size_t i) {
                ++ran;
                if (i == 3 || i == 17 || i == 39)
                    throw std::runtime_error("task " + std::to_string(i));
            };
            CHECK_THROWS_WITH(pool.run(40, task), "task 3");
            CHECK(ran == 40);
        }
        int after = 0;
        pool.run(1, [&](std::size_t) { ++after; });
        CHECK(after == 1);
    }
}

TEST_CASE("Without an executor the lowest failing task's exception is passed on too",
    "[core][executor]") {
    auto const task = [](std::size_t i) {
        if (i >= 1) throw std::runtime_error("task " + std::to_string(i));
    };
    CHECK_THROWS_WITH(trawl::run_tasks(nullptr, 4, task), "task 1");
}

#ifdef TEST_LIMITED_MEMORY
TEST_CASE("Where no more threads start, the pool works with those that did", "[core][executor]") {
    rlimit before = {};
    REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
    std::size_t pages = 0; // of virtual memory in use
    std::ifstream("/proc/self/statm") >> pages;
    auto limit = before;
    // Room for a few stacks, whose size is 8 MB unless the system says otherwise.
    limit.rlim_cur = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + (40u << 20);
    REQUIRE(setrlimit(RLIMIT_AS, &limit) == 0);
    std::size_t concurrency = 0;
    int sum = 0;
    {
        trawl::thread_executor const pool(5000);
        concurrency = pool.concurrency();
        std::vector<int> ran(200);
        pool.run(ran.size(), [&](std::size_t i) { ++ran[i]; });
        for (int const n : ran) sum += n;
    }
    REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
    CHECK(concurrency >= 1);
    CHECK(concurrency < 5000);
    CHECK(sum == 200);
}
#endif
