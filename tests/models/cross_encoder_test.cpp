// SPDX-License-Identifier: MIT
#include <trawl/models/cross_encoder.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/core/thread_executor.hpp>
#include <trawl/error.hpp>
#include <trawl/rerank/rerank_stage.hpp>

#include "models/golden_model.hpp"
#include "support/catch.hpp"
#include "support/error_of.hpp"

using trawl::cross_encoder;

TEST_CASE("logits of pairs are what transformers computes", "[models]") {
    std::string const name = GENERATE("bert_classifier", "roberta_classifier");
    CAPTURE(name);
    auto const with = cross_encoder::open(golden::folder(name));
    REQUIRE(with.labels() == 1);
    auto const expected = golden::expected(name, "logits.npy");
    std::size_t i = 0;
    for (auto const& [query, text] : golden::pairs(name)) {
        std::string_view const texts[] = {text};
        float logit = 0;
        with.logits(query, texts, {&logit, 1, 1});
        CAPTURE(i);
        CHECK(std::abs(logit - expected.values[i++]) <= 1e-5f);
    }
    CHECK(i == 5);
}

TEST_CASE("a cross-encoder reranks, the same in any batch and on any threads", "[models]") {
    auto const folder = golden::folder("bert_classifier");
    trawl::thread_executor const pool(3);
    auto const weights = GENERATE(trawl::weight_type::float32, trawl::weight_type::int8);
    auto const with = cross_encoder::open(folder, {.weights = weights});
    auto const threaded = cross_encoder::open(folder, {.weights = weights, .pool = &pool});
    CHECK(with.fingerprint() == threaded.fingerprint());
    std::vector<std::string> const texts{"Backups are kept for 30 days, then deleted.",
        "Orders, returns and shipments.", "", "A refund is paid within a week."};
    trawl::query const q{.text = "How long are backups kept?"};
    std::vector<trawl::candidate> batch;
    for (std::size_t i = 0; i < 300; ++i)
        batch.push_back({static_cast<trawl::doc_id>(i), 0, texts[i % texts.size()]});
    std::vector<float> scores(batch.size()), others(batch.size());
    with(q, batch, scores);
    threaded(q, batch, others);
    CHECK(scores == others);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        std::string_view const text[] = {texts[i]};
        float alone = 0;
        with.score(q.text, text, {&alone, 1});
        CHECK(alone == scores[i]);
    }

    auto const by_id = [&](trawl::doc_id id) { return std::string_view(texts[id]); };
    auto const ranked = trawl::rerank_stage(with, by_id)(q, {{0, 4}, {1, 3}, {2, 2}, {3, 1}});
    REQUIRE(ranked.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(ranked[i].score == scores[ranked[i].id]);
        if (i > 0) CHECK(ranked[i - 1].score >= ranked[i].score);
    }
}

TEST_CASE("a cross-encoder says what it cuts, and what it refuses", "[models]") {
    auto const folder = golden::folder("bert_classifier");
    auto const with = cross_encoder::open(folder, {.max_tokens = 12});
    trawl::query const q{.text = "refund"};
    CHECK_FALSE(with.truncates(q, "a"));
    CHECK(with.truncates(q, "A refund is paid within a week."));
    CHECK(support::error_of([&] {
        static_cast<void>(cross_encoder::open(golden::folder("bert")));
    }).names("no classification head"));
    CHECK(support::error_of([&] {
        static_cast<void>(cross_encoder::open(folder, {.label = 1}));
    }).names("label is 1"));
    std::vector<trawl::candidate> const batch(2);
    std::vector<float> out(3);
    CHECK(support::error_of([&] { with(q, batch, out); }).code == trawl::errc::dimension_mismatch);
}
