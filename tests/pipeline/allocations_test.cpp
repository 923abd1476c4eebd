// SPDX-License-Identifier: MIT
// A pipeline asks for memory a fixed number of times beside what its parts ask for: never once for
// each hit.
#include "support/catch.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <string_view>

#include <trawl/pipeline/any_pipeline.hpp>
#include <trawl/pipeline/hybrid_search.hpp>

namespace {

std::atomic<std::size_t> allocations{0};

} // namespace

#if defined(__GNUC__)
#define NOINLINE __attribute__((noinline)) // else g++ sees free() meet operator new, and warns
#else
#define NOINLINE
#endif

NOINLINE void* operator new(std::size_t size) {
    ++allocations;
    if (void* const at = std::malloc(size == 0 ? 1 : size)) return at;
    throw std::bad_alloc();
}
NOINLINE void* operator new(std::size_t size, std::nothrow_t const&) noexcept {
    ++allocations;
    return std::malloc(size == 0 ? 1 : size);
}
NOINLINE void operator delete(void* at) noexcept { std::free(at); }
NOINLINE void operator delete(void* at, std::size_t) noexcept { std::free(at); }

using namespace trawl;

namespace {

struct ready_arm {
    ranking hits;
    [[nodiscard]] ranking search(query const&, search_options const& options) const {
        return {hits.begin(),
            hits.begin() + static_cast<std::ptrdiff_t>((std::min)(options.k, hits.size()))};
    }
};

ready_arm arm_from(doc_id first, std::size_t count) {
    ready_arm arm;
    for (std::size_t i = 0; i < count; ++i)
        arm.hits.push_back({first + static_cast<doc_id>(i), static_cast<float>(count - i)});
    return arm;
}

void by_id(query const&, std::span<candidate const> batch, std::span<float> out) {
    for (std::size_t i = 0; i < batch.size(); ++i) out[i] = static_cast<float>(batch[i].id % 7);
}
std::string_view nothing(doc_id) { return {}; }

template <class Work>
std::size_t allocations_of(Work const& work) {
    auto const before = allocations.load();
    work();
    return allocations.load() - before;
}

// How many more a search asks for than its parts one by one.
std::size_t over_its_parts(std::size_t window) {
    auto const a = arm_from(0, window);
    auto const b = arm_from(static_cast<doc_id>(window / 2), window);
    rrf const rule;
    rerank_stage const stage(by_id, nothing);
    auto const search = hybrid_search{a, b}.window(window).fuse(rule).then(stage);
    query const q{.text = "question"};
    search_options const options{.k = window};
    auto const piped = allocations_of([&] { REQUIRE(search.search(q, options).size() == window); });
    auto const by_hand = allocations_of([&] {
        ranking const arms[] = {a.search(q, options), b.search(q, options)};
        REQUIRE(stage(q, rule(arms), options).size() == window + window / 2);
    });
    REQUIRE(piped >= by_hand);
    return piped - by_hand;
}

} // namespace

TEST_CASE("a search asks for memory no more often over 2000 hits than over 100",
    "[pipeline][allocations]") {
    auto const few = over_its_parts(50);
    CAPTURE(few);
    REQUIRE(few <= 10);
    REQUIRE(over_its_parts(1000) == few);
}

namespace {

struct asked_stage {
    bool drops;
    int* asked;
    [[nodiscard]] ranking operator()(
        query const&, ranking candidates, search_options const&) const {
        return candidates;
    }
    [[nodiscard]] std::size_t count_kept(std::span<doc_id const> candidates) const {
        ++*asked;
        return candidates.size();
    }
    [[nodiscard]] bool drops_candidates() const noexcept { return drops; }
};

} // namespace

TEST_CASE("the union of the arms is made for stages that may drop candidates, for no others",
    "[pipeline][allocations]") {
    auto const a = arm_from(0, 100);
    auto const b = arm_from(50, 100);
    int asked = 0;
    auto const kept = hybrid_search{a, b}.window(50).then(asked_stage{false, &asked});
    static_cast<void>(kept({.text = "query"}, 10));
    CHECK(asked == 0);
    auto const dropped = hybrid_search{a, b}.window(50).then(asked_stage{true, &asked});
    static_cast<void>(dropped({.text = "query"}, 10));
    CHECK(asked == 1);
    CHECK_FALSE(rerank_stage(by_id, nothing).drops_candidates());
    CHECK(rerank_stage(by_id, nothing, {.deduplicate = true}).drops_candidates());
}
