// SPDX-License-Identifier: MIT
// Figures worked out elsewhere: a reranked question, a filtered one, two stages with their calls
// counted.
#include "support/catch.hpp"
#include "support/tiny.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <trawl/core/key_table.hpp>
#include <trawl/pipeline/hybrid_search.hpp>
#include <trawl/rerank/overlap_reranker.hpp>

using support::table_arm;
using namespace trawl;

namespace {

nlohmann::json const& figures() {
    static auto const all =
        nlohmann::json::parse(std::ifstream("tests/golden/pipeline/worked_examples.json"));
    return all;
}

query const question{.text = "question"};

// Chunks numbered in the byte order of their keys, as runs do.
key_table const& chunks() {
    static auto const table = [] {
        std::set<std::string> keys;
        for (auto const& [arm, hits] : figures()["lists.token"]["expected"].items())
            for (auto const& h : hits) keys.insert(h[0].get<std::string>());
        key_table made;
        for (auto const& key : keys) made.add(key);
        return made;
    }();
    return table;
}

// An arm that ranks these chunks in this order.
template <class Keys>
table_arm arm_of(Keys const& keys) {
    table_arm arm;
    float score = 0;
    for (auto const& key : keys)
        arm.matches.push_back({chunks().find(key.template get<std::string>()).value(), score -= 1});
    return arm;
}

table_arm recorded(char const* list) {
    std::vector<nlohmann::json> keys;
    for (auto const& h : figures()["lists.token"]["expected"][list]) keys.push_back(h[0]);
    return arm_of(keys);
}

std::vector<std::string> keys_of(ranking const& hits) {
    std::vector<std::string> keys;
    for (auto const& h : hits) keys.emplace_back(chunks().key(h.id));
    return keys;
}

std::set<std::string> words_of(std::string_view text) {
    std::istringstream stream{std::string(text)};
    return {std::istream_iterator<std::string>(stream), {}};
}

struct two_stages {
    std::size_t cheap = 0;
    std::size_t expensive = 0;
    std::vector<std::string> result = {};
};

// Stage 1 counts common words of all texts and keeps n, stage 2 adds common pairs and keeps k.
two_stages run(
    std::string_view asked, std::vector<std::string> const& corpus, std::size_t n, std::size_t k) {
    two_stages out;
    table_arm everything;
    for (doc_id id = 0; id < corpus.size(); ++id) everything.matches.push_back({id, 0.0f});
    auto const texts = [&](doc_id id) -> std::string const& { return corpus[id]; };
    auto const common_words = [&](query const& q, std::span<candidate const> batch,
                                  std::span<float> scores) {
        auto const wanted = words_of(q.text);
        out.cheap += batch.size();
        for (std::size_t i = 0; i < batch.size(); ++i) {
            auto const there = words_of(batch[i].text);
            scores[i] = static_cast<float>(std::count_if(wanted.begin(), wanted.end(),
                [&](std::string const& w) { return there.count(w) != 0; }));
        }
    };
    auto const overlap = [&](query const& q, std::span<candidate const> batch,
                             std::span<float> scores) {
        out.expensive += batch.size();
        overlap_reranker{}(q, batch, scores);
    };
    auto const all = (std::numeric_limits<std::size_t>::max)();
    auto const search =
        hybrid_search{everything}
            .window(corpus.size())
            .rerank(common_words, texts, {.depth = all, .keep = n, .deduplicate = true})
            .rerank(overlap, texts, {.depth = n, .keep = k});
    for (auto const& h : search({.text = asked}, corpus.size())) out.result.push_back(corpus[h.id]);
    return out;
}

} // namespace

TEST_CASE("recorded logits rerank the recorded candidates", "[golden][rerank]") {
    auto const& given = figures()["rerank.recorded_logits"];
    std::size_t calls = 0;
    auto const logits = [&](query const&, std::span<candidate const> batch, std::span<float> out) {
        calls += batch.size();
        for (std::size_t i = 0; i < batch.size(); ++i)
            out[i] = given["input"]["scores"][std::string(chunks().key(batch[i].id))].get<float>();
    };
    auto const texts = [](doc_id) { return std::string_view{}; };
    auto const search = hybrid_search{arm_of(given["input"]["candidates_in_order"])}.rerank(
        logits, texts, {.depth = given["input"]["depth"].get<std::size_t>()});
    REQUIRE(
        keys_of(search(question)) == given["expected"]["order"].get<std::vector<std::string>>());
    REQUIRE(calls == given["expected"]["calls"].get<std::size_t>());
}

TEST_CASE("the recorded arms give the recorded ranks", "[golden][pipeline]") {
    auto const keys =
        keys_of(hybrid_search{recorded("dense"), recorded("bm25")}.window(5)(question));
    auto const& ranks = figures()["filter.ranks"]["expected"]["unfiltered"];
    for (auto const& [key, rank] : ranks.items()) {
        auto const place = std::find(keys.begin(), keys.end(), key) - keys.begin() + 1;
        CAPTURE(key, place);
        if (rank.is_number()) {
            REQUIRE(place == rank.get<std::ptrdiff_t>());
        } else {
            REQUIRE(place > 5);
        }
    }
}

TEST_CASE("a filter replays the recorded filtered ranks, ties by key", "[golden][pipeline]") {
    auto const& replay = figures()["filter.rank_replay"];
    doc_set allowed(chunks().next_id());
    for (char const* arm : {"dense", "bm25"})
        for (auto const& key : replay["input"][arm])
            allowed.insert(chunks().find(key.get<std::string>()).value());

    auto const hits =
        hybrid_search{recorded("dense"), recorded("bm25")}.window(5)(question, 10, allowed);
    REQUIRE(keys_of(hits) == replay["expected"]["order"].get<std::vector<std::string>>());
    auto const& scores = replay["expected"]["scores"];
    for (std::size_t i = 0; i < hits.size(); ++i) {
        REQUIRE_THAT(hits[i].score, WithinRel(scores[i].get<float>(), 1e-7f));
    }
    REQUIRE(hits[0].score == hits[1].score);
    REQUIRE(hits[2].score == hits[3].score);
    for (auto const& [key, rank] : figures()["filter.ranks"]["expected"]["filtered"].items()) {
        auto const keys = keys_of(hits);
        auto const place =
            static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
        REQUIRE((rank.is_number() ? place + 1 == rank.get<std::size_t>() : place == keys.size()));
    }
}

TEST_CASE("two stages on small corpora", "[golden][rerank]") {
    std::size_t checked = 0;
    for (auto const& [id, figure] : figures().items()) {
        auto const& given = figure["input"];
        if (!id.starts_with("twostage.") || !given.contains("corpus")) continue;
        CAPTURE(id);
        auto const out =
            run(given["query"].get<std::string>(), given["corpus"].get<std::vector<std::string>>(),
                given["n"].get<std::size_t>(), given["k"].get<std::size_t>());
        auto const& expected = figure["expected"];
        REQUIRE(out.result == expected["result"].get<std::vector<std::string>>());
        if (expected.contains("cheap_calls"))
            REQUIRE(out.cheap == expected["cheap_calls"].get<std::size_t>());
        if (expected.contains("expensive_calls"))
            REQUIRE(out.expensive == expected["expensive_calls"].get<std::size_t>());
        ++checked;
    }
    REQUIRE(checked == 5);
}

TEST_CASE("two stages cost exactly the calls that were promised", "[golden][rerank]") {
    auto const& counts = figures()["twostage.counts"];
    auto const n = counts["input"]["n"].get<std::size_t>();
    auto const k = counts["input"]["k"].get<std::size_t>();
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < counts["input"]["corpus_size"].get<std::size_t>(); ++i)
        texts.push_back("text " + std::to_string(i));
    auto const check = [&](nlohmann::json const& expected) {
        auto const out = run("text", texts, n, k);
        REQUIRE(out.cheap == expected["cheap"].get<std::size_t>());
        REQUIRE(out.expensive == expected["expensive"].get<std::size_t>());
        REQUIRE(out.result.size() == expected["returned"].get<std::size_t>());
    };
    check(counts["expected"]["all distinct"]);
    texts.back() = texts.front();
    check(counts["expected"]["one text twice"]);

    auto const& cost = figures()["twostage.cost"];
    std::vector<std::string> many;
    for (std::size_t i = 0; i < cost["input"]["documents"].get<std::size_t>(); ++i)
        many.push_back("text " + std::to_string(i));
    REQUIRE(run("text", many, cost["input"]["n"].get<std::size_t>(), 5).expensive
            == cost["expected"]["expensive_calls"].get<std::size_t>());
}
