// SPDX-License-Identifier: MIT
// The laws that a pipeline keeps whatever it is built of, on random arms, filters, rules and
// stages.
#include "support/catch.hpp"
#include "support/tiny.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <trawl/core/thread_executor.hpp>
#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/pipeline/any_pipeline.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/mmr.hpp>

using support::same_bits;
using support::table_arm;
using namespace trawl;

namespace {

constexpr std::uint64_t rounds = 150;
constexpr doc_id documents = 60;
constexpr std::size_t everything = 1000;

std::vector<float> const direction{1.0f, 0.5f};
query const question{.text = "question", .vector = direction};

// A model with few different scores, all by the document alone.
void model(query const&, std::span<candidate const> batch, std::span<float> out) {
    for (std::size_t i = 0; i < batch.size(); ++i)
        out[i] = static_cast<float>(batch[i].text.size() * 7 % 5) - 2.0f;
}

std::string text_of(doc_id id) { return std::string(id % 23, 'x'); }

// How a random pipeline is built; the same plan can be built twice, with other arms or another
// batch size.
struct plan {
    std::vector<table_arm> arms;
    support::point_source points;
    std::vector<double> weights;
    std::size_t window = 50;
    bool by_ranks = true;
    normaliser norm = normaliser::none;
    bool complete = false;
    bool rerank = false;
    bool diversify = false;
    rerank_options rerank_by = {};
    diversify_options diversify_by = {};
};

plan random_plan(std::uint64_t seed) {
    detail::random random(seed);
    plan made;
    for (int a = 0; a < 3; ++a) {
        made.arms.push_back(support::random_arm(random, documents));
        made.weights.push_back(static_cast<double>(1 + random.below(8)) / 4);
    }
    made.points = support::random_points(random, documents);
    made.window = 1 + random.below(70);
    made.by_ranks = random.below(2) == 0;
    made.norm = static_cast<normaliser>(random.below(3));
    made.complete = !made.by_ranks && random.below(2) == 0;
    made.rerank = random.below(2) == 0;
    made.diversify = random.below(2) == 0;
    made.rerank_by = {.depth = random.below(40),
        .keep = random.below(3) == 0 ? random.below(50) : everything,
        .batch_size = 1 + random.below(20),
        .deduplicate = random.below(3) == 0,
        .by_length = random.below(2) == 0,
        .mix = {.before = random.below(2) == 0 ? 0.3 : 0.0}};
    made.diversify_by = {.depth = random.below(60)};
    return made;
}

template <class Search>
any_pipeline with_stages(Search search, plan const& p) {
    if (p.rerank && p.diversify) {
        return std::move(search)
            .rerank(&model, &text_of, p.rerank_by)
            .diversify(mmr{}, support::point_source(p.points), p.diversify_by);
    }
    if (p.rerank) return std::move(search).rerank(&model, &text_of, p.rerank_by);
    if (p.diversify)
        return std::move(search).diversify(
            mmr{.lambda = 0.3}, support::point_source(p.points), p.diversify_by);
    return search;
}

any_pipeline build(plan const& p) {
    auto search =
        hybrid_search{table_arm(p.arms[0]), table_arm(p.arms[1]), table_arm(p.arms[2])}.window(
            p.window);
    if (p.by_ranks) return with_stages(std::move(search).fuse(rrf{.weights = p.weights}), p);
    return with_stages(std::move(search).fuse(weighted_sum{.weights = p.weights, .norm = p.norm},
                           {.complete = p.complete}),
        p);
}

doc_set random_filter(std::uint64_t seed) {
    detail::random random(seed ^ 0x5EEDu);
    return support::random_set(random, documents + 5);
}

std::set<doc_id> union_of(plan const& p, filter where) {
    std::set<doc_id> all;
    for (auto const& arm : p.arms)
        for (auto const& h : arm.search(question, {.k = p.window, .where = where}))
            all.insert(h.id);
    return all;
}

} // namespace

TEST_CASE(
    "law 1: scores never rise, no document comes twice, and k only cuts", "[laws][pipeline]") {
    for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
        CAPTURE(seed);
        auto const search = build(random_plan(seed));
        auto const set = random_filter(seed);
        for (filter const& where : {filter{}, filter{set}}) {
            auto const all = search(question, everything, where);
            std::set<doc_id> seen;
            for (std::size_t i = 0; i < all.size(); ++i) {
                REQUIRE(seen.insert(all[i].id).second);
                REQUIRE((i == 0 || all[i].score <= all[i - 1].score));
            }
            for (std::size_t k = 0; k <= all.size() + 2; ++k) {
                auto const part = (std::min)(k, all.size());
                REQUIRE(same_bits(search(question, k, where),
                    ranking(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(part))));
            }
        }
    }
}

TEST_CASE("law 1: pages hold every document once, in order, from a text too",
    "[laws][pipeline][cursor]") {
    for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
        CAPTURE(seed);
        detail::random random(seed);
        auto const search = build(random_plan(seed));
        auto const set = random_filter(seed);
        auto pages = search.pages(question, {.k = 1, .where = set});
        ranking joined;
        while (!pages.at_end()) {
            auto const offset = joined.size();
            auto const page = pages.next(1 + random.below(9), set);
            REQUIRE(
                same_bits(search.page(question, offset, {.k = page.size(), .where = set}), page));
            joined.insert(joined.end(), page.begin(), page.end());
            pages = cursor::parse(pages.to_text());
        }
        REQUIRE(same_bits(joined, search(question, everything, set)));
    }
}

TEST_CASE(
    "law 1: without stages the order is score descending, then id ascending", "[laws][pipeline]") {
    for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
        CAPTURE(seed);
        auto p = random_plan(seed);
        p.rerank = p.diversify = false;
        auto const hits = build(p)(question, everything);
        REQUIRE(std::is_sorted(hits.begin(), hits.end(), by_rank{}));
    }
}

TEST_CASE("law 2: the order of the arms changes nothing", "[laws][pipeline]") {
    for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
        CAPTURE(seed);
        auto p = random_plan(seed);
        auto const before = build(p)(question, everything);
        for (int turn = 0; turn < 3; ++turn) {
            std::rotate(p.arms.begin(), p.arms.begin() + 1, p.arms.end());
            std::rotate(p.weights.begin(), p.weights.begin() + 1, p.weights.end());
            REQUIRE(same_bits(build(p)(question, everything), before));
            auto swapped = p;
            std::swap(swapped.arms[0], swapped.arms[2]);
            std::swap(swapped.weights[0], swapped.weights[2]);
            REQUIRE(same_bits(build(swapped)(question, everything), before));
        }
    }
}

TEST_CASE(
    "law 2: arms on several threads give the bits of one after the other", "[laws][pipeline]") {
    thread_executor const threads(3);
    for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
        CAPTURE(seed);
        auto const search = build(random_plan(seed));
        search_options options{.k = everything};
        auto const serial = search.report(question, options);
        options.executor = &threads;
        auto const parallel = search.report(question, options);
        REQUIRE(same_bits(parallel.ranking, serial.ranking));
        REQUIRE(parallel.trace.size() == serial.trace.size());
        for (std::size_t i = 0; i < serial.trace.size(); ++i) {
            REQUIRE(parallel.trace[i].name == serial.trace[i].name);
            REQUIRE(parallel.trace[i].candidates_in == serial.trace[i].candidates_in);
            REQUIRE(parallel.trace[i].candidates_out == serial.trace[i].candidates_out);
            REQUIRE(parallel.trace[i].scored == serial.trace[i].scored);
            REQUIRE(parallel.trace[i].notes == serial.trace[i].notes);
        }
    }
}

TEST_CASE("law 2: the size of the batches changes nothing", "[laws][pipeline]") {
    for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
        CAPTURE(seed);
        auto p = random_plan(seed);
        p.rerank = true;
        auto const before = build(p)(question, everything);
        for (std::size_t const batch_size : {1u, 2u, 7u, 100u}) {
            p.rerank_by.batch_size = batch_size;
            REQUIRE(same_bits(build(p)(question, everything), before));
        }
    }
}

TEST_CASE("laws 2 and 4: a filtered search is the search over what the filter admits",
    "[laws][pipeline]") {
    for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
        CAPTURE(seed);
        auto p = random_plan(seed);
        auto const set = random_filter(seed);
        auto const filtered = build(p)(question, everything, set);
        for (auto const& h : filtered) REQUIRE(set.contains(h.id));
        for (auto& arm : p.arms) {
            std::erase_if(arm.matches, [&](hit const& h) { return !set.contains(h.id); });
            std::erase_if(arm.others, [&](doc_id id) { return !set.contains(id); });
        }
        REQUIRE(same_bits(filtered, build(p)(question, everything)));
        REQUIRE(build(p)(question, everything, doc_set(documents)).empty());
    }
}

TEST_CASE("law 4: the whole union comes out unless a stage cuts it", "[laws][pipeline]") {
    for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
        CAPTURE(seed);
        auto p = random_plan(seed);
        p.rerank_by.keep = everything;
        p.rerank_by.deduplicate = false;
        auto const set = random_filter(seed);
        for (filter const& where : {filter{}, filter{set}}) {
            auto const hits = build(p)(question, everything, where);
            auto const ids = support::ids_of(hits);
            REQUIRE(std::set<doc_id>(ids.begin(), ids.end()) == union_of(p, where));
        }
    }
}

TEST_CASE("law 5: an explanation has the score's bits at its root and adds up",
    "[laws][pipeline][explain]") {
    for (std::uint64_t seed = 1; seed <= rounds / 3; ++seed) {
        CAPTURE(seed);
        auto const search = build(random_plan(seed));
        auto const set = random_filter(seed);
        search_options const options{.k = 1, .where = set};
        auto const hits = search(question, everything, set);
        for (auto const& h : hits) {
            auto const tree = search.explain(question, h.id, options);
            REQUIRE(std::bit_cast<std::uint64_t>(tree.value)
                    == std::bit_cast<std::uint64_t>(static_cast<double>(h.score)));
            REQUIRE(adds_up(tree));
            REQUIRE(!tree.children.empty());
        }
        for (doc_id id = 0; id < documents; ++id) {
            auto const is_it = [id](hit const& h) { return h.id == id; };
            if (std::any_of(hits.begin(), hits.end(), is_it)) continue;
            auto const tree = search.explain(question, id, options);
            REQUIRE(tree.op == operation::leaf);
            REQUIRE(tree.value == 0);
            REQUIRE(tree.label.starts_with("no match"));
        }
    }
}

TEST_CASE("law 8: threads may share a pipeline", "[laws][pipeline]") {
    auto const search = build(random_plan(17));
    auto const alone = search(question, everything);
    std::vector<ranking> found(4);
    std::vector<std::thread> threads;
    for (auto& mine : found) {
        threads.emplace_back([&] {
            for (int i = 0; i < 50; ++i) mine = search(question, everything);
        });
    }
    for (auto& t : threads) t.join();
    for (auto const& mine : found) REQUIRE(same_bits(mine, alone));
}

TEST_CASE(
    "completion is the rule over whole columns of the union", "[laws][pipeline][completion]") {
    for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
        CAPTURE(seed);
        auto p = random_plan(seed);
        p.by_ranks = p.rerank = p.diversify = false;
        p.complete = true;
        auto const all = union_of(p, {});
        std::vector<doc_id> const ids(all.begin(), all.end());
        std::vector<ranking> columns;
        for (auto const& arm : p.arms) {
            columns.push_back(arm.matches.empty() ? ranking{} : arm.score(question, ids, {}));
            std::sort(columns.back().begin(), columns.back().end(), by_rank{});
        }
        weighted_sum const rule{.weights = p.weights, .norm = p.norm};
        REQUIRE(same_bits(build(p)(question, everything), rule(columns)));
    }
}

TEST_CASE("with completion a score does not depend on how far the arms were read",
    "[laws][pipeline][completion]") {
    for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
        CAPTURE(seed);
        auto p = random_plan(seed);
        p.by_ranks = p.rerank = p.diversify = false;
        p.complete = true;
        // the others look at the whole union, which a wider window makes larger
        p.norm = normaliser::none;
        // an arm that lacks a document gives it the lowest score of its column instead
        for (auto& arm : p.arms) {
            for (doc_id id = 0; id < documents; ++id)
                if (arm.score(question, {&id, 1}, {}).empty()) arm.others.push_back(id);
        }
        auto const shallow = build(p)(question, everything);
        p.window += 1 + seed % 20;
        auto deep = build(p)(question, everything);
        std::erase_if(deep, [&](hit const& h) {
            return std::none_of(
                shallow.begin(), shallow.end(), [&](hit const& s) { return s.id == h.id; });
        });
        REQUIRE(same_bits(deep, shallow));
    }
}

TEST_CASE("an arm of weight 0 is as good as none", "[laws][pipeline]") {
    for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
        CAPTURE(seed);
        auto p = random_plan(seed);
        p.weights[1] = 0;
        auto const with = build(p)(question, everything);
        p.arms[1] = {};
        REQUIRE(same_bits(build(p)(question, everything), with));
    }
}
