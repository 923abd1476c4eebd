// SPDX-License-Identifier: MIT
#include <trawl/pipeline/hybrid_search.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"
#include "support/tiny.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/dense/flat_index.hpp>
#include <trawl/fusion/weighted_sum.hpp>
#include <trawl/rerank/autocut.hpp>
#include <trawl/rerank/mmr.hpp>

using support::error_of;
using support::ids_of;
using support::plain_arm;
using support::table_arm;
using namespace trawl;

namespace {

query const question{.text = "question"};

table_arm const first{{{1, 9.0f}, {2, 8.0f}, {3, 7.0f}}};
table_arm const second{{{3, 0.9f}, {4, 0.8f}}};

float float_of(double value) { return static_cast<float>(value); }

struct seeing_vector { // returns the length of the query's vector as a document
    ranking search(query const& q, search_options const&) const {
        return {{static_cast<doc_id>(q.vector.size()), q.vector.empty() ? 0.0f : q.vector[0]}};
    }
};

struct counting_embedder {
    int* calls;
    float value = 0.5f;
    [[nodiscard]] std::size_t dim() const { return 3; }
    void embed(
        std::span<std::string_view const> texts, text_role role, matrix_view<float> out) const {
        ++*calls;
        REQUIRE(texts.size() == 1);
        REQUIRE(role == text_role::query);
        REQUIRE(out.rows == 1);
        for (auto& x : out.row(0)) x = value;
    }
};

} // namespace

TEST_CASE("arms are fused by reciprocal ranks unless another rule is chosen", "[pipeline]") {
    hybrid_search const search{first, second};
    // Ranks: 1 (1, -), 2 (2, -), 3 (3, 1), 4 (-, 2); k = 60.
    ranking const expected{{3, float_of(1.0 / 61 + 1.0 / 63)}, {1, float_of(1.0 / 61)},
        {2, float_of(1.0 / 62)}, {4, float_of(1.0 / 62)}};
    REQUIRE(search(question) == expected);
    REQUIRE(search.search(question, {.k = 4}) == expected);
}

TEST_CASE("one arm is enough", "[pipeline]") {
    REQUIRE(ids_of(hybrid_search{first}(question)) == std::vector<doc_id>{1, 2, 3});
}

TEST_CASE("the window is what each arm is asked for, 50 unless set, whatever k", "[pipeline]") {
    struct spy {
        std::size_t* asked;
        ranking search(query const&, search_options const& options) const {
            *asked = options.k;
            return {};
        }
    };
    std::size_t asked = 0;
    (void)hybrid_search{spy{&asked}}(question, 1000);
    REQUIRE(asked == 50);
    auto const search = hybrid_search{spy{&asked}}.window(7);
    for (std::size_t const k :
        {std::size_t{0}, std::size_t{1}, std::size_t{10}, std::size_t{1000}}) {
        (void)search(question, k);
        REQUIRE(asked == 7);
    }
}

TEST_CASE("a window cuts each arm before the fusion", "[pipeline]") {
    REQUIRE(ids_of(hybrid_search{first, second}.window(1)(question)) == std::vector<doc_id>{1, 3});
}

TEST_CASE("k = 0 gives nothing, k above the union all of it", "[pipeline]") {
    hybrid_search const search{first, second};
    REQUIRE(search(question, 0).empty());
    REQUIRE(search(question, (std::numeric_limits<std::size_t>::max)()).size() == 4);
}

TEST_CASE(
    "an empty query, arm or filter gives an empty ranking through every stage", "[pipeline]") {
    auto const model = [](query const&, std::span<candidate const>, std::span<float>) {
        FAIL("called");
    };
    auto const texts = [](doc_id) { return std::string_view{}; };
    auto const search =
        hybrid_search{first, second}.rerank(model, texts).diversify(mmr{}, support::point_source{});
    REQUIRE(search({}).empty());
    REQUIRE(search(question, 10, doc_set(5)).empty());
    REQUIRE(hybrid_search{table_arm{}}(question).empty());
}

TEST_CASE("a filter reaches every arm", "[pipeline]") {
    doc_set const allowed(5, {2, 4});
    REQUIRE(
        ids_of(hybrid_search{first, second}(question, 10, allowed)) == std::vector<doc_id>{2, 4});
}

TEST_CASE("every option of the search reaches the arms", "[pipeline]") {
    struct spy {
        search_options* seen;
        ranking search(query const&, search_options const& options) const {
            *seen = options;
            return {};
        }
    };
    search_options seen;
    doc_set const allowed(5, {2, 4});
    search_options options{.k = 3, .where = allowed, .statistics = statistics::eligible};
    options.stop = [](void*) { return false; };
    options.stop_context = &seen;
    (void)hybrid_search{spy{&seen}}.search(question, options);
    REQUIRE(seen.where.set() == &allowed);
    REQUIRE(seen.statistics == statistics::eligible);
    REQUIRE(seen.stop == options.stop);
    REQUIRE(seen.stop_context == &seen);
}

TEST_CASE("the rule is validated when the pipeline is built", "[pipeline]") {
    auto const weights = [](std::vector<double> w) {
        return error_of([&] { (void)hybrid_search{first, second}.fuse(rrf{.weights = w}); });
    };
    REQUIRE(weights({1}).code == errc::weight_count);
    REQUIRE(weights({1}).names("1 weights for 2 arms"));
    REQUIRE(weights({1, 1, 1}).code == errc::weight_count);
    REQUIRE(weights({1, -1}).code == errc::invalid_argument);
    REQUIRE(error_of([] { (void)hybrid_search{first}.fuse(rrf{.k = 0}); }).code
            == errc::invalid_argument);
}

TEST_CASE("a window of 0 is refused", "[pipeline]") {
    auto const e = error_of([] { (void)hybrid_search{first}.window(0); });
    REQUIRE(e.code == errc::invalid_argument);
    REQUIRE(e.names("window"));
}

TEST_CASE("an arm of weight 0 is not asked and adds no documents", "[pipeline]") {
    struct throwing {
        ranking search(query const&, search_options const&) const {
            throw std::runtime_error("asked");
        }
    };
    auto const search =
        hybrid_search{first, throwing{}}.fuse(weighted_sum{.weights = {1, 0}}, {.complete = true});
    REQUIRE(ids_of(search(question)) == std::vector<doc_id>{1, 2, 3});
    REQUIRE(search.report(question).trace.at(1).notes
            == std::vector<std::string>{"not asked: its weight is 0"});
}

TEST_CASE("weights of an alpha give exactly one arm at its ends", "[pipeline]") {
    auto const by_alpha = [&](double alpha) {
        return ids_of(hybrid_search{first, second}.fuse(
            weighted_sum{.weights = {1 - alpha, alpha}})(question));
    };
    REQUIRE(by_alpha(0) == std::vector<doc_id>{1, 2, 3});
    REQUIRE(by_alpha(1) == std::vector<doc_id>{3, 4});
}

TEST_CASE("stages run in the order in which they are written", "[pipeline]") {
    auto const append = [](char const* name) {
        return [name](query const&, ranking hits, search_options const&) {
            // Each stage writes its place by what it keeps.
            if (std::string_view(name) == "drop first") hits.erase(hits.begin());
            if (std::string_view(name) == "keep two") hits.resize(2);
            return hits;
        };
    };
    REQUIRE(
        ids_of(hybrid_search{first}.then(append("drop first")).then(append("keep two"))(question))
        == std::vector<doc_id>{2, 3});
    REQUIRE(
        ids_of(hybrid_search{first}.then(append("keep two")).then(append("drop first"))(question))
        == std::vector<doc_id>{2});
}

TEST_CASE("a stage is told the number of its candidates as k, never how many hits are wanted",
    "[pipeline]") {
    std::size_t seen = 0;
    auto const search = hybrid_search{first, second}.then(
        [&](query const&, ranking hits, search_options const& options) {
            seen = options.k;
            return hits;
        });
    (void)search(question, 1);
    REQUIRE(seen == 4);
    (void)search(question, 1000);
    REQUIRE(seen == 4);
}

TEST_CASE("a question's text is embedded once, for all arms and stages", "[pipeline][embed]") {
    int calls = 0;
    std::size_t in_stage = 0;
    auto const search = hybrid_search{seeing_vector{}, seeing_vector{}}
                            .embed(counting_embedder{&calls})
                            .then([&](query const& q, ranking hits, search_options const&) {
                                in_stage = q.vector.size();
                                return hits;
                            });
    REQUIRE(ids_of(search({.text = "words"})) == std::vector<doc_id>{3});
    REQUIRE(calls == 1);
    REQUIRE(in_stage == 3);
}

TEST_CASE("a question that has a vector, or no text, is not embedded", "[pipeline][embed]") {
    int calls = 0;
    auto const search = hybrid_search{seeing_vector{}}.embed(counting_embedder{&calls});
    std::vector<float> const vector{1, 2};
    REQUIRE(ids_of(search({.text = "words", .vector = vector})) == std::vector<doc_id>{2});
    REQUIRE(ids_of(search({})) == std::vector<doc_id>{0});
    REQUIRE(calls == 0);
}

TEST_CASE("a text of which the model knows nothing is asked of the arms without a vector",
    "[pipeline][embed]") {
    struct knows_nothing {
        [[nodiscard]] std::size_t dim() const { return 3; }
        void embed(std::span<std::string_view const>, text_role, matrix_view<float> out) const {
            for (std::size_t i = 0; i < 3; ++i) out.row(0)[i] = 0;
        }
    };
    flat_index dense{3};
    dense.add(std::vector<float>{1, 0, 0});
    auto const search = hybrid_search{dense}.embed(knows_nothing{});
    auto const report = search.report({.text = "spredsheet"}, {.k = 5});
    CHECK(report.ranking.empty()); // and not document 0 with the cosine 0
    REQUIRE(report.trace[0].name == "embed");
    CHECK(report.trace[0].notes
          == std::vector<std::string>{"the model gave a zero vector: no arm is asked with it"});
    CHECK(search.explain({.text = "spredsheet"}, 0).value == 0);
    // A zero vector that the caller gives is the caller's: it has cosine 0 with everything.
    std::vector<float> const zero(3);
    CHECK(search({.vector = zero}, 5).size() == 1);
}

TEST_CASE("a value of the question's vector that is NaN or was not written is an error",
    "[pipeline][embed]") {
    struct lazy {
        [[nodiscard]] std::size_t dim() const { return 2; }
        void embed(std::span<std::string_view const>, text_role, matrix_view<float> out) const {
            out.row(0)[0] = 1;
        }
    };
    auto const e = error_of([] { (void)hybrid_search{first}.embed(lazy{})(question); });
    REQUIRE(e.code == errc::model);
    REQUIRE(e.names("value 1"));
}

TEST_CASE("a pipeline is an arm of another", "[pipeline]") {
    auto const inner = hybrid_search{first, second}.window(3);
    auto const outer = hybrid_search{inner, table_arm{{{4, 1.0f}}}};
    // Inner: 3, 1, 2, 4. Outer: 4 has ranks 4 and 1, 3 has rank 1.
    REQUIRE(outer(question).front() == hit{4, float_of(1.0 / 61 + 1.0 / 64)});
    REQUIRE(ids_of(outer(question)) == std::vector<doc_id>{4, 3, 1, 2});
}

TEST_CASE("a pipeline of one pipeline alone is a copy of it", "[pipeline]") {
    auto const inner = hybrid_search{first, second};
    auto const copy = hybrid_search{inner};
    STATIC_REQUIRE(std::same_as<decltype(copy), decltype(inner)>);
    REQUIRE(copy(question) == inner(question));
}

TEST_CASE("each arm may have a window of its own", "[pipeline][window]") {
    table_arm const three{{{1, 3.0f}, {2, 2.0f}, {3, 1.0f}}};
    table_arm const others{{{4, 3.0f}, {5, 2.0f}, {6, 1.0f}}};
    auto const ids = [&](auto search) {
        auto found = support::ids_of(search({.text = "question"}));
        std::sort(found.begin(), found.end());
        return found;
    };
    REQUIRE(ids(hybrid_search{three, others}.window({1, 2})) == std::vector<doc_id>{1, 4, 5});
    REQUIRE(
        ids(hybrid_search{three, others}.window({1, 2}).window(1)) == std::vector<doc_id>{1, 4});
    REQUIRE(ids(hybrid_search{three, others}.window(1).window({3, 1}).fuse(rrf{}))
            == std::vector<doc_id>{1, 2, 3, 4});
    auto const refused = support::error_of([&] {
        (void)hybrid_search{three, others}.window({5, 0});
    });
    REQUIRE(refused.code == errc::invalid_argument);
    REQUIRE(refused.names("the window of arm 1 is 0"));
}

TEST_CASE(
    "autocut is refused where the scores before it are made of ranks", "[pipeline][autocut]") {
    table_arm const a{{{1, 9.0f}, {2, 8.5f}, {3, 1.0f}}};
    table_arm const b{{{1, 0.9f}, {2, 0.8f}}};
    auto const refused = error_of([&] { (void)hybrid_search{a, b}.then(autocut{1}); });
    CHECK(refused.code == errc::invalid_argument);
    CHECK(refused.names("the stage needs scores"));
    CHECK(error_of([&] { (void)hybrid_search{a, b}.fuse(rrf{}).then(autocut{1}); }).names("rank"));

    // Min-max sums 2, 15/16, 0; how far they fell, less how far along: 0, 17/32 - 1/2, 0: a jump
    // before the second.
    auto const search = hybrid_search{a, b}.fuse(weighted_sum{}).then(autocut{1});
    CHECK(search(question, 10) == ranking{{1, 2.0f}});
}
