// SPDX-License-Identifier: MIT
// The pipeline over the library's own indexes: the call of the design, and its laws on random
// corpora.
#include "support/catch.hpp"
#include "support/tiny.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/thread_executor.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/mmr.hpp>

using support::ids_of;
using namespace trawl;

namespace {

struct corpus {
    std::vector<std::string> texts;
    std::vector<std::vector<float>> vectors; // empty: this document has none
};

corpus random_corpus(detail::random& random, doc_id documents) {
    corpus made;
    for (doc_id id = 0; id < documents; ++id) {
        made.texts.emplace_back();
        for (auto words = random.below(12); words > 0; --words)
            made.texts.back() += "w" + std::to_string(random.below(9)) + " ";
        made.vectors.emplace_back();
        if (random.uniform() < 0.8)
            for (int i = 0; i < 4; ++i)
                made.vectors.back().push_back(static_cast<float>(random.below(5)) - 2.0f);
    }
    return made;
}

struct indexes {
    bm25_index lexical;
    flat_index dense{4};
    indexes(corpus const& c, filter where = {}) {
        for (doc_id id = 0; id < c.texts.size(); ++id) {
            if (!where.admits(id)) continue;
            lexical.add(id, c.texts[id]);
            if (!c.vectors[id].empty()) dense.add(id, c.vectors[id]);
        }
    }
};

} // namespace

TEST_CASE("the call of the design gives what it gives by hand", "[pipeline]") {
    struct document {
        std::string text;
        std::vector<float> vector;
    };
    std::vector<document> const docs{{"PROD-4817 refund policy", {1, 0, 0}}, {"shipping times", {}},
        {"PROD-4817 old manual", {0, 1, 0}}, {"refunds explained", {0.9f, 0.1f, 0}}};
    bm25_index lexical;
    flat_index dense{3};
    for (auto const& d : docs) {
        auto const id = lexical.add(d.text);
        if (!d.vector.empty()) dense.add(id, d.vector);
    }
    auto const texts = [&](doc_id id) { return std::string_view{docs[id].text}; };
    auto const cross_encoder = [](query const& q, std::span<candidate const> batch,
                                   std::span<float> out) {
        for (std::size_t i = 0; i < batch.size(); ++i)
            out[i] = batch[i].text.find(q.text) == std::string_view::npos ? 0.0f : 1.0f;
    };
    doc_set const only_current(docs.size(), {0, 1, 3});
    std::vector<float> const q{1, 0, 0};
    query const asked{.text = "PROD-4817 refund", .vector = q};

    auto const fused =
        hybrid_search{lexical, dense}.window(50).fuse(rrf{.k = 60, .weights = {0.6, 0.4}});
    // Lexical: 0 alone. Dense: 0, 3. So 0 has .6/61 + .4/61, 3 has .4/62; 1 is in no arm, 2 is
    // filtered.
    REQUIRE(fused(asked, 10, only_current)
            == ranking{{0, static_cast<float>(1.0 / 61)}, {3, static_cast<float>(0.4 / 62)}});

    auto const search = hybrid_search{lexical, dense}
                            .window(50)
                            .fuse(rrf{.k = 60, .weights = {0.6, 0.4}})
                            .rerank(cross_encoder, texts, {.depth = 20, .keep = 5})
                            .diversify(mmr{.lambda = 0.5, .relevance = relevance::cosine}, dense);
    // Document 0 is the query: .5 * 1. Document 3 is as near to it as to the query: .5 c - .5 c.
    REQUIRE(search(asked, 10, only_current) == ranking{{0, 0.5f}, {3, 0.0f}});
    REQUIRE(search(asked, 1, only_current) == ranking{{0, 0.5f}});
    REQUIRE(adds_up(search.explain(asked, 3, {.where = only_current})));

    auto const nested =
        hybrid_search{search, std::make_shared<bm25_index const>(lexical), flat_index{3}};
    REQUIRE(ids_of(nested(asked, 1)) == std::vector<doc_id>{0});
}

TEST_CASE("a filtered search over eligible statistics is one over indexes of these documents",
    "[pipeline][laws]") {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        detail::random random(seed);
        auto const all = random_corpus(random, 50);
        auto const set = support::random_set(random, 50);
        indexes const whole(all);
        indexes const part(all, set);
        std::vector<float> const vector{1, 2, 0, -1};
        query const asked{.text = "w1 w2 w3", .vector = vector};
        auto const complete = seed % 2 == 0;
        auto const over = [&](indexes const& i) {
            return hybrid_search{i.lexical, i.dense}.window(10).fuse(
                weighted_sum{}, {.complete = complete});
        };
        auto const filtered =
            over(whole).search(asked, {.k = 60, .where = set, .statistics = statistics::eligible});
        REQUIRE(filtered == over(part)(asked, 60));
    }
}

TEST_CASE(
    "explanations reach down to the terms of the arms and add up", "[pipeline][laws][explain]") {
    thread_executor const threads(2);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        detail::random random(seed);
        auto const all = random_corpus(random, 40);
        indexes const built(all);
        std::vector<float> const vector{1, 2, 0, -1};
        query const asked{.text = "w1 w2 w3", .vector = vector};
        auto const search = hybrid_search{built.lexical, built.dense}
                                .window(8)
                                .fuse(weighted_sum{.weights = {0.6, 0.4}}, {.complete = true})
                                .diversify(mmr{}, built.dense, {.depth = 10});
        auto const hits = search(asked, 100);
        for (auto const& h : hits) {
            auto const tree = search.explain(asked, h.id);
            REQUIRE(tree.value == static_cast<double>(h.score));
            REQUIRE(adds_up(tree));
            REQUIRE(
                // no arm had to be taken at its word
                to_text(tree).find("its score") == std::string::npos);
        }
        search_options options{.k = 100};
        options.executor = &threads;
        REQUIRE(search.search(asked, options) == hits);
    }
}

TEST_CASE("an arm without its part of the query returns nothing, and the other one decides",
    "[pipeline]") {
    detail::random random(5);
    indexes const built(random_corpus(random, 40));
    auto const search =
        hybrid_search{built.lexical, built.dense}.fuse(weighted_sum{}, {.complete = true});
    auto const report = search.report({.text = "w1"});
    REQUIRE(report.trace.at(1).notes
            == std::vector<std::string>{"returned nothing: the query has no vector"});
    REQUIRE(ids_of(report.ranking) == ids_of(built.lexical.search("w1", 10)));
}
