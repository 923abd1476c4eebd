// SPDX-License-Identifier: MIT
#include <trawl/models/sentence_encoder.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/thread_executor.hpp>
#include <trawl/error.hpp>

#include "models/golden_model.hpp"
#include "support/catch.hpp"
#include "support/error_of.hpp"

namespace {

using trawl::sentence_encoder;
using trawl::text_role;

std::vector<float> embedded(sentence_encoder const& with,
    std::vector<std::string_view> const& texts, text_role role = text_role::passage) {
    std::vector<float> out(texts.size() * with.dim(), 9.0f);
    with.embed(texts, role, {out.data(), texts.size(), with.dim()});
    return out;
}

} // namespace

TEST_CASE("embeddings are what sentence-transformers computes", "[models]") {
    std::string const name = GENERATE("sentence_bert", "sentence_cls", "sentence_max");
    CAPTURE(name);
    // No prompt of passages: the expected vectors have none.
    auto const with = sentence_encoder::open(golden::folder(name), {.passage_prompt = ""});
    auto const texts = golden::texts(name);
    auto const expected = golden::expected(name, "sentences.npy");
    auto const actual = embedded(with, golden::views(texts));
    REQUIRE(actual.size() == expected.values.size());
    CHECK(golden::largest_difference(actual.data(), expected.values.data(), actual.size()) <= 1e-5);
    CHECK(with.max_tokens() == 16);
    CHECK(with.truncates(texts[5]));
    CHECK_FALSE(with.truncates(texts[0]));
}

TEST_CASE("queries and passages have prompts of their own", "[models]") {
    auto const with = sentence_encoder::open(golden::folder("sentence_bert"));
    auto const plain =
        sentence_encoder::open(golden::folder("sentence_bert"), {.passage_prompt = ""});
    auto const texts = golden::texts("sentence_bert");
    auto const expected = golden::expected("sentence_bert", "queries.npy");
    auto const actual = embedded(with, golden::views(texts), text_role::query);
    CHECK(golden::largest_difference(actual.data(), expected.values.data(), actual.size()) <= 1e-5);
    CHECK(embedded(with, {"returns"}) == embedded(plain, {"passage: returns"}));
    CHECK(with.fingerprint() != plain.fingerprint());
    auto const own = sentence_encoder::open(
        golden::folder("sentence_bert"), {.query_prompt = "q ", .passage_prompt = "p "});
    CHECK(embedded(own, {"returns"}, text_role::query) == embedded(plain, {"q returns"}));
}

TEST_CASE("an embedding does not depend on the batch, threads or reports", "[models]") {
    trawl::thread_executor const pool(3);
    auto const weights = GENERATE(trawl::weight_type::float32, trawl::weight_type::int8);
    auto const folder = golden::folder("sentence_bert");
    auto const with = sentence_encoder::open(folder, {.weights = weights});
    auto const threaded = sentence_encoder::open(folder, {.weights = weights, .pool = &pool});
    CHECK(with.fingerprint() == threaded.fingerprint());
    auto const texts = golden::texts("sentence_bert");
    std::vector<std::string_view> many;
    for (std::size_t i = 0; i < 600; ++i) many.push_back(texts[i * i % texts.size()]);
    auto const together = embedded(with, many);
    CHECK(embedded(threaded, many) == together);
    for (std::size_t i = 0; i < 9; ++i) {
        auto const alone = embedded(with, {many[i]});
        auto const* const row = together.data() + i * with.dim();
        CHECK(alone == std::vector<float>(row, row + with.dim()));
    }
    std::vector<std::size_t> done;
    std::vector<float> out(together.size());
    threaded.embed(many, text_role::passage, {out.data(), many.size(), with.dim()},
        [&](std::size_t so_far, std::size_t all) {
            CHECK(all == 600);
            done.push_back(so_far);
        });
    CHECK(out == together);
    CHECK(done == std::vector<std::size_t>{256, 512, 600});
    CHECK(embedded(with, {}).empty());
}

TEST_CASE("pooling and normalisation can be chosen", "[models]") {
    auto const folder = golden::folder("sentence_bert");
    auto const text = golden::texts("sentence_bert")[0];
    auto const raw = embedded(
        sentence_encoder::open(folder, {.pooling = trawl::pooling::cls, .normalise = false}),
        {text});
    auto const unit =
        embedded(sentence_encoder::open(folder, {.pooling = trawl::pooling::cls}), {text});
    double length = 0;
    for (auto const v : unit) length += static_cast<double>(v) * static_cast<double>(v);
    CHECK(std::abs(length - 1) <= 1e-6);
    CHECK(golden::cosine(raw.data(), unit.data(), raw.size()) >= 0.9999999);
    CHECK(golden::largest_difference(raw.data(), unit.data(), raw.size()) > 0.1);
}

TEST_CASE("a sentence encoder refuses wrong shapes and too many tokens", "[models]") {
    auto const folder = golden::folder("sentence_bert");
    auto const with = sentence_encoder::open(folder);
    std::vector<float> out(64);
    std::vector<std::string_view> const texts{"a"};
    auto const e = support::error_of([&] {
        with.embed(texts, text_role::query, {out.data(), 2, 32});
    });
    CHECK((e.code == trawl::errc::dimension_mismatch
           && e.text == "sentence_encoder::embed: out is 2 x 32, must be 1 x 32"));
    CHECK(support::error_of([&] {
        static_cast<void>(sentence_encoder::open(folder, {.max_tokens = 49}));
    }).names("max_tokens is 49"));
    CHECK(support::error_of([&] {
        static_cast<void>(sentence_encoder::open(golden::folder("absent")));
    }).code
          == trawl::errc::io);
}

TEST_CASE("a sentence encoder is an embedder for collections", "[models]") {
    auto const with = sentence_encoder::open(golden::folder("sentence_bert"));
    trawl::any_embedder const any(with);
    CHECK((any.dim() == 32 && any.fingerprint() == with.fingerprint()));
}
