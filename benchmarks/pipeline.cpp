// SPDX-License-Identifier: MIT
// What a pipeline costs over the stages that it is made of: time, and memory asked for.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <string_view>
#include <vector>

#include "harness.hpp"

#include <trawl/detail/random.hpp>
#include <trawl/pipeline/any_pipeline.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/mmr.hpp>

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

namespace {

// An arm that costs what copying its hits does.
struct ready_arm {
    trawl::ranking hits;
    [[nodiscard]] trawl::ranking search(
        trawl::query const&, trawl::search_options const& options) const {
        return {hits.begin(),
            hits.begin() + static_cast<std::ptrdiff_t>((std::min)(options.k, hits.size()))};
    }
};

ready_arm arm_of(std::size_t hits, std::uint64_t seed) {
    trawl::detail::random random(seed);
    std::vector<trawl::doc_id> ids(2 * hits);
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<trawl::doc_id>(i);
    random.shuffle(std::span(ids));
    ready_arm arm;
    for (std::size_t i = 0; i < hits; ++i)
        arm.hits.push_back({ids[i], static_cast<float>(hits - i)});
    return arm;
}

void score_by_id(
    trawl::query const&, std::span<trawl::candidate const> batch, std::span<float> out) {
    for (std::size_t i = 0; i < batch.size(); ++i) out[i] = static_cast<float>(batch[i].id % 101);
}
std::string_view no_text_at_all(trawl::doc_id) { return {}; }

constexpr int calls = 200;
constexpr double micro = 1e6;

// Microseconds of one call, of many in a row.
template <class Work>
double each(Work const& work) {
    return micro * bench::seconds([&] {
        for (int i = 0; i < calls; ++i) work();
    }) / calls;
}

template <class Work>
double allocations_of(Work const& work) {
    work();
    auto const before = allocations.load();
    work();
    return static_cast<double>(allocations.load() - before);
}

} // namespace

int main(int argc, char** argv) {
    bench::report report("pipeline", bench::parse(argc, argv));
    trawl::query const q{.text = "question"};
    std::size_t sink = 0;

    std::vector<double> allocated;
    for (std::size_t const window : {std::size_t{50}, std::size_t{1000}}) {
        auto const a = arm_of(window, 1);
        auto const b = arm_of(window, 2);
        trawl::rrf const rule;
        trawl::rerank_stage const stage(score_by_id, no_text_at_all, {.depth = 20});
        auto const search = trawl::hybrid_search{a, b}.window(window).fuse(rule).then(stage);
        trawl::any_pipeline const erased =
            trawl::hybrid_search{a, b}.window(window).fuse(rule).then(stage);
        trawl::search_options const options{.k = window};

        auto const by_hand = [&] {
            trawl::ranking const arms[] = {a.search(q, options), b.search(q, options)};
            auto hits = stage(q, rule(arms), options);
            if (hits.size() > 10) hits.resize(10);
            sink += hits[0].id;
        };
        auto const piped = [&] { sink += search(q, 10)[0].id; };
        auto const any = [&] { sink += erased(q, 10)[0].id; };
        auto const reported = [&] { sink += search.report(q).ranking[0].id; };

        auto const times = bench::interleave_values(
            report.rounds(), {[&] { return each(by_hand); }, [&] { return each(piped); },
                                 [&] { return each(any); }, [&] { return each(reported); }});
        auto const over = [&](bench::samples const& ours) {
            bench::samples differences;
            for (std::size_t i = 0; i < ours.size(); ++i)
                differences.push_back((std::max)(0.001, ours[i] - times[0][i]));
            return differences;
        };
        auto const name = "2 arms x " + std::to_string(window) + ", rerank 20";
        report.limit(name + ": the stages alone", times[0], "us");
        report.bound(name + ": search over its stages", over(times[1]), 5, "us");
        report.bound(name + ": any_pipeline over its stages", over(times[2]), 5, "us");
        report.limit(name + ": report over its stages", over(times[3]), "us");
        allocated.push_back(allocations_of(piped) - allocations_of(by_hand));
        report.bound(name + ": allocations over its stages", allocated.back(), 10, "1");
    }
    // None for each hit: as many for 2 x 1000 as for 2 x 50.
    report.bound("allocations, 2 x 1000 less 2 x 50",
        (std::max)(0.001, allocated[1] - allocated[0]), 0.01, "1");
    return sink == 0 ? 1 : report.finish();
}
