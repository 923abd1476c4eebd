// SPDX-License-Identifier: MIT
#include <trawl/collection/tuning.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/collection/collection.hpp>
#include <trawl/core/matrix.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>
#include <trawl/storage/checksum.hpp>
#include <trawl/text/analyzers/whitespace_analyzer.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

constexpr std::size_t dim = 64;

std::uint64_t hash_of(std::string_view text) {
    return trawl::checksum(std::as_bytes(std::span(text)));
}

// A vector by chance for each text: nothing is near what it should be near.
struct random_embedder {
    [[nodiscard]] std::size_t dim() const { return ::dim; }
    void embed(std::span<std::string_view const> texts, trawl::text_role,
        trawl::matrix_view<float> out) const {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            trawl::detail::random numbers(hash_of(texts[i]));
            for (auto& value : out.row(i)) value = static_cast<float>(numbers.normal());
        }
    }
};

// Knows that words "t7x" and "t7y" are about the same thing, number 7.
struct topic_embedder {
    [[nodiscard]] std::size_t dim() const { return ::dim; }
    void embed(std::span<std::string_view const> texts, trawl::text_role,
        trawl::matrix_view<float> out) const {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            for (auto& value : out.row(i)) value = 0;
            trawl::whitespace_analyzer{}.analyze(texts[i], [&](trawl::token const& t) {
                trawl::detail::random numbers(hash_of(t.term.substr(0, t.term.size() - 1)));
                for (auto& value : out.row(i)) value += static_cast<float>(numbers.normal());
            });
        }
    }
};

// Document d is of words "tda" to "tdz", each once or, in another order, twice.
trawl::collection documents_of(trawl::any_embedder embedder, bool twice, std::size_t count = 120) {
    auto out = trawl::collection::in_memory(
        {.vectors = {{.name = "meaning", .embedder = std::move(embedder)}}});
    std::vector<trawl::document> documents;
    for (std::size_t d = 0; d < count; ++d) {
        trawl::document made{.key = "doc" + std::to_string(d)};
        for (int w = 0; w < (twice ? 52 : 26); ++w) {
            auto const letter = w < 26 ? w : w * 7 % 26;
            made.text += "t" + std::to_string(d) + static_cast<char>('a' + letter) + " ";
        }
        documents.push_back(std::move(made));
    }
    out.put_all(std::move(documents));
    out.commit();
    return out;
}

} // namespace

TEST_CASE("vectors by chance get no weight, and are said to harm", "[collection][tuning]") {
    auto const c = documents_of({"by chance", random_embedder{}}, true);
    auto const choice = trawl::tune(c.all());
    CHECK(choice.weight == 0);
    CHECK(choice.effect == trawl::arm_effect::harms);
    auto const ranks = trawl::tune(c.all(), {.fusion = trawl::collection_fusion::rrf});
    CHECK(ranks.weight == 0);
    CHECK(ranks.effect == trawl::arm_effect::harms);
}

TEST_CASE("vectors that find what words miss get a weight", "[collection][tuning]") {
    // No word of a piece is left in its document: words find nothing.
    auto const c = documents_of({"topics", topic_embedder{}}, false);
    auto const choice = trawl::tune(c.all(), {.queries = {.count = 100}});
    CHECK(choice.weight > 0);
    CHECK(choice.effect == trawl::arm_effect::helps);
    CHECK(choice.gain.low == 1);
    CHECK(choice.tried.points[0].mean == 0);
    CHECK(choice.tried.points[0].outcome.values.size() == 100);
}

TEST_CASE("a small collection gives several queries a document", "[collection][tuning]") {
    auto const c = documents_of({"topics", topic_embedder{}}, true, 20);
    auto const queries = [&](std::size_t rounds) {
        auto const choice = trawl::tune(c.all(), {.queries = {.count = 50}, .rounds = rounds});
        return choice.tried.points[0].outcome.values.size();
    };
    CHECK(queries(1) == 20);
    CHECK(queries(2) == 40);
    CHECK(queries(8) == 50);
}

TEST_CASE("an embedder that is learnt reads only what is left", "[collection][tuning]") {
    auto const c = documents_of({"by chance", random_embedder{}}, false, 30);
    std::size_t fits = 0;
    auto const fit = [&](std::span<std::string_view const> texts) -> trawl::any_embedder {
        ++fits;
        CHECK(texts.size() == 30);
        for (auto const text : texts) { // of 26 words 6 to 12 are cut out
            CHECK(trawl::count_words(text) <= 20);
            CHECK(trawl::count_words(text) >= 14);
        }
        return {"topics", topic_embedder{}};
    };
    auto const choice = trawl::tune(c.all(), fit, {.rounds = 2});
    CHECK(fits == 2);
    CHECK(choice.effect == trawl::arm_effect::helps);
}

TEST_CASE("judged queries count beside pseudo-queries", "[collection][tuning]") {
    auto const c = documents_of({"topics", topic_embedder{}}, true, 40);
    trawl::collection_tune_options options{.queries = {.count = 40}, .rounds = 1};
    auto const without = trawl::tune(c.all(), options);
    options.judged = {{.text = "t7c", .relevant = {"doc7"}}, {.text = "t3c", .relevant = {"doc9"}}};
    auto const with = trawl::tune(c.all(), options);
    auto const& values = with.tried.points[0].outcome.values;
    REQUIRE(values.size() == without.tried.points[0].outcome.values.size() + 2);
    CHECK(values[values.size() - 2] == 1); // words find document 7 first
    CHECK(values[values.size() - 1] == 0); // and not document 9
}

TEST_CASE("a choice that cannot be made says why", "[collection][tuning]") {
    auto c = trawl::collection::in_memory({.vectors = {{.name = "given", .dim = 3}}});
    CHECK(support::error_of([&] {
        static_cast<void>(trawl::tune(c.all()));
    }).names("'given' has no embedder"));
    CHECK(support::error_of([&] {
        static_cast<void>(trawl::tune(c.all(), {.space = "other"}));
    }).names("'other'"));
    auto const empty = documents_of({"topics", topic_embedder{}}, true, 0);
    CHECK(support::error_of([&] {
        static_cast<void>(trawl::tune(empty.all()));
    }).names("needs 2 folds and 2 queries"));
    auto const known = documents_of({"topics", topic_embedder{}}, true, 5);
    CHECK(support::error_of([&] {
        static_cast<void>(
            trawl::tune(known.all(), {.judged = {{.text = "t1a", .relevant = {"doc1", "doc99"}}}}));
    }).names("'doc99'"));
}

TEST_CASE("a collection tells the options that make one like it", "[collection]") {
    auto const c = trawl::collection::in_memory({.fields = {{"version", trawl::text_field}},
        .texts = {{"title", 3}, {"text"}},
        .vectors = {{.name = "v", .dim = 3, .metric = trawl::metric::dot_product}},
        .parameters = {.k1 = .9, .b = .4},
        .positions = false,
        .chunks = trawl::chunk_options{.tokens = 77}});
    auto const options = c.all().options();
    CHECK(options.fields == c.fields());
    REQUIRE(options.texts.size() == 2);
    CHECK(options.texts[0].weight == 3);
    REQUIRE(options.vectors.size() == 1);
    CHECK(options.vectors[0].dim == 3);
    CHECK(options.vectors[0].metric == trawl::metric::dot_product);
    CHECK(options.parameters.k1 == .9);
    CHECK(!options.positions);
    REQUIRE(options.chunks);
    CHECK(options.chunks->tokens == 77);
}
