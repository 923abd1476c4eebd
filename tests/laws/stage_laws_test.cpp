// SPDX-License-Identifier: MIT
// The laws that every stage keeps in a pipeline, on random arms with many ties, and filters.
#include "support/catch.hpp"
#include "support/tiny.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/detail/floating_point.hpp>
#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/pipeline/detail/any_parts.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/autocut.hpp>
#include <trawl/rerank/boost_stage.hpp>
#include <trawl/rerank/decay.hpp>
#include <trawl/rerank/diversify_stage.hpp>
#include <trawl/rerank/dpp.hpp>
#include <trawl/rerank/drop_near_duplicates.hpp>
#include <trawl/rerank/facility_location.hpp>
#include <trawl/rerank/group_by_parent.hpp>
#include <trawl/rerank/listwise.hpp>
#include <trawl/rerank/max_sum_dispersion.hpp>
#include <trawl/rerank/mmr.hpp>
#include <trawl/rerank/overlap_reranker.hpp>
#include <trawl/rerank/rerank_stage.hpp>
#include <trawl/rerank/score_floor.hpp>

using support::same_bits;
using support::table_arm;
using namespace trawl;

namespace {

constexpr std::uint64_t rounds = 25;
constexpr doc_id documents = 40;
constexpr std::size_t everything = 1000;

std::vector<float> const direction{1.0f, 0.5f};
query const question{.text = "red blue", .vector = direction};

std::string text_of(doc_id id) {
    constexpr char const* words[] = {"red ", "blue ", "green ", "red blue "};
    return std::string(words[id % 4]) + words[id / 4 % 4] + (id % 3 == 0 ? "red blue" : "grey");
}

void few_scores(query const&, std::span<candidate const> batch, std::span<float> out) {
    for (std::size_t i = 0; i < batch.size(); ++i)
        out[i] = static_cast<float>(batch[i].id % 3) - 1.0f;
}

std::vector<int> backwards(query const&, std::span<candidate const> list) {
    std::vector<int> order{-1, 0, 0}; // with mistakes, to be repaired
    for (auto i = list.size(); i-- > 2;) order.push_back(static_cast<int>(i));
    return order;
}

std::optional<double> number_of(doc_id id) {
    if (id % 5 == 0) return {};
    return static_cast<double>(id % 7);
}

struct named_stage {
    std::string name;
    any_stage stage;
};

std::vector<named_stage> all_stages(support::point_source const& points) {
    auto const vectors = [&] { return support::point_source(points); };
    std::vector<named_stage> all;
    all.push_back({"rerank", any_stage(rerank_stage(&few_scores, &text_of, {.depth = 7}))});
    all.push_back({"rerank, all of it, batches of 3, keep 9",
        any_stage(rerank_stage(
            &few_scores, &text_of, {.depth = everything, .keep = 9, .batch_size = 3}))});
    all.push_back({"rerank, mixed",
        any_stage(rerank_stage(&few_scores, &text_of, {.depth = 11, .mix = {.before = 0.4}}))});
    all.push_back({"rerank, by overlap",
        any_stage(rerank_stage(overlap_reranker{}, &text_of, {.depth = 12}))});
    all.push_back({"rerank, listwise",
        any_stage(rerank_stage(listwise{&backwards}, &text_of, {.depth = 8}))});
    all.push_back({"mmr", any_stage(diversify_stage(mmr{}, vectors(), {.depth = 15}))});
    all.push_back({"mmr, by the score before",
        any_stage(
            diversify_stage(mmr{.lambda = 0.7, .relevance = relevance::stage_score}, vectors()))});
    all.push_back({"dpp", any_stage(diversify_stage(dpp{}, vectors(), {.depth = 15}))});
    all.push_back({"max_sum_dispersion",
        any_stage(diversify_stage(max_sum_dispersion{}, vectors(), {.depth = 15}))});
    all.push_back({"facility_location",
        any_stage(diversify_stage(facility_location{}, vectors(), {.depth = 15}))});
    all.push_back({"score_floor", any_stage(score_floor{0.4f})});
    all.push_back({"autocut", any_stage(autocut{2})});
    all.push_back(
        {"group_by_parent", any_stage(group_by_parent{[](doc_id id) { return id / 4; }, 2})});
    all.push_back(
        {"drop_near_duplicates", any_stage(drop_near_duplicates{vectors(), {.cosine = 0.99}})});
    all.push_back({"boost, added", any_stage(boost_stage(decay{.origin = 3, .scale = 2}, &number_of,
                                       {.mode = boost_mode::add, .weight = 0.5}))});
    return all;
}

auto searched(table_arm const& a, table_arm const& b, any_stage const& stage) {
    return hybrid_search{table_arm(a), table_arm(b)}
        .fuse(weighted_sum{.weights = {0.75, 0.5}})
        .then(any_stage(stage));
}

// An arm that holds only what the set admits.
table_arm within(table_arm arm, doc_set const& set) {
    std::erase_if(arm.matches, [&](hit const& h) { return !set.contains(h.id); });
    std::erase_if(arm.others, [&](doc_id id) { return !set.contains(id); });
    return arm;
}

// Calls check(search, filter, the same search over what the filter admits alone) for each stage.
template <class Check>
void for_each_search(Check&& check) {
    for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
        detail::random random(seed);
        auto const a = support::random_arm(random, documents);
        auto const b = support::random_arm(random, documents);
        auto const points = support::random_points(random, documents);
        auto const set = support::random_set(random, documents);
        for (auto const& stage : all_stages(points)) {
            CAPTURE(seed, stage.name);
            check(searched(a, b, stage.stage), set,
                searched(within(a, set), within(b, set), stage.stage));
        }
    }
}

} // namespace

TEST_CASE("law 1: under every stage scores never rise, no document comes twice, k only cuts",
    "[laws][rerank]") {
    for_each_search([](auto const& search, doc_set const& set, auto const&) {
        auto const all = search(question, everything, set);
        std::set<doc_id> seen;
        for (std::size_t i = 0; i < all.size(); ++i) {
            REQUIRE(seen.insert(all[i].id).second);
            REQUIRE((i == 0 || all[i].score <= all[i - 1].score));
            REQUIRE(detail::is_finite(all[i].score));
        }
        for (std::size_t k = 0; k <= all.size() + 1; k += 3) {
            auto const part = static_cast<std::ptrdiff_t>((std::min)(k, all.size()));
            REQUIRE(same_bits(search(question, k, set), ranking(all.begin(), all.begin() + part)));
        }
    });
}

TEST_CASE("laws 2 and 4: a filter under every stage is the collection of what it admits",
    "[laws][rerank]") {
    for_each_search([](auto const& search, doc_set const& set, auto const& restricted) {
        auto const found = search(question, everything, set);
        for (auto const& h : found) REQUIRE(set.contains(h.id));
        REQUIRE(same_bits(found, restricted(question, everything)));
    });
}

TEST_CASE("law 5: every stage's explanations add up to the score, bit for bit",
    "[laws][rerank][explain]") {
    for_each_search([](auto const& search, doc_set const& set, auto const&) {
        search_options const options{.k = 1, .where = set};
        for (auto const& h : search(question, everything, set)) {
            auto const tree = search.explain(question, h.id, options);
            CAPTURE(h.id, to_text(tree));
            REQUIRE(std::bit_cast<std::uint64_t>(tree.value)
                    == std::bit_cast<std::uint64_t>(static_cast<double>(h.score)));
            REQUIRE(adds_up(tree));
        }
    });
}
