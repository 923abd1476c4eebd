// SPDX-License-Identifier: MIT
// Faults that were found once, and their whole kinds.
#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "support/tiny.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/dense/flat_index.hpp>
#include <trawl/lexical/bm25_index.hpp>
#include <trawl/lexical/query_syntax.hpp>
#include <trawl/pipeline/any_pipeline.hpp>
#include <trawl/pipeline/any_retriever.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/drop_near_duplicates.hpp>
#include <trawl/rerank/group_by_parent.hpp>
#include <trawl/rerank/rerank_stage.hpp>

using support::ids_of;
using support::table_arm;
using namespace trawl;

namespace {

query const asked{.text = "anything"};

// Two parents have the best 200 documents, every other parent has two further down.
table_arm crowded(doc_id parents) {
    table_arm arm;
    for (doc_id i = 0; i < 200; ++i) arm.matches.push_back({i, 1000.0f - static_cast<float>(i)});
    for (doc_id i = 0; i < 2 * (parents - 2); ++i)
        arm.matches.push_back({200 + i, 500.0f - static_cast<float>(i)});
    return arm;
}

doc_id parent_of(doc_id id) { return id < 200 ? id % 2 : 2 + (id - 200) / 2; }

// Reads one condition out of a query: "even" or "small".
struct conditional_arm {
    table_arm table = {};

    [[nodiscard]] std::optional<doc_set> conditions(query const& q, std::size_t) const {
        doc_set met(20);
        if (q.text.find("even") != q.text.npos) {
            for (doc_id id = 0; id < 20; id += 2) met.insert(id);
        } else if (q.text.find("small") != q.text.npos) {
            for (doc_id id = 0; id < 5; ++id) met.insert(id);
        } else {
            return std::nullopt;
        }
        return met;
    }
    [[nodiscard]] ranking search(query const& q, search_options const& options) const {
        auto hits = table.search(q, {.k = 100, .where = options.where});
        if (auto const met = conditions(q, 20))
            std::erase_if(hits, [&](hit const& h) { return !met->contains(h.id); });
        if (hits.size() > options.k) hits.resize(options.k);
        return hits;
    }
};
static_assert(conditional_retriever<conditional_arm>);

// A pipeline whose callables were lambdas of this frame.
any_pipeline made_by_a_factory(table_arm const& arm) {
    std::string const first = "a text that lives in the heap of this frame, and no longer";
    std::vector<std::string> const texts(8, first);
    auto const text_of = [texts](doc_id id) { return std::string_view(texts[id]); };
    auto const rewriter = [first](query const&) { return first; };
    auto const model = [first](
                           query const&, std::span<candidate const> batch, std::span<float> out) {
        for (std::size_t i = 0; i < batch.size(); ++i)
            out[i] = batch[i].text == first ? static_cast<float>(batch[i].id) : -1.0f;
    };
    auto const stage = [first](query const&, ranking hits, search_options const&) {
        if (first.size() > 3 && hits.size() > 3) hits.resize(3);
        return hits;
    };
    auto const parents = [ids = std::vector<doc_id>{0, 0, 1, 1, 2, 2, 3, 3}](
                             doc_id id) { return ids[id]; };
    return hybrid_search{arm}
        .rewrite(rewriter)
        .rerank(model, text_of)
        .then(group_by_parent{parents})
        .then(stage);
}

} // namespace

TEST_CASE("A factory may return a pipeline of its own lambdas", "[pipeline][known]") {
    table_arm arm;
    for (doc_id id = 0; id < 8; ++id) arm.matches.push_back({id, 8.0f - static_cast<float>(id)});
    auto const search = made_by_a_factory(arm);
    // The model's score is the id; of the parents {0, 1}, {2, 3}, … the better one is kept.
    CHECK(search(asked) == ranking{{7, 7}, {5, 5}, {3, 3}});
}

TEST_CASE("Grouping asks the arms for more until k groups or the matches are used up",
    "[pipeline][known]") {
    auto const arm = crowded(96); // the first 200 hits have 2 parents
    auto const search = hybrid_search{arm}.window(50).then(group_by_parent{parent_of});
    auto const best = search(asked, 10);
    CHECK(ids_of(best) == std::vector<doc_id>{0, 1, 200, 202, 204, 206, 208, 210, 212, 214});
    CHECK(search(asked, 5) == ranking(best.begin(), best.begin() + 5)); // independent of k
    CHECK(search(asked, 50).size() == 50);
    CHECK_FALSE(search.report(asked, {.k = 50}).window_reached);

    auto const few = crowded(4);
    auto const of_few = hybrid_search{few}.window(50).then(group_by_parent{parent_of});
    CHECK(ids_of(of_few(asked, 10)) == std::vector<doc_id>{0, 1, 200, 202});

    // The value that is explained is the one that the deeper search gave.
    for (auto const& h : best) {
        auto const why = search.explain(asked, h.id);
        CHECK(why.value == static_cast<double>(h.score));
        CHECK(adds_up(why));
    }
}

TEST_CASE("Grouping asks for more under a filter, weights and several arms", "[pipeline][known]") {
    auto const arm = crowded(40);
    table_arm const other{{{3, 2.0f}, {5, 1.0f}}};
    doc_set odd(1000);
    for (doc_id id = 1; id < 1000; id += 2) odd.insert(id);
    auto const search = hybrid_search{arm, other}
                            .window({10, 5})
                            .fuse(rrf{.weights = {1, 0.5}})
                            .then(group_by_parent{parent_of});
    auto const best = search(asked, 5, odd);
    REQUIRE(best.size() == 5);
    std::vector<doc_id> parents;
    for (auto const& h : best) {
        CHECK(odd.contains(h.id));
        parents.push_back(parent_of(h.id));
    }
    CHECK(parents == std::vector<doc_id>{1, 2, 3, 4, 5});
}

TEST_CASE("A report says that k is beyond the window", "[pipeline][known]") {
    auto const arm = crowded(96);
    auto const search = hybrid_search{arm}.window(50);
    auto const report = search.report(asked, {.k = 60});
    CHECK(report.ranking.size() == 50);
    CHECK(report.window_reached);
    REQUIRE(report.trace.size() == 2);
    CHECK(report.trace[1].notes
          == std::vector<std::string>{
              "fewer candidates than k = 60: the arms may have more, raise the window"});
    CHECK_FALSE(search.report(asked, {.k = 50}).window_reached);
    table_arm const small{{{1, 2.0f}, {2, 1.0f}}};
    CHECK_FALSE(hybrid_search{small}.report(asked, {.k = 60}).window_reached);
}

TEST_CASE("Conditions that one arm reads bind every arm and stage", "[pipeline][known]") {
    table_arm all;
    for (doc_id id = 0; id < 20; ++id) all.matches.push_back({id, 20.0f - static_cast<float>(id)});
    conditional_arm const lexical{{{{6, 3.0f}, {7, 2.0f}, {8, 1.0f}}}};
    auto const search = hybrid_search{lexical, all}.window(5).fuse(rrf{}, {});
    // 0, 2, 4, 6, 8 by the second arm; 6 and 8 by the first too.
    CHECK(ids_of(search({.text = "even"}, 10)) == std::vector<doc_id>{6, 8, 0, 2, 4});
    CHECK(search({.text = "plain"}, 10).size() == 8);
    for (auto const& h : search({.text = "even"}, 10)) CHECK(h.id % 2 == 0);
    CHECK(search.explain({.text = "even"}, 1).label
          == "no match: document 1, the query's conditions exclude it");

    // A filter holds besides, two arms with conditions bind each other.
    doc_set const some(20, {0, 1, 2, 3, 6});
    CHECK(ids_of(search({.text = "even"}, 10, some)) == std::vector<doc_id>{6, 0, 2});
    conditional_arm const other{{{{1, 2.0f}, {2, 1.0f}}}};
    CHECK(ids_of(hybrid_search{lexical, other}({.text = "even"}, 10))
          == std::vector<doc_id>{2, 6, 8});
    CHECK(ids_of(hybrid_search{lexical, all}({.text = "small"}, 10))
          == std::vector<doc_id>{0, 1, 2, 3, 4});
}

TEST_CASE("Conditions that an arm of an inner pipeline reads bind the arms beside it",
    "[pipeline][known]") {
    table_arm all;
    for (doc_id id = 0; id < 20; ++id) all.matches.push_back({id, 20.0f - static_cast<float>(id)});
    conditional_arm const lexical{{{{6, 3.0f}, {7, 2.0f}, {8, 1.0f}}}};
    auto const inner = hybrid_search{lexical, all}.window(5);
    auto const odd = [](ranking const& hits) {
        return std::count_if(hits.begin(), hits.end(), [](hit const& h) { return h.id % 2 == 1; });
    };
    auto const outer = hybrid_search{inner, all};
    CHECK(odd(outer({.text = "plain"}, 20)) > 0);
    CHECK(outer({.text = "even"}, 20).size() == 10);
    CHECK(odd(outer({.text = "even"}, 20)) == 0);
    any_pipeline const erased = inner;
    CHECK(hybrid_search{erased, all}({.text = "even"}, 20) == outer({.text = "even"}, 20));
    any_retriever const arm(inner);
    CHECK(hybrid_search{arm, all}({.text = "even"}, 20) == outer({.text = "even"}, 20));
    // Deeper still; and an inner pipeline without conditions of its own is filtered, not cut.
    CHECK(odd(hybrid_search{hybrid_search{inner, all}.window(3), all}({.text = "even"}, 20)) == 0);
    auto const plain = hybrid_search{all, all}.window(5);
    CHECK(ids_of(hybrid_search{lexical, plain}.window(5)({.text = "even"}, 20))
          == std::vector<doc_id>{6, 8, 0, 2, 4});
}

TEST_CASE("Options own a filter that is a temporary", "[pipeline][known]") {
    table_arm const arm{{{1, 3.0f}, {2, 2.0f}, {100, 1.0f}}};
    doc_set const a(200, {1});
    doc_set const b(200, {100});
    search_options const options{.where = a | b};
    std::vector<doc_set> elsewhere(50, doc_set(200, {2})); // would take the freed memory
    CHECK(ids_of(arm.search(asked, options)) == std::vector<doc_id>{1, 100});
    auto const copy = options;
    CHECK(ids_of(hybrid_search{arm}.search(asked, copy)) == std::vector<doc_id>{1, 100});
}

TEST_CASE("Required and forbidden terms and phrases bind the dense arm", "[pipeline][known]") {
    bm25_index words(bm25{}, {.positions = true});
    flat_index meaning{2};
    auto const add = [&](std::string_view text, std::vector<float> const& vector) {
        auto const id = meaning.add(vector);
        words.add(id, text);
    };
    add("printer out of paper", {1, 0});                  // 0
    add("money back for a broken printer", {0.9f, 0.1f}); // 1
    add("a refund takes five days", {0.8f, 0.2f});        // 2
    add("the dead lock was found", {0.7f, 0.3f});         // 3
    add("dead end, no lock", {0.6f, 0.4f});               // 4
    meaning.add(9, std::vector<float>{1, 0});             // has no text
    syntax_search const lexical(words);
    auto const search = hybrid_search{lexical, meaning};
    std::vector<float> const vector{1, 0};
    auto const found = [&](std::string_view text) {
        auto ids = ids_of(search({.text = text, .vector = vector}, 10));
        std::sort(ids.begin(), ids.end());
        return ids;
    };
    CHECK(found("money") == std::vector<doc_id>{0, 1, 2, 3, 4, 9});
    CHECK(found("money -printer") == std::vector<doc_id>{2, 3, 4, 9}); // 9 has no printer either
    CHECK(found("+printer money") == std::vector<doc_id>{0, 1});
    CHECK(found("\"dead lock\"") == std::vector<doc_id>{3});
    // A filter given besides still holds, and the report is of the same ranking.
    doc_set const some(10, {0, 2, 9});
    CHECK(
        ids_of(search({.text = "+printer", .vector = vector}, 10, some)) == std::vector<doc_id>{0});
    CHECK(ids_of(search.report({.text = "+printer", .vector = vector}, {.where = some}).ranking)
          == std::vector<doc_id>{0});
}

TEST_CASE(
    "An arm that repeats documents fills its window with different ones", "[pipeline][known]") {
    // A search for passages that answers with their documents: document 0 has three of them.
    table_arm const passages{{{0, 9}, {0, 8}, {1, 7}, {0, 6}, {2, 5}, {1, 4}, {3, 3}}};
    CHECK(ids_of(hybrid_search{passages}.window(3)(asked, 9)) == std::vector<doc_id>{0, 1, 2});
    CHECK(ids_of(hybrid_search{passages}.window(9)(asked, 9)) == std::vector<doc_id>{0, 1, 2, 3});
    CHECK(hybrid_search{passages}.window(3).report(asked, {.k = 4}).window_reached);
    CHECK_FALSE(hybrid_search{passages}.window(9).report(asked, {.k = 9}).window_reached);
    // One that repeats for ever ends.
    table_arm ever;
    for (int i = 0; i < 1000; ++i) ever.matches.push_back({7, 1});
    CHECK(ids_of(hybrid_search{ever}.window(3)(asked, 9)) == std::vector<doc_id>{7});
}

TEST_CASE("Duplicates take no place in a window that has others to give", "[rerank][pipeline]") {
    // X, X again, Y: the window is 2.
    table_arm const arm{.matches = {{0, 3}, {1, 2}, {2, 1}}};
    auto const text = [](doc_id id) { return std::string(id < 2 ? "X" : "Y"); };
    auto const by_text = hybrid_search{arm}.window(2).rerank(
        [](query const&, std::span<candidate const> batch, std::span<float> out) {
            for (std::size_t i = 0; i < batch.size(); ++i) out[i] = batch[i].score;
        },
        text, {.deduplicate = true});
    CHECK(ids_of(by_text({.text = "q"})) == std::vector<doc_id>{0, 2});

    support::point_source const points{{{1, 0}, {2, 0}, {0, 1}}};
    auto const by_vector = hybrid_search{arm}.window(2).then(drop_near_duplicates{points});
    CHECK(ids_of(by_vector({.text = "q"})) == std::vector<doc_id>{0, 2});
}
